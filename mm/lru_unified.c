/*
 * lru=unified: one active and one inactive list for pages of all kinds, as in
 * Linux 2.5.66.
 *
 *	new file page --> head  INACTIVE  tail --> shrink_page_list()
 *	                    ^ demoted  | used twice
 *	                    |          v
 *	new anon page --> head   ACTIVE   tail
 *
 * Demotion prefers pages that no page table maps.  Mapped pages are demoted
 * only when swap_tendency reaches 100:
 *
 *	distress      = 100 >> priority         trouble freeing anything
 *	mapped_ratio  = percent of memory that is mapped
 *	swap_tendency = mapped_ratio / 2 + distress + vm.swappiness
 *
 * Cost: 8 bytes per page that struct page has anyway.
 * Where it fails: streaming through a large file demotes the active list as
 * fast as the stream comes in; file and anonymous pages compete by age alone,
 * so a scan meets thousands of anonymous pages that cannot be dropped cheaply.
 *
 * Invariants
 *  1. A page with PG_LRU is on exactly one list: active if PG_ACTIVE.
 *  2. nr_active and nr_inactive are the lengths.
 */
#include "kernel/sched.h"
#include "lib/div64.h"
#include "mm/rmap.h"
#include "mm/swap.h"
#include "mm/vmscan.h"
#include "mm/vmstat.h"

#define REFILL_BATCH	32		/* demote when this many are due */
#define REFILL_MAX	128
#define ISOLATE_BATCH	32

static LIST_HEAD(active_list);
static LIST_HEAD(inactive_list);
static u32 refill_due;			/* pages to demote, collected */

const struct lru_ops *lru = &lru_unified;

/* To the head of the active list. */
static void unified_add_active(struct page *page)
{
	page->flags |= PG_LRU | PG_ACTIVE;
	list_add(&page->lru, &active_list);
	vm_inc(nr_active);
}

/* To the head of the inactive list. */
static void unified_add_inactive(struct page *page)
{
	page->flags = (page->flags & ~PG_ACTIVE) | PG_LRU;
	list_add(&page->lru, &inactive_list);
	vm_inc(nr_inactive);
}

/* Off its list; PG_ACTIVE stays, to say where it was. */
static void unified_del(struct page *page)
{
	list_del(&page->lru);
	page->flags &= ~PG_LRU;
	if (page->flags & PG_ACTIVE)
		vm_dec(nr_active);
	else
		vm_dec(nr_inactive);
}

/* From the inactive to the active list. */
static void unified_activate(struct page *page)
{
	if ((page->flags & (PG_LRU | PG_ACTIVE)) != PG_LRU)
		return;
	unified_del(page);
	unified_add_active(page);
	vm_inc(pgactivate);
}

/* To the tail of the inactive list, to be freed next. */
static void unified_rotate(struct page *page)
{
	if ((page->flags & (PG_LRU | PG_ACTIVE)) != PG_LRU)
		return;
	list_move_tail(&page->lru, &inactive_list);
	vm_inc(pgrotated);
}

/* Are mapped pages to be demoted too? */
static bool reclaim_mapped(int priority)
{
	u32 distress = 100 >> priority;

	return mapped_ratio() / 2 + distress + swappiness >= 100;
}

/* Does an active page stay active? */
static bool keep_active(struct page *page, bool take_mapped)
{
	if (page_mapped(page)) {
		if (!take_mapped || page_referenced(page))
			return true;
	}
	return (page->flags & PG_ANON) && !(page->flags & PG_SWAPCACHE) &&
	       !nr_swap_pages;
}

/* Looks at `nr` pages of the active tail: back to its head, or demoted. */
static void refill_inactive(u32 nr, int priority)
{
	bool take_mapped = reclaim_mapped(priority);

	vm_add(pgrefill, nr);
	while (nr-- && !list_empty(&active_list)) {
		struct page *page = list_last_entry(&active_list, struct page,
						    lru);

		if (keep_active(page, take_mapped)) {
			list_move(&page->lru, &active_list);
			continue;
		}
		unified_del(page);
		unified_add_inactive(page);
		vm_inc(pgdeactivate);
	}
}

/* Takes up to `nr` pages off the inactive tail; how many. */
static u32 isolate_inactive(u32 nr, struct list_head *pages)
{
	u32 taken = 0;

	while (taken < nr && !list_empty(&inactive_list)) {
		struct page *page = list_last_entry(&inactive_list,
						    struct page, lru);

		unified_del(page);
		get_page(page);
		list_add(&page->lru, pages);
		taken++;
	}
	return taken;
}

/* Scans up to `max_scan` pages of the inactive list to free `target`. */
static void shrink_inactive(struct scan_control *sc, u32 max_scan, u32 target)
{
	u32 goal = sc->nr_reclaimed + target;

	while (max_scan && sc->nr_reclaimed < goal) {
		LIST_HEAD(pages);
		u32 n = isolate_inactive(min(max_scan, (u32)ISOLATE_BATCH),
					 &pages);

		if (!n)
			return;
		max_scan -= n;
		sc->nr_scanned += n;
		if (sc->kswapd)
			vm_add(pgscan_kswapd, n);
		else
			vm_add(pgscan_direct, n);
		shrink_page_list(&pages, sc);
		cond_resched();
	}
}

/* Demotes in proportion to what is scanned, then scans the inactive list. */
static void unified_shrink(struct scan_control *sc, u32 target)
{
	u32 active = vm_stat[vm_nr_active], inactive = vm_stat[vm_nr_inactive];
	u32 floor = sc->kswapd ? max(2 * target, (u32)SWAP_CLUSTER_MAX) :
				 2 * SWAP_CLUSTER_MAX;
	u32 max_scan = max(inactive >> sc->priority, floor);
	u64 ratio = (u64)target * active;

	refill_due += (u32)div_u64(ratio, inactive * 2 + 1) + 1;
	if (refill_due > REFILL_BATCH) {
		u32 nr = min(refill_due, (u32)REFILL_MAX);

		refill_due = 0;
		sc->nr_refilled += nr;
		refill_inactive(nr, sc->priority);
	}
	shrink_inactive(sc, max_scan, target);
}

/* Pages on both lists. */
static u32 unified_size(void)
{
	return vm_stat[vm_nr_active] + vm_stat[vm_nr_inactive];
}

/* Calls fn for each page on a list. */
static void unified_for_each(void (*fn)(struct page *page, bool active))
{
	struct page *page;

	list_for_each_entry(page, &active_list, lru)
		fn(page, true);
	list_for_each_entry(page, &inactive_list, lru)
		fn(page, false);
}

const struct lru_ops lru_unified = {
	.name = "unified",
	.add_active = unified_add_active,
	.add_inactive = unified_add_inactive,
	.del = unified_del,
	.activate = unified_activate,
	.rotate = unified_rotate,
	.shrink = unified_shrink,
	.size = unified_size,
	.for_each = unified_for_each,
};
