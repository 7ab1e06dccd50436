/* Reclaim: getting frames back from the page cache and from tasks. */
#ifndef MM_VMSCAN_H
#define MM_VMSCAN_H

#include "mm/lru.h"

#define SWAP_CLUSTER_MAX	32	/* pages one direct reclaim aims at */
#define DEF_PRIORITY		12

extern int swappiness;			/* 0..100, /proc/sys/vm */

/* Direct reclaim for an allocation that failed; true when something was
 * freed.  Calls the OOM killer when nothing is left to free.  May sleep. */
bool try_to_free_pages(unsigned gfp, unsigned order);
/* Has kswapd bring nr_free_pages back above pages_high. */
void wakeup_kswapd(void);

/* ---- for the lru policies ---- */
/* Tries to free each page of a list of isolated pages (off the LRU, one
 * reference held by the list); those kept go back to the LRU.  May sleep. */
void shrink_page_list(struct list_head *pages, struct scan_control *sc);
/* How often the page was used since last asked; clears the marks. */
int page_referenced(struct page *page);
/* Percentage of memory that is mapped into page tables. */
u32 mapped_ratio(void);

#endif
