/* mlock and its relatives: pages of a VM_LOCKED mapping are faulted in and
 * never unmapped by reclaim. */
#include "kernel/task.h"
#include "lib/errno.h"
#include "mm/i_mmap.h"
#include "mm/page_alloc.h"
#include "mm/syscalls.h"

#define MCL_CURRENT	1
#define MCL_FUTURE	2

/* Faults in [start, end): writable private pages are copied now.  0, -ENOMEM,
 * -EFAULT.  mmap_sem held. */
int make_pages_present(struct mm *mm, u32 start, u32 end)
{
	struct vma *vma = find_vma(mm, start);

	for (u32 addr = start; addr < end; addr += PAGE_SIZE) {
		enum fault_result result;
		bool write;

		while (vma && vma->vm_end <= addr)
			vma = vma->vm_next;
		if (!vma || vma->vm_start > addr)
			return -ENOMEM;
		if (!(vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC)))
			continue;
		write = (vma->vm_flags & (VM_WRITE | VM_SHARED)) == VM_WRITE;
		result = handle_mm_fault(vma, addr, write);
		if (result == FAULT_OOM)
			return -ENOMEM;
		if (result == FAULT_SIGBUS)
			return -EFAULT;
		if (fatal_signal_pending())
			return -EINTR;
	}
	return 0;
}

/* Faults a range in, as far as possible; errors are ignored.  May sleep. */
void populate_range(struct mm *mm, u32 addr, u32 len)
{
	down_read(&mm->mmap_sem);
	make_pages_present(mm, addr, addr + PAGE_ALIGN(len));
	up_read(&mm->mmap_sem);
}

/* Sets or clears VM_LOCKED on one VMA, cut to the range.  0 or -ENOMEM. */
static int lock_vma(struct vma *vma, u32 start, u32 end, u32 lock)
{
	int error;

	if ((vma->vm_flags & VM_LOCKED) == lock)
		return 0;
	error = vma_isolate(&vma, start, end);
	if (error)
		return error;
	vma->vm_flags = (vma->vm_flags & ~VM_LOCKED) | lock;
	if (lock)
		vma->vm_mm->locked_vm += vma_pages(vma);
	else
		vma->vm_mm->locked_vm -= vma_pages(vma);
	return 0;
}

/* Sets or clears VM_LOCKED on [start, end); -ENOMEM if it has a hole. */
static int lock_range(struct mm *mm, u32 start, u32 end, u32 lock)
{
	u32 at = start;

	while (at < end) {
		struct vma *vma = find_vma(mm, at);
		u32 stop;
		int error;

		if (!vma || vma->vm_start > at)
			return -ENOMEM;
		stop = min(vma->vm_end, end);
		error = lock_vma(vma, at, stop, lock);
		if (error)
			return error;
		at = stop;
	}
	vma_merge_range(mm, start, end);
	return lock ? make_pages_present(mm, start, end) : 0;
}

/* May the task lock `pages` more?  0, -ENOMEM, -EPERM. */
static int may_lock(struct mm *mm, u32 pages)
{
	u32 limit = current->rlim[RLIMIT_MEMLOCK].cur;

	if (capable() || limit == RLIM_INFINITY)
		return 0;
	if (!limit)
		return -EPERM;
	return mm->locked_vm + pages > limit >> PAGE_SHIFT ? -ENOMEM : 0;
}

/* mlock or munlock of a byte range. */
static long do_mlock(u32 addr, u32 len, u32 lock)
{
	struct mm *mm = current->mm;
	u32 start = addr & PAGE_MASK;
	u32 end = PAGE_ALIGN(addr + len);
	int error = 0;

	if (end < start || end > TASK_SIZE)
		return -EINVAL;
	if (start == end)
		return 0;
	down_write(&mm->mmap_sem);
	if (lock)
		error = may_lock(mm, (end - start) >> PAGE_SHIFT);
	if (!error)
		error = lock_range(mm, start, end, lock);
	up_write(&mm->mmap_sem);
	return error == -EFAULT ? -ENOMEM : error;
}

/* mlock(2) */
asmlinkage long sys_mlock(u32 addr, u32 len)
{
	return do_mlock(addr, len, VM_LOCKED);
}

/* munlock(2) */
asmlinkage long sys_munlock(u32 addr, u32 len)
{
	return do_mlock(addr, len, 0);
}

/* Sets or clears VM_LOCKED on everything that is mapped. */
static void lock_everything(struct mm *mm, u32 lock)
{
	for (struct vma *vma = mm->mmap; vma; vma = vma->vm_next) {
		lock_vma(vma, vma->vm_start, vma->vm_end, lock);
		if (lock)
			make_pages_present(mm, vma->vm_start, vma->vm_end);
	}
}

/* mlockall(2) */
asmlinkage long sys_mlockall(int flags)
{
	struct mm *mm = current->mm;
	int error = 0;

	if (!flags || flags & ~(MCL_CURRENT | MCL_FUTURE))
		return -EINVAL;
	down_write(&mm->mmap_sem);
	if (flags & MCL_CURRENT)
		error = may_lock(mm, mm->total_vm - mm->locked_vm);
	if (!error) {
		mm->def_flags = flags & MCL_FUTURE ? VM_LOCKED : 0;
		if (flags & MCL_CURRENT)
			lock_everything(mm, VM_LOCKED);
	}
	up_write(&mm->mmap_sem);
	return error;
}

/* munlockall(2) */
asmlinkage long sys_munlockall(void)
{
	struct mm *mm = current->mm;

	down_write(&mm->mmap_sem);
	mm->def_flags = 0;
	lock_everything(mm, 0);
	up_write(&mm->mmap_sem);
	return 0;
}
