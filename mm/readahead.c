/*
 * Readahead: pages are read before they are asked for, in requests large
 * enough for the disk.
 *
 *	reader at x   |-----window-----|------next window------|
 *	              ^start    ^ahead: when the reader gets here, the next
 *	                               window is started, twice as large
 *
 * A read that neither starts the file nor continues where the last one ended
 * is random and reads only what it needs (Wu's on-demand readahead, 2.6.23).
 * A fault reads the aligned 32 pages around it (2.5.66's read-around), unless
 * madvise said that access is random, or sequential.
 */
#include "mm/readahead.h"

#include "drivers/block.h"
#include "fs/vfs.h"
#include "kernel/task.h"
#include "mm/mm.h"
#include "mm/page_alloc.h"

#define RA_FIRST_PAGES	4		/* window of a new sequence */

/* Pages in the file. */
static u32 file_pages(const struct address_space *m)
{
	return (u32)((m->host->size + PAGE_SIZE - 1) >> PAGE_SHIFT);
}

/* Starts reading one page unless it is cached; false: no memory. */
static bool read_one(struct address_space *m, struct file *f, u32 index)
{
	struct page *page;
	int error;

	if (radix_tree_lookup(&m->pages, index))
		return true;
	page = alloc_page(GFP_KERNEL | __GFP_NOWARN);
	if (!page)
		return false;
	error = add_to_page_cache(page, m, index, GFP_KERNEL);
	if (!error)
		m->ops->readpage(f, page);
	put_page(page);
	return true;
}

/* Starts reading [index, index + count) as far as it is not cached. */
void readahead_range(struct address_space *m, struct file *f, u32 index,
		     u32 count)
{
	u32 end = min(index + count, file_pages(m));

	if (m->ops->getpage || !m->ops->readpage)
		return;
	blk_start_plug();
	for (; index < end; index++)
		if (!read_one(m, f, index))
			break;
	blk_finish_plug();
}

/* Starts the window [start, start + size), whose next is due at `ahead`. */
static void start_window(struct file *f, u32 start, u32 size, u32 ahead)
{
	f->ra.start = start;
	f->ra.size = size;
	f->ra.ahead = ahead;
	readahead_range(f->mapping, f, start, size);
}

/* A read() needs `count` pages from `index` on. */
void readahead_read(struct file *f, u32 index, u32 count)
{
	struct file_ra *ra = &f->ra;
	u32 most = ra->max ? ra->max : RA_MAX_PAGES;
	u32 size = min(count, most);

	if (ra->size && index == ra->ahead) {
		u32 start = ra->start + ra->size;

		size = min(max(ra->size * 2, size), most);
		start_window(f, start, size, start);
	} else if (index == 0 || index == ra->next) {
		size = min(max(size * 2, (u32)RA_FIRST_PAGES), most);
		start_window(f, index, size, index + min(count, size - 1));
	} else {
		ra->size = 0;
		readahead_range(f->mapping, f, index, size);
	}
}

/* A fault needs page `pgoff`: starts reading its neighbourhood. */
void readahead_fault(struct vma *vma, u32 pgoff)
{
	struct address_space *m = vma->vm_file->mapping;

	if (vma->vm_flags & VM_RAND_READ)
		return;
	if (vma->vm_flags & VM_SEQ_READ)
		readahead_range(m, vma->vm_file, pgoff, RA_MAX_PAGES);
	else
		readahead_range(m, vma->vm_file,
				round_down(pgoff, (u32)RA_MAX_PAGES),
				RA_MAX_PAGES);
}
