/*
 * rmap=objrmap: file pages by object, anonymous pages by chain.
 *
 * The idea (Dave McCracken, February 2003; in 2.5.66-mm): a file page knows
 * its file and its offset, the file knows the VMAs that map it, and a VMA says
 * at which address the offset appears.  So nothing needs to be stored per
 * mapping; the page only counts them.
 *
 *	page --> mapping --> VMAs on i_mmap --> address --> page table --> PTE
 *
 * Cost per mapping: no memory, no time but the count.
 * Where it fails: reclaim walks the VMAs of the file, mapped here or not.  The
 * three tests of rmap-test are that argument: 10,000 VMAs of one file of which
 * 100, or one, map the page.  How many are visited depends on the index
 * (i_mmap=list, list_sorted, tree).  Nonlinear mappings break the arithmetic.
 *
 * Every page is looked at twice per attempt, as in 2.5.66-mm: referenced, then
 * unmap; there is no early end when all mappings have been found.
 *
 * Invariant: rmap.mapcount of a file page is the number of present PTEs.
 */
#include "mm/i_mmap.h"
#include "mm/mm.h"
#include "mm/pte_chain.h"
#include "mm/vmstat.h"

/* Anonymous pages have chains. */
static bool has_chain(const struct page *page)
{
	return page->flags & PG_ANON;
}

/* Counts one more mapping. */
static void obj_add(struct page *page, pte_t *ptep)
{
	if (has_chain(page)) {
		pte_chain_add(page, ptep);
		return;
	}
	if (page->rmap.mapcount++ == 0)
		page_now_mapped(page);
}

/* Counts one mapping less. */
static void obj_remove(struct page *page, pte_t *ptep)
{
	if (has_chain(page)) {
		pte_chain_remove(page, ptep);
		return;
	}
	if (--page->rmap.mapcount == 0)
		page_now_unmapped(page);
}

/* The PTE by which `vma` maps the page at its linear place, or NULL. */
static pte_t *find_pte(const struct vma *vma, const struct page *page)
{
	u32 addr;
	pte_t *ptep;

	if (page->index < vma->vm_pgoff)
		return NULL;
	if (page->index - vma->vm_pgoff >=
	    (vma->vm_end - vma->vm_start) >> PAGE_SHIFT)
		return NULL;
	addr = vma->vm_start + ((page->index - vma->vm_pgoff) << PAGE_SHIFT);
	ptep = pte_lookup(vma->vm_mm->pgd, addr);
	if (!ptep || !pte_present(*ptep) ||
	    pte_pfn(*ptep) != page_to_pfn(page))
		return NULL;
	return ptep;
}

/* Counts and clears accessed bits; a lock not had counts as a reference. */
static int obj_referenced(struct page *page)
{
	struct vma *vma;
	int young = 0;

	vm_inc(rmap_walks);
	if (has_chain(page))
		return pte_chain_referenced(page);
	for_each_i_mmap(vma, page->mapping, page->index, page->index) {
		pte_t *ptep;

		vm_inc(rmap_vmas_visited);
		ptep = find_pte(vma, page);
		if (!ptep)
			continue;
		vm_inc(rmap_vmas_useful);
		vm_inc(rmap_ptes_visited);
		if (rmap_trylock_fails())
			young++;
		else
			young += ptep_clear_young(ptep);
	}
	return young;
}

/* Removes the page from every VMA of its file. */
static enum swap_result unmap_file_page(struct page *page)
{
	enum swap_result result = SWAP_SUCCESS;
	struct vma *vma;

	for_each_i_mmap(vma, page->mapping, page->index, page->index) {
		enum swap_result one;
		pte_t *ptep;

		vm_inc(rmap_vmas_visited);
		ptep = find_pte(vma, page);
		if (!ptep)
			continue;
		vm_inc(rmap_vmas_useful);
		vm_inc(rmap_ptes_visited);
		one = try_to_unmap_one(page, ptep);
		if (one == SWAP_FAIL)
			return SWAP_FAIL;
		if (one == SWAP_AGAIN)
			result = SWAP_AGAIN;
		else
			page->rmap.mapcount--;
	}
	return result;
}

/* Removes every PTE of a locked page. */
static enum swap_result obj_unmap(struct page *page)
{
	enum swap_result result;

	vm_inc(rmap_walks);
	if (has_chain(page))
		return pte_chain_unmap(page);
	result = unmap_file_page(page);
	if (!page_mapped(page))
		page_now_unmapped(page);
	else if (result == SWAP_SUCCESS)
		result = SWAP_AGAIN;
	return result;
}

/* Calls fn for every PTE that maps the page. */
static void obj_walk(struct page *page, rmap_walk_fn fn, void *arg)
{
	struct vma *vma;

	if (has_chain(page)) {
		pte_chain_walk(page, fn, arg);
		return;
	}
	for_each_i_mmap(vma, page->mapping, page->index, page->index) {
		pte_t *ptep = find_pte(vma, page);

		if (ptep && !fn(page, ptep, arg))
			return;
	}
}

const struct rmap_ops rmap_objrmap = {
	.name = "objrmap",
	.prepare = pte_chain_prepare,
	.add = obj_add,
	.remove = obj_remove,
	.referenced = obj_referenced,
	.unmap = obj_unmap,
	.walk = obj_walk,
};
