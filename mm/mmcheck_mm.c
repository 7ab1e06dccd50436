/*
 * mmcheck, address spaces: VMA list and tree agree, nothing overlaps, gaps and
 * sums equal a recomputation (invariant 6); the index of each file holds
 * exactly the VMAs that map it (invariant 5).
 */
#include "fs/vfs.h"
#include "mm/i_mmap.h"
#include "mm/mm.h"
#include "mm/mmcheck.h"
#include "mm/pgtable.h"

#define VM_CHECKED	0x80000000u	/* found in its file's index */

#define rb_vma(node)	rb_entry_safe(node, struct vma, vm_rb)

/* The largest gap of a subtree, computed from its children's values. */
static u32 subtree_gap(const struct vma *vma)
{
	u32 gap = vma->vm_start - (vma->vm_prev ? vma->vm_prev->vm_end : 0);

	if (vma->vm_rb.left)
		gap = max(gap, rb_vma(vma->vm_rb.left)->rb_subtree_gap);
	if (vma->vm_rb.right)
		gap = max(gap, rb_vma(vma->vm_rb.right)->rb_subtree_gap);
	return gap;
}

/* Checks one VMA against its predecessor and the tree. */
static void check_vma(const struct mm *mm, const struct vma *vma,
		      const struct vma *prev)
{
	if (vma->vm_mm != mm)
		violation("6: vma %08x belongs to another mm", vma->vm_start);
	if (vma->vm_start >= vma->vm_end || vma->vm_start % PAGE_SIZE ||
	    vma->vm_end % PAGE_SIZE || vma->vm_end > TASK_SIZE)
		violation("6: vma %08x-%08x has bad bounds", vma->vm_start,
			  vma->vm_end);
	if (vma->vm_prev != prev)
		violation("6: vma %08x has a wrong predecessor",
			  vma->vm_start);
	if (prev && prev->vm_end > vma->vm_start)
		violation("6: vmas %08x and %08x overlap", prev->vm_start,
			  vma->vm_start);
	if (vma->rb_subtree_gap != subtree_gap(vma))
		violation("6: vma %08x: gap %x, should be %x", vma->vm_start,
			  vma->rb_subtree_gap, subtree_gap(vma));
}

/* Counts the page tables of an mm and checks whose they say they are. */
static u32 count_tables(const struct mm *mm)
{
	u32 n = 0;

	for (u32 i = 0; i < PAGE_OFFSET >> TABLE_SHIFT; i++) {
		struct page *page;

		if (!(mm->pgd[i] & PTE_PRESENT))
			continue;
		page = pte_page(mm->pgd[i]);
		if (page->type != PAGE_TABLE ||
		    (struct mm *)page->mapping != mm ||
		    page->index != i << TABLE_SHIFT)
			violation("3: page table %u of %08x is not marked so",
				  page_to_pfn(page), i << TABLE_SHIFT);
		n++;
	}
	return n;
}

/* Counts present PTEs of a VMA that map a page with a struct page in use. */
static u32 count_present(const struct vma *vma)
{
	u32 n = 0;

	for (u32 a = vma->vm_start; a < vma->vm_end; a += PAGE_SIZE) {
		pte_t *ptep = pte_lookup(vma->vm_mm->pgd, a);

		if (ptep && pte_present(*ptep) &&
		    pte_page(*ptep)->type != PAGE_RESERVED)
			n++;
	}
	return n;
}

/* Checks one address space. */
static void check_mm(const struct mm *mm)
{
	struct rb_node *node = rb_first(&mm->mm_rb);
	const struct vma *prev = NULL;
	u32 vmas = 0, rss = 0, pages = 0;

	for (struct vma *vma = mm->mmap; vma; vma = vma->vm_next) {
		if (rb_vma(node) != vma)
			violation("6: list and tree differ at %08x",
				  vma->vm_start);
		check_vma(mm, vma, prev);
		node = node ? rb_next(node) : NULL;
		prev = vma;
		vmas++;
		rss += count_present(vma);
		pages += vma_pages(vma);
	}
	if (vmas != mm->map_count)
		violation("6: map_count %u, counted %u", mm->map_count, vmas);
	if (rss != mm->rss)
		violation("6: rss %u, counted %u", mm->rss, rss);
	if (pages != mm->total_vm)
		doubt("6: total_vm %u, counted %u", mm->total_vm, pages);
	if (count_tables(mm) != mm->nr_ptes)
		violation("6: nr_ptes %u, counted %u", mm->nr_ptes,
			  count_tables(mm));
}

/* Checks every address space. */
void check_address_spaces(void)
{
	struct mm *mm;

	list_for_each_entry(mm, &all_mms, mmlist)
		check_mm(mm);
}

/* Marks every VMA in the index of a file, and counts them. */
static void mark_index(struct address_space *m)
{
	struct vma *vma;
	u32 n = 0;

	for_each_i_mmap(vma, m, 0, ~0u) {
		n++;
		if (vma->vm_flags & VM_CHECKED)
			violation("5: vma %08x is twice in its index",
				  vma->vm_start);
		if (!vma->vm_file || vma->vm_file->mapping != m)
			violation("5: vma %08x is in a foreign index",
				  vma->vm_start);
		vma->vm_flags |= VM_CHECKED;
	}
	if (n != m->i_mmap_count)
		violation("5: i_mmap_count %u, counted %u", m->i_mmap_count, n);
}

/* Checks that every file VMA is in its file's index. */
static void find_in_index(struct vma *vma)
{
	if (!vma->vm_file || vma->vm_flags & VM_CHECKED)
		return;
	mark_index(vma->vm_file->mapping);
	if (!(vma->vm_flags & VM_CHECKED))
		violation("5: vma %08x is not in its index", vma->vm_start);
}

/* Checks the indices of all mapped files. */
void check_file_index(void)
{
	struct vma *vma;
	struct mm *mm;

	list_for_each_entry(mm, &all_mms, mmlist)
		for (vma = mm->mmap; vma; vma = vma->vm_next)
			find_in_index(vma);
	list_for_each_entry(mm, &all_mms, mmlist)
		for (vma = mm->mmap; vma; vma = vma->vm_next)
			vma->vm_flags &= ~VM_CHECKED;
}
