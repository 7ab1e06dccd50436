/*
 * Writeback: which pages are dirty, and when they are written.
 *
 *	set_page_dirty() --> dirty tag; mapping on dirty_mappings
 *	flusher thread   --> every 5 s: mappings dirty for 30 s
 *	                     over background_ratio: the oldest, until below
 *	writers          --> over dirty_ratio: write themselves, and wait
 *
 * Each flush of a mapping visits its dirty pages once, in file order.
 *
 * Pages dirtied through a shared mapping count only when the dirty bit leaves
 * the PTE (unmap, msync, reclaim), as in Linux up to 2.6.18.
 *
 * Invariants
 *  1. nr_dirty counts the pages with PG_DIRTY in mappings that are written
 *     back; nr_writeback those with PG_WRITEBACK, swap included.
 *  2. A mapping with dirty pages is on dirty_mappings, in order of age.
 *
 * Watch it in gdb: break write_dirty_page; print vm_stat[vm_nr_dirty].
 */
#include "mm/writeback.h"

#include "drivers/block.h"
#include "fs/vfs.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "lib/errno.h"
#include "mm/lru.h"
#include "mm/mm_internal.h"
#include "mm/page_alloc.h"
#include "mm/vmscan.h"
#include "mm/vmstat.h"

#define WRITE_BATCH	16		/* pages looked up at once */
#define WRITE_CHUNK	48		/* pages a throttled writer writes */
#define MAX_WRITEBACK	1024		/* pages per mapping and round */

int dirty_ratio = 40, dirty_background_ratio = 10;
int dirty_expire_centisecs = 3000, dirty_writeback_centisecs = 500;

static LIST_HEAD(dirty_mappings);	/* oldest first */
static struct wait_queue flusher_wait;
static u32 flusher_goal;		/* pages asked for by others */

/* Is the page's mapping one that the flusher writes? */
static bool is_written_back(const struct address_space *m)
{
	return m && !m->swap_backed && !m->no_writeback;
}

/* Marks a page dirty and its mapping with it; true if it was clean. */
bool set_page_dirty(struct page *page)
{
	struct address_space *m = page->mapping;

	if (page->flags & PG_DIRTY)
		return false;
	page->flags |= PG_DIRTY;
	if (!m)
		return true;		/* anonymous: the swap cache's */
	radix_tree_tag_set(&m->pages, page->index, RADIX_TAG_DIRTY);
	if (!is_written_back(m))
		return true;
	vm_inc(nr_dirty);
	if (list_empty(&m->dirty_node)) {
		m->dirtied_when = jiffies;
		list_add_tail(&m->dirty_node, &dirty_mappings);
	}
	return true;
}

/* Takes the dirty mark off a page; was it set? */
bool clear_page_dirty(struct page *page)
{
	struct address_space *m = page->mapping;

	if (!(page->flags & PG_DIRTY))
		return false;
	page->flags &= ~PG_DIRTY;
	if (!m)
		return true;
	radix_tree_tag_clear(&m->pages, page->index, RADIX_TAG_DIRTY);
	if (is_written_back(m))
		vm_dec(nr_dirty);
	return true;
}

/* The page is on its way to the disk. */
void set_page_writeback(struct page *page)
{
	page->flags |= PG_WRITEBACK;
	if (page->mapping)
		radix_tree_tag_set(&page->mapping->pages, page->index,
				   RADIX_TAG_WRITEBACK);
	vm_inc(nr_writeback);
}

/* End of a write: records an error, frees reclaim's page, wakes waiters. */
void end_page_writeback(struct page *page, int error)
{
	struct address_space *m = page->mapping;

	page->flags &= ~PG_WRITEBACK;
	vm_dec(nr_writeback);
	if (m) {
		radix_tree_tag_clear(&m->pages, page->index,
				     RADIX_TAG_WRITEBACK);
		if (error)
			m->error = error;
	}
	if (error)
		page->flags |= PG_ERROR;
	if (page->flags & PG_RECLAIM) {
		page->flags &= ~PG_RECLAIM;
		lru->rotate(page);
	}
	if (page->flags & PG_WAITERS)
		wake_page(page);
}

