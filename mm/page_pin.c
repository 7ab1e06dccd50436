/*
 * Pinned pages: references held for as long as a file system is mounted.
 *
 * There are few, so a list is enough; what it is for is that the checker can
 * tell a reference that is meant to stay from one that was forgotten.
 */
#include "kernel/printk.h"
#include "mm/page.h"
#include "mm/slab.h"

struct pin {
	struct page *page;
	struct list_head node;
};

static LIST_HEAD(pins);

/* Takes a long-term reference; false: no memory.  May sleep. */
bool pin_page(struct page *page)
{
	struct pin *pin = kmalloc(sizeof(*pin), GFP_KERNEL);

	if (!pin)
		return false;
	get_page(page);
	pin->page = page;
	list_add(&pin->node, &pins);
	return true;
}

/* Drops a long-term reference. */
void unpin_page(struct page *page)
{
	struct pin *pin;

	list_for_each_entry(pin, &pins, node) {
		if (pin->page != page)
			continue;
		list_del(&pin->node);
		kfree(pin);
		put_page(page);
		return;
	}
	panic("page %u is not pinned", page_to_pfn(page));
}

/* Long-term references to the page now. */
u32 page_pins(const struct page *page)
{
	struct pin *pin;
	u32 n = 0;

	list_for_each_entry(pin, &pins, node)
		n += pin->page == page;
	return n;
}
