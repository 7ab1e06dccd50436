/*
 * Truncation: what lies beyond the new end of a file disappears from every
 * mapping and from the page cache.
 *
 *	vmtruncate: inode->size = new
 *	            unmap_mapping_range(): PTEs of all VMAs beyond it
 *	            truncate_inode_pages(): pages beyond it, tail zeroed
 *	            inode->ops->truncate(): disk blocks
 *
 * The size is set first, so that a fault that starts now sees it (SIGBUS).  A
 * fault that looked before is caught by truncate_count, which is raised before
 * the PTEs are removed (McCracken, July 2003).
 *
 * Private copies beyond the end go too: their file is not there any more.
 *
 * Watch it in gdb: break vmtruncate; break zap_vma_beyond.
 */
#include "fs/vfs.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/i_mmap.h"
#include "mm/rmap.h"
#include "mm/writeback.h"

#define BATCH	16

/* Removes the PTEs of file pages [first, last] from one VMA. */
static void zap_vma_range(struct vma *vma, u32 first, u32 last)
{
	u32 from = max(first, vma->vm_pgoff);
	u32 to = min(last, vma_last_pgoff(vma));

	if (from > to)
		return;
	zap_page_range(vma,
		       vma->vm_start + ((from - vma->vm_pgoff) << PAGE_SHIFT),
		       vma->vm_start + ((to + 1 - vma->vm_pgoff) <<
					PAGE_SHIFT));
}

/*
 * Unmaps bytes [from, from + len) of a file from every VMA; len 0: to the end.
 * Never sleeps, so the index stays as it is.
 */
void unmap_mapping_range(struct address_space *m, loff_t from, loff_t len,
			 bool even_cows unused_arg)
{
	u32 first = (u32)((from + PAGE_SIZE - 1) >> PAGE_SHIFT);
	u32 last = len ? (u32)((from + len - 1) >> PAGE_SHIFT) : ~0u;
	struct vma *vma;

	m->truncate_count++;
	for_each_i_mmap(vma, m, first, last)
		zap_vma_range(vma, first, last);
}

/* Removes one locked page, whatever its state, waiting for I/O in flight. */
static void truncate_page(struct address_space *m, struct page *page)
{
	if (page->mapping != m)
		return;
	wait_on_page_writeback(page);
	clear_page_dirty(page);
	remove_from_page_cache(page);
}

/* Zeroes a partial last page from `offset` on, if it is cached. */
static void zero_tail(struct address_space *m, u32 index, unsigned offset)
{
	struct page *page = find_get_page(m, index);

	if (!page)
		return;
	lock_page(page);
	if (page->mapping == m && page->flags & PG_UPTODATE) {
		wait_on_page_writeback(page);
		memset((char *)page_address(page) + offset, 0,
		       PAGE_SIZE - offset);
		set_page_dirty(page);
	}
	unlock_page(page);
	put_page(page);
}

/* Looks up a batch of pages from `first` on, with references. */
static unsigned get_batch(struct address_space *m, u32 first,
			  struct page **pages)
{
	unsigned n = radix_tree_gang_lookup(&m->pages, (void **)pages, first,
					    BATCH);

	for (unsigned i = 0; i < n; i++)
		get_page(pages[i]);
	return n;
}

/* Drops every cached page from byte `from` on; zeroes the tail of a partial
 * page.  May sleep. */
void truncate_inode_pages(struct address_space *m, loff_t from)
{
	u32 first = (u32)((from + PAGE_SIZE - 1) >> PAGE_SHIFT);
	struct page *pages[BATCH];
	unsigned n;

	if (from % PAGE_SIZE)
		zero_tail(m, (u32)(from >> PAGE_SHIFT), from % PAGE_SIZE);
	while ((n = get_batch(m, first, pages))) {
		for (unsigned i = 0; i < n; i++) {
			lock_page(pages[i]);
			truncate_page(m, pages[i]);
			unlock_page(pages[i]);
			put_page(pages[i]);
		}
		cond_resched();
	}
	if (!m->nrpages)
		list_del_init(&m->dirty_node);
}

/* Removes one page if nothing speaks against it; was it removed? */
static bool invalidate_page(struct address_space *m, struct page *page)
{
	bool removed = false;

	if (!trylock_page(page))
		return false;
	if (page->mapping == m && page->count == 2 && !page_mapped(page) &&
	    !(page->flags & (PG_DIRTY | PG_WRITEBACK)) && !m->swap_backed) {
		remove_from_page_cache(page);
		removed = true;
	}
	unlock_page(page);
	return removed;
}

/* Drops clean, unmapped pages of bytes [from, to); how many. */
u32 invalidate_mapping_range(struct address_space *m, loff_t from, loff_t to)
{
	u32 first = (u32)((from + PAGE_SIZE - 1) >> PAGE_SHIFT);
	u32 end = (u32)min(to >> PAGE_SHIFT, (loff_t)0xffffffff);
	struct page *pages[BATCH];
	u32 dropped = 0;
	unsigned n;

	while (first < end && (n = get_batch(m, first, pages))) {
		for (unsigned i = 0; i < n; i++) {
			first = max(first, pages[i]->index + 1);
			if (pages[i]->index < end)
				dropped += invalidate_page(m, pages[i]);
			put_page(pages[i]);
		}
		cond_resched();
	}
	return dropped;
}

/* Drops clean, unmapped pages; how many. */
u32 invalidate_mapping_pages(struct address_space *m)
{
	return invalidate_mapping_range(m, 0, (loff_t)0xffffffff << PAGE_SHIFT);
}

/* Refuses sizes that the caller's limit or the page cache cannot hold. */
static int check_size(loff_t size)
{
	u32 limit = current->rlim[RLIMIT_FSIZE].cur;

	if (size < 0)
		return -EINVAL;
	if (limit != RLIM_INFINITY && size > (loff_t)limit) {
		send_signal(current, SIGXFSZ);
		return -EFBIG;
	}
	return size >> PAGE_SHIFT >= 0xffffffff ? -EFBIG : 0;
}

/* Sets inode->size; see the picture above.  Caller holds inode->lock. */
int vmtruncate(struct inode *inode, loff_t size)
{
	bool shrink = size < inode->size;
	int error = shrink ? 0 : check_size(size);

	if (error)
		return error;
	inode->size = size;
	if (shrink) {
		unmap_mapping_range(inode->mapping, size, 0, true);
		truncate_inode_pages(inode->mapping, size);
	}
	if (inode->ops->truncate)
		error = inode->ops->truncate(inode);
	inode->mtime = inode->ctime = current_time();
	mark_inode_dirty(inode);
	return error;
}
