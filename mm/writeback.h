/* Writing dirty pages back: when, how many, and who waits. */
#ifndef MM_WRITEBACK_H
#define MM_WRITEBACK_H

#include "mm/filemap.h"

struct writeback_control {
	bool for_reclaim;	/* called by reclaim: must not wait for memory
				 * that only more reclaim could give */
};

extern int dirty_ratio, dirty_background_ratio;	/* percent; /proc/sys/vm */
extern int dirty_expire_centisecs, dirty_writeback_centisecs;

/* Takes the dirty mark off a page that is about to be written; was it set? */
bool clear_page_dirty(struct page *page);
/* Removes a locked page from its mapping and drops the cache's reference. */
void remove_from_page_cache(struct page *page);

/* A writer dirtied pages: makes it write some itself when too many are
 * dirty.  May sleep; no page lock may be held. */
void balance_dirty_pages(struct address_space *m);
/* Has the flusher write about `pages` pages soon. */
void wakeup_flusher(u32 pages);
/* Starts (and with wait: finishes) writing every dirty page. May sleep. */
void writeback_all(bool wait);
/* Is the disk behind a page too busy to take more from reclaim? */
bool writeback_congested(const struct page *page);

#endif
