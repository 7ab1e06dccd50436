/*
 * The swap cache: pages that have a swap slot, found by their entry.
 *
 *	anonymous page --add_to_swap--> page in cache, dirty --unmap--> PTEs
 *	hold the entry --writepage--> clean --reclaim--> only the slot is left
 *	fault --> read_swap_cache --> page in cache, mapped; slot still counts
 *
 * The cache guarantees one page per slot: tasks that share a page since fork
 * find the same frame again.  A page that was read and not written is clean:
 * it can be dropped without another write while the slot is kept.
 *
 * The entry lives in page->private; mapping and index are left to the reverse
 * map.
 *
 * Invariants
 *  1. A page with PG_SWAPCACHE is in swapper_space at its entry, once, and
 *     holds one of the slot's references.
 *  2. nr_swapcached counts them.
 *
 * Watch it in gdb: break add_to_swap; break delete_from_swap_cache.
 */
#include "drivers/block.h"
#include "fs/vfs.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "mm/fault.h"
#include "mm/lru.h"
#include "mm/mm_internal.h"
#include "mm/page_alloc.h"
#include "mm/swap.h"
#include "mm/vmstat.h"
#include "mm/writeback.h"

int page_cluster = 3;			/* swap-in reads 2^3 slots */

static int swap_writepage(struct page *page, struct writeback_control *wbc);

static const struct address_space_ops swap_aops = {
	.writepage = swap_writepage,
};

struct address_space swapper_space;

/* Makes the empty cache; called once. */
void swap_init(void)
{
	address_space_init(&swapper_space, NULL, &swap_aops);
}

/* The entry of a page in the cache. */
static swp_entry_t page_entry(const struct page *page)
{
	return (swp_entry_t){ page->private };
}

/* Puts a page into the cache; takes a page reference, not the slot's. */
static int insert(struct page *page, swp_entry_t e)
{
	int error = radix_tree_insert(&swapper_space.pages, e.val, page);

	if (error)
		return error;
	get_page(page);
	page->flags |= PG_SWAPCACHE | PG_SWAPBACKED;
	page->private = e.val;
	swapper_space.nrpages++;
	vm_inc(nr_swapcached);
	vm_inc(nr_file_pages);
	return 0;
}

/* The cached page with a reference, or NULL. */
struct page *lookup_swap_cache(swp_entry_t e)
{
	return find_get_page(&swapper_space, e.val);
}

/* Puts a locked page into the cache under a slot whose one reference becomes
 * the cache's.  0 or -ENOMEM.  Never sleeps. */
int add_to_swap_cache(struct page *page, swp_entry_t e)
{
	int error = insert(page, e);

	if (!error)
		set_page_dirty(page);
	return error;
}

/* Gives a locked anonymous page a slot; false: swap or memory is full. */
bool add_to_swap(struct page *page)
{
	swp_entry_t e = get_swap_page();

	if (!e.val)
		return false;
	if (add_to_swap_cache(page, e)) {
		swap_free(e);
		return false;
	}
	return true;
}

/* Takes a locked page out of the cache; drops the slot's and the page's
 * reference (the caller holds another). */
void delete_from_swap_cache(struct page *page)
{
	swp_entry_t e = page_entry(page);

	BUG_ON(!(page->flags & PG_LOCKED) || page->flags & PG_WRITEBACK);
	radix_tree_delete(&swapper_space.pages, e.val);
	page->flags &= ~PG_SWAPCACHE;
	page->private = 0;
	swapper_space.nrpages--;
	vm_dec(nr_swapcached);
	vm_dec(nr_file_pages);
	swap_free(e);
	page->count--;
}

/* Frees the slot of a locked page that only the caller uses; was it freed?
 * The page becomes dirty: its only copy is in memory now. */
bool remove_exclusive_swap_page(struct page *page)
{
	if (!(page->flags & PG_SWAPCACHE) || page->flags & PG_WRITEBACK)
		return false;
	if (swap_count(page_entry(page)) != 1)
		return false;
	if (page->count != 2)
		return false;
	delete_from_swap_cache(page);
	page->flags |= PG_DIRTY;
	return true;
}

/*
 * May a write fault on this locked page reuse it?  Yes if nobody else has it,
 * neither by PTE nor by swap entry; its slot is given up then.  (mapped: one
 * PTE, the cache; not yet mapped: the faulting task's reference, the cache.)
 */
bool can_share_swap_page(struct page *page)
{
	if (!(page->flags & PG_SWAPCACHE))
		return page->count == 1;
	return remove_exclusive_swap_page(page);
}

