/*
 * Reclaim, after Linux 2.5.66: kswapd keeps some frames free; whoever finds
 * none left reclaims for itself.
 *
 *	priority 12, 11, ... 0: scan 1/4096, 1/2048, ... all of the lists
 *	  lru->shrink() --> shrink_page_list() --> shrink_page(): one page
 *	    locked or in writeback     keep
 *	    used lately, file in use   activate
 *	    anonymous                  give it a swap slot
 *	    mapped                     unmap it everywhere
 *	    dirty                      write it, keep until written
 *	    clean, nobody else has it  free
 *
 * Invariants
 *  1. While any page can be freed, an allocation that may wait does not fail
 *     and nobody is killed: the OOM killer is asked only after six times the
 *     LRU's pages were scanned in vain, with no write under way.
 *  2. Reclaim never waits for a page lock, for its holder may wait for memory.
 *  3. A dirty page is not freed (design invariant 7).
 *
 * Watch it in gdb: break shrink_page if page_to_pfn(page) == ...
 */
#include "mm/vmscan.h"

#include "drivers/block.h"
#include "fs/vfs.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/div64.h"
#include "mm/mm_internal.h"
#include "mm/oom.h"
#include "mm/page_alloc.h"
#include "mm/rmap.h"
#include "mm/slab.h"
#include "mm/swap.h"
#include "mm/vmstat.h"
#include "mm/writeback.h"

#define VAIN_SCANS	6		/* of the whole LRU, before a kill */

int swappiness = 60;
static u32 vain_scans;			/* pages scanned since one was freed */
static struct wait_queue kswapd_wait;
static bool kswapd_wanted;

/* What shrink_page() did with a page, named for what comes next. */
enum page_fate {
	PAGE_KEEP,		/* back to the inactive list, still locked */
	PAGE_ACTIVATE,		/* to the active list, still locked */
	PAGE_WRITTEN,		/* being written and unlocked: inactive list */
	PAGE_CLEAN,		/* in nobody's hands: free it */
};

/* Percentage of memory that is mapped into page tables. */
u32 mapped_ratio(void)
{
	return (u32)vm_stat[vm_nr_mapped] * 100 / total_pages;
}

/* How often the page was used since last asked; clears the marks. */
int page_referenced(struct page *page)
{
	int n = page->flags & PG_REFERENCED ? 1 : 0;

	page->flags &= ~PG_REFERENCED;
	if (page_mapped(page))
		n += rmap->referenced(page);
	return n;
}

/* Is the page, or anything of its file, in use by page tables? */
static bool mapping_in_use(const struct page *page)
{
	if (page_mapped(page) || page->flags & PG_SWAPCACHE)
		return true;
	return page->mapping && page->mapping->i_mmap_count;
}

/* The address space whose operations write the page, or NULL. */
static struct address_space *page_mapping(struct page *page)
{
	return page->flags & PG_SWAPCACHE ? &swapper_space : page->mapping;
}

/* May reclaim start writing this page now? */
static bool may_write(struct page *page, const struct scan_control *sc)
{
	unsigned need = page->flags & PG_SWAPCACHE ? __GFP_IO : __GFP_FS;

	if (page->count != 2)		/* cache and us; else busy */
		return false;
	if (!(sc->gfp & need))
		return false;
	return sc->kswapd || !writeback_congested(page);
}

/* Writes a dirty, unmapped page.  The page is unlocked unless kept. */
static enum page_fate pageout(struct page *page, struct scan_control *sc)
{
	struct writeback_control wbc = { .for_reclaim = true };
	struct address_space *m = page_mapping(page);

	if (!m || !may_write(page, sc))
		return PAGE_KEEP;
	if (m->no_writeback)
		return PAGE_ACTIVATE;
	clear_page_dirty(page);
	page->flags |= PG_RECLAIM;
	m->ops->writepage(page, &wbc);
	if (!(page->flags & PG_WRITEBACK))
		page->flags &= ~PG_RECLAIM;
	return PAGE_WRITTEN;
}

/* Takes a clean page nobody else uses out of its cache. */
static enum page_fate drop_from_cache(struct page *page)
{
	if (page->count != 2 || page->flags & PG_DIRTY)
		return PAGE_KEEP;
	if (page->flags & PG_SWAPCACHE)
		delete_from_swap_cache(page);
	else if (page->mapping)
		remove_from_page_cache(page);
	else
		return PAGE_KEEP;
	return PAGE_CLEAN;
}

/* Unmaps a mapped page; PAGE_CLEAN: nobody maps it now. */
static enum page_fate unmap_page(struct page *page)
{
	switch (rmap->unmap(page)) {
	case SWAP_FAIL:
		return PAGE_ACTIVATE;
	case SWAP_AGAIN:
		return PAGE_KEEP;
	default:
		return PAGE_CLEAN;
	}
}

/* Decides about one locked page and does it. */
static noinline enum page_fate shrink_page(struct page *page,
					   struct scan_control *sc)
{
	enum page_fate fate;

