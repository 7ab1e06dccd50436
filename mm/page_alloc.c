/*
 * Allocating frames: the hot list, the watermarks, and what to do when memory
 * is short.
 *
 *	alloc_pages() --hot list--> buddy system
 *	     |  below pages_low: wake kswapd
 *	     |  below pages_min: reclaim ourselves, again and again
 *	     `  the reserve below pages_min is for reclaim itself
 *
 * There is one zone: every frame is direct-mapped and reachable by DMA.  The
 * watermarks and the order of attempts are those of Linux 2.5.66.
 *
 * Invariants
 *  1. nr_free_pages = frames in free blocks + frames on the hot list.
 *  2. A free frame starts with the poison; who writes to it is caught when it
 *     is allocated next.
 *  3. Only reclaim (PF_MEMALLOC) and OOM victims take the last frames.
 *
 * Watch it in gdb: break alloc_pages_slow; print nr_free_pages.
 */
#include "mm/page_alloc.h"

#include "drivers/block.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/buddy.h"
#include "mm/vmscan.h"
#include "mm/vmstat.h"

#define POISON		0xfeedf00du
#define POISON_WORDS	4
#define HOT_MAX		64		/* frames kept unjoined */
#define HOT_BATCH	32		/* moved from or to the buddy system */
#define COSTLY_ORDER	3		/* above: fail rather than loop */

u32 nr_free_pages;
u32 total_pages;
u32 pages_min, pages_low, pages_high;
int min_free_kbytes;

int fail_nth;

static LIST_HEAD(hot_list);
static u32 nr_hot;

/* Marks a free frame. */
static void poison_frame(struct page *page)
{
	u32 *word = page_address(page);

	for (unsigned i = 0; i < POISON_WORDS; i++)
		word[i] = POISON;
}

/* Panics when somebody wrote to a free frame. */
static void check_poison(struct page *page)
{
	const u32 *word = page_address(page);

	for (unsigned i = 0; i < POISON_WORDS; i++)
		if (unlikely(word[i] != POISON))
			panic("free frame %u was written to (%08x)",
			      page_to_pfn(page), word[i]);
}

/* Moves a batch of frames from the buddy system to the hot list. */
static void hot_refill(void)
{
	for (unsigned i = 0; i < HOT_BATCH; i++) {
		struct page *page = buddy_alloc(0);

		if (!page)
			return;
		list_add_tail(&page->lru, &hot_list);
		nr_hot++;
	}
}

/* Gives the coldest frames of the hot list back to the buddy system. */
static void hot_drain(u32 keep)
{
	while (nr_hot > keep) {
		struct page *page = list_last_entry(&hot_list, struct page,
						    lru);

		list_del(&page->lru);
		nr_hot--;
		buddy_free(page, 0);
	}
}

/* Takes 2^order frames if there are any; no watermark. */
static struct page *take_frames(unsigned order)
{
	struct page *page;

	if (likely(order == 0)) {
		if (unlikely(list_empty(&hot_list)))
			hot_refill();
		if (unlikely(list_empty(&hot_list)))
			return NULL;
		page = list_first_entry(&hot_list, struct page, lru);
		list_del(&page->lru);
		nr_hot--;
	} else {
		page = buddy_alloc(order);
		if (!page && nr_hot) {
			hot_drain(0);
			page = buddy_alloc(order);
		}
		if (!page)
			return NULL;
	}
	nr_free_pages -= 1u << order;
	return page;
}

/* Turns free frames into allocated ones: checks, initialises, counts. */
static struct page *prepare_frames(struct page *page, unsigned gfp,
				   unsigned order)
{
	for (u32 i = 0; i < 1u << order; i++) {
		check_poison(page + i);
		page[i].flags = 0;
		page[i].type = PAGE_KERNEL;
		page[i].rmap.mapcount = 0;
		page[i].mapping = NULL;
		page[i].private = 0;
	}
	page->count = 1;
	vm_add(pgalloc, 1u << order);
	if (gfp & __GFP_ZERO)
		memset(page_address(page), 0, PAGE_SIZE << order);
	return page;
}

