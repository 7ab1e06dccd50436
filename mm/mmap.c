/*
 * mmap, munmap and brk.
 *
 * A request is checked, the range it replaces is unmapped, and a VMA is made
 * or a neighbour extended.  No page table is touched until a fault.
 *
 * Invariants
 *  1. total_vm is the sum of all VMAs' pages.
 *  2. VM_MAY* of a VMA never exceed what its file was opened for.
 *
 * Watch it in gdb: break do_mmap; break do_munmap.
 */
#include "fs/file.h"
#include "kernel/linkage.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "mm/i_mmap.h"
#include "mm/mm.h"
#include "mm/page_alloc.h"
#include "mm/pgtable.h"
#include "mm/shmem.h"
#include "mm/swap.h"
#include "mm/syscalls.h"
#include "mm/vmstat.h"

int max_map_count = 65530;		/* /proc/sys/vm */

/* May the current task map `pages` more? 0 or -ENOMEM. */
int may_expand_vm(struct mm *mm, u32 pages)
{
	u32 limit = current->rlim[RLIMIT_AS].cur;

	if (mm->total_vm + pages > limit >> PAGE_SHIFT)
		return -ENOMEM;
	if (mm->map_count >= (u32)max_map_count)
		return -ENOMEM;
	return 0;
}

/* Counts pages that come or go with a VMA. */
void account_vm(struct mm *mm, u32 flags, s32 pages)
{
	mm->total_vm += pages;
	if (flags & VM_EXEC)
		mm->exec_vm += pages;
	if (flags & VM_GROWSDOWN)
		mm->stack_vm += pages;
	if (flags & VM_LOCKED)
		mm->locked_vm += pages;
	mm->hiwater_vm = max(mm->hiwater_vm, mm->total_vm);
}

/* Frees the page tables of a hole, between what is still mapped around it. */
static void free_tables_around(struct mm *mm, u32 start, u32 end)
{
	struct vma *next = find_vma(mm, start);
	struct vma *prev;
	u32 low, high;

	if (next) {
		prev = next->vm_prev;
	} else {
		struct rb_node *last = rb_last(&mm->mm_rb);

		prev = rb_entry_safe(last, struct vma, vm_rb);
	}
	low = prev ? round_up(prev->vm_end, TABLE_SIZE) : 0;
	high = next ? round_down(next->vm_start, TABLE_SIZE) : TASK_SIZE;
	low = max(low, round_down(start, TABLE_SIZE));
	high = min(high, round_up(end, TABLE_SIZE));
	if (low < high)
		free_tables(mm, low, high);
}

/* Splits VMAs at the borders of [start, end); the first one inside, NULL: none.
 * *error is set on failure. */
static struct vma *isolate_range(struct mm *mm, u32 start, u32 end, int *error)
{
	struct vma *vma = find_vma(mm, start), *last;

	*error = 0;
	if (!vma || vma->vm_start >= end)
		return NULL;
	if (vma->vm_start < start) {
		if (vma->vm_end > end &&
		    mm->map_count >= (u32)max_map_count) {
			*error = -ENOMEM;
			return NULL;
		}
		*error = vma_split(vma, start);
		if (*error)
			return NULL;
		vma = vma->vm_next;
	}
	last = find_vma(mm, end - 1);
	if (last && last->vm_start < end && last->vm_end > end)
		*error = vma_split(last, end);
	return *error ? NULL : vma;
}

/* Unmaps [addr, addr + len).  mmap_sem held for writing.  May sleep. */
int do_munmap(struct mm *mm, u32 addr, u32 len)
{
	u32 end = addr + PAGE_ALIGN(len);
	struct vma *vma, *next;
	int error;

	if (addr % PAGE_SIZE || !len || addr > TASK_SIZE ||
	    len > TASK_SIZE - addr)
		return -EINVAL;
	vma = isolate_range(mm, addr, end, &error);
	if (!vma)
		return error;
	for (; vma && vma->vm_start < end; vma = next) {
		next = vma->vm_next;
		zap_page_range(vma, vma->vm_start, vma->vm_end);
		account_vm(mm, vma->vm_flags, -(s32)vma_pages(vma));
		vma_unlink(mm, vma);
		vma_free(vma);
	}
	free_tables_around(mm, addr, end);
	return 0;
}

/* VM flags of PROT_* and MAP_* bits. */
static u32 vm_flags_of(u32 prot, u32 flags)
{
	u32 vm = prot & (PROT_READ | PROT_WRITE | PROT_EXEC);

	if (flags & MAP_GROWSDOWN)
		vm |= VM_GROWSDOWN;
	if (flags & MAP_LOCKED)
		vm |= VM_LOCKED;
	return vm | VM_MAYREAD | VM_MAYWRITE | VM_MAYEXEC;
}

