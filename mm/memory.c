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
 * Watch it in gdb: break zap_ptes; break copy_some.
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

/* Drops what a present PTE maps; did a page lose a mapping? */
static inline bool zap_present(pte_t *ptep, pte_t pte)
{
	struct page *page = pte_page(pte);

	*ptep = 0;
	if (unlikely(page->type == PAGE_RESERVED))
		return false;		/* the zero page */
	if (pte_dirty(pte))
		set_page_dirty(page);
	if (pte_young(pte) && page->mapping)
		mark_page_accessed(page);
	rmap->remove(page, ptep);
	put_page(page);
	return true;
}

/* Drops what a swap or file PTE names. */
static void zap_absent(pte_t *ptep, pte_t pte)
{
	*ptep = 0;
	if (pte_swap(pte))
		free_swap_and_cache(pte_to_swp_entry(pte));
}

/* Clears `n` PTEs of one table. */
static void zap_ptes(struct mm *mm, pte_t *ptep, u32 n)
{
	u32 zapped = 0;

	for (; n; n--, ptep++) {
		pte_t pte = *ptep;

		if (pte_none(pte))
			continue;
		if (likely(pte_present(pte)))
			zapped += zap_present(ptep, pte);
		else
			zap_absent(ptep, pte);
	}
	mm->rss -= zapped;
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
		zap_ptes(mm, ptep, (next - addr) >> PAGE_SHIFT);
		flush_range(mm, addr, next);
		atomic_end();
	}
}

/* Which bits a copy of a PTE loses, on the parent's side and on the child's. */
struct copy_bits {
	u32 parent, child;
};

/* Private and writable: both write-protected.  Shared: the child's is clean.
 * Always: the child's is old. */
static struct copy_bits copy_bits(const struct vma *vma)
{
	struct copy_bits bits = { 0, PTE_ACCESSED };

	if (vma->vm_flags & VM_SHARED)
		bits.child |= PTE_DIRTY;
	else if (vma->vm_flags & VM_MAYWRITE)
		bits.parent = PTE_RW;
	bits.child |= bits.parent;
	return bits;
}

/* Copies one swap PTE or file PTE; false: the slot's count is full. */
static bool copy_absent(pte_t *dst, pte_t pte)
{
	if (pte_swap(pte) && !swap_duplicate(pte_to_swp_entry(pte)))
		return false;
	*dst = pte;
	return true;
}

/* Copies one present PTE; was it one of a page with a struct page in use? */
static inline bool copy_present(struct copy_bits bits, pte_t *dst, pte_t *src)
{
	struct page *page = pte_page(*src);

	if (bits.parent)
		*src &= ~bits.parent;
	*dst = *src & ~bits.child;
	if (unlikely(page->type == PAGE_RESERVED))
		return false;
	page->count++;
	rmap->add(page, dst);
	return true;
}

/* Copies PTEs until the end, or until memory is needed; PTEs done, or an
 * error.  Does not sleep. */
static int copy_some(struct vma *vma, pte_t *dst, pte_t *src, u32 n)
{
	struct copy_bits bits = copy_bits(vma);
	u32 i, present = 0;

	for (i = 0; i < n; i++) {
		if (pte_none(src[i]))
			continue;
		if (likely(pte_present(src[i]))) {
			if (unlikely(!rmap_ready()))
				break;
			present += copy_present(bits, &dst[i], &src[i]);
		} else if (!copy_absent(&dst[i], src[i])) {
			break;
		}
	}
	vma->vm_mm->rss += present;
	if (i < n && !pte_present(src[i]))
		return -ENOMEM;
	return i;
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
