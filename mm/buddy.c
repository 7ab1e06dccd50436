/*
 * The binary buddy system (Knuth, TAOCP 1, 2.5; Linux since 1.x).
 *
 * Memory is handed out in blocks of 2^order frames.  A block of order k starts
 * at a frame number that is a multiple of 2^k; its buddy is the block whose
 * number differs in bit k alone, and the two together are a block of order
 * k + 1.  Splitting and joining are therefore one exclusive-or:
 *
 *	order 2   |    0 .. 3     |    4 .. 7     |
 *	order 1   | 0 1   | 2 3   | 4 5   | 6 7   |   buddy(2, order 1) = 0
 *	order 0   |0 |1 |2 |3 |4 |5 |6 |7 |           buddy(5, order 0) = 4
 *
 * Invariants
 *  1. The head of a free block has type PAGE_FREE, count 0 and its order in
 *     `private`, and is on free_list[order]; the other frames of the block
 *     have type PAGE_FREE and private NOT_HEAD.
 *  2. A free block's buddy is not a free block of the same order.
 *  3. nr_blocks[k] is the length of free_list[k].
 *
 * Only mm/page_alloc.c calls this.  Watch it in gdb: break buddy_alloc.
 */
#include "mm/buddy.h"

#include "kernel/printk.h"

#define NOT_HEAD	MAX_ORDER

static struct list_head free_list[MAX_ORDER];
static u32 nr_blocks[MAX_ORDER];

/* Empties all lists; called once before any frame is given. */
void buddy_init(void)
{
	for (unsigned k = 0; k < MAX_ORDER; k++) {
		list_init(&free_list[k]);
		nr_blocks[k] = 0;
	}
}

/* True when `page` heads a free block. */
bool buddy_is_free_head(const struct page *page)
{
	return page->type == PAGE_FREE && page->private < MAX_ORDER;
}

/* Puts a block on the list of its order. */
static void block_add(struct page *page, unsigned order)
{
	page->type = PAGE_FREE;
	page->private = order;
	list_add(&page->lru, &free_list[order]);
	nr_blocks[order]++;
}

/* Takes a free block off its list. */
static void block_del(struct page *page, unsigned order)
{
	list_del(&page->lru);
	page->private = NOT_HEAD;
	nr_blocks[order]--;
}

/* The buddy of a block if that is a free block of the same order, or NULL. */
static struct page *free_buddy(const struct page *page, unsigned order)
{
	u32 pfn = page_to_pfn(page) ^ (1u << order);
	struct page *buddy = pfn_to_page(pfn);

	if (pfn + (1u << order) > max_pfn)
		return NULL;
	if (buddy->type != PAGE_FREE || buddy->private != order)
		return NULL;
	return buddy;
}

/* Gives a block back and joins it with its free buddies. */
void buddy_free(struct page *page, unsigned order)
{
	for (u32 i = 0; i < 1u << order; i++) {
		page[i].type = PAGE_FREE;
		page[i].private = NOT_HEAD;
	}
	while (order < MAX_ORDER - 1) {
		struct page *buddy = free_buddy(page, order);

		if (!buddy)
			break;
		block_del(buddy, order);
		if (buddy < page)
			page = buddy;
		order++;
	}
	block_add(page, order);
}

/* A free block of 2^order frames, split off the smallest that holds it. */
struct page *buddy_alloc(unsigned order)
{
	unsigned k = order;
	struct page *page;

	while (k < MAX_ORDER && list_empty(&free_list[k]))
		k++;
	if (k == MAX_ORDER)
		return NULL;
	page = list_first_entry(&free_list[k], struct page, lru);
	block_del(page, k);
	while (k > order) {
		k--;
		block_add(page + (1u << k), k);
	}
	return page;
}

/* Free blocks of exactly this order. */
u32 free_blocks(unsigned order)
{
	return nr_blocks[order];
}
