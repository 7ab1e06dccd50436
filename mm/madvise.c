/*
 * madvise, posix_fadvise and readahead: hints about what comes next.
 *
 * MADV_DONTNEED is more than a hint: private pages are dropped and read as
 * zero, or as the file, afterwards.
 */
#include "fs/file.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "mm/i_mmap.h"
#include "mm/readahead.h"
#include "mm/syscalls.h"

#define MADV_NORMAL	0
#define MADV_RANDOM	1
#define MADV_SEQUENTIAL	2
#define MADV_WILLNEED	3
#define MADV_DONTNEED	4
#define MADV_DONTFORK	10
#define MADV_DOFORK	11

#define FADV_NORMAL	0
#define FADV_RANDOM	1
#define FADV_SEQUENTIAL	2
#define FADV_WILLNEED	3
#define FADV_DONTNEED	4
#define FADV_NOREUSE	5

/* Changes flags of a VMA, cut to the range.  0 or -ENOMEM. */
static int change_flags(struct vma *vma, u32 start, u32 end, u32 clear,
			u32 set)
{
	int error;

	if (((vma->vm_flags & ~clear) | set) == vma->vm_flags)
		return 0;
	error = vma_isolate(&vma, start, end);
	if (!error)
		vma->vm_flags = (vma->vm_flags & ~clear) | set;
	return error;
}

/* Starts reading the range of a file VMA. */
static int will_need(struct vma *vma, u32 start, u32 end)
{
	if (!vma->vm_file)
		return 0;
	readahead_range(vma->vm_file->mapping, vma->vm_file, vma->vm_pgoff +
			((start - vma->vm_start) >> PAGE_SHIFT),
			(end - start) >> PAGE_SHIFT);
	return 0;
}

/* Drops the pages of the range from the page tables. */
static int dont_need(struct vma *vma, u32 start, u32 end)
{
	if (vma->vm_flags & VM_LOCKED)
		return -EINVAL;
	zap_page_range(vma, start, end);
	return 0;
}

/* Applies the advice to one VMA. */
static int advise_vma(struct vma *vma, u32 start, u32 end, int advice)
{
	const u32 hints = VM_SEQ_READ | VM_RAND_READ;

	switch (advice) {
	case MADV_NORMAL:
		return change_flags(vma, start, end, hints, 0);
	case MADV_RANDOM:
		return change_flags(vma, start, end, hints, VM_RAND_READ);
	case MADV_SEQUENTIAL:
		return change_flags(vma, start, end, hints, VM_SEQ_READ);
	case MADV_DONTFORK:
		return change_flags(vma, start, end, 0, VM_DONTCOPY);
	case MADV_DOFORK:
		return change_flags(vma, start, end, VM_DONTCOPY, 0);
	case MADV_WILLNEED:
		return will_need(vma, start, end);
	case MADV_DONTNEED:
		return dont_need(vma, start, end);
	}
	return -EINVAL;
}

/* Applies the advice to [start, end); -ENOMEM at the end if it had a hole. */
static int advise_range(struct mm *mm, u32 start, u32 end, int advice)
{
	u32 at = start;
	int hole = 0;

	while (at < end) {
		struct vma *vma = find_vma(mm, at);
		u32 stop;
		int error;

		if (!vma || vma->vm_start >= end)
			return -ENOMEM;
		if (vma->vm_start > at) {
			hole = -ENOMEM;
			at = vma->vm_start;
		}
		stop = min(vma->vm_end, end);
		error = advise_vma(vma, at, stop, advice);
		if (error)
			return error;
		at = stop;
	}
	vma_merge_range(mm, start, end);
	return hole;
}

/* Is this advice one of those above? */
static bool known_advice(int advice)
{
	return (advice >= MADV_NORMAL && advice <= MADV_DONTNEED) ||
	       advice == MADV_DONTFORK || advice == MADV_DOFORK;
}

/* madvise(2) */
asmlinkage long sys_madvise(u32 addr, u32 len, int advice)
{
	struct mm *mm = current->mm;
	u32 end = addr + PAGE_ALIGN(len);
	int error;

	if (addr % PAGE_SIZE || end < addr || !known_advice(advice))
		return -EINVAL;
	down_write(&mm->mmap_sem);
	error = advise_range(mm, addr, end, advice);
	up_write(&mm->mmap_sem);
	return error;
}

/* Applies posix_fadvise advice to [pos, pos + len) of an open file. */
static int advise_file(struct file *f, loff_t pos, loff_t len, int advice)
{
	loff_t end = len ? pos + len : f->inode->size;

	switch (advice) {
	case FADV_NORMAL:
		f->ra.max = RA_MAX_PAGES;
		return 0;
	case FADV_RANDOM:
		f->ra.max = 1;
		return 0;
	case FADV_SEQUENTIAL:
		f->ra.max = 2 * RA_MAX_PAGES;
		return 0;
	case FADV_WILLNEED:
		readahead_range(f->mapping, f, (u32)(pos >> PAGE_SHIFT),
				(u32)((end - pos + PAGE_SIZE - 1) >>
				      PAGE_SHIFT));
		return 0;
	case FADV_NOREUSE:
		return 0;
	case FADV_DONTNEED:
		filemap_write_all(f->mapping, false);
		invalidate_mapping_range(f->mapping, pos, end);
		return 0;
	}
	return -EINVAL;
}

/* posix_fadvise on a descriptor. */
static long fadvise(int fd, loff_t pos, loff_t len, int advice)
{
	struct file *f = fget(fd);
	int error;

	if (!f)
		return -EBADF;
	if (!f->mapping || !f->mapping->ops)
		error = -ESPIPE;
	else if (len < 0 || pos < 0)
		error = -EINVAL;
	else
		error = advise_file(f, pos, len, advice);
	fput(f);
	return error;
}

/* fadvise64(2): a 32-bit length. */
asmlinkage long sys_fadvise64(int fd, u32 lo, u32 hi, u32 len, int advice)
{
	return fadvise(fd, (loff_t)((u64)hi << 32 | lo), len, advice);
}

/* fadvise64_64(2) */
asmlinkage long sys_fadvise64_64(int fd, u32 off_lo, u32 off_hi, u32 len_lo,
				 u32 len_hi, int advice)
{
	return fadvise(fd, (loff_t)((u64)off_hi << 32 | off_lo),
		       (loff_t)((u64)len_hi << 32 | len_lo), advice);
}

/* readahead(2) */
asmlinkage long sys_readahead(int fd, u32 off_lo, u32 off_hi, u32 count)
{
	loff_t pos = (loff_t)((u64)off_hi << 32 | off_lo);
	struct file *f = fget(fd);
	int error = 0;

	if (!f)
		return -EBADF;
	if (!(f->mode & FMODE_READ))
		error = -EBADF;
	else if (!f->mapping || !f->mapping->ops)
		error = -EINVAL;
	else
		readahead_range(f->mapping, f, (u32)(pos >> PAGE_SHIFT),
				div_round_up(count, PAGE_SIZE));
	fput(f);
	return error;
}