	if (page->flags & PG_WRITEBACK)
		return PAGE_KEEP;
	if (page_referenced(page) && mapping_in_use(page))
		return PAGE_ACTIVATE;
	if ((page->flags & (PG_ANON | PG_SWAPCACHE)) == PG_ANON &&
	    page_mapped(page) && !add_to_swap(page))
		return PAGE_ACTIVATE;
	if (page_mapped(page)) {
		fate = unmap_page(page);
		if (fate != PAGE_CLEAN)
			return fate;
	}
	if (page->flags & PG_DIRTY) {
		fate = pageout(page, sc);
		if (fate != PAGE_WRITTEN)
			return fate;
		if (page->flags & (PG_WRITEBACK | PG_DIRTY) ||
		    !trylock_page(page))
			return PAGE_WRITTEN;
	}
	return drop_from_cache(page);
}

/* Puts a page that was not freed back on the LRU. */
static void putback_page(struct page *page, enum page_fate fate)
{
	if (fate == PAGE_ACTIVATE) {
		lru->add_active(page);
		vm_inc(pgactivate);
	} else {
		lru->add_inactive(page);
	}
	put_page(page);
}

/* Tries to free each page of a list of isolated pages. */
void shrink_page_list(struct list_head *pages, struct scan_control *sc)
{
	u32 freed = 0;

	blk_start_plug();
	while (!list_empty(pages)) {
		struct page *page = list_last_entry(pages, struct page, lru);
		enum page_fate fate;

		list_del(&page->lru);
		if (!trylock_page(page)) {
			putback_page(page, PAGE_KEEP);
			continue;
		}
		fate = shrink_page(page, sc);
		if (fate != PAGE_WRITTEN)
			unlock_page(page);
		if (fate == PAGE_CLEAN) {
			put_page(page);
			freed++;
		} else {
			putback_page(page, fate);
		}
	}
	blk_finish_plug();
	sc->nr_reclaimed += freed;
	if (freed)
		vain_scans = 0;
	if (sc->kswapd)
		vm_add(pgsteal_kswapd, freed);
	else
		vm_add(pgsteal_direct, freed);
}

/* Asks the caches outside the LRU to give memory back. */
static void shrink_caches(struct scan_control *sc)
{
	u32 size = lru->size();
	u32 share = (u32)div_u64((u64)sc->nr_scanned * 64, size + 1);

	if (sc->gfp & __GFP_FS && share)
		shrink_vfs_caches(share);
	sc->nr_reclaimed += kmem_cache_reap();
}

/* Has so much been scanned in vain that only killing a task can help?  Two
 * rounds clear accessed bits, one starts writes, one frees what was written;
 * the rest is for what other tasks touch meanwhile. */
static bool is_hopeless(const struct scan_control *sc)
{
	vain_scans += sc->nr_scanned + sc->nr_refilled + SWAP_CLUSTER_MAX;
	return vain_scans / VAIN_SCANS > lru->size() &&
	       !vm_stat[vm_nr_writeback];
}

/* Direct reclaim for an allocation that failed; true: something was freed. */
bool try_to_free_pages(unsigned gfp, unsigned order unused_arg)
{
	struct scan_control sc = { .gfp = gfp };

	current->flags |= PF_MEMALLOC;
	for (sc.priority = DEF_PRIORITY; sc.priority >= 0; sc.priority--) {
		lru->shrink(&sc, SWAP_CLUSTER_MAX);
		shrink_caches(&sc);
		if (sc.nr_reclaimed >= SWAP_CLUSTER_MAX)
			break;
		if (!(gfp & __GFP_FS) && sc.priority < DEF_PRIORITY - 2)
			break;
		wakeup_flusher(sc.nr_scanned);
		if (vm_stat[vm_nr_writeback])
			blk_congestion_wait(2);
	}
	current->flags &= ~PF_MEMALLOC;
	if (!sc.nr_reclaimed && gfp & __GFP_FS && is_hopeless(&sc)) {
		vain_scans = 0;
		out_of_memory(gfp);
	}
	return sc.nr_reclaimed;
}

/* Frees until pages_high is reached or nothing more can be done now. */
static void balance_memory(void)
{
	struct scan_control sc = { .gfp = GFP_KERNEL, .kswapd = true };

	for (sc.priority = DEF_PRIORITY; sc.priority > 0; sc.priority--) {
		if (nr_free_pages >= pages_high)
			return;
		lru->shrink(&sc, pages_high - nr_free_pages);
		shrink_caches(&sc);
		if (nr_free_pages < pages_high &&
		    sc.priority < DEF_PRIORITY - 2)
			blk_congestion_wait(2);
	}
}

/* The reclaim daemon. */
static int kswapd(void *arg unused_arg)
{
	current->flags |= PF_MEMALLOC | PF_KSWAPD;
	for (;;) {
		wait_event(kswapd_wait, kswapd_wanted);
		kswapd_wanted = false;
		balance_memory();
		cond_resched();
	}
	return 0;
}

/* Has kswapd bring nr_free_pages back above pages_high. */
void wakeup_kswapd(void)
{
	if (kswapd_wanted)
		return;
	kswapd_wanted = true;
	vm_inc(kswapd_wakeups);
	wake_up(&kswapd_wait);
}

/* Starts the daemon; called once. */
void kswapd_start(void)
{
	wait_queue_init(&kswapd_wait);
	if (!kernel_thread(kswapd, NULL, "kswapd"))
		panic("cannot start kswapd");
}
