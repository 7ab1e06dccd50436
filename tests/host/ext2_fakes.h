/*
 * What ext2 stands on, for its unit test: a disk in memory whose transfers
 * complete late and in any order, a page cache that is written and emptied at
 * random, and small versions of what else it calls.  Two transfers of the same
 * sectors in flight, which a disk may swap, end the test.
 */
#ifndef TESTS_HOST_EXT2_FAKES_H
#define TESTS_HOST_EXT2_FAKES_H

#include "drivers/block.h"
#include "tests/host/arena.h"
#include "fs/ext2/ext2.h"
#include "fs/vfs_internal.h"
#include "lib/radix_tree.h"
#include "mm/slab.h"
#include "mm/writeback.h"

#define FRAMES		2000u
#define MAX_SECTORS	(16u << 11)

LIST_HEAD(super_blocks);
volatile bool need_resched;
unsigned atomic_depth;

static u8 disk[MAX_SECTORS * 512];
static struct block_device hda1 = { .name = "hda1", .whole = &hda1 };
static struct inode hda1_inode;
static struct file_system *ext2;
static LIST_HEAD(bios);			/* in flight */
static u32 nr_bios, nr_pages;
static s64 bad_sector = -1;		/* neither read nor written */
static bool sharing_allowed;	/* a damaged disk may share blocks */
static u32 memory_left = ~0u;		/* allocations until one fails */
static bool reclaiming;

/* ---- tasks and time ---- */
void schedule(void)
{
	panic("somebody sleeps for nothing");
}

void cond_resched(void)
{
}

void mutex_init(struct mutex *m)
{
	m->owner = NULL;
}

void mutex_lock(struct mutex *m)
{
	if (m->owner)
		panic("deadlock");
	m->owner = current;
}

bool mutex_trylock(struct mutex *m)
{
	if (m->owner)
		return false;
	m->owner = current;
	return true;
}

void mutex_unlock(struct mutex *m)
{
	m->owner = NULL;
}

struct timespec32 current_time(void)
{
	return (struct timespec32){ .tv_sec = 1000000000 };
}

/* ---- memory ---- */
/* Is this the allocation that fails? */
static bool no_memory(void)
{
	return memory_left != ~0u && !memory_left--;
}

struct kmem_cache *kmem_cache_create(const char *name, u32 size, u32 align)
{
	struct kmem_cache *c = calloc(1, sizeof(*c));

	c->name = name;
	c->size = size;
	c->align = align;
	return c;
}

void *kmem_cache_zalloc(struct kmem_cache *c, unsigned gfp unused_arg)
{
	return no_memory() ? NULL : calloc(1, c->size);
}

void kmem_cache_free(struct kmem_cache *c unused_arg, void *obj)
{
	free(obj);
}

void *kzalloc(size_t size, unsigned gfp unused_arg)
{
	return calloc(1, size);
}

void kfree(void *p)
{
	free(p);
}

void *radix_node_alloc(void)
{
	return calloc(1, sizeof(struct radix_tree_node));
}

void radix_node_free(void *node)
{
	free(node);
}

/* ---- the disk ---- */
/* Copies between the disk and memory; 0 or -EIO. */
static int copy_sectors(u64 sector, void *buf, u32 len, bool write)
{
	if (sector + len / 512 > hda1.sectors)
		return -EIO;
	if (bad_sector >= (s64)sector && bad_sector < (s64)sector + len / 512)
		return -EIO;
	if (write)
		memcpy(disk + sector * 512, buf, len);
	else
		memcpy(buf, disk + sector * 512, len);
	return 0;
}

/* Ends the test if a transfer in flight touches the same sectors. */
static void check_overlap(u64 sector, u32 len, bool write)
{
	struct bio *bio;

	list_for_each_entry(bio, &bios, node)
		if (!sharing_allowed && (write || bio->write) &&
		    sector < bio->sector + bio->len / 512 &&
		    bio->sector < sector + len / 512)
			panic("two transfers of sector %u", (u32)sector);
}

/* Completes one transfer, any. */
static void finish_bio(void)
{
	u32 skip = rnd_below(nr_bios);
	struct list_head *link = bios.next;
	struct bio *bio;

	while (skip--)
		link = link->next;
	bio = list_entry(link, struct bio, node);
	list_del(link);
	nr_bios--;
	bio->end(bio, copy_sectors(bio->sector,
				   (u8 *)page_address(bio->page) + bio->offset,
				   bio->len, bio->write));
}

struct bio *bio_alloc(unsigned gfp unused_arg)
{
	return calloc(1, sizeof(struct bio));
}

void bio_free(struct bio *bio)
{
	free(bio);
}

void submit_bio(struct bio *bio)
{
	check_overlap(bio->sector, bio->len, bio->write);
	list_add_tail(&bio->node, &bios);
	nr_bios++;
	while (nr_bios > 40)
		finish_bio();
}

int bdev_transfer(struct block_device *b unused_arg, u64 sector, void *buf,
		  size_t len, bool write)
{
	check_overlap(sector, len, write);
	return copy_sectors(sector, buf, len, write);
}

