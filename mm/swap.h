/*
 * Swap areas, slots and the swap cache.
 *
 * swap_map[offset] counts the swap PTEs (and shmem slots) that name a
 * slot, plus one while a page of the swap cache holds it (invariant 4).
 */
#ifndef MM_SWAP_H
#define MM_SWAP_H

#include "mm/filemap.h"
#include "mm/swap_entry.h"

struct block_device;

#define MAX_SWAPFILES	8
#define SWAP_MAP_MAX	0x7fff
#define SWAP_MAP_BAD	0x8000

struct swap_area {
	bool used;			/* accepts new slots */
	bool active;			/* its slots may be referred to */
	int prio;
	struct block_device *bdev;
	char name[64];			/* as given to swapon */
	u16 *map;			/* one per slot */
	u32 max;			/* slots, header included */
	u32 pages;			/* usable slots */
	u32 inuse;
	u32 lowest, highest;		/* bounds of the free slots */
	u32 cluster_next, cluster_nr;	/* see swap_slot.c */
};

extern struct swap_area swap_areas[MAX_SWAPFILES];
extern u32 nr_swap_pages;		/* free slots, all areas */
extern u32 total_swap_pages;
extern int page_cluster;		/* swap-in reads 2^page_cluster slots */
extern struct address_space swapper_space;

/* ---- slots (mm/swap_slot.c) ---- */
swp_entry_t get_swap_page(void);	/* val 0: swap is full */
bool swap_duplicate(swp_entry_t e);	/* one more reference; false if bad */
void swap_free(swp_entry_t e);		/* one reference less */
u32 swap_count(swp_entry_t e);		/* references now */
/* Drops a PTE's reference; a cached page nobody else uses goes too. */
void free_swap_and_cache(swp_entry_t e);

/* ---- swap cache (mm/swap_state.c) ---- */
struct page *lookup_swap_cache(swp_entry_t e);	/* with a reference, or NULL */
/* Gives a locked anonymous page a slot and puts it in the swap cache, dirty.
 * False when swap or memory is full. */
bool add_to_swap(struct page *p);
/* Puts a locked page in under a slot whose one reference becomes the cache's;
 * 0 or -ENOMEM.  Never sleeps. */
int add_to_swap_cache(struct page *p, swp_entry_t e);
/* Takes a locked page out of the swap cache and drops the slot's and the
 * page's reference. */
void delete_from_swap_cache(struct page *p);
/* Does nothing or frees the slot of a locked page only the caller uses. */
bool remove_exclusive_swap_page(struct page *p);
/* May a write fault on this locked page reuse it? (nobody else has it) */
bool can_share_swap_page(struct page *p);
/* The page of an entry, up to date, with a reference.  NULL: no memory, or the
 * entry is free; ERR_PTR(-EIO).  May sleep. */
struct page *read_swap_cache(swp_entry_t e);
/* Removes every page from the area of `type`; 0 or an error.  May sleep. */
int try_to_unuse(u32 type);

void swap_init(void);

#endif
