/*
 * Which list a page is on, and when it moves: the page-replacement policy.
 *
 *	unified   one active and one inactive list (2.5.66)     lru_unified.c
 *
 * All of it runs in process context or in softirqs, which never interrupt it.
 */
#ifndef MM_LRU_H
#define MM_LRU_H

#include "mm/page.h"

struct scan_control {
	unsigned gfp;		/* what reclaim may do */
	int priority;		/* 12 (gentle) .. 0 (everything) */
	u32 nr_scanned;		/* inactive pages looked at */
	u32 nr_refilled;	/* active pages looked at */
	u32 nr_reclaimed;	/* pages freed */
	bool kswapd;
};

struct lru_ops {
	const char *name;
	/* A page that is on no list goes to the head of a list. */
	void (*add_active)(struct page *page);
	void (*add_inactive)(struct page *page);
	/* Takes a page off its list. */
	void (*del)(struct page *page);
	/* From the inactive to the active list; nothing if not inactive. */
	void (*activate)(struct page *page);
	/* To the tail of the inactive list: written, free it next. */
	void (*rotate)(struct page *page);
	/* Scans some of the lists, by sc->priority, to free about `target`
	 * pages.  May sleep. */
	void (*shrink)(struct scan_control *sc, u32 target);
	/* Pages on the lists that a scan could look at. */
	u32 (*size)(void);
	/* Calls fn for each page on a list (mmcheck). */
	void (*for_each)(void (*fn)(struct page *page, bool active));
};

extern const struct lru_ops *lru;
extern const struct lru_ops lru_unified;

/*
 * A page was used through read(), write() or a fault:
 *	inactive, unreferenced	-> inactive, referenced
 *	inactive, referenced	-> active, unreferenced
 *	active, unreferenced	-> active, referenced
 */
static inline void mark_page_accessed(struct page *page)
{
	if ((page->flags & (PG_ACTIVE | PG_REFERENCED | PG_LRU)) ==
	    (PG_REFERENCED | PG_LRU)) {
		page->flags &= ~PG_REFERENCED;
		lru->activate(page);
	} else {
		page->flags |= PG_REFERENCED;
	}
}

#endif