/* Drops a PTE's reference; a cached page that nobody else uses goes too. */
void free_swap_and_cache(swp_entry_t e)
{
	struct page *page;

	if (swap_count(e) == 0)
		return;
	swap_free(e);
	if (swap_count(e) != 1)
		return;
	page = lookup_swap_cache(e);
	if (!page)
		return;
	if (page->count == 2 && !(page->flags & PG_WRITEBACK) &&
	    trylock_page(page)) {
		page->flags &= ~PG_DIRTY;
		delete_from_swap_cache(page);
		unlock_page(page);
	}
	put_page(page);
}

/* A write to swap has ended; a page that could not be written stays dirty. */
static void end_swap_write(struct bio *bio, int error)
{
	struct page *page = bio->page;

	bio_free(bio);
	if (error) {
		printk(KERN_ERR "swap: write error on slot %x, page kept in "
		       "memory\n", (u32)page->private);
		page->flags |= PG_DIRTY;
		page->flags &= ~PG_RECLAIM;
	}
	end_page_writeback(page, error);
}

/* A read from swap has ended. */
static void end_swap_read(struct bio *bio, int error)
{
	struct page *page = bio->page;

	bio_free(bio);
	if (error)
		printk(KERN_ERR "swap: read error on slot %x\n",
		       (u32)page->private);
	end_page_read(page, error);
}

/* Starts a transfer between a page of the cache and its slot. */
static void submit_swap_bio(struct page *page, bool write)
{
	swp_entry_t e = page_entry(page);
	struct bio *bio = bio_alloc(GFP_NOIO);

	bio->bdev = swap_areas[swp_type(e)].bdev;
	bio->sector = (u64)swp_offset(e) * (PAGE_SIZE / 512);
	bio->page = page;
	bio->offset = 0;
	bio->len = PAGE_SIZE;
	bio->write = write;
	bio->end = write ? end_swap_write : end_swap_read;
	submit_bio(bio);
}

/* Writes a locked page to its slot, unless nobody needs the slot any more. */
static int swap_writepage(struct page *page,
			  struct writeback_control *wbc unused_arg)
{
	if (remove_exclusive_swap_page(page)) {
		unlock_page(page);
		return 0;
	}
	set_page_writeback(page);
	vm_inc(pswpout);
	submit_swap_bio(page, true);
	unlock_page(page);
	return 0;
}

/* The cached page of a slot, or a new one whose read is started; NULL: no
 * memory, or the slot is free.  With a reference.  May sleep. */
static struct page *read_slot(swp_entry_t e)
{
	struct page *page = lookup_swap_cache(e), *fresh;

	if (page)
		return page;
	fresh = alloc_page(GFP_KERNEL);
	if (!fresh || !radix_preload(GFP_KERNEL)) {
		if (fresh)
			put_page(fresh);
		return NULL;
	}
	page = lookup_swap_cache(e);
	if (page || !swap_duplicate(e)) {
		put_page(fresh);
		return page;
	}
	fresh->type = PAGE_USER;
	fresh->flags |= PG_LOCKED;
	if (insert(fresh, e)) {
		swap_free(e);
		unlock_page(fresh);
		put_page(fresh);
		return NULL;
	}
	lru->add_active(fresh);
	vm_inc(pswpin);
	submit_swap_bio(fresh, false);
	return fresh;
}

/* Starts reading the aligned cluster of slots around `e`, up to the first one
 * that is free or bad. */
static void swapin_readahead(swp_entry_t e)
{
	u32 size = 1u << page_cluster;
	u32 offset = round_down(swp_offset(e), size), end = offset + size;

	blk_start_plug();
	for (offset = max(offset, 1u); offset < end; offset++) {
		swp_entry_t near = swp_entry(swp_type(e), offset);
		struct page *page;

		if (!swap_count(near)) {
			if (offset > swp_offset(e))
				break;
			continue;
		}
		page = read_slot(near);
		if (!page)
			break;
		put_page(page);
	}
	blk_finish_plug();
}

/* The page of an entry, its read at least started; see mm/fault.h. */
struct page *swap_in(swp_entry_t e, enum fault_result *result)
{
	struct page *page = lookup_swap_cache(e);

	if (page)
		return page;
	*result = FAULT_MAJOR;
	swapin_readahead(e);
	return read_slot(e);
}

/* The page of an entry, up to date; NULL: no memory or the entry is gone;
 * ERR_PTR(-EIO).  May sleep. */
struct page *read_swap_cache(swp_entry_t e)
{
	enum fault_result result;
	struct page *page = swap_in(e, &result);

	if (!page)
		return NULL;
	wait_on_page_locked(page);
	if (page->flags & PG_UPTODATE)
		return page;
	put_page(page);
	return ERR_PTR(-EIO);
}
