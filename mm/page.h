/*
 * struct page: what the kernel knows about one frame of memory.
 *
 * There is one for each frame, in the array mem_map, so frame number, struct
 * page and direct-mapped address convert into each other by arithmetic:
 *
 *	pfn  <->  &mem_map[pfn]  <->  PAGE_OFFSET + pfn * 4096
 *
 * Who may touch a field is said by letters: (F) fault path, (R) reclaim,
 * (I) I/O completion, a softirq, (L) holder of the page lock, (A) allocator,
 * (P) the reverse-map policy.  Kernel code is never preempted, so a letter
 * names the code that owns the field's meaning, not a lock.
 *
 * References.  `count` is 0 for a free page.  One reference each is held by:
 * every PTE that maps the page, the page cache or swap cache, and whoever
 * holds a pointer across a sleep.  Being on an LRU list holds none.
 */
#ifndef MM_PAGE_H
#define MM_PAGE_H

#include "lib/list.h"
#include "lib/types.h"

#define PAGE_SHIFT	12
#define PAGE_SIZE	4096u
#define PAGE_MASK	(~(PAGE_SIZE - 1))
#define PAGE_OFFSET	0xC0000000u
#define MAX_DIRECT	(896u << 20)	/* bytes of RAM that are mapped */
#define PAGE_ALIGN(a) \
	(((a) + PAGE_SIZE - 1) & ~((__typeof__(a))PAGE_SIZE - 1))

/* What a frame is used for; exactly one of these (invariant 3). */
enum page_type {
	PAGE_RESERVED,		/* firmware, kernel image, hole: never ours */
	PAGE_FREE,		/* in the buddy allocator */
	PAGE_USER,		/* page cache or anonymous: LRU and reclaim */
	PAGE_SLAB,
	PAGE_TABLE,		/* a page table or directory */
	PAGE_KERNEL,		/* anything else the kernel allocated */
};

/* page->flags */
#define PG_LOCKED	0x0001	/* held by who changes contents or identity */
#define PG_WAITERS	0x0002	/* someone sleeps on LOCKED or WRITEBACK */
#define PG_UPTODATE	0x0004	/* contents are valid */
#define PG_ERROR	0x0008	/* the last I/O on it failed */
#define PG_DIRTY	0x0010	/* newer than the disk */
#define PG_WRITEBACK	0x0020	/* being written; contents may be read */
#define PG_REFERENCED	0x0040	/* second-chance bit of the LRU */
#define PG_LRU		0x0080	/* on an LRU list */
#define PG_ACTIVE	0x0100	/* on the active list of its kind */
#define PG_RECLAIM	0x0200	/* move to the inactive tail when written */
#define PG_SWAPCACHE	0x0400	/* private holds its swap entry */
#define PG_ANON		0x0800	/* anonymous: mapped by no file */
#define PG_SWAPBACKED	0x1000	/* goes to swap: anonymous or shmem */
#define PG_DIRECT	0x2000	/* rmap.direct is valid, not rmap.chain */
#define PG_MAPPEDTODISK	0x4000	/* every block of it is allocated on disk */
#define PG_UNEVICTABLE	0x8000	/* in an mlocked mapping */

struct pte_chain;
struct address_space;

struct page {
	u16 flags;			/* PG_* */
	u8 type;			/* (A) enum page_type */
	u8 chain_first;			/* (P) first used slot of chain head */
	s32 count;			/* references; 0: free */
	union {				/* (P) who maps the page; 0: nobody */
		struct pte_chain *chain;
		u32 *direct;		/* the only PTE, with PG_DIRECT */
		uptr mapcount;
	} rmap;
	struct address_space *mapping;	/* (L) file, or owner by type */
	u32 index;			/* (L) page offset in mapping */
	struct list_head lru;		/* (R) LRU list, free list, slab list */
	uptr private;			/* swap entry, buddy order, free list */
};

extern struct page *mem_map;		/* one per frame, from frame 0 */
extern u32 max_pfn;			/* frames in mem_map */

static inline u32 page_to_pfn(const struct page *p)
{
	return p - mem_map;
}

static inline struct page *pfn_to_page(u32 pfn)
{
	return mem_map + pfn;
}

static inline void *page_address(const struct page *p)
{
	return (void *)(uptr)(PAGE_OFFSET + (page_to_pfn(p) << PAGE_SHIFT));
}

static inline struct page *virt_to_page(const void *v)
{
	return mem_map + (((uptr)v - PAGE_OFFSET) >> PAGE_SHIFT);
}

static inline u32 virt_to_phys(const void *v)
{
	return (uptr)v - PAGE_OFFSET;
}

static inline void *phys_to_virt(u32 phys)
{
	return (void *)(uptr)(phys + PAGE_OFFSET);
}

/* Is any PTE mapping the page?  True for every policy. */
static inline bool page_mapped(const struct page *p)
{
	return p->rmap.mapcount != 0;
}

static inline void get_page(struct page *p)
{
	p->count++;
}

/* Drops a reference; the last one frees the page (takes it off the LRU). */
void free_user_page(struct page *p);
static inline void put_page(struct page *p)
{
	if (--p->count == 0)
		free_user_page(p);
}

/* A reference that is held for long, such as a super block's: known to the
 * checker, which would take it for a leak (mm/page_pin.c).  False: no memory.
 * unpin_page() drops it.  May sleep. */
bool pin_page(struct page *p);
void unpin_page(struct page *p);
u32 page_pins(const struct page *p);	/* such references now */

/* ---- page lock and I/O waits (mm/page_wait.c) ---- */
static inline bool trylock_page(struct page *p)
{
	if (p->flags & PG_LOCKED)
		return false;
	p->flags |= PG_LOCKED;
	return true;
}
void lock_page(struct page *p);			/* may sleep */
void wait_on_page_locked(struct page *p);	/* may sleep */
void wait_on_page_writeback(struct page *p);	/* may sleep */
void wake_page(struct page *p);			/* after clearing a bit */

/* Releases the page lock and wakes who waits.  Never sleeps. */
static inline void unlock_page(struct page *p)
{
	p->flags &= ~PG_LOCKED;
	if (unlikely(p->flags & PG_WAITERS))
		wake_page(p);
}

#endif