/* Adds what the file's mode allows to shared or private flags. 0/-errno. */
static int check_file_flags(struct file *file, u32 flags, u32 *vm_flags)
{
	if (!(file->mode & FMODE_READ))
		return -EACCES;
	if (!file->ops->mmap)
		return -ENODEV;
	if ((flags & 3) != MAP_SHARED)
		return 0;
	*vm_flags |= VM_SHARED | VM_MAYSHARE;
	if (file->mode & FMODE_WRITE)
		return 0;
	if (*vm_flags & VM_WRITE)
		return -EACCES;
	*vm_flags &= ~(VM_MAYWRITE | VM_SHARED);
	return 0;
}

/* Would a private writable mapping plainly exceed memory and swap? */
static bool exceeds_memory(u32 pages, u32 vm_flags)
{
	if ((vm_flags & (VM_SHARED | VM_WRITE)) != VM_WRITE)
		return false;
	return pages > total_pages + total_swap_pages;
}

/* The address of a new mapping, or an error. */
static long choose_address(struct mm *mm, u32 addr, u32 len, u32 flags)
{
	if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) {
		struct vma *vma = find_vma(mm, addr);

		if (addr % PAGE_SIZE || addr > TASK_SIZE - len)
			return addr % PAGE_SIZE ? -EINVAL : -ENOMEM;
		if (flags & MAP_FIXED_NOREPLACE && vma &&
		    vma->vm_start < addr + len)
			return -EEXIST;
		return addr;
	}
	addr = PAGE_ALIGN(addr);
	if (addr && addr <= TASK_SIZE - len) {
		struct vma *vma = find_vma(mm, addr);

		if (!vma || vma->vm_start >= addr + len)
			return addr;
	}
	addr = get_unmapped_area(mm, len);
	return addr ? (long)addr : -ENOMEM;
}

/* Extends the anonymous VMA that ends at addr, if it is alike. */
static bool extend_neighbour(struct mm *mm, u32 addr, u32 len, u32 vm_flags)
{
	struct vma *vma = addr ? find_vma(mm, addr - 1) : NULL;

	if (!vma || vma->vm_end != addr || vma->vm_file ||
	    vma->vm_flags != vm_flags || vm_flags & VM_GROWSDOWN)
		return false;
	if (vma->vm_pgoff + vma_pages(vma) != addr >> PAGE_SHIFT)
		return false;
	vma_resize(vma, vma->vm_start, addr + len);
	vma_merge_range(mm, addr, addr + len);
	return true;
}

/* Makes and links a VMA; addr or an error.  Takes its own file reference. */
static long map_new_vma(struct mm *mm, struct file *file, u32 addr, u32 len,
			u32 vm_flags, u32 pgoff)
{
	struct vma *vma = vma_alloc(mm, GFP_KERNEL);
	int error;

	if (!vma)
		return -ENOMEM;
	vma->vm_start = addr;
	vma->vm_end = addr + len;
	vma->vm_flags = vm_flags;
	vma->vm_pgoff = pgoff;
	if (file) {
		vma->vm_file = get_file(file);
		error = file->ops->mmap(file, vma);
		if (error) {
			vma_free(vma);
			return error;
		}
		if (!vma->vm_file)	/* /dev/zero made it anonymous */
			vma->vm_pgoff = addr >> PAGE_SHIFT;
	}
	vma_link(mm, vma);
	vma_merge_range(mm, addr, addr + len);
	return addr;
}

/* Maps with flags checked and the address chosen; addr or an error. */
static long map_region(struct mm *mm, struct file *file, u32 addr, u32 len,
		       u32 vm_flags, u32 pgoff)
{
	u32 pages = len >> PAGE_SHIFT;
	long result = do_munmap(mm, addr, len);

	if (!result)
		result = may_expand_vm(mm, pages);
	if (result)
		return result;
	if (exceeds_memory(pages, vm_flags))
		return -ENOMEM;
	if (file)
		result = map_new_vma(mm, file, addr, len, vm_flags, pgoff);
	else if (extend_neighbour(mm, addr, len, vm_flags))
		result = addr;
	else
		result = map_new_vma(mm, NULL, addr, len, vm_flags,
				     addr >> PAGE_SHIFT);
	if (IS_ERR_VALUE(result))
		return result;
	account_vm(mm, vm_flags, pages);
	if (vm_flags & VM_LOCKED)
		make_pages_present(mm, addr, addr + len);
	return result;
}

