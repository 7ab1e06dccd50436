/*
 * Shared memory pages: tmpfs files and MAP_SHARED | MAP_ANONYMOUS.
 *
 *	file page --> mapping.pages[index]      while in memory
 *	          --> shmem_info.swapped[index] a swap entry, while in swap
 *
 * Reclaim calls writepage on an unmapped page: it leaves the mapping for the
 * swap cache, and the file remembers the slot.  getpage brings it back.  There
 * is no disk block to allocate and nothing to write back: only swap.
 *
 * Invariants
 *  1. For each index at most one of the two trees has something.
 *  2. An entry in `swapped` holds one reference of its slot.
 *  3. limit->used counts the pages of both kinds.
 *
 * Watch it in gdb: break shmem_writepage; break shmem_getpage.
 */
#include "mm/shmem.h"

#include "fs/vfs.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/lru.h"
#include "mm/mm_internal.h"
#include "mm/mmcheck.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"
#include "mm/swap.h"
#include "mm/vmstat.h"
#include "mm/writeback.h"

/* What an inode with shmem pages has beside its mapping. */
struct shmem_info {
	struct inode *inode;
	struct radix_tree_root swapped;	/* index -> entry << 1 | 1 */
	u32 nr_swapped;
	u32 max_index;			/* highest index ever swapped */
	u32 charged;			/* pages taken from the budget */
	struct shmem_limit *limit;
	struct list_head node;		/* in all_shmem */
};

static LIST_HEAD(all_shmem);

/* A swap entry as a tree item, and back.  The low bit keeps it from being
 * NULL; entries of 8 areas fit into 31 bits. */
static void *entry_to_item(swp_entry_t e)
{
	return (void *)(uptr)(e.val << 1 | 1);
}

static swp_entry_t item_to_entry(const void *item)
{
	return (swp_entry_t){ (u32)((uptr)item >> 1) };
}

/* The shmem side of a mapping's inode. */
static struct shmem_info *info_of(const struct address_space *m)
{
	return m->host->private;
}

/* Takes one page from the budget; false: it is used up. */
static bool charge(struct shmem_info *info)
{
	struct shmem_limit *l = info->limit;
	u32 max = l && l->max ? l->max : total_pages / 2;

	if (l && l->used >= max)
		return false;
	if (l)
		l->used++;
	info->charged++;
	info->inode->blocks += PAGE_SIZE / 512;
	return true;
}

/* Gives pages back to the budget: what is charged beyond what there is. */
static void uncharge(struct shmem_info *info)
{
	u32 have = info->inode->mapping->nrpages + info->nr_swapped;
	u32 gone = info->charged - have;

	if (info->limit)
		info->limit->used -= gone;
	info->charged = have;
	info->inode->blocks -= (u64)gone * (PAGE_SIZE / 512);
}

/* Puts a new page into the mapping; 0 or an error.  Does not sleep between
 * charging and inserting, so that `charged` is exact. */
static int insert_new(struct address_space *m, u32 index, struct page *page)
{
	int error;

	if (!radix_preload(GFP_KERNEL))
		return -ENOMEM;
	if (!charge(info_of(m)))
		return -ENOSPC;
	page->flags |= PG_UPTODATE | PG_MAPPEDTODISK;
	error = add_to_page_cache(page, m, index, GFP_ATOMIC);
	if (error)
		uncharge(info_of(m));
	return error;
}

/* A new zeroed page at `index`, unlocked, with a reference; ERR_PTR. */
static struct page *new_page(struct address_space *m, u32 index)
{
	struct page *page = alloc_page(GFP_USER | __GFP_ZERO);
	int error;

	if (!page)
		return ERR_PTR(-ENOMEM);
	error = insert_new(m, index, page);
	if (error) {
		put_page(page);
		return ERR_PTR(error);
	}
	set_page_dirty(page);
	unlock_page(page);
	return page;
}

