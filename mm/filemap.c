/*
 * The page cache: pages of files by (mapping, index).
 *
 *	mapping.pages: radix tree  0 -> page, 1 -> page, 7 -> page ...
 *	  tags: dirty (newer than the disk), writeback (on its way)
 *
 * A page is found without lock and with a reference; it is locked while it is
 * read, written to or removed.  PG_UPTODATE says that its contents are valid.
 *
 * Invariants
 *  1. A page in the cache has mapping and index set, holds one reference for
 *     the cache, and is in exactly that slot of the tree.
 *  2. The dirty tag is set exactly if PG_DIRTY is, the writeback tag exactly if
 *     PG_WRITEBACK is.
 *  3. nr_file_pages counts the pages of all mappings and of the swap cache;
 *     nr_dirty the dirty ones that a file system must write.
 *
 * Watch it in gdb: break add_to_page_cache if index == 3.
 */
#include "mm/filemap.h"

#include "fs/vfs.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "mm/fault.h"
#include "mm/lru.h"
#include "mm/mm_internal.h"
#include "mm/page_alloc.h"
#include "mm/readahead.h"
#include "mm/slab.h"
#include "mm/vmstat.h"
#include "mm/writeback.h"

#define RADIX_MAX_DEPTH	6		/* nodes one insertion may take */

static struct kmem_cache *radix_cache;
static struct radix_tree_node *radix_reserve[RADIX_MAX_DEPTH];
static unsigned nr_radix_reserve;

/* Makes the cache of tree nodes; called once. */
void radix_init(void)
{
	radix_cache = kmem_cache_create("radix_tree_node",
					sizeof(struct radix_tree_node), 4);
}

/* A tree node for lib/radix_tree.c; never sleeps. */
void *radix_node_alloc(void)
{
	void *node = kmem_cache_alloc(radix_cache, GFP_ATOMIC | __GFP_NOWARN);

	if (!node && nr_radix_reserve)
		node = radix_reserve[--nr_radix_reserve];
	return node;
}

/* Takes back a tree node. */
void radix_node_free(void *node)
{
	kmem_cache_free(radix_cache, node);
}

/* Fills the reserve of tree nodes.  May sleep. */
bool radix_preload(unsigned gfp)
{
	while (nr_radix_reserve < RADIX_MAX_DEPTH) {
		void *node = kmem_cache_alloc(radix_cache, gfp);

		if (!node)
			return false;
		if (nr_radix_reserve == RADIX_MAX_DEPTH)
			kmem_cache_free(radix_cache, node);
		else
			radix_reserve[nr_radix_reserve++] = node;
	}
	return true;
}

/* Makes an empty address space. */
void address_space_init(struct address_space *m, struct inode *host,
			const struct address_space_ops *ops)
{
	m->host = host;
	m->ops = ops;
	radix_tree_init(&m->pages);
	m->nrpages = 0;
	list_init(&m->i_mmap);
	list_init(&m->i_mmap_shared);
	m->i_mmap_tree.node = NULL;
	m->i_mmap_count = 0;
	m->truncate_count = 0;
	m->error = 0;
	list_init(&m->dirty_node);
	m->swap_backed = false;
	m->no_writeback = false;
}

/* A reference on the cached page, or NULL.  Never sleeps; not locked. */
struct page *find_get_page(struct address_space *m, u32 index)
{
	struct page *page = radix_tree_lookup(&m->pages, index);

	if (page)
		get_page(page);
	return page;
}

/* Inserts into the tree, filling the reserve when memory is short. */
static int tree_insert(struct address_space *m, u32 index, struct page *page,
		       unsigned gfp)
{
	int error = radix_tree_insert(&m->pages, index, page);

	if (error != -ENOMEM || !(gfp & __GFP_WAIT))
		return error;
	if (!radix_preload(gfp))
		return -ENOMEM;
	return radix_tree_insert(&m->pages, index, page);
}

/* Puts a new page into the cache, locked, and on the inactive list.  The
 * caller keeps its reference.  0, -EEXIST, -ENOMEM.  May sleep. */
int add_to_page_cache(struct page *page, struct address_space *m, u32 index,
		      unsigned gfp)
{
	int error = tree_insert(m, index, page, gfp);

	if (error)
		return error;
	page->type = PAGE_USER;
	page->mapping = m;
	page->index = index;
	page->flags |= PG_LOCKED;
	if (m->swap_backed) {
		page->flags |= PG_SWAPBACKED;
		vm_inc(nr_shmem);
	}
	get_page(page);
	m->nrpages++;
	vm_inc(nr_file_pages);
	lru->add_inactive(page);
	return 0;
}

/* Removes a locked, clean page from its mapping; drops the cache's reference
 * (the caller holds another). */
