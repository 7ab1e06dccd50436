/*
 * The page-fault trap: decides between resolving, signal and exception table.
 *
 *	address in a VMA that allows the access      handle_mm_fault()
 *	just below a stack that may grow             grow it, then the same
 *	anything else, from user mode                SIGSEGV
 *	anything else, from kernel mode              exception table, or panic
 */
#include "kernel/task.h"
#include "kernel/trap.h"
#include "mm/mm.h"
#include "mm/vmstat.h"

#define PF_PROT		1u		/* error code: page was present */
#define PF_WRITE	2u
#define PF_USER		4u

#define STACK_GUARD	(256 * PAGE_SIZE)

/* Counts a resolved fault for the task and the machine. */
static void count_fault(enum fault_result result)
{
	vm_inc(pgfault);
	if (result == FAULT_MAJOR) {
		vm_inc(pgmajfault);
		current->maj_flt++;
	} else {
		current->min_flt++;
	}
}

/* Ends a fault that cannot be resolved: a signal, or, in kernel mode, the
 * exception table (the kernel was given a bad user pointer) or a panic. */
static void bad_access(struct trap_frame *tf, u32 addr, int sig, int code)
{
	if (user_mode(tf))
		force_sig_fault(sig, code, addr);
	else
		kernel_fault(tf, "page fault at address %08x", addr);
}

/* Grows a stack VMA down to addr; false: limit, guard gap or no memory. */
static bool expand_stack(struct vma *vma, u32 addr)
{
	struct mm *mm = vma->vm_mm;
	u32 start = addr & PAGE_MASK;
	u32 limit = current->rlim[RLIMIT_STACK].cur;
	u32 pages = (vma->vm_start - start) >> PAGE_SHIFT;

	if (vma->vm_end - start > limit)
		return false;
	if (vma->vm_prev && start - vma->vm_prev->vm_end < STACK_GUARD &&
	    !(vma->vm_prev->vm_flags & VM_GROWSDOWN))
		return false;
	if (mm->total_vm + pages > current->rlim[RLIMIT_AS].cur >> PAGE_SHIFT)
		return false;
	vma_resize(vma, start, vma->vm_end);
	mm->total_vm += pages;
	mm->stack_vm += pages;
	return true;
}

/* The VMA that covers addr, after growing a stack to it, or NULL. */
static struct vma *vma_for_fault(struct mm *mm, u32 addr)
{
	struct vma *vma = find_vma(mm, addr);

	if (unlikely(!vma))
		return NULL;
	if (likely(vma->vm_start <= addr))
		return vma;
	if (!(vma->vm_flags & VM_GROWSDOWN) || !expand_stack(vma, addr))
		return NULL;
	return vma;
}

/* Does the VMA allow what the access was? */
static bool access_allowed(const struct vma *vma, u32 error_code)
{
	if (error_code & PF_WRITE)
		return vma->vm_flags & VM_WRITE;
	if (error_code & PF_PROT)
		return false;
	return vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC);
}

/* Resolves the fault with mmap_sem held; the result, or SIGSEGV's si_code as
 * a negative number. */
static int resolve(struct mm *mm, u32 addr, u32 error_code)
{
	struct vma *vma = vma_for_fault(mm, addr);

	if (unlikely(!vma))
		return -SEGV_MAPERR;
	if (unlikely(!access_allowed(vma, error_code)))
		return -SEGV_ACCERR;
	return handle_mm_fault(vma, addr, error_code & PF_WRITE);
}

/*
 * Called by the page-fault trap with CR2 and the CPU's error code.  When memory
 * ran out the task is either the OOM killer's victim, which dies on the way to
 * user mode, or the access is tried again.
 */
void do_page_fault(struct trap_frame *tf, u32 addr, u32 error_code)
{
	struct mm *mm = current->mm;
	int result;

	current->last_fault = addr;
	if (unlikely(addr >= TASK_SIZE || !mm || pagefault_disabled)) {
		bad_access(tf, addr, SIGSEGV, SEGV_MAPERR);
		return;
	}
	down_read(&mm->mmap_sem);
	result = resolve(mm, addr, error_code);
	up_read(&mm->mmap_sem);
	if (likely(result == FAULT_MINOR || result == FAULT_MAJOR))
		count_fault(result);
	else if (result < 0)
		bad_access(tf, addr, SIGSEGV, -result);
	else if (result == FAULT_SIGBUS)
		bad_access(tf, addr, SIGBUS, BUS_ADRERR);
	else if (!user_mode(tf) && fatal_signal_pending())
		kernel_fault(tf, "out of memory at address %08x", addr);
	else
		cond_resched();
}