/* Writes one page if it is still dirty and in the mapping; 0 or an error. */
static noinline int write_dirty_page(struct address_space *m,
				     struct page *page, bool wait)
{
	struct writeback_control wbc = { .for_reclaim = false };

	if (wait)
		wait_on_page_writeback(page);
	lock_page(page);
	if (page->mapping != m || page->flags & PG_WRITEBACK ||
	    !clear_page_dirty(page)) {
		unlock_page(page);
		return 0;
	}
	return m->ops->writepage(page, &wbc);
}

/* Looks up a batch of tagged pages with references; how many. */
static unsigned get_tagged(struct address_space *m, u32 first,
			   enum radix_tree_tag tag, struct page **pages)
{
	unsigned n = radix_tree_gang_lookup_tag(&m->pages, (void **)pages,
						first, WRITE_BATCH, tag);

	for (unsigned i = 0; i < n; i++)
		get_page(pages[i]);
	return n;
}

/* Writes the dirty pages of [first, last] once, at most *budget of them. */
static int write_range(struct address_space *m, u32 first, u32 last,
		       bool wait, u32 *budget)
{
	struct page *pages[WRITE_BATCH];
	bool more = true;
	int error = 0;
	unsigned n;

	blk_start_plug();
	while (more && (n = get_tagged(m, first, RADIX_TAG_DIRTY, pages))) {
		for (unsigned i = 0; i < n; i++) {
			u32 index = pages[i]->index;

			more = more && *budget && index <= last &&
			       index >= first;
			if (more) {
				int e = write_dirty_page(m, pages[i], wait);

				error = error ? error : e;
				--*budget;
				first = index + 1;
				more = first != 0;
			}
			put_page(pages[i]);
		}
		cond_resched();
	}
	blk_finish_plug();
	return error;
}

/* Waits for the writes of [first, last]. */
static void wait_range(struct address_space *m, u32 first, u32 last)
{
	struct page *pages[WRITE_BATCH];
	unsigned n;

	while ((n = get_tagged(m, first, RADIX_TAG_WRITEBACK, pages))) {
		bool done = false;

		for (unsigned i = 0; i < n; i++) {
			done = done || pages[i]->index > last;
			if (!done)
				wait_on_page_writeback(pages[i]);
			put_page(pages[i]);
		}
		if (done)
			return;
	}
}

/* Starts (and with wait: finishes) writing the dirty pages of [first, last];
 * with wait, returns and clears a recorded write error. */
int filemap_write(struct address_space *m, u32 first, u32 last, bool wait)
{
	u32 budget = ~0u;
	int error;

	if (!is_written_back(m))
		return 0;
	error = write_range(m, first, last, wait, &budget);
	if (!wait)
		return error;
	wait_range(m, first, last);
	if (m->error) {
		error = m->error;
		m->error = 0;
	}
	return error;
}

/* Takes the mapping at the head of the dirty list, with its inode held; NULL:
 * none, or none dirty before `before` (with `aged`). */
static struct address_space *oldest_mapping(bool aged, u32 before)
{
	struct address_space *m;

	if (list_empty(&dirty_mappings))
		return NULL;
	m = list_first_entry(&dirty_mappings, struct address_space,
			     dirty_node);
	if (aged && (s32)(m->dirtied_when - before) > 0)
		return NULL;
	list_del_init(&m->dirty_node);
	igrab(m->host);
	return m;
}

/* Puts a mapping back if it is dirty still, and drops its inode. */
static void requeue_mapping(struct address_space *m)
{
	if (list_empty(&m->dirty_node) &&
	    radix_tree_tagged(&m->pages, RADIX_TAG_DIRTY)) {
		m->dirtied_when = jiffies;
		list_add_tail(&m->dirty_node, &dirty_mappings);
	}
	iput(m->host);
}

