/* The frame allocator: a binary buddy system with a small hot list. */
#ifndef MM_PAGE_ALLOC_H
#define MM_PAGE_ALLOC_H

#include "mm/page.h"

#define MAX_ORDER	11		/* blocks of 2^0 .. 2^10 pages */

/* What an allocation may do while memory is short. */
#define __GFP_WAIT	0x01u	/* sleep and reclaim */
#define __GFP_IO	0x02u	/* start disk writes */
#define __GFP_FS	0x04u	/* call into a file system */
#define __GFP_HIGH	0x08u	/* may go deeper into the reserve */
#define __GFP_ZERO	0x10u	/* fill with zeros */
#define __GFP_NOWARN	0x20u	/* failure is expected: no message */
#define GFP_ATOMIC	(__GFP_HIGH)
#define GFP_NOIO	(__GFP_WAIT)
#define GFP_NOFS	(__GFP_WAIT | __GFP_IO)
#define GFP_KERNEL	(__GFP_WAIT | __GFP_IO | __GFP_FS)
#define GFP_USER	GFP_KERNEL

/* 2^order frames of type PAGE_KERNEL with count 1, or NULL.  With __GFP_WAIT
 * it may sleep, reclaims, and fails for order <= 3 only when the OOM killer
 * has chosen the caller. */
struct page *alloc_pages(unsigned gfp, unsigned order);
/* Gives 2^order frames back; count must be 0 or 1.  Never sleeps. */
void free_pages(struct page *page, unsigned order);

static inline struct page *alloc_page(unsigned gfp)
{
	return alloc_pages(gfp, 0);
}

/* The same by kernel address; NULL when out of memory. */
void *get_free_pages(unsigned gfp, unsigned order);
void free_pages_at(void *addr, unsigned order);

/* Gives memory that was in use at boot, and is not any more, to the allocator:
 * whole frames of the physical range [start, end). */
void free_boot_memory(u64 start, u64 end);

/* Called once: builds mem_map from ram_ranges less boot_reserved, and frees
 * what is usable. */
void page_alloc_init(void);

extern u32 nr_free_pages;		/* hot list included */
extern u32 total_pages;			/* frames the allocator was given */
extern u32 pages_min, pages_low, pages_high;	/* watermarks */
extern int min_free_kbytes;		/* pages_min in kB; /proc/sys/vm */
/* Test aid, /proc/sys/vm/fail_nth: the n-th allocation from now on that could
 * have waited fails, once; 0: off. */
extern int fail_nth;
bool allocation_fails(unsigned gfp);
void set_watermarks(u32 min_pages);	/* low = 2 min, high = 3 min */
/* Free blocks of each order, for /proc/buddyinfo and mmcheck. */
u32 free_blocks(unsigned order);
/* Free frames on the hot list. */
u32 hot_frames(void);

#endif
