/*
 * Swap slots: which are free, who refers to the others.
 *
 *	area 0 (prio 1)  map: [hdr| 1| 2| 0| 0| bad| 0 ...]   counts per slot
 *	                              cluster_next ^
 *
 * Slots are handed out in runs of 256 (SWAPFILE_CLUSTER), so that pages that
 * go out together lie together; areas of equal priority take turns.  (Linux
 * 2.3, scan_swap_map.)
 *
 * Invariants
 *  1. map[offset] = swap PTEs and shmem slots that name the slot, plus one if
 *     a page of the swap cache does; SWAP_MAP_BAD: unusable.
 *  2. nr_swap_pages counts the slots with map 0 in areas in use; lowest and
 *     highest bound them.
 *
 * Watch it in gdb: break get_swap_page; print swap_areas[0].
 */
#include "kernel/printk.h"
#include "mm/fault.h"
#include "mm/swap.h"

#define CLUSTER		256

struct swap_area swap_areas[MAX_SWAPFILES];
u32 nr_swap_pages;
u32 total_swap_pages;

/* Is more than half of swap in use? */
bool vm_swap_full(void)
{
	return nr_swap_pages * 2 < total_swap_pages;
}

/* The start of a run of `n` free slots at or after lowest, or 0. */
static u32 find_run(const struct swap_area *a, u32 n)
{
	u32 run = 0;

	for (u32 i = a->lowest; i <= a->highest; i++) {
		run = a->map[i] ? 0 : run + 1;
		if (run == n)
			return i - n + 1;
	}
	return 0;
}

/* The next slot of the current cluster if it is free, or 0. */
static u32 next_of_cluster(struct swap_area *a)
{
	while (a->cluster_nr) {
		u32 offset = a->cluster_next++;

		a->cluster_nr--;
		if (offset > a->highest) {
			a->cluster_nr = 0;
			return 0;
		}
		if (offset >= a->lowest && !a->map[offset])
			return offset;
	}
	return 0;
}

/* The first free slot, or 0. */
static u32 first_free(const struct swap_area *a)
{
	for (u32 i = a->lowest; i <= a->highest; i++)
		if (!a->map[i])
			return i;
	return 0;
}

/* A free slot of one area: from its cluster, a new cluster, or any; or 0. */
static u32 find_slot_in(struct swap_area *a)
{
	u32 offset = next_of_cluster(a);

	if (offset)
		return offset;
	offset = find_run(a, CLUSTER);
	if (offset) {
		a->cluster_next = offset + 1;
		a->cluster_nr = CLUSTER - 1;
		return offset;
	}
	return first_free(a);
}

/* Takes a free slot of one area with count 1; its offset, or 0: full. */
static u32 take_slot(struct swap_area *a)
{
	u32 offset = a->inuse < a->pages ? find_slot_in(a) : 0;

	if (!offset)
		return 0;
	a->map[offset] = 1;
	a->inuse++;
	nr_swap_pages--;
	if (offset == a->lowest)
		a->lowest++;
	if (offset == a->highest)
		a->highest--;
	return offset;
}

/* The area to use after `last`: best priority with room, taking turns. */
static struct swap_area *best_area(u32 last)
{
	struct swap_area *best = NULL;

	for (u32 i = 1; i <= MAX_SWAPFILES; i++) {
		struct swap_area *a = &swap_areas[(last + i) % MAX_SWAPFILES];

		if (!a->used || a->inuse >= a->pages)
			continue;
		if (!best || a->prio > best->prio)
			best = a;
	}
	return best;
}

/* A slot with count 1; val 0: swap is full. */
swp_entry_t get_swap_page(void)
{
	static u32 last, turn;
	struct swap_area *a = &swap_areas[last];
	u32 offset;

	if (!a->used || a->inuse >= a->pages || ++turn >= CLUSTER) {
		a = best_area(last);
		turn = 0;
	}
	if (!a)
		return (swp_entry_t){ 0 };
	last = a - swap_areas;
	offset = take_slot(a);
	return offset ? swp_entry(last, offset) : (swp_entry_t){ 0 };
}

/* The map word of an entry, or NULL if the entry makes no sense. */
static u16 *map_word(swp_entry_t e)
{
	struct swap_area *a;

	if (swp_type(e) >= MAX_SWAPFILES)
		return NULL;
	a = &swap_areas[swp_type(e)];
	if (!a->active || !swp_offset(e) || swp_offset(e) >= a->max)
		return NULL;
	return &a->map[swp_offset(e)];
}

/* One more reference to a slot in use; false if bad or at its limit. */
bool swap_duplicate(swp_entry_t e)
{
	u16 *count = map_word(e);

	if (!count || !*count || *count >= SWAP_MAP_MAX)
		return false;
	++*count;
	return true;
}

/* One reference less; the last one frees the slot. */
void swap_free(swp_entry_t e)
{
	struct swap_area *a = &swap_areas[swp_type(e)];
	u16 *count = map_word(e);
	u32 offset = swp_offset(e);

	BUG_ON(!count || !*count || *count > SWAP_MAP_MAX);
	if (--*count)
		return;
	a->inuse--;
	a->lowest = min(a->lowest, offset);
	a->highest = max(a->highest, offset);
	if (a->used)
		nr_swap_pages++;
}

/* References to the slot now; 0: free or no such slot. */
u32 swap_count(swp_entry_t e)
{
	u16 *count = map_word(e);

	return count && *count <= SWAP_MAP_MAX ? *count : 0;
}
