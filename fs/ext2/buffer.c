/*
 * Metadata blocks in memory: a window into the device's page cache.
 *
 * With 1 or 2 KB blocks one page of the device holds several blocks, and some
 * of them may be file data, whose truth is in the page of a file:
 *
 *	page of the device	| bitmap | table | data of f | data of g |
 *	page->private		  dirty    dirty   never written from here
 *
 * So while ext2 is mounted on a device, its page cache gets an operations
 * table that writes only the sectors somebody marked with bdirty().  The same
 * bits let a freed block be forgotten: without that, its old contents could be
 * written over the file that got the block next.
 *
 * A stale neighbour in such a page is never looked at either: a block becomes
 * metadata through bnew(), which zeroes it.
 */
#include "drivers/block.h"
#include "fs/ext2/ext2.h"
#include "lib/bitmap.h"
#include "lib/string.h"
#include "mm/page_alloc.h"

#define SECTORS_PER_PAGE	(PAGE_SIZE / 512)

static LIST_HEAD(mounted);	/* struct ext2_sb, whose device we attached */
static const struct address_space_ops *device_ops;	/* fs/bdev.c's own */
static struct address_space_ops meta_ops;

/* The file system whose metadata a mapping holds. */
static struct ext2_sb *sb_of_mapping(const struct address_space *m)
{
	struct ext2_sb *s;

	list_for_each_entry(s, &mounted, node)
		if (s->sb->bdev_inode->mapping == m)
			return s;
	return NULL;
}

/* readpage of the device: as fs/bdev.c has it, with nothing to write yet. */
static int meta_readpage(struct file *file, struct page *page)
{
	page->private = 0;
	return device_ops->readpage(file, page);
}

/* A user writes to the device itself: the page is written as a whole. */
static int meta_prepare_write(struct page *page, unsigned from, unsigned to)
{
	if (!(page->flags & PG_UPTODATE))
		page->private = 0;
	page->private |= PAGE_WHOLE;
	return device_ops->prepare_write(page, from, to);
}

/* writepage of the device: only the sectors that are ours. */
static int meta_writepage(struct page *page, struct writeback_control *wbc)
{
	struct ext2_sb *s = sb_of_mapping(page->mapping);
	u32 todo = page->private & PAGE_SECTORS, i;
	u64 first = (u64)page->index * SECTORS_PER_PAGE;
	struct page_io io;

	if (!s || page->private & PAGE_WHOLE)
		return device_ops->writepage(page, wbc);
	set_page_writeback(page);
	page->private &= ~(uptr)PAGE_SECTORS;
	page->private |= (uptr)todo << PAGE_FLYING;
	page_io_begin(&io, page, s->sb->bdev, true);
	for (i = 0; i < SECTORS_PER_PAGE; i++)
		if (todo >> i & 1)
			page_io_add(&io, first + i, i * 512, 512);
	page_io_end(&io);
	unlock_page(page);
	return 0;
}

/* Installs our operations; what was cached before is written and dropped, for
 * it may be stale.  0 or a write error.  Sleeps. */
int ext2_attach_device(struct super_block *sb)
{
	struct address_space *m = sb->bdev_inode->mapping;
	int err = filemap_write_all(m, true);

	if (err)
		return err;
	invalidate_mapping_pages(m);
	if (!device_ops) {
		device_ops = m->ops;
		meta_ops = *device_ops;
		meta_ops.readpage = meta_readpage;
		meta_ops.writepage = meta_writepage;
		meta_ops.prepare_write = meta_prepare_write;
	}
	m->ops = &meta_ops;
	list_add(&EXT2_SB(sb)->node, &mounted);
	return 0;
}

/* Gives the device back; all is written, and no buffer is held any more. */
void ext2_detach_device(struct super_block *sb)
{
	struct address_space *m = sb->bdev_inode->mapping;

	list_del(&EXT2_SB(sb)->node);
	m->ops = device_ops;
	invalidate_mapping_pages(m);
}

