/*
 * What the reverse-map policies share, and the choice between them.
 *
 *	reclaim --> rmap->referenced(page), rmap->unmap(page)
 *	                    |  policy finds the PTEs
 *	                    `--> ptep_clear_young(), try_to_unmap_one()
 *
 * Linux takes page_table_lock by trylock here, because the lock order is the
 * opposite of the fault path's.  On one CPU that lock is "do not sleep", and
 * never busy; vm.trylock_fail_rate makes it fail artificially, so that "busy
 * counts as referenced" and SWAP_AGAIN can be watched.
 *
 * Invariants
 *  1. nr_mapped counts the pages with at least one PTE.
 *  2. A dirty PTE's bit reaches the page before the PTE is gone.
 *
 * Watch it in gdb: break try_to_unmap_one; print *vma.
 */
#include "mm/rmap.h"

#include "kernel/param.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/filemap.h"
#include "mm/mm.h"
#include "mm/swap.h"
#include "mm/vmstat.h"

static const struct rmap_ops *const rmap_policies[] = {
	&rmap_pte_chain,
	&rmap_objrmap,
};

const struct rmap_ops *rmap = &rmap_pte_chain;
int trylock_fail_rate;			/* per thousand; /proc/sys/vm */

/* rmap=NAME on the command line. */
static int set_rmap(const char *name)
{
	for (unsigned i = 0; i < ARRAY_SIZE(rmap_policies); i++) {
		if (strcmp(rmap_policies[i]->name, name))
			continue;
		rmap = rmap_policies[i];
		return 0;
	}
	return -EINVAL;
}
BOOT_PARAM(rmap, "rmap", "pte_chain, objrmap", set_rmap);

/* Does an (artificially) contended trylock fail this time? */
bool rmap_trylock_fails(void)
{
	static u32 sequence = 1;

	if (likely(!trylock_fail_rate))
		return false;
	sequence = sequence * 1103515245 + 12345;
	if ((int)((sequence >> 16) % 1000) >= trylock_fail_rate)
		return false;
	vm_inc(rmap_trylock_fail);
	return true;
}

/* Counts a page's first mapping. */
void page_now_mapped(struct page *page)
{
	vm_inc(nr_mapped);
	if (page->flags & PG_ANON)
		vm_inc(nr_anon_pages);
}

/* Counts a page's last unmapping. */
void page_now_unmapped(struct page *page)
{
	vm_dec(nr_mapped);
	if (page->flags & PG_ANON)
		vm_dec(nr_anon_pages);
}

/* Clears the accessed bit of a PTE; was it set?  2.5.66 left the TLB alone;
 * the flush came in June 2004, without it a loaded address space would keep
 * using the page unseen. */
bool ptep_clear_young(pte_t *ptep)
{
	if (!pte_young(*ptep))
		return false;
	*ptep &= ~PTE_ACCESSED;
	flush_tlb_page(pte_mm(ptep), pte_address(ptep));
	return true;
}

/* What an unmapped PTE becomes: a swap entry, a file offset, or nothing.
 * False when the swap slot cannot take another reference. */
static bool replacement_pte(const struct page *page, const struct vma *vma,
			    u32 addr, pte_t *pte)
{
	u32 linear = vma->vm_pgoff + ((addr - vma->vm_start) >> PAGE_SHIFT);

	*pte = 0;
	if (page->flags & PG_SWAPCACHE) {
		swp_entry_t entry = { page->private };

		*pte = swp_entry_to_pte(entry);
		return swap_duplicate(entry);
	}
	if (page->index != linear)
		*pte = pgoff_to_pte(page->index);
	return true;
}

/*
 * Unmaps one PTE of a locked page.  SWAP_FAIL: the VMA is locked in memory or
 * being moved.  The caller tells the policy's data; the page reference of the
 * PTE is dropped here (the caller holds another).
 */
enum swap_result try_to_unmap_one(struct page *page, pte_t *ptep)
{
	struct mm *mm = pte_mm(ptep);
	u32 addr = pte_address(ptep);
	struct vma *vma = find_vma(mm, addr);
	pte_t old = *ptep, new;

	if (rmap_trylock_fails())
		return SWAP_AGAIN;
	if (!vma || vma->vm_start > addr || (vma->vm_flags & VM_LOCKED))
		return SWAP_FAIL;
	if (!replacement_pte(page, vma, addr, &new))
		return SWAP_FAIL;
	*ptep = new;
	flush_tlb_page(mm, addr);
	if (pte_dirty(old))
		set_page_dirty(page);
	mm->rss--;
	page->count--;
	return SWAP_SUCCESS;
}
