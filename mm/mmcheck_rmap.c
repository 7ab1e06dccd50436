/*
 * mmcheck, reverse map: for each page, the policy finds exactly the PTEs that
 * map it, each once (invariant 1), and the page's counts fit (invariant 2).
 *
 * Bit 9 of a PTE is free for the system.  First the reverse map of every page
 * is walked and each PTE found is marked; then all page tables are walked and
 * every present PTE must carry the mark, which is taken off.
 */
#include "mm/mm.h"
#include "mm/mmcheck.h"
#include "mm/rmap.h"
#include "mm/vmstat.h"

#define PTE_CHECKED	0x200u

/* What a walk over one page's mappings finds. */
struct found {
	u32 ptes;
	bool bad;
};

/* Marks one PTE that the reverse map names. */
static bool mark_pte(struct page *page, pte_t *ptep, void *arg)
{
	struct found *found = arg;

	if (virt_to_page(ptep)->type != PAGE_TABLE ||
	    !pte_present(*ptep) || pte_pfn(*ptep) != page_to_pfn(page)) {
		violation("1: page %u: reverse map names a PTE that does not "
			  "map it", page_to_pfn(page));
		found->bad = true;
		return false;
	}
	if (*ptep & PTE_CHECKED)
		violation("1: page %u: reverse map names a PTE twice",
			  page_to_pfn(page));
	*ptep |= PTE_CHECKED;
	found->ptes++;
	return true;
}

/* References that mappings and caches account for. */
static s32 expected_count(const struct page *page, u32 ptes)
{
	s32 cache = page->mapping || page->flags & PG_SWAPCACHE ? 1 : 0;

	if (page->count == (s32)ptes + cache)
		return page->count;
	return ptes + cache + page_pins(page);
}

/* Walks the mappings of one page and checks its counts. */
static void check_page_rmap(struct page *page, u32 *mapped, u32 *anon)
{
	struct found found = { 0, false };
	s32 expected;

	if (page_mapped(page)) {
		rmap->walk(page, mark_pte, &found);
		++*mapped;
		*anon += page->flags & PG_ANON ? 1 : 0;
		if (!found.ptes && !found.bad)
			violation("1: page %u is mapped, but nowhere",
				  page_to_pfn(page));
	}
	expected = expected_count(page, found.ptes);
	if (page->count < expected)
		violation("2: page %u: count %d, held %d times",
			  page_to_pfn(page), page->count, expected);
	else if (page->count > expected)
		doubt("2: page %u: count %d, held %d times",
		      page_to_pfn(page), page->count, expected);
}

/* Takes the mark off one VMA's PTEs; each must have had it. */
static void unmark_vma(struct vma *vma)
{
	for (u32 a = vma->vm_start; a < vma->vm_end; a += PAGE_SIZE) {
		pte_t *ptep = pte_lookup(vma->vm_mm->pgd, a);

		if (!ptep || !pte_present(*ptep) ||
		    pte_page(*ptep)->type == PAGE_RESERVED)
			continue;
		if (!(*ptep & PTE_CHECKED))
			violation("1: page %u: reverse map misses the PTE at "
				  "%08x", pte_pfn(*ptep), a);
		*ptep &= ~PTE_CHECKED;
	}
}

/* Checks the reverse map of every page, both ways. */
void check_reverse_map(void)
{
	u32 mapped = 0, anon = 0;
	struct mm *mm;

	for (u32 pfn = 0; pfn < max_pfn; pfn++)
		if (pfn_to_page(pfn)->type == PAGE_USER)
			check_page_rmap(pfn_to_page(pfn), &mapped, &anon);
	list_for_each_entry(mm, &all_mms, mmlist)
		for (struct vma *vma = mm->mmap; vma; vma = vma->vm_next)
			unmark_vma(vma);
	if (mapped != vm_stat[vm_nr_mapped])
		violation("2: nr_mapped %llu, counted %u",
			  vm_stat[vm_nr_mapped], mapped);
	if (anon != vm_stat[vm_nr_anon_pages])
		violation("2: nr_anon_pages %llu, counted %u",
			  vm_stat[vm_nr_anon_pages], anon);
}