/* Fills in a buffer over a page that holds block `nr`. */
static void buffer_set(struct super_block *sb, u32 nr, struct page *page,
		       struct buffer *b)
{
	u32 offset = (nr << EXT2_SB(sb)->block_shift) & (PAGE_SIZE - 1);

	b->page = page;
	b->data = (u8 *)page_address(page) + offset;
	b->mask = ((1u << sb->block_size / 512) - 1) << offset / 512;
}

/* The index of the device's page that holds block `nr`. */
static u32 block_page(const struct super_block *sb, u32 nr)
{
	return nr >> (PAGE_SHIFT - EXT2_SB(sb)->block_shift);
}

/* Reads a block; see ext2.h. */
int bread(struct super_block *sb, u32 nr, struct buffer *b)
{
	struct page *page;

	b->page = NULL;
	page = read_mapping_page(sb->bdev_inode->mapping, block_page(sb, nr),
				 NULL);
	if (IS_ERR(page))
		return PTR_ERR(page);
	buffer_set(sb, nr, page, b);
	return 0;
}

/* Reads a block, and waits until there is memory for it; 0 or -EIO. */
int bread_wait(struct super_block *sb, u32 nr, struct buffer *b)
{
	int err;

	while ((err = bread(sb, nr, b)) == -ENOMEM)
		blk_congestion_wait(HZ / 50);
	return err;
}

/* A page of the device that will be filled as a whole, unlocked and with a
 * reference; ERR_PTR(-ENOMEM). */
static struct page *whole_page(struct address_space *m, u32 index)
{
	struct page *page = find_or_create_page(m, index, GFP_NOFS);

	if (!page)
		return ERR_PTR(-ENOMEM);
	if (!(page->flags & PG_UPTODATE)) {
		page->private = 0;
		memset(page_address(page), 0, PAGE_SIZE);
		page->flags |= PG_UPTODATE;
	}
	unlock_page(page);
	return page;
}

/* A zeroed block that need not be read; see ext2.h. */
int bnew(struct super_block *sb, u32 nr, struct buffer *b)
{
	struct address_space *m = sb->bdev_inode->mapping;
	u32 index = block_page(sb, nr);
	struct page *page;

	b->page = NULL;
	if (sb->block_size == PAGE_SIZE)
		page = whole_page(m, index);
	else
		page = read_mapping_page(m, index, NULL);
	if (IS_ERR(page))
		return PTR_ERR(page);
	buffer_set(sb, nr, page, b);
	memset(b->data, 0, sb->block_size);
	bdirty(b);
	return 0;
}

/* Ends the use of a buffer. */
void brelse(struct buffer *b)
{
	if (b->page)
		put_page(b->page);
	b->page = NULL;
}

/* Turns a buffer's reference into a long-term one.  0 or -ENOMEM. */
int bpin(struct buffer *b)
{
	struct page *page = b->page;
	bool pinned = pin_page(page);

	put_page(page);
	if (!pinned)
		b->page = NULL;
	return pinned ? 0 : -ENOMEM;
}

/* Drops a long-term reference. */
void bunpin(struct buffer *b)
{
	if (b->page)
		unpin_page(b->page);
	b->page = NULL;
}

/* Marks the block's sectors, and so the page, dirty. */
void bdirty(struct buffer *b)
{
	b->page->private |= b->mask;
	if (!(b->page->flags & PG_DIRTY))
		set_page_dirty(b->page);
}

/* Forgets one block; see bforget(). */
static void forget_block(struct super_block *sb, u32 nr)
{
	struct page *page = find_get_page(sb->bdev_inode->mapping,
					  block_page(sb, nr));
	struct buffer b;

	if (!page)
		return;
	buffer_set(sb, nr, page, &b);
	if (page->private >> PAGE_FLYING & b.mask)
		wait_on_page_writeback(page);
	page->private &= ~(uptr)b.mask;
	brelse(&b);
}

/* Freed blocks are not to be written any more. */
void bforget(struct super_block *sb, u32 nr, u32 count)
{
	while (count--)
		forget_block(sb, nr++);
}
