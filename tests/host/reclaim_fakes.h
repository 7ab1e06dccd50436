/*
 * Stand-ins for all that reclaim works with: reverse map, swap, page cache,
 * disk and OOM killer, a few lines each, which do what the test has set.
 */
#ifndef TESTS_HOST_RECLAIM_FAKES_H
#define TESTS_HOST_RECLAIM_FAKES_H

#include "mm/oom.h"
#include "mm/page_alloc.h"
#include "mm/rmap.h"
#include "mm/swap.h"
#include "mm/vmscan.h"
#include "mm/writeback.h"
#include "tests/host/arena.h"

#define FRAMES	4000u

u32 nr_free_pages, total_pages = FRAMES, pages_high = 100;
u32 nr_swap_pages = 1000;
struct address_space swapper_space;
static struct address_space file;
static u32 young[FRAMES];		/* accessed bits, by frame */
static enum swap_result unmap_result;
static bool swap_full, congested;
static u32 freed, oom_kills, kmem_reaped, flusher_pages;

/* What the disk does with a page that is written. */
static enum disk { DISK_SLOW, DISK_FAST, DISK_BAD } disk;

static int fake_referenced(struct page *page)
{
	u32 pfn = page_to_pfn(page), n = young[pfn];

	young[pfn] = 0;
	return (int)n;
}

static enum swap_result fake_unmap(struct page *page)
{
	if (unmap_result == SWAP_SUCCESS) {
		page->count -= (s32)page->rmap.mapcount;
		page->rmap.mapcount = 0;
	}
	return unmap_result;
}

static const struct rmap_ops fake_rmap = {
	.name = "fake", .referenced = fake_referenced, .unmap = fake_unmap,
};
const struct rmap_ops *rmap = &fake_rmap;

static int fake_writepage(struct page *page,
			  struct writeback_control *wbc unused_arg)
{
	if (disk == DISK_SLOW)
		page->flags |= PG_WRITEBACK;
	if (disk == DISK_BAD)
		page->flags |= PG_DIRTY | PG_ERROR;
	unlock_page(page);
	return disk == DISK_BAD ? -EIO : 0;
}

static const struct address_space_ops fake_ops = {
	.writepage = fake_writepage,
};

bool add_to_swap(struct page *page)
{
	if (swap_full)
		return false;
	page->flags |= PG_SWAPCACHE | PG_DIRTY;
	page->count++;
	return true;
}

static void leave_cache(struct page *page)
{
	page->flags &= ~PG_SWAPCACHE;
	page->mapping = NULL;
	page->count--;
}

void delete_from_swap_cache(struct page *page)
{
	leave_cache(page);
}

void remove_from_page_cache(struct page *page)
{
	leave_cache(page);
}

bool clear_page_dirty(struct page *page)
{
	page->flags &= ~PG_DIRTY;
	return true;
}

void free_user_page(struct page *page)
{
	if (page->flags & PG_LRU)
		lru->del(page);
	page->type = PAGE_FREE;
	freed++;
}

void out_of_memory(unsigned gfp unused_arg)
{
	oom_kills++;
}

u32 kmem_cache_reap(void)
{
	u32 n = kmem_reaped;

	kmem_reaped = 0;
	return n;
}

void wakeup_flusher(u32 pages)
{
	flusher_pages += pages;
}

bool writeback_congested(const struct page *page unused_arg)
{
	return congested;
}

struct task *kernel_thread(int (*fn)(void *) unused_arg, void *arg unused_arg,
			   const char *name unused_arg)
{
	return NULL;
}

u32 shrink_vfs_caches(u32 share) { return share * 0; }
void blk_start_plug(void) {}
void blk_finish_plug(void) {}
void blk_congestion_wait(long ticks unused_arg) {}
void cond_resched(void) {}
void schedule(void) {}
void wake_page(struct page *page unused_arg) {}
void wake_up(struct wait_queue *wq unused_arg) {}
void wait_queue_init(struct wait_queue *wq unused_arg) {}
void finish_wait(struct wait_queue *wq unused_arg,
		 struct waiter *w unused_arg) {}
void prepare_to_wait(struct wait_queue *wq unused_arg,
		     struct waiter *w unused_arg, int state unused_arg) {}

#endif