void remove_from_page_cache(struct page *page)
{
	struct address_space *m = page->mapping;

	BUG_ON(!(page->flags & PG_LOCKED) || page->flags & PG_DIRTY);
	radix_tree_delete(&m->pages, page->index);
	page->mapping = NULL;
	page->flags &= ~PG_MAPPEDTODISK;
	m->nrpages--;
	vm_dec(nr_file_pages);
	if (m->swap_backed)
		vm_dec(nr_shmem);
	page->count--;
}

/* The last reference is gone: off the LRU and back to the allocator. */
void free_user_page(struct page *page)
{
	if (page->flags & PG_LRU)
		lru->del(page);
	page->flags = 0;
	page->mapping = NULL;
	free_pages(page, 0);
}

/* The page, locked, with a reference; made (not up to date) if missing.
 * NULL when out of memory.  May sleep. */
struct page *find_or_create_page(struct address_space *m, u32 index,
				 unsigned gfp)
{
	for (;;) {
		struct page *page = find_get_page(m, index);
		int error;

		if (page) {
			lock_page(page);
			if (page->mapping == m && page->index == index)
				return page;
			unlock_page(page);
			put_page(page);
			continue;
		}
		page = alloc_page(gfp);
		if (!page)
			return NULL;
		error = add_to_page_cache(page, m, index, gfp);
		if (!error)
			return page;
		put_page(page);
		if (error != -EEXIST)
			return NULL;
	}
}

/* Reads a locked page that is not up to date and waits; 0 or an error. */
static int read_locked_page(struct page *page, struct file *file)
{
	struct address_space *m = page->mapping;
	int error = m->ops->readpage(file, page);

	if (error)
		return error;
	wait_on_page_locked(page);
	return page->flags & PG_UPTODATE ? 0 : -EIO;
}

/* The page, up to date, unlocked, with a reference; read if need be, or found
 * by the mapping's own getpage.  ERR_PTR(-EIO or -ENOMEM).  May sleep. */
struct page *read_mapping_page(struct address_space *m, u32 index,
			       struct file *file)
{
	struct page *page;
	int error = 0;

	if (m->ops->getpage)
		return m->ops->getpage(m, index, NULL);
	page = find_get_page(m, index);
	if (page && page->flags & PG_UPTODATE)
		return page;
	if (page)
		put_page(page);
	page = find_or_create_page(m, index, GFP_KERNEL);
	if (!page)
		return ERR_PTR(-ENOMEM);
	if (page->flags & PG_UPTODATE)
		unlock_page(page);
	else
		error = read_locked_page(page, file);
	if (error) {
		put_page(page);
		return ERR_PTR(error);
	}
	return page;
}

/* End of a read: sets UPTODATE or ERROR, unlocks. */
void end_page_read(struct page *page, int error)
{
	if (error)
		page->flags |= PG_ERROR;
	else
		page->flags = (page->flags & ~PG_ERROR) | PG_UPTODATE;
	unlock_page(page);
}

/* Pages in a file of `size` bytes, a partial one included. */
static u32 pages_in(loff_t size)
{
	return (u32)((size + PAGE_SIZE - 1) >> PAGE_SHIFT);
}

/* Reads what a fault missed, with its neighbourhood, and waits. */
static noinline struct page *fault_miss(struct vma *vma, u32 pgoff,
					enum fault_result *result)
{
	struct address_space *m = vma->vm_file->mapping;
	struct page *page;
	bool waited = false;

	if (m->ops->getpage) {
		page = m->ops->getpage(m, pgoff, &waited);
	} else {
		waited = true;
		readahead_fault(vma, pgoff);
		page = read_mapping_page(m, pgoff, vma->vm_file);
	}
	if (waited)
		*result = FAULT_MAJOR;
	if (!IS_ERR(page))
		return page;
	*result = PTR_ERR(page) == -ENOMEM ? FAULT_OOM : FAULT_SIGBUS;
	return NULL;
}

/* The page of a file VMA at file page `pgoff`; see mm/fault.h. */
struct page *filemap_fault(struct vma *vma, u32 pgoff,
			   enum fault_result *result)
{
	struct address_space *m = vma->vm_file->mapping;
	struct page *page;

	if (unlikely(pgoff >= pages_in(m->host->size))) {
		*result = FAULT_SIGBUS;
		return NULL;
	}
	page = find_get_page(m, pgoff);
	if (unlikely(!page || !(page->flags & PG_UPTODATE))) {
		if (page)
			put_page(page);
		page = fault_miss(vma, pgoff, result);
		if (!page)
			return NULL;
		if (pgoff >= pages_in(m->host->size)) {
			put_page(page);
			*result = FAULT_SIGBUS;
			return NULL;
		}
	}
	mark_page_accessed(page);
	return page;
}

/* file_ops.mmap of anything with a page cache. */
int generic_file_mmap(struct file *f unused_arg, struct vma *vma unused_arg)
{
	return 0;
}
