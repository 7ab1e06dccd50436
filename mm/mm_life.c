/*
 * The life of an address space: made by exec, copied by fork, shared by
 * threads, emptied when its last task is gone.
 *
 *	users: tasks                -- 0: all VMAs are unmapped
 *	count: users as one, holds  -- 0: directory and struct are freed
 *
 * Invariant: every mm with users > 0 is on all_mms.
 *
 * Watch it in gdb: break dup_mm; break exit_mmap.
 */
#include "fs/vfs.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/i_mmap.h"
#include "mm/mm.h"
#include "mm/pgtable.h"
#include "mm/slab.h"
#include "mm/vmstat.h"

LIST_HEAD(all_mms);

/* A new, empty address space with users = count = 1, or NULL.  May sleep. */
struct mm *mm_alloc(void)
{
	struct mm *mm = kzalloc(sizeof(*mm), GFP_KERNEL);

	if (!mm)
		return NULL;
	mm->pgd = pgd_alloc();
	if (!mm->pgd) {
		kfree(mm);
		return NULL;
	}
	virt_to_page(mm->pgd)->mapping = (struct address_space *)mm;
	mm->users = 1;
	mm->count = 1;
	rwsem_init(&mm->mmap_sem);
	list_add_tail(&mm->mmlist, &all_mms);
	return mm;
}

/* Drops a temporary hold; the last one frees directory and struct. */
void mmdrop(struct mm *mm)
{
	if (--mm->count)
		return;
	leave_mm(mm);
	pgd_free(mm->pgd);
	kfree(mm);
}

/* Unmaps everything.  Nobody else uses the address space now. */
static void exit_mmap(struct mm *mm)
{
	leave_mm(mm);
	for (struct vma *vma = mm->mmap; vma; vma = vma->vm_next)
		zap_page_range(vma, vma->vm_start, vma->vm_end);
	free_tables(mm, 0, TASK_SIZE);
	while (mm->mmap) {
		struct vma *vma = mm->mmap;

		vma_unlink(mm, vma);
		vma_free(vma);
	}
}

/* Drops one task's use; the last unmaps and frees.  May sleep. */
void mmput(struct mm *mm)
{
	if (--mm->users)
		return;
	exit_mmap(mm);
	list_del(&mm->mmlist);
	if (mm->exe_file)
		fput(mm->exe_file);
	mmdrop(mm);
}

/* Copies one VMA and its PTEs into `mm`.  0 or -ENOMEM.  May sleep. */
static int dup_vma(struct mm *mm, struct vma *old)
{
	struct vma *vma = vma_alloc(mm, GFP_KERNEL);
	struct file *file = old->vm_file;

	if (!vma)
		return -ENOMEM;
	vma->vm_start = old->vm_start;
	vma->vm_end = old->vm_end;
	vma->vm_flags = old->vm_flags & ~VM_LOCKED;
	vma->vm_pgoff = old->vm_pgoff;
	vma_link(mm, vma);
	if (file) {
		vma->vm_file = get_file(file);
		i_mmap->insert_copy(vma, old, file->mapping);
	}
	return copy_page_range(vma, old);
}

/* Copies the numbers that describe an address space. */
static void dup_fields(struct mm *mm, const struct mm *old)
{
	mm->start_code = old->start_code;
	mm->end_code = old->end_code;
	mm->start_data = old->start_data;
	mm->end_data = old->end_data;
	mm->start_brk = old->start_brk;
	mm->brk = old->brk;
	mm->start_stack = old->start_stack;
	mm->arg_start = old->arg_start;
	mm->arg_end = old->arg_end;
	mm->env_start = old->env_start;
	mm->env_end = old->env_end;
	mm->total_vm = old->total_vm;
	mm->stack_vm = old->stack_vm;
	mm->exec_vm = old->exec_vm;
	memcpy(mm->saved_auxv, old->saved_auxv, sizeof(mm->saved_auxv));
	if (old->exe_file)
		mm->exe_file = get_file(old->exe_file);
}

/* Copies all VMAs; on failure what was copied stays, for mmput(). */
static int dup_vmas(struct mm *mm, struct mm *old)
{
	for (struct vma *vma = old->mmap; vma; vma = vma->vm_next) {
		int error;

		if (vma->vm_flags & VM_DONTCOPY) {
			mm->total_vm -= vma_pages(vma);
			continue;
		}
		error = dup_vma(mm, vma);
		if (error)
			return error;
		cond_resched();
	}
	return 0;
}