/* Moves a locked page of the swap cache back into its file.  0, -ENOMEM. */
static int move_back(struct address_space *m, u32 index, struct page *page,
		     swp_entry_t e)
{
	struct shmem_info *info = info_of(m);
	int error;

	if (!radix_preload(GFP_KERNEL))
		return -ENOMEM;
	if (radix_tree_lookup(&info->swapped, index) != entry_to_item(e) ||
	    !(page->flags & PG_SWAPCACHE) || page->private != e.val)
		return -EAGAIN;
	error = radix_tree_insert(&m->pages, index, page);
	if (error)
		return error;
	radix_tree_delete(&info->swapped, index);
	info->nr_swapped--;
	page->flags &= ~PG_DIRTY;
	delete_from_swap_cache(page);
	swap_free(e);
	get_page(page);
	page->mapping = m;
	page->index = index;
	page->flags |= PG_SWAPBACKED | PG_MAPPEDTODISK;
	page->flags &= ~PG_ANON;
	m->nrpages++;
	vm_inc(nr_file_pages);
	vm_inc(nr_shmem);
	set_page_dirty(page);
	return 0;
}

/* Brings a page back from swap, unlocked, with a reference; ERR_PTR. */
static struct page *page_from_swap(struct address_space *m, u32 index,
				   swp_entry_t e)
{
	struct page *page = read_swap_cache(e);
	int error;

	if (!page)
		return ERR_PTR(swap_count(e) ? -ENOMEM : -EAGAIN);
	if (IS_ERR(page))
		return page;
	lock_page(page);
	wait_on_page_writeback(page);
	error = move_back(m, index, page, e);
	unlock_page(page);
	if (!error)
		return page;
	put_page(page);
	return ERR_PTR(error);
}

/* The page in memory or brought back from swap, then *waited is set;
 * ERR_PTR(-ENOENT): there is none.  With a reference.  May sleep. */
static struct page *find_page(struct address_space *m, u32 index,
			      bool *waited)
{
	struct page *page = find_get_page(m, index);
	void *item;

	if (page)
		return page;
	item = radix_tree_lookup(&info_of(m)->swapped, index);
	if (!item)
		return ERR_PTR(-ENOENT);
	*waited = true;
	return page_from_swap(m, index, item_to_entry(item));
}

/* address_space_ops.getpage: finds the page in memory or in swap, or makes it.
 * With a reference, unlocked, up to date; ERR_PTR.  May sleep. */
static struct page *shmem_getpage(struct address_space *m, u32 index,
				  bool *waited)
{
	bool swapped_in = false;
	struct page *page;

	do {
		page = find_page(m, index, &swapped_in);
		if (page == ERR_PTR(-ENOENT))
			page = new_page(m, index);
	} while (page == ERR_PTR(-EAGAIN) || page == ERR_PTR(-EEXIST));
	if (waited)
		*waited = swapped_in;
	return page;
}

/* Back to memory: the page could not go out. */
static int keep_page(struct page *page)
{
	set_page_dirty(page);
	unlock_page(page);
	return 0;
}

/* address_space_ops.writepage: moves a locked, unmapped page to the swap cache
 * and starts writing it there. */
static int shmem_writepage(struct page *page, struct writeback_control *wbc)
{
	struct address_space *m = page->mapping;
	struct shmem_info *info = info_of(m);
	swp_entry_t e = get_swap_page();
	u32 index = page->index;

	if (!e.val)
		return keep_page(page);
	if (radix_tree_insert(&info->swapped, index, entry_to_item(e))) {
		swap_free(e);
		return keep_page(page);
	}
	swap_duplicate(e);		/* the file's and the cache's */
	if (add_to_swap_cache(page, e)) {
		radix_tree_delete(&info->swapped, index);
		swap_free(e);
		swap_free(e);
		return keep_page(page);
	}
	info->nr_swapped++;
	info->max_index = max(info->max_index, index);
	page->flags &= ~PG_DIRTY;
	radix_tree_delete(&m->pages, index);
	page->mapping = NULL;
	page->flags &= ~PG_MAPPEDTODISK;
	m->nrpages--;
	vm_dec(nr_file_pages);
	vm_dec(nr_shmem);
	page->count--;
	return swapper_space.ops->writepage(page, wbc);
}

