/* host-test: mm/swap_state.c mm/swap_slot.c lib/radix_tree.c lib/bitmap.c */
/* host-test: mm/buddy.c */
/*
 * mm/swap_state.c: the life of a page in the swap cache, its references and
 * its slot's, step by step; exclusive reuse; read errors; swap-in readahead;
 * no memory.  The disk keeps each transfer until the test lets it end.
 */
#include "drivers/block.h"
#include "mm/fault.h"
#include "mm/lru.h"
#include "mm/mm_internal.h"
#include "mm/swap.h"
#include "mm/writeback.h"
#include "tests/host/frames.h"

#define SLOTS	64u

static u16 map[SLOTS];
static struct bio *pending[SLOTS];
static u32 nr_pending, nr_writes;
static u64 last_sector;
static int disk_error;
static bool no_nodes, memory_low;

/* ---- what swap_state.c calls ---- */
void *radix_node_alloc(void)
{
	return no_nodes ? NULL : malloc(sizeof(struct radix_tree_node));
}

void radix_node_free(void *node)
{
	free(node);
}

bool radix_preload(unsigned gfp unused_arg)
{
	return !memory_low;
}

void address_space_init(struct address_space *m, struct inode *host,
			const struct address_space_ops *ops)
{
	memset(m, 0, sizeof(*m));
	m->host = host;
	m->ops = ops;
}

struct page *find_get_page(struct address_space *m, u32 index)
{
	struct page *page = radix_tree_lookup(&m->pages, index);

	if (page)
		get_page(page);
	return page;
}

void free_user_page(struct page *page)
{
	page->count = 1;
	free_pages(page, 0);
}

bool set_page_dirty(struct page *page)
{
	page->flags |= PG_DIRTY;
	return true;
}

void set_page_writeback(struct page *page)
{
	page->flags |= PG_WRITEBACK;
}

void end_page_writeback(struct page *page, int error unused_arg)
{
	page->flags &= ~PG_WRITEBACK;
}

void end_page_read(struct page *page, int error)
{
	page->flags |= error ? PG_ERROR : PG_UPTODATE;
	unlock_page(page);
}

struct bio *bio_alloc(unsigned gfp unused_arg)
{
	return malloc(sizeof(struct bio));
}

void bio_free(struct bio *bio)
{
	free(bio);
}

void submit_bio(struct bio *bio)
{
	nr_writes += bio->write;
	last_sector = bio->sector;
	pending[nr_pending++] = bio;
}

/* Lets the disk finish all it was asked for. */
static void finish_io(void)
{
	while (nr_pending) {
		struct bio *bio = pending[--nr_pending];

		bio->end(bio, disk_error);
	}
}

void wait_on_page_locked(struct page *page unused_arg)
{
	finish_io();
}

static void no_list(struct page *page unused_arg) {}
static const struct lru_ops no_lru = { .add_active = no_list };
const struct lru_ops *lru = &no_lru;
void wake_page(struct page *page unused_arg) {}
void blk_start_plug(void) {}
void blk_finish_plug(void) {}

/* A locked anonymous page that one PTE maps. */
static struct page *anon_page(void)
{
	struct page *page = alloc_page(0);

	page->type = PAGE_USER;
	page->flags = PG_ANON | PG_UPTODATE | PG_LOCKED;
	page->rmap.mapcount = 1;
	return page;
}

/* What unmapping the PTE does: the PTE's reference goes from page to slot. */
static void unmap(struct page *page)
{
	swap_duplicate((swp_entry_t){ page->private });
	page->rmap.mapcount = 0;
	get_page(page);			/* reclaim's, which stays */
	page->count--;
}

/* Writes a page as reclaim does. */
static void write_page(struct page *page)
{
	struct writeback_control wbc = { .for_reclaim = true };

	page->flags &= ~PG_DIRTY;
	swapper_space.ops->writepage(page, &wbc);
}

static u32 count_of(u32 value)
{
	return swap_count((swp_entry_t){ value });
}

/* Out to swap, dropped, and in again. */
static void test_life(void)
{
	struct page *page = anon_page(), *again;
	swp_entry_t e;

	ok(add_to_swap(page), "a page gets a slot");
	e.val = (u32)page->private;
	ok(page->count == 2 && count_of(e.val) == 1 &&
	   page->flags & PG_SWAPCACHE && page->flags & PG_DIRTY,
	   "the cache refers to page and slot; the page is dirty");
	unmap(page);
	is(count_of(e.val), 2, "unmapped, the PTE refers to the slot");
	write_page(page);
	ok(nr_writes == 1 && last_sector == swp_offset(e) * 8 &&
	   page->flags & PG_WRITEBACK && !(page->flags & PG_LOCKED),
	   "written to its slot, and unlocked");
	finish_io();
	page->flags |= PG_LOCKED;
	delete_from_swap_cache(page);
	ok(count_of(e.val) == 1 && page->count == 1 &&
	   !lookup_swap_cache(e), "dropped: the PTE keeps the slot");
	put_page(page);
	again = read_swap_cache(e);
	ok(again && again->flags & PG_UPTODATE && again->count == 2 &&
	   count_of(e.val) == 2, "read again, and in the cache");
	ok(read_swap_cache(e) == again, "and found there");
	put_page(again);
	put_page(again);
	free_swap_and_cache(e);
	ok(count_of(e.val) == 0 && frames_used == 0,
	   "the last PTE gone, slot and page go too");
}