int bdev_flush(struct block_device *b unused_arg)
{
	return 0;
}

void blk_congestion_wait(long ticks unused_arg)
{
}

/* ---- the page cache ---- */
void wake_page(struct page *page unused_arg)
{
}

/* Lets the disk work until the page has none of the flags. */
static void wait_page(struct page *page, u16 flags)
{
	while (page->flags & flags) {
		if (!nr_bios)
			panic("a page waits for nothing");
		finish_bio();
	}
}

void lock_page(struct page *page)
{
	wait_page(page, PG_LOCKED);
	page->flags |= PG_LOCKED;
}

void wait_on_page_writeback(struct page *page)
{
	wait_page(page, PG_WRITEBACK);
}

void free_user_page(struct page *page)
{
	BUG_ON(page->flags & (PG_LOCKED | PG_DIRTY | PG_WRITEBACK));
	nr_pages--;
}

bool pin_page(struct page *page)
{
	if (no_memory())
		return false;
	page->count++;
	return true;
}

void unpin_page(struct page *page)
{
	put_page(page);
}

struct page *find_get_page(struct address_space *m, u32 index)
{
	struct page *page = radix_tree_lookup(&m->pages, index);

	if (page)
		page->count++;
	return page;
}

void remove_from_page_cache(struct page *page)
{
	radix_tree_delete(&page->mapping->pages, page->index);
	page->mapping->nrpages--;
	page->mapping = NULL;
	put_page(page);
}

bool clear_page_dirty(struct page *page)
{
	bool dirty = page->flags & PG_DIRTY;

	page->flags &= ~PG_DIRTY;
	return dirty;
}

bool set_page_dirty(struct page *page)
{
	BUG_ON(!page->mapping);
	page->flags |= PG_DIRTY;
	return true;
}

void end_page_read(struct page *page, int error)
{
	BUG_ON(!(page->flags & PG_LOCKED));
	if (!error)
		page->flags |= PG_UPTODATE;
	unlock_page(page);
}

void set_page_writeback(struct page *page)
{
	BUG_ON(page->flags & PG_WRITEBACK);
	page->flags |= PG_WRITEBACK;
}

void end_page_writeback(struct page *page, int error)
{
	BUG_ON(!(page->flags & PG_WRITEBACK));
	page->flags &= ~PG_WRITEBACK;
	if (error && page->mapping)
		page->mapping->error = error;
}

/* Starts writing a page of a mapping if it is dirty. */
static void write_page(struct page *page)
{
	page->count++;
	lock_page(page);
	wait_on_page_writeback(page);
	if (page->mapping && clear_page_dirty(page))
		page->mapping->ops->writepage(page, NULL);
	else
		unlock_page(page);
	put_page(page);
}

/* Writes or drops a few pages and inodes, any. */
static void reclaim(void)
{
	struct page *page;
	u32 i;

	if (reclaiming)
		return;
	reclaiming = true;
	for (i = 0; i < 4; i++) {
		page = &mem_map[rnd_below(FRAMES)];
		if (!page->count || !page->mapping || page->flags & PG_LOCKED)
			continue;
		if (page->flags & PG_DIRTY)
			write_page(page);
		else if (page->count == 1 && !(page->flags & PG_WRITEBACK))
			remove_from_page_cache(page);
	}
	shrink_inodes(1, true);
	while (nr_bios && rnd_below(3))
		finish_bio();
	reclaiming = false;
}

/* A frame full of old bytes, or NULL. */
static struct page *new_page(void)
{
	u32 i;

	reclaim();
	if (no_memory())
		return NULL;
	while (nr_pages >= FRAMES - 10)
		reclaim();
	for (i = rnd_below(FRAMES); mem_map[i].count; i = (i + 1) % FRAMES)
		;
	memset(&mem_map[i], 0, sizeof(mem_map[i]));
	memset(page_address(&mem_map[i]), 0xa5, PAGE_SIZE);
	mem_map[i].count = 1;
	nr_pages++;
	return &mem_map[i];
}

struct page *find_or_create_page(struct address_space *m, u32 index,
				 unsigned gfp unused_arg)
{
	struct page *page = find_get_page(m, index), *fresh;

	if (!page) {
		fresh = new_page();
		if (!fresh)
			return NULL;
		page = find_get_page(m, index);
		if (page) {
			put_page(fresh);
		} else {
			page = fresh;
			page->mapping = m;
			page->index = index;
			page->count++;
			m->nrpages++;
			BUG_ON(radix_tree_insert(&m->pages, index, page));
		}
	}
	lock_page(page);
	return page;
}

struct page *read_mapping_page(struct address_space *m, u32 index,
			       struct file *file)
{
	struct page *page = find_or_create_page(m, index, GFP_KERNEL);
	int err = 0;

	if (!page)
		return ERR_PTR(-ENOMEM);
	if (page->flags & PG_UPTODATE)
		unlock_page(page);
	else
		err = m->ops->readpage(file, page);
	wait_page(page, PG_LOCKED);
	if (page->flags & PG_UPTODATE)
		return page;
	put_page(page);
	return ERR_PTR(err ? err : -EIO);
}

#endif
