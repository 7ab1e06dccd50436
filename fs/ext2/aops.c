/*
 * The pages of a file: which blocks they are made of, reading, writing, and
 * reserving space.
 *
 *	readpage	holes and what lies beyond the end read as zeros
 *	prepare_write	every block that will be written gets its place on disk
 *	writepage	so the place is known here, and a full disk was
 *			reported to whoever wrote, not lost in the background
 *
 * writepage allocates only for bytes that came without prepare_write: a file
 * that was mapped and written, then extended within its last page.  A block of
 * zeros stays a hole.
 *
 * PG_MAPPEDTODISK is set when the whole page has blocks, so it stays true when
 * the file grows.
 */
#include "drivers/block.h"
#include "fs/ext2/ext2.h"
#include "lib/string.h"

/* The blocks of a page, looked at one after the other. */
struct page_blocks {
	struct inode *inode;
	u32 size;		/* of a block */
	u32 first;		/* file block at the start of the page */
	u32 count;		/* blocks per page */
	u32 end;		/* bytes of the page before end of file */
};

/* Prepares to look at a page; -EFBIG when the file cannot reach that far. */
static int page_blocks(struct page *page, struct page_blocks *pb)
{
	struct inode *inode = page->mapping->host;
	u32 shift = PAGE_SHIFT - EXT2_SB(inode->sb)->block_shift;
	loff_t left = inode->size - ((loff_t)page->index << PAGE_SHIFT);

	pb->inode = inode;
	pb->size = inode->sb->block_size;
	pb->count = 1u << shift;
	pb->first = page->index << shift;
	pb->end = left <= 0 ? 0 : left < PAGE_SIZE ? (u32)left : PAGE_SIZE;
	return page->index > ~0u >> shift ? -EFBIG : 0;
}

/* The bytes of block i of a page. */
static u8 *block_data(struct page *page, const struct page_blocks *pb, u32 i)
{
	return (u8 *)page_address(page) + i * pb->size;
}

/* Reads the page; see mm/filemap.h. */
static int ext2_readpage(struct file *file unused_arg, struct page *page)
{
	struct page_blocks pb;
	struct page_io io;
	u32 i, disk;
	int err = page_blocks(page, &pb), ret = 0;
	bool all = true;

	if (err)
		pb.end = 0;
	page_io_begin(&io, page, pb.inode->sb->bdev, false);
	for (i = 0; i < pb.count; i++) {
		disk = 0;
		if (i * pb.size < pb.end)
			ret = ext2_map(pb.inode, pb.first + i, &disk);
		if (ret)
			break;
		all = all && disk;
		if (disk)
			page_io_add(&io, ext2_sector(pb.inode->sb, disk),
				    i * pb.size, pb.size);
		else
			memset(block_data(page, &pb, i), 0, pb.size);
	}
	if (ret)
		page->private |= PAGE_IO_ERROR;
	else if (all)
		page->flags |= PG_MAPPEDTODISK;
	page_io_end(&io);
	return ret;
}

/* Is a block of a page all zeros? */
static bool block_is_zero(struct page *page, const struct page_blocks *pb,
			  u32 i)
{
	const u32 *word = (const u32 *)block_data(page, pb, i);
	u32 n = pb->size / 4;

	while (n--)
		if (*word++)
			return false;
	return true;
}

/* Where block i of a dirty page goes, 0: nowhere.  0 or an error. */
static int writepage_map(struct page *page, const struct page_blocks *pb,
			 u32 i, u32 *disk)
{
	int err = ext2_map(pb->inode, pb->first + i, disk);

	if (err || *disk || block_is_zero(page, pb, i))
		return err;
	return ext2_map_try_create(pb->inode, pb->first + i, disk);
}

/* The disk blocks of a dirty page into disk[]; 0 or an error. */
static int writepage_map_all(struct page *page, const struct page_blocks *pb,
			     u32 disk[])
{
	u32 i;
	int err = 0;

	for (i = 0; i < pb->count && !err; i++) {
		disk[i] = 0;
		if (i * pb->size < pb->end)
			err = writepage_map(page, pb, i, &disk[i]);
	}
	return err;
}

/* Writes a dirty page; see mm/filemap.h.  What lies beyond the end of the
 * file goes to disk as zeros. */
static int ext2_writepage(struct page *page,
			  struct writeback_control *wbc unused_arg)
{
	u32 disk[PAGE_SIZE / EXT2_MIN_BLOCK_SIZE], i;
	struct page_blocks pb;
	struct page_io io;
	int err = page_blocks(page, &pb);