/* A copy of `old` for fork; ERR_PTR(-ENOMEM) on failure.  May sleep. */
struct mm *dup_mm(struct mm *old)
{
	struct mm *mm = mm_alloc();
	int error;

	if (!mm)
		return ERR_PTR(-ENOMEM);
	down_write(&old->mmap_sem);
	dup_fields(mm, old);
	error = dup_vmas(mm, old);
	flush_tlb_mm(old);		/* private PTEs lost their write bit */
	up_write(&old->mmap_sem);
	if (error) {
		mmput(mm);
		return ERR_PTR(error);
	}
	return mm;
}

/* For exec: a stack VMA of one page that ends at stack_top.  0 or -ENOMEM. */
int setup_stack(struct mm *mm, u32 stack_top)
{
	struct vma *vma = vma_alloc(mm, GFP_KERNEL);

	if (!vma)
		return -ENOMEM;
	vma->vm_start = stack_top - PAGE_SIZE;
	vma->vm_end = stack_top;
	vma->vm_pgoff = vma->vm_start >> PAGE_SHIFT;
	vma->vm_flags = VM_READ | VM_WRITE | VM_EXEC | VM_MAYREAD |
			VM_MAYWRITE | VM_MAYEXEC | VM_GROWSDOWN;
	vma_link(mm, vma);
	mm->total_vm++;
	mm->stack_vm++;
	mm->start_stack = stack_top;
	return 0;
}

/* The page behind a user address of any mm, faulted in, with a reference, or
 * NULL.  mmap_sem held.  May sleep. */
static struct page *get_user_page(struct mm *mm, u32 addr, bool write)
{
	struct vma *vma = find_vma(mm, addr);

	if (!vma || (addr < vma->vm_start && !(vma->vm_flags & VM_GROWSDOWN)))
		return NULL;
	if (addr < vma->vm_start) {
		u32 start = addr & PAGE_MASK;

		mm->total_vm += (vma->vm_start - start) >> PAGE_SHIFT;
		mm->stack_vm += (vma->vm_start - start) >> PAGE_SHIFT;
		vma_resize(vma, start, vma->vm_end);
	}
	for (;;) {
		pte_t *ptep = pte_lookup(mm->pgd, addr);
		enum fault_result result;

		if (ptep && (*ptep & PTE_PRESENT) &&
		    (!write || pte_write(*ptep))) {
			struct page *page = pte_page(*ptep);

			get_page(page);
			if (write)
				*ptep |= PTE_DIRTY | PTE_ACCESSED;
			return page;
		}
		result = handle_mm_fault(vma, addr, write);
		if (result == FAULT_SIGBUS || result == FAULT_OOM)
			return NULL;
	}
}

/* Drops what get_user_page() returned (the zero page has no owner). */
static void put_user_page(struct page *page)
{
	if (page->type == PAGE_RESERVED)
		page->count--;
	else
		put_page(page);
}

/* Copies between kernel memory and a user range of any mm; bytes done. */
static size_t copy_mm(struct mm *mm, u32 addr, char *buf, size_t len,
		      bool write)
{
	size_t done = 0;

	while (done < len) {
		u32 at = addr + done, offset = at % PAGE_SIZE;
		size_t n = min(len - done, (size_t)PAGE_SIZE - offset);
		struct page *page = at < TASK_SIZE ?
				    get_user_page(mm, at, write) : NULL;

		if (!page)
			break;
		if (write)
			memcpy((char *)page_address(page) + offset,
			       buf + done, n);
		else
			memcpy(buf + done,
			       (char *)page_address(page) + offset, n);
		put_user_page(page);
		done += n;
	}
	return done;
}

/* Copies kernel memory to user address `to` of another, not yet running mm.
 * 0 or -EFAULT.  May sleep. */
int copy_to_mm(struct mm *mm, u32 to, const void *from, size_t len)
{
	size_t done;

	down_write(&mm->mmap_sem);
	done = copy_mm(mm, to, (char *)from, len, true);
	up_write(&mm->mmap_sem);
	return done == len ? 0 : -EFAULT;
}

/* Reads from any mm; bytes copied, short on a fault.  May sleep. */
size_t copy_from_mm(struct mm *mm, void *to, u32 from, size_t len)
{
	size_t done;

	down_write(&mm->mmap_sem);
	done = copy_mm(mm, from, to, len, false);
	up_write(&mm->mmap_sem);
	return done;
}
