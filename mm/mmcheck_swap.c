/*
 * mmcheck, swap: the map counts exactly the references to each slot
 * (invariant 4).
 *
 * The references are subtracted from the map itself; then every word must be
 * zero or say "bad"; then they are added again.  That needs no memory.
 */
#include "mm/mm.h"
#include "mm/mmcheck.h"
#include "mm/pgtable.h"
#include "mm/swap.h"

/* Adds `by` to the map word of an entry. */
static void count_entry(u32 val, int by)
{
	swp_entry_t e = { val };
	struct swap_area *a;

	if (swp_type(e) >= MAX_SWAPFILES ||
	    !swap_areas[swp_type(e)].active ||
	    swp_offset(e) >= swap_areas[swp_type(e)].max) {
		if (by < 0)
			violation("4: entry %x names no slot", val);
		return;
	}
	a = &swap_areas[swp_type(e)];
	a->map[swp_offset(e)] += by;
}

/* Adds `by` for each swap PTE of a VMA. */
static void count_vma(const struct vma *vma, int by)
{
	u32 addr = vma->vm_start;

	while (addr < vma->vm_end) {
		pte_t *ptep = pte_lookup(vma->vm_mm->pgd, addr);

		if (!ptep) {
			addr = (addr & TABLE_MASK) + TABLE_SIZE;
			if (!addr)
				return;
			continue;
		}
		if (pte_swap(*ptep))
			count_entry(pte_to_swp_entry(*ptep).val, by);
		addr += PAGE_SIZE;
	}
}

/* Adds `by` for every reference there is. */
static void count_all(int by)
{
	struct mm *mm;

	list_for_each_entry(mm, &all_mms, mmlist)
		for (struct vma *vma = mm->mmap; vma; vma = vma->vm_next)
			count_vma(vma, by);
	for (u32 pfn = 0; pfn < max_pfn; pfn++) {
		struct page *page = pfn_to_page(pfn);

		if (page->type == PAGE_USER && page->flags & PG_SWAPCACHE)
			count_entry(page->private, by);
	}
	check_shmem(count_entry, by);
}

/* Reports slots of one area whose count is not explained. */
static void check_area(const struct swap_area *a)
{
	for (u32 i = 0; i < a->max; i++)
		if (a->map[i] && a->map[i] != SWAP_MAP_BAD)
			doubt("4: slot %u of %s: %d references too many", i,
			      a->name, (s16)a->map[i]);
}

/* Compares the counters of an area with its map. */
static void check_counters(const struct swap_area *a, u32 *free)
{
	u32 inuse = 0;

	for (u32 i = 0; i < a->max; i++) {
		bool is_free = a->map[i] == 0;

		if (!is_free && a->map[i] != SWAP_MAP_BAD)
			inuse++;
		if (is_free && (i < a->lowest || i > a->highest))
			violation("4: free slot %u of %s is out of bounds", i,
				  a->name);
	}
	if (inuse != a->inuse)
		violation("4: %s: inuse %u, counted %u", a->name, a->inuse,
			  inuse);
	if (a->used)
		*free += a->pages - inuse;
}

/* Checks every swap area. */
void check_swap(void)
{
	u32 free = 0;

	for (u32 i = 0; i < MAX_SWAPFILES; i++)
		if (swap_areas[i].active)
			check_counters(&swap_areas[i], &free);
	if (free != nr_swap_pages)
		violation("4: nr_swap_pages %u, counted %u", nr_swap_pages,
			  free);
	count_all(-1);
	for (u32 i = 0; i < MAX_SWAPFILES; i++)
		if (swap_areas[i].active)
			check_area(&swap_areas[i]);
	count_all(1);
}