/* A shared anonymous mapping: of an unlinked tmpfs file. */
static long map_shared_anonymous(struct mm *mm, u32 addr, u32 len,
				 u32 vm_flags)
{
	struct file *file = shmem_file_setup("dev/zero", len);
	long result;

	if (IS_ERR(file))
		return PTR_ERR(file);
	result = map_region(mm, file, addr, len,
			    vm_flags | VM_SHARED | VM_MAYSHARE, 0);
	fput(file);
	return result;
}

/* Maps into the current task's mm; the address or a negative errno. */
long do_mmap(struct file *file, u32 addr, u32 len, u32 prot, u32 flags,
	     u32 pgoff)
{
	struct mm *mm = current->mm;
	u32 vm_flags = vm_flags_of(prot, flags) | mm->def_flags;
	u32 type = flags & 3;
	long at;
	int error;

	if (!len || (type != MAP_SHARED && type != MAP_PRIVATE && type != 3))
		return -EINVAL;
	len = PAGE_ALIGN(len);
	if (!len || len > TASK_SIZE)
		return -ENOMEM;
	if (pgoff + (len >> PAGE_SHIFT) < pgoff)
		return -EOVERFLOW;
	if (file) {
		error = check_file_flags(file, type == 3 ? MAP_SHARED : flags,
					 &vm_flags);
		if (error)
			return error;
	}
	at = choose_address(mm, addr, len, flags);
	if (IS_ERR_VALUE(at))
		return at;
	if (!file && type != MAP_PRIVATE)
		return map_shared_anonymous(mm, at, len, vm_flags);
	return map_region(mm, file, at, len, vm_flags, pgoff);
}

/* Maps zeroed anonymous memory at addr, for brk and bss.  0 or -errno. */
int do_brk(u32 addr, u32 len)
{
	long at = do_mmap(NULL, addr, len, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, 0);

	return IS_ERR_VALUE(at) ? (int)at : 0;
}

/* mmap2(2): the offset is in pages. */
asmlinkage long sys_mmap2(u32 addr, u32 len, u32 prot, u32 flags, u32 fd,
			  u32 pgoff)
{
	struct mm *mm = current->mm;
	struct file *file = NULL;
	long result;

	if (!(flags & MAP_ANONYMOUS)) {
		file = fget(fd);
		if (!file)
			return -EBADF;
	}
	down_write(&mm->mmap_sem);
	result = do_mmap(file, addr, len, prot, flags, pgoff);
	up_write(&mm->mmap_sem);
	if (!IS_ERR_VALUE(result) && flags & MAP_POPULATE)
		populate_range(mm, result, len);
	if (file)
		fput(file);
	return result;
}

/* mmap(2) of 1991: one pointer to six words, the offset in bytes. */
asmlinkage long sys_old_mmap(const u32 __user *args)
{
	u32 a[6];

	if (copy_from_user(a, args, sizeof(a)))
		return -EFAULT;
	if (a[5] % PAGE_SIZE)
		return -EINVAL;
	return sys_mmap2(a[0], a[1], a[2], a[3], a[4], a[5] >> PAGE_SHIFT);
}

/* munmap(2) */
asmlinkage long sys_munmap(u32 addr, u32 len)
{
	struct mm *mm = current->mm;
	int error;

	down_write(&mm->mmap_sem);
	error = do_munmap(mm, addr, len);
	up_write(&mm->mmap_sem);
	return error;
}

/* Moves the end of the heap; false: not possible. */
static bool move_brk(struct mm *mm, u32 brk)
{
	u32 old = PAGE_ALIGN(mm->brk), new = PAGE_ALIGN(brk);
	struct vma *above;

	if (new <= old)
		return new == old || !do_munmap(mm, new, old - new);
	if (brk - mm->start_data > current->rlim[RLIMIT_DATA].cur)
		return false;
	above = find_vma(mm, old);
	if (above && above->vm_start < new + PAGE_SIZE)
		return false;
	return do_brk(old, new - old) == 0;
}

/* brk(2): the new end of the heap, or the old one when it cannot move. */
asmlinkage long sys_brk(u32 brk)
{
	struct mm *mm = current->mm;

	down_write(&mm->mmap_sem);
	if (brk >= mm->start_brk && brk < TASK_SIZE && move_brk(mm, brk))
		mm->brk = brk;
	brk = mm->brk;
	up_write(&mm->mmap_sem);
	return brk;
}