static const struct address_space_ops shmem_aops = {
	.writepage = shmem_writepage,
	.getpage = shmem_getpage,
};

/* Makes an inode's pages shmem pages; 0 or -ENOMEM. */
int shmem_init_inode(struct inode *inode, struct shmem_limit *limit)
{
	struct shmem_info *info = kzalloc(sizeof(*info), GFP_KERNEL);

	if (!info)
		return -ENOMEM;
	info->inode = inode;
	info->limit = limit;
	radix_tree_init(&info->swapped);
	list_add_tail(&info->node, &all_shmem);
	inode->private = info;
	inode->mapping->ops = &shmem_aops;
	inode->mapping->swap_backed = true;
	return 0;
}

/* Frees what an inode has beside its mapping; all pages are gone. */
void shmem_release_inode(struct inode *inode)
{
	struct shmem_info *info = inode->private;

	if (!info)
		return;
	BUG_ON(info->nr_swapped || inode->mapping->nrpages);
	list_del(&info->node);
	inode->private = NULL;
	kfree(info);
}

/* Finds the next index >= *index with a swapped page; false: none. */
static bool next_swapped(const struct shmem_info *info, u32 *index)
{
	for (; info->nr_swapped && *index <= info->max_index; ++*index)
		if (radix_tree_lookup(&info->swapped, *index))
			return true;
	return false;
}

/* Frees all pages and swap slots from byte `from` on.  May sleep. */
void shmem_truncate(struct inode *inode, loff_t from)
{
	struct shmem_info *info = inode->private;
	u32 first = (u32)((from + PAGE_SIZE - 1) >> PAGE_SHIFT);

	do {
		u32 index = first;

		truncate_inode_pages(inode->mapping, from);
		while (next_swapped(info, &index)) {
			void *item = radix_tree_delete(&info->swapped, index);

			info->nr_swapped--;
			free_swap_and_cache(item_to_entry(item));
		}
	} while (first == 0 && inode->mapping->nrpages);
	uncharge(info);
}

/* Brings back the pages of one file that are in the area; 0 or an error. */
static int unuse_file(struct shmem_info *info, u32 type)
{
	u32 index = 0;

	while (next_swapped(info, &index)) {
		void *item = radix_tree_lookup(&info->swapped, index);
		struct page *page;
		bool waited;

		if (swp_type(item_to_entry(item)) == type) {
			page = find_page(info->inode->mapping, index, &waited);
			if (page == ERR_PTR(-ENOENT) ||
			    page == ERR_PTR(-EAGAIN))
				continue;
			if (IS_ERR(page))
				return PTR_ERR(page);
			put_page(page);
		}
		index++;
		cond_resched();
	}
	return 0;
}

/* The file after `info` on the list, its inode held; drops `info`'s. */
static struct shmem_info *next_file(struct shmem_info *info)
{
	struct list_head *link = info ? info->node.next : all_shmem.next;
	struct shmem_info *next = NULL;

	for (; link != &all_shmem && !next; link = link->next) {
		next = list_entry(link, struct shmem_info, node);
		if (next->inode->freeing)
			next = NULL;	/* its slots go without us */
	}
	if (next)
		igrab(next->inode);
	if (info)
		iput(info->inode);
	return next;
}

/* swapoff: brings back every shmem page in the area; 0 or an error.  Files
 * made meanwhile are met by the caller's next round.  May sleep. */
int shmem_unuse(u32 type)
{
	struct shmem_info *info = next_file(NULL);
	int error = 0;

	while (info && !error) {
		error = unuse_file(info, type);
		if (error)
			iput(info->inode);
		else
			info = next_file(info);
	}
	return error;
}

/* mmcheck: calls count(entry, by) for every page that is in swap. */
void check_shmem(void (*count)(u32 entry, int by), int by)
{
	struct shmem_info *info;

	list_for_each_entry(info, &all_shmem, node) {
		for (u32 i = 0; next_swapped(info, &i); i++)
			count(item_to_entry(radix_tree_lookup(&info->swapped,
							      i)).val, by);
	}
}
