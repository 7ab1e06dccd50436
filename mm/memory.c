/*
 * Page tables of whole VMAs: removing PTEs (munmap, exit, truncate) and copying
 * them (fork).
 *
 *	zap:   PTE -> page: dirty bit to the page, young bit to the LRU,
 *	       reverse map told, reference dropped; swap PTE -> slot freed
 *	copy:  private: both sides write-protected, the page shared until a
 *	       write; shared: the child's PTE starts clean and old
 *
 * Zapping never sleeps; copying sleeps only for memory, between PTEs.
 *
 * Invariants
 *  1. mm->rss is the number of present PTEs that map a struct page other than
 *     the zero page.
 *  2. A PTE is cleared only after its dirty bit has reached the page.
 *
 * Watch it in gdb: break zap_pte; break copy_pte.
 */
#include "kernel/sched.h"
#include "lib/errno.h"
#include "mm/filemap.h"
#include "mm/lru.h"
#include "mm/mm.h"
#include "mm/rmap.h"
#include "mm/swap.h"
#include "mm/vmstat.h"

#define FLUSH_ALL_ABOVE	(16 * PAGE_SIZE)

/* The end of the table that covers addr, or `end` if that is nearer. */
static u32 table_end(u32 addr, u32 end)
{
	u32 next = (addr & TABLE_MASK) + TABLE_SIZE;

	return next - 1 < end - 1 ? next : end;
}

/* Drops what a present PTE maps. */
static void zap_present(struct mm *mm, pte_t *ptep, pte_t pte)
{
	struct page *page = pte_page(pte);

	*ptep = 0;
	if (unlikely(page->type == PAGE_RESERVED))
		return;			/* the zero page */
	if (pte_dirty(pte))
		set_page_dirty(page);
	if (pte_young(pte) && page->mapping)
		mark_page_accessed(page);
	rmap->remove(page, ptep);
	mm->rss--;
	put_page(page);
}

/* Clears one PTE of any kind. */
static inline void zap_pte(struct mm *mm, pte_t *ptep)
{
	pte_t pte = *ptep;

	if (pte_none(pte))
		return;
	if (pte_present(pte)) {
		zap_present(mm, ptep, pte);
		return;
	}
	*ptep = 0;
	if (pte_swap(pte))
		free_swap_and_cache(pte_to_swp_entry(pte));
}

/* Flushes what [start, end) may have in the TLB. */
static void flush_range(const struct mm *mm, u32 start, u32 end)
{
	if (mm != loaded_mm)
		return;
	if (end - start > FLUSH_ALL_ABOVE) {
		flush_tlb_mm(mm);
		return;
	}
	for (; start < end; start += PAGE_SIZE)
		flush_tlb_page(mm, start);
}

/* Removes the PTEs of [start, end) of one VMA.  Never sleeps. */
void zap_page_range(struct vma *vma, u32 start, u32 end)
{
	struct mm *mm = vma->vm_mm;
	u32 next;

	for (u32 addr = start; addr != end; addr = next) {
		pte_t *ptep = pte_lookup(mm->pgd, addr);

		next = table_end(addr, end);
		if (!ptep)
			continue;
		atomic_begin();
		for (u32 n = (next - addr) >> PAGE_SHIFT; n > 0; n--, ptep++)
			zap_pte(mm, ptep);
		flush_range(mm, addr, next);
		atomic_end();
	}
}

/* Copies one swap PTE or file PTE; false: the slot's count is full. */
static bool copy_absent(pte_t *dst, pte_t pte)
{
	if (pte_swap(pte) && !swap_duplicate(pte_to_swp_entry(pte)))
		return false;
	*dst = pte;
	return true;
}

/* Copies one present PTE. */
static inline void copy_present(struct vma *vma, pte_t *dst, pte_t *src)
{
	struct page *page = pte_page(*src);

	if ((vma->vm_flags & (VM_SHARED | VM_MAYWRITE)) == VM_MAYWRITE) {
		*src &= ~PTE_RW;
		*dst = *src & ~PTE_ACCESSED;
	} else if (vma->vm_flags & VM_SHARED) {
		*dst = *src & ~(PTE_DIRTY | PTE_ACCESSED);
	} else {
		*dst = *src & ~PTE_ACCESSED;
	}
	if (unlikely(page->type == PAGE_RESERVED))
		return;
	page->count++;
	vma->vm_mm->rss++;
	rmap->add(page, dst);
}

/* Copies PTEs until the end, or until memory is needed; PTEs done, or an
 * error.  Does not sleep. */
static int copy_some(struct vma *vma, pte_t *dst, pte_t *src, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		if (pte_none(src[i]))
			continue;
		if (pte_present(src[i])) {
			if (unlikely(!rmap_ready()))
				return i;
			copy_present(vma, &dst[i], &src[i]);
		} else if (!copy_absent(&dst[i], src[i])) {
			return -ENOMEM;
		}
	}
	return n;
}

/* Copies one table's part of a VMA.  May sleep for memory. */
static int copy_table(struct vma *dst, struct vma *src, u32 addr, u32 n)
{
	while (n) {
		pte_t *to = pte_alloc(dst->vm_mm, addr);
		pte_t *from = pte_lookup(src->vm_mm->pgd, addr);
		int done;

		if (!to || rmap_prepare() < 0)
			return -ENOMEM;
		if (!from)
			return 0;
		atomic_begin();
		done = copy_some(dst, to, from, n);
		atomic_end();
		if (done < 0)
			return done;
		n -= done;
		addr += done << PAGE_SHIFT;
	}
	return 0;
}

/* Fork: fills `dst` with the PTEs of `src`.  0 or -ENOMEM.  May sleep. */
int copy_page_range(struct vma *dst, struct vma *src)
{
	u32 next;

	for (u32 addr = src->vm_start; addr != src->vm_end; addr = next) {
		int error;

		next = table_end(addr, src->vm_end);
		if (!pgd_table(src->vm_mm->pgd, addr))
			continue;
		error = copy_table(dst, src, addr, (next - addr) >> PAGE_SHIFT);
		if (error)
			return error;
	}
	return 0;
}