/* Writes from the oldest mappings; pages written. */
static u32 write_oldest(u32 goal, bool aged, u32 before)
{
	u32 left = goal;

	while (left) {
		struct address_space *m = oldest_mapping(aged, before);
		u32 budget = min(left, (u32)MAX_WRITEBACK), asked = budget;

		if (!m)
			break;
		write_range(m, 0, ~0u, false, &budget);
		requeue_mapping(m);
		if (budget == asked)
			break;
		left -= asked - budget;
	}
	return goal - left;
}

/* Starts (and with wait: finishes) writing every dirty page.  May sleep. */
void writeback_all(bool wait)
{
	u32 rounds = 0;
	struct address_space *m;

	list_for_each_entry(m, &dirty_mappings, dirty_node)
		rounds++;
	while (rounds--) {
		m = oldest_mapping(false, 0);
		if (!m)
			return;
		filemap_write(m, 0, ~0u, false);
		if (wait)
			wait_range(m, 0, ~0u);
		requeue_mapping(m);
	}
}

/* The dirty limit in pages: dirty_ratio, less when much is mapped. */
static u32 dirty_limit(void)
{
	u32 ratio = min((u32)dirty_ratio, (100 - mapped_ratio()) / 2);

	return total_pages * max(ratio, 5u) / 100;
}

/* The limit above which the flusher works; below the dirty limit. */
static u32 background_limit(u32 limit)
{
	u32 background = total_pages * (u32)dirty_background_ratio / 100;

	return background < limit ? background : limit / 2;
}

/* Makes a writer write, and wait, while too many pages are dirty. */
void balance_dirty_pages(struct address_space *m)
{
	u32 limit = dirty_limit();

	if (!is_written_back(m))
		return;
	while (vm_stat[vm_nr_dirty] + vm_stat[vm_nr_writeback] > limit) {
		u32 budget = WRITE_CHUNK;

		if (vm_stat[vm_nr_dirty])
			write_range(m, 0, ~0u, false, &budget);
		if (budget == WRITE_CHUNK)
			wakeup_flusher(WRITE_CHUNK);
		if (vm_stat[vm_nr_dirty] + vm_stat[vm_nr_writeback] <= limit)
			break;
		blk_congestion_wait(HZ / 10);
		limit = dirty_limit();
	}
	if (vm_stat[vm_nr_dirty] > background_limit(limit))
		wakeup_flusher(0);
}

/* Has the flusher write about `pages` pages soon; 0: down to its limit. */
void wakeup_flusher(u32 pages)
{
	flusher_goal = max(flusher_goal, pages + 1);
	wake_up(&flusher_wait);
}

/* Is the disk behind a page too busy to take more from reclaim? */
bool writeback_congested(const struct page *page)
{
	const struct inode *host = page->mapping ? page->mapping->host : NULL;

	if (!host || !host->sb || !host->sb->bdev)
		return false;
	return bdev_write_congested(host->sb->bdev);
}

/* Writes until the background limit is respected. */
static void write_background(void)
{
	while (vm_stat[vm_nr_dirty] > background_limit(dirty_limit()))
		if (!write_oldest(MAX_WRITEBACK, false, 0))
			break;
}

/* The flusher thread. */
static int flusher(void *arg unused_arg)
{
	for (;;) {
		long interval = dirty_writeback_centisecs * HZ / 100;
		bool asked = wait_event_timeout(flusher_wait, flusher_goal,
						max(interval, 1L));
		u32 goal = flusher_goal;

		flusher_goal = 0;
		if (!asked) {
			u32 age = dirty_expire_centisecs * HZ / 100;

			sync_inodes(NULL);
			write_oldest(~0u, true, jiffies - age);
		}
		if (goal > 1)
			write_oldest(goal - 1, false, 0);
		write_background();
	}
	return 0;
}

/* Prepares the flusher's queue; called once. */
void writeback_init(void)
{
	wait_queue_init(&flusher_wait);
}

/* Starts the flusher; called once, when tasks run. */
void flusher_start(void)
{
	if (!kernel_thread(flusher, NULL, "flusher"))
		panic("cannot start the flusher");
}