	if (err)
		pb.end = 0;
	memset((u8 *)page_address(page) + pb.end, 0, PAGE_SIZE - pb.end);
	err = writepage_map_all(page, &pb, disk);
	if (err) {
		set_page_dirty(page);
		unlock_page(page);
		return err == -EAGAIN ? 0 : err;
	}
	set_page_writeback(page);
	page_io_begin(&io, page, pb.inode->sb->bdev, true);
	for (i = 0; i < pb.count; i++)
		if (disk[i])
			page_io_add(&io, ext2_sector(pb.inode->sb, disk[i]),
				    i * pb.size, pb.size);
	page_io_end(&io);
	unlock_page(page);
	return 0;
}

/* A write being prepared. */
struct prepare {
	struct page_blocks pb;
	u32 disk[PAGE_SIZE / EXT2_MIN_BLOCK_SIZE];	/* 0: a hole */
	u32 fresh;		/* a bit for each block just allocated */
	bool all;		/* no block of the page is a hole */
};

/* Finds or reserves the blocks of a page, of which [from, to) will be written.
 * 0 or an error, with what was allocated so far in p->fresh. */
static int prepare_map(struct prepare *p, unsigned from, unsigned to)
{
	struct page_blocks *pb = &p->pb;
	u32 i, start;
	bool is_new;
	int err;

	for (i = 0, start = 0; i < pb->count; i++, start += pb->size) {
		is_new = false;
		if (start < to && start + pb->size > from)
			err = ext2_map_create(pb->inode, pb->first + i,
					      &p->disk[i], &is_new);
		else
			err = ext2_map(pb->inode, pb->first + i, &p->disk[i]);
		if (err)
			return err;
		if (is_new)
			p->fresh |= 1u << i;
		if (!p->disk[i])
			p->all = false;
	}
	return 0;
}

/* Brings a page up to date whose blocks are known.  What is beyond the end of
 * the file reads as zeros.  0 or an error.  Sleeps. */
static int prepare_fill(struct page *page, struct prepare *p)
{
	struct page_blocks *pb = &p->pb;
	int err = 0;
	u32 i;

	for (i = 0; i < pb->count && !err; i++) {
		if (p->disk[i] && !(p->fresh >> i & 1) &&
		    i * pb->size < pb->end)
			err = bdev_transfer(pb->inode->sb->bdev,
				ext2_sector(pb->inode->sb, p->disk[i]),
				block_data(page, pb, i), pb->size, false);
		else
			memset(block_data(page, pb, i), 0, pb->size);
	}
	if (!err)
		page->flags |= PG_UPTODATE;
	return err;
}

/* Preparing failed: the blocks that were allocated belong to the file, so
 * their old contents must go. */
static void clear_fresh(struct page *page, struct prepare *p)
{
	struct page_blocks *pb = &p->pb;
	u32 i;

	if (p->fresh && page->flags & PG_UPTODATE)
		set_page_dirty(page);
	if (page->flags & PG_UPTODATE)
		return;
	for (i = 0; i < pb->count; i++) {
		if (!(p->fresh >> i & 1))
			continue;
		memset(block_data(page, pb, i), 0, pb->size);
		bdev_transfer(pb->inode->sb->bdev,
			      ext2_sector(pb->inode->sb, p->disk[i]),
			      block_data(page, pb, i), pb->size, true);
	}
}

/* Makes [from, to) of a locked page writable; see mm/filemap.h.  The page is
 * up to date afterwards, unless it is about to be overwritten as a whole and
 * has no new block.  A page with new blocks is dirty: even if the caller then
 * fails to copy anything, nothing old must show through. */
static int ext2_prepare_write(struct page *page, unsigned from, unsigned to)
{
	struct prepare p = { .all = true };
	u16 ready = PG_UPTODATE | PG_MAPPEDTODISK;
	int err;

	if ((page->flags & ready) == ready)
		return 0;
	err = page_blocks(page, &p.pb);
	if (err)
		return err;
	err = prepare_map(&p, from, to);
	if (!err && !(page->flags & PG_UPTODATE) &&
	    (p.fresh || to - from < PAGE_SIZE))
		err = prepare_fill(page, &p);
	if (err) {
		clear_fresh(page, &p);
		return err;
	}
	if (p.fresh)
		set_page_dirty(page);
	if (p.all)
		page->flags |= PG_MAPPEDTODISK;
	return 0;
}

const struct address_space_ops ext2_aops = {
	.readpage = ext2_readpage,
	.writepage = ext2_writepage,
	.prepare_write = ext2_prepare_write,
};