/* A write fault keeps the page if nobody else has it. */
static void test_reuse(void)
{
	struct page *page = anon_page();
	swp_entry_t e;

	add_to_swap(page);
	e.val = (u32)page->private;
	ok(can_share_swap_page(page), "mapped once, slot only the cache's");
	ok(!(page->flags & PG_SWAPCACHE) && page->flags & PG_DIRTY &&
	   count_of(e.val) == 0 && page->count == 1, "its slot is given up");
	ok(can_share_swap_page(page), "not in the cache: one reference");
	get_page(page);
	ok(!can_share_swap_page(page), "two references: shared");
	page->count--;
	add_to_swap(page);
	e.val = (u32)page->private;
	swap_duplicate(e);
	ok(!can_share_swap_page(page), "another PTE has the entry");
	swap_free(e);
	get_page(page);
	ok(!can_share_swap_page(page), "another holds the page");
	page->count--;
	page->flags |= PG_WRITEBACK;
	ok(!can_share_swap_page(page), "it is being written");
	page->flags &= ~PG_WRITEBACK;
	page->rmap.mapcount = 0;	/* the fault's own reference instead */
	ok(can_share_swap_page(page), "about to be mapped by its only user");
	put_page(page);
}

/* Reclaim finds that nobody needs the slot any more. */
static void test_unneeded_write(void)
{
	struct page *page = anon_page();
	u32 before = nr_writes;

	add_to_swap(page);
	page->rmap.mapcount = 0;	/* its task has exited; reclaim's ref */
	write_page(page);
	ok(nr_writes == before && !(page->flags & (PG_SWAPCACHE | PG_LOCKED)),
	   "nobody's page is not written");
	put_page(page);
}

static void test_errors(void)
{
	struct page *page = anon_page();
	swp_entry_t e, none = swp_entry(0, 60);

	add_to_swap(page);
	e.val = (u32)page->private;
	unmap(page);
	disk_error = -EIO;
	write_page(page);
	finish_io();
	ok(page->flags & PG_DIRTY && page->flags & PG_SWAPCACHE,
	   "a page that could not be written stays, dirty");
	page->flags |= PG_LOCKED;
	delete_from_swap_cache(page);
	put_page(page);
	page = read_swap_cache(e);
	ok(IS_ERR(page) && PTR_ERR(page) == -EIO, "a read error is -EIO");
	disk_error = 0;
	free_swap_and_cache(e);
	ok(!read_swap_cache(none), "a free slot has no page");
	page = anon_page();
	no_nodes = true;
	ok(!add_to_swap(page) && page->count == 1, "no node: no slot taken");
	no_nodes = false;
	is(nr_swap_pages, SLOTS - 1, "every slot came back");
	page->rmap.mapcount = 0;
	put_page(page);
}

/* Takes slots 1..n, as if as many pages had been swapped out. */
static void take_slots(u32 n)
{
	while (n--)
		get_swap_page();
}

static void test_readahead(void)
{
	enum fault_result result = FAULT_MINOR;
	struct page *page;
	u32 i;

	memset(map, 0, sizeof(map));
	map[0] = SWAP_MAP_BAD;
	swap_areas[0].inuse = swap_areas[0].cluster_nr = 0;
	swap_areas[0].lowest = 1;
	swap_areas[0].highest = SLOTS - 1;
	nr_swap_pages = SLOTS - 1;
	take_slots(40);
	page = swap_in(swp_entry(0, 19), &result);
	ok(page && result == FAULT_MAJOR, "a major fault");
	is(nr_pending, 8, "the aligned eight slots are read");
	for (i = 16; i < 24; i++)
		if (!radix_tree_lookup(&swapper_space.pages, i))
			break;
	is(i, 24, "those around the one wanted");
	finish_io();
	put_page(page);
	result = FAULT_MINOR;
	page = swap_in(swp_entry(0, 22), &result);
	ok(page && result == FAULT_MINOR, "the next is there: a minor fault");
	put_page(page);
	memory_low = true;
	ok(!swap_in(swp_entry(0, 30), &result), "no memory: NULL");
	is(nr_pending, 0, "and nothing is read");
	memory_low = false;
}

int main(void)
{
	frames_init(256, 1);
	swap_init();
	map[0] = SWAP_MAP_BAD;
	swap_areas[0] = (struct swap_area){
		.used = true, .active = true, .map = map, .max = SLOTS,
		.pages = SLOTS - 1, .lowest = 1, .highest = SLOTS - 1,
	};
	nr_swap_pages = total_swap_pages = SLOTS - 1;
	test_life();
	test_reuse();
	test_unneeded_write();
	test_errors();
	test_readahead();
	return done();
}
