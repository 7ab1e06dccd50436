/*
 * msync and mincore: what a task may ask about, and do for, its mapped pages.
 *
 * msync moves the dirty bits of a range's PTEs to their pages (clean pages stay
 * clean) and, with MS_SYNC, has the file written; a hole in the range is
 * reported after the rest was done.
 */
#include "fs/vfs.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "mm/i_mmap.h"
#include "mm/pgtable.h"
#include "mm/swap.h"
#include "mm/syscalls.h"

#define MS_ASYNC	1
#define MS_INVALIDATE	2
#define MS_SYNC		4

/* Moves dirty bits of [start, end) of a shared VMA to the pages. */
static void sync_ptes(struct vma *vma, u32 start, u32 end)
{
	for (u32 addr = start; addr < end; ) {
		pte_t *ptep = pte_lookup(vma->vm_mm->pgd, addr);

		if (!ptep) {
			addr = (addr & TABLE_MASK) + TABLE_SIZE;
			continue;
		}
		if (pte_present(*ptep) && pte_dirty(*ptep)) {
			*ptep &= ~PTE_DIRTY;
			flush_tlb_page(vma->vm_mm, addr);
			set_page_dirty(pte_page(*ptep));
		}
		addr += PAGE_SIZE;
	}
}

/* Syncs what one VMA has of the range; drops mmap_sem while it writes.  0 or
 * a write error. */
static int sync_vma(struct vma *vma, u32 start, u32 end, int flags)
{
	struct mm *mm = vma->vm_mm;
	struct file *file = vma->vm_file;
	u32 first;
	int error;

	if (!(vma->vm_flags & VM_SHARED) || !file)
		return 0;
	sync_ptes(vma, start, end);
	if (!(flags & MS_SYNC))
		return 0;
	first = vma->vm_pgoff + ((start - vma->vm_start) >> PAGE_SHIFT);
	get_file(file);
	up_read(&mm->mmap_sem);
	error = filemap_write(file->mapping, first,
			      first + ((end - start) >> PAGE_SHIFT) - 1, true);
	fput(file);
	down_read(&mm->mmap_sem);
	return error;
}

/* Syncs [start, end) VMA by VMA; -ENOMEM at the end if it had a hole. */
static int sync_range(struct mm *mm, u32 start, u32 end, int flags)
{
	int hole = 0;

	while (start < end) {
		struct vma *vma = find_vma(mm, start);
		u32 stop;
		int error;

		if (!vma || vma->vm_start >= end)
			return -ENOMEM;
		if (vma->vm_start > start) {
			hole = -ENOMEM;
			start = vma->vm_start;
		}
		if (flags & MS_INVALIDATE && vma->vm_flags & VM_LOCKED)
			return -EBUSY;
		stop = min(vma->vm_end, end);
		error = sync_vma(vma, start, stop, flags);
		if (error)
			return error;
		start = stop;
	}
	return hole;
}

/* msync(2) */
asmlinkage long sys_msync(u32 addr, u32 len, int flags)
{
	struct mm *mm = current->mm;
	u32 end = addr + PAGE_ALIGN(len);
	int error;

	if (flags & ~(MS_ASYNC | MS_INVALIDATE | MS_SYNC) ||
	    addr % PAGE_SIZE ||
	    (flags & (MS_ASYNC | MS_SYNC)) == (MS_ASYNC | MS_SYNC))
		return -EINVAL;
	if (end < addr)
		return -ENOMEM;
	down_read(&mm->mmap_sem);
	error = sync_range(mm, addr, end, flags);
	up_read(&mm->mmap_sem);
	return error;
}

/* Is file page `pgoff` in memory? */
static bool page_resident(struct address_space *m, u32 pgoff)
{
	struct page *page = find_get_page(m, pgoff);
	bool resident = page && page->flags & PG_UPTODATE;

	if (page)
		put_page(page);
	return resident;
}

/* Would an access to addr find its page in memory? */
static u8 resident(struct vma *vma, u32 addr)
{
	pte_t *ptep = pte_lookup(vma->vm_mm->pgd, addr);
	pte_t pte = ptep ? *ptep : 0;

	if (pte_present(pte))
		return 1;
	if (pte_swap(pte))
		return page_resident(&swapper_space,
				     pte_to_swp_entry(pte).val);
	if (!vma->vm_file)
		return 0;
	if (pte_file(pte))
		return page_resident(vma->vm_file->mapping,
				     pte_to_pgoff(pte));
	return page_resident(vma->vm_file->mapping, vma->vm_pgoff +
			     ((addr - vma->vm_start) >> PAGE_SHIFT));
}

/* Fills `vec` for up to `n` pages; pages done, or -ENOMEM at a hole. */
static int mincore_chunk(struct mm *mm, u32 addr, u32 n, u8 *vec)
{
	for (u32 i = 0; i < n; i++, addr += PAGE_SIZE) {
		struct vma *vma = find_vma(mm, addr);

		if (!vma || vma->vm_start > addr)
			return -ENOMEM;
		vec[i] = resident(vma, addr);
	}
	return n;
}

/* mincore(2) */
asmlinkage long sys_mincore(u32 addr, u32 len, u8 __user *vec)
{
	struct mm *mm = current->mm;
	u32 pages = len / PAGE_SIZE + (len % PAGE_SIZE != 0);
	u8 chunk[64];

	if (addr % PAGE_SIZE)
		return -EINVAL;
	if (addr > TASK_SIZE || len > TASK_SIZE - addr)
		return -ENOMEM;
	if (!access_ok(vec, pages))
		return -EFAULT;
	while (pages) {
		u32 n = min(pages, (u32)sizeof(chunk));
		int done;

		down_read(&mm->mmap_sem);
		done = mincore_chunk(mm, addr, n, chunk);
		up_read(&mm->mmap_sem);
		if (done < 0)
			return done;
		if (copy_to_user(vec, chunk, n))
			return -EFAULT;
		vec += n;
		pages -= n;
		addr += n << PAGE_SHIFT;
	}
	return 0;
}