/* Takes frames if at least `mark` would stay free. */
static struct page *take_above(u32 mark, unsigned order)
{
	if (nr_free_pages < mark + (1u << order))
		return NULL;
	return take_frames(order);
}

/* May the caller use the reserve down to the last frame? */
static bool may_use_reserve(void)
{
	return current->flags & (PF_MEMALLOC | PF_OOM_VICTIM);
}

/* Reclaims until the request is met, or gives up where that is allowed. */
static struct page *reclaim_and_take(unsigned gfp, unsigned order)
{
	for (;;) {
		bool progress = try_to_free_pages(gfp, order);
		struct page *page = take_above(pages_min, order);

		if (page)
			return page;
		if (current->flags & PF_OOM_VICTIM)
			return take_frames(order);
		if (order > COSTLY_ORDER && !progress)
			return NULL;
		if (!progress)
			blk_congestion_wait(2);
		cond_resched();
	}
}

/* Memory is below the low watermark: wakes kswapd, then tries deeper. */
static noinline struct page *alloc_pages_slow(unsigned gfp, unsigned order)
{
	struct page *page;

	wakeup_kswapd();
	page = take_above(gfp & __GFP_HIGH ? pages_min / 4 : pages_min, order);
	if (!page && may_use_reserve())
		page = take_frames(order);
	if (page || may_use_reserve() || !(gfp & __GFP_WAIT))
		return page;
	vm_inc(allocstall);
	return reclaim_and_take(gfp, order);
}

/* Counts down to an injected failure; see mm/page_alloc.h. */
bool allocation_fails(unsigned gfp)
{
	if (likely(!fail_nth) || !(gfp & __GFP_WAIT) ||
	    current->flags & (PF_KTHREAD | PF_MEMALLOC))
		return false;
	return --fail_nth == 0;
}

/* 2^order frames of type PAGE_KERNEL with one reference, or NULL. */
struct page *alloc_pages(unsigned gfp, unsigned order)
{
	struct page *page = take_above(pages_low, order);

	if (unlikely(fail_nth) && page && allocation_fails(gfp)) {
		free_pages(prepare_frames(page, 0, order), order);
		return NULL;
	}
	if (unlikely(!page))
		page = alloc_pages_slow(gfp, order);
	if (unlikely(!page)) {
		if (!(gfp & __GFP_NOWARN))
			printk(KERN_WARNING "%s: order-%u allocation failed "
			       "(gfp=0x%x, %u pages free)\n", current->comm,
			       order, gfp, nr_free_pages);
		return NULL;
	}
	return prepare_frames(page, gfp, order);
}

/* Gives 2^order frames back; they must not be mapped or on a list. */
void free_pages(struct page *page, unsigned order)
{
	BUG_ON(page->type == PAGE_FREE || page->type == PAGE_RESERVED);
	BUG_ON(page->count > 1 || page_mapped(page));
	BUG_ON(page->flags & (PG_LRU | PG_WRITEBACK | PG_LOCKED));
	page->count = 0;
	for (u32 i = 0; i < 1u << order; i++)
		poison_frame(page + i);
	nr_free_pages += 1u << order;
	vm_add(pgfree, 1u << order);
	if (order) {
		buddy_free(page, order);
		return;
	}
	page->type = PAGE_FREE;
	page->private = MAX_ORDER;
	list_add(&page->lru, &hot_list);
	if (unlikely(++nr_hot > HOT_MAX))
		hot_drain(HOT_MAX - HOT_BATCH);
}

/* The same by kernel address; NULL when out of memory. */
void *get_free_pages(unsigned gfp, unsigned order)
{
	struct page *page = alloc_pages(gfp, order);

	return page ? page_address(page) : NULL;
}

/* Frees what get_free_pages() returned. */
void free_pages_at(void *addr, unsigned order)
{
	free_pages(virt_to_page(addr), order);
}

/* Free frames on the hot list. */
u32 hot_frames(void)
{
	return nr_hot;
}

/* Sets the three watermarks from the lowest. */
void set_watermarks(u32 min_pages)
{
	pages_min = min_pages;
	pages_low = min_pages * 2;
	pages_high = min_pages * 3;
	min_free_kbytes = (int)min_pages * (int)(PAGE_SIZE / 1024);
}
