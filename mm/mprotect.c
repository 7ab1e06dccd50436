/*
 * mprotect: changes the permissions of whole pages, splitting and joining VMAs
 * at the borders.
 *
 * PTEs that stay writable keep their write bit only if the page was written
 * before; a private page that becomes writable gets no write bit here: the
 * fault decides between copying and keeping it.
 */
#include "kernel/task.h"
#include "lib/errno.h"
#include "mm/i_mmap.h"
#include "mm/pgtable.h"
#include "mm/syscalls.h"

/* The PTE with new permission bits; frame, dirty and young are kept. */
static pte_t pte_modify(pte_t pte, u32 prot, bool shared)
{
	u32 keep = pte & (PTE_FRAME | PTE_ACCESSED | PTE_DIRTY);

	if (!shared || !pte_write(pte))
		prot &= ~PTE_RW;
	return keep | (prot & ~PTE_ACCESSED);
}

/* Rewrites the present PTEs of [start, end). */
static void change_ptes(struct vma *vma, u32 start, u32 end)
{
	u32 prot = vm_page_prot(vma->vm_flags);
	bool shared = vma->vm_flags & VM_SHARED;

	for (u32 addr = start; addr < end; ) {
		pte_t *ptep = pte_lookup(vma->vm_mm->pgd, addr);

		if (!ptep) {
			addr = (addr & TABLE_MASK) + TABLE_SIZE;
			continue;
		}
		if (pte_present(*ptep))
			*ptep = pte_modify(*ptep, prot, shared);
		addr += PAGE_SIZE;
	}
	flush_tlb_mm(vma->vm_mm);
}

/* Gives one VMA, cut to the range, new permissions.  0 or -errno. */
static int protect_vma(struct vma *vma, u32 start, u32 end, u32 prot)
{
	u32 flags = (vma->vm_flags & ~(VM_READ | VM_WRITE | VM_EXEC)) | prot;
	int error;

	if (prot & ~(vma->vm_flags >> 4))
		return -EACCES;
	if (flags == vma->vm_flags)
		return 0;
	error = vma_isolate(&vma, start, end);
	if (error)
		return error;
	vma->vm_flags = flags;
	change_ptes(vma, vma->vm_start, vma->vm_end);
	return 0;
}

/* Changes [start, end); mmap_sem held for writing. */
static int protect_range(struct mm *mm, u32 start, u32 end, u32 prot)
{
	struct vma *vma = find_vma(mm, start);
	u32 at = start;

	while (at < end) {
		u32 stop;
		int error;

		if (!vma || vma->vm_start > at)
			return -ENOMEM;
		stop = min(vma->vm_end, end);
		error = protect_vma(vma, at, stop, prot);
		if (error)
			return error;
		at = stop;
		vma = find_vma(mm, at);
	}
	vma_merge_range(mm, start, end);
	return 0;
}

/* mprotect(2) */
asmlinkage long sys_mprotect(u32 addr, u32 len, u32 prot)
{
	struct mm *mm = current->mm;
	u32 end = addr + PAGE_ALIGN(len);
	bool grows_down = prot & 0x01000000;
	int error;

	if (addr % PAGE_SIZE || end < addr)
		return addr % PAGE_SIZE ? -EINVAL : -ENOMEM;
	if (prot & ~0x0100000fu)
		return -EINVAL;
	if (!len)
		return 0;
	down_write(&mm->mmap_sem);
	if (grows_down) {
		struct vma *vma = find_vma(mm, addr);

		if (vma && vma->vm_flags & VM_GROWSDOWN)
			addr = vma->vm_start;
	}
	error = protect_range(mm, addr, end, prot & 7);
	up_write(&mm->mmap_sem);
	return error;
}
