/*
 * /proc/PID/maps: one line per VMA, produced in pieces that fit a buffer.
 *
 * The reader may take its time and the address space may change between two
 * pieces; each piece starts at the first VMA at or after the address where the
 * last one ended, so no VMA is shown twice and none is skipped that stayed.
 */
#include "fs/vfs.h"
#include "lib/errno.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/mm.h"
#include "mm/page_alloc.h"
#include "mm/vmstat.h"

#define NAME_COLUMN	49		/* where Linux puts the file's name */
#define LINE_MAX	(PAGE_SIZE + 64)

/* What a VMA without a file is, or NULL. */
static const char *vma_name(const struct mm *mm, const struct vma *vma)
{
	if (vma->vm_start <= mm->brk && vma->vm_end >= mm->start_brk)
		return "[heap]";
	if (vma->vm_start <= mm->start_stack && vma->vm_end >= mm->start_stack)
		return "[stack]";
	return NULL;
}

/* Formats one line up to the name; the length. */
static int format_line(const struct vma *vma, char *buf, size_t size)
{
	const struct inode *inode = vma->vm_file ? vma->vm_file->inode : NULL;
	u32 flags = vma->vm_flags;
	dev_t dev = inode && inode->sb ? inode->sb->dev : 0;

	return snprintf(buf, size, "%08x-%08x %c%c%c%c %08llx %02x:%02x %u",
			vma->vm_start, vma->vm_end,
			flags & VM_READ ? 'r' : '-',
			flags & VM_WRITE ? 'w' : '-',
			flags & VM_EXEC ? 'x' : '-',
			flags & VM_MAYSHARE ? 's' : 'p',
			inode ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0,
			(u32)dev >> 8, (u32)dev & 0xff,
			inode ? inode->ino : 0);
}

/* Formats one line with its name; the length. */
static int show_vma(const struct mm *mm, const struct vma *vma, char *buf,
		    size_t size, char *path)
{
	const char *name = vma_name(mm, vma);
	int len = format_line(vma, buf, size);

	if (vma->vm_file) {
		name = d_path(vma->vm_file->dentry, path, PAGE_SIZE);
		if (IS_ERR(name))
			name = "(name too long)";
	}
	if (name)
		len += snprintf(buf + len, size - len, "%*s%s",
				max(NAME_COLUMN - len, 1), "", name);
	len += snprintf(buf + len, size - len, "\n");
	return len;
}

/* Formats VMAs from *resume on while they fit; see mm/vmstat.h. */
int maps_show(struct mm *mm, u32 *resume, char *buf, size_t size)
{
	char *path = get_free_pages(GFP_KERNEL, 0);
	struct vma *vma;
	int len = 0;

	if (!path)
		return -ENOMEM;
	down_read(&mm->mmap_sem);
	vma = find_vma(mm, *resume);
	while (vma && size - len >= LINE_MAX) {
		len += show_vma(mm, vma, buf + len, size - len, path);
		*resume = vma->vm_end;
		vma = vma->vm_next;
	}
	if (!vma)
		*resume = 0xffffffff;
	up_read(&mm->mmap_sem);
	free_pages_at(path, 0);
	return len;
}
