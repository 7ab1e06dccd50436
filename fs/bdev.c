/*
 * Block devices as files: an inode whose pages are the device's sectors.
 *
 * File systems keep their metadata in these pages, and /dev nodes read and
 * write through them; the two agree because they are the same pages.  The
 * inode lives as long as the device.
 */
#include "fs/bdev.h"
#include "fs/file.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/writeback.h"

static struct super_block *bdev_sb;	/* of all these inodes */

/* The device behind an inode of ours. */
static struct block_device *inode_bdev(const struct inode *inode)
{
	return inode->private;
}

/* Bytes of page `index` that the device has; 0: beyond its end. */
static unsigned bytes_in_page(const struct inode *inode, u32 index)
{
	loff_t left = inode->size - ((loff_t)index << PAGE_SHIFT);

	if (left <= 0)
		return 0;
	return min(left, (loff_t)PAGE_SIZE);
}

/* A page was read. */
static void end_read(struct bio *bio, int error)
{
	end_page_read(bio->page, error);
	bio_free(bio);
}

/* A page was written. */
static void end_write(struct bio *bio, int error)
{
	end_page_writeback(bio->page, error);
	bio_free(bio);
}

/* Starts the transfer of a page's `len` bytes.  May sleep. */
static void start_io(struct page *page, unsigned len, bool write)
{
	struct bio *bio = bio_alloc(GFP_NOFS);

	bio->bdev = inode_bdev(page->mapping->host);
	bio->sector = (u64)page->index << (PAGE_SHIFT - 9);
	bio->page = page;
	bio->offset = 0;
	bio->len = len;
	bio->write = write;
	bio->end = write ? end_write : end_read;
	submit_bio(bio);
}

/* address_space_ops.readpage. */
static int bdev_readpage(struct file *f unused_arg, struct page *page)
{
	unsigned len = bytes_in_page(page->mapping->host, page->index);

	if (len < PAGE_SIZE)
		memset((char *)page_address(page) + len, 0, PAGE_SIZE - len);
	if (len)
		start_io(page, len, false);
	else
		end_page_read(page, 0);
	return 0;
}

/* address_space_ops.writepage. */
static int bdev_writepage(struct page *page,
			  struct writeback_control *wbc unused_arg)
{
	unsigned len = bytes_in_page(page->mapping->host, page->index);

	set_page_writeback(page);
	if (len)
		start_io(page, len, true);
	unlock_page(page);
	if (!len)
		end_page_writeback(page, 0);
	return 0;
}

/* address_space_ops.prepare_write: reads what will not be overwritten. */
static int bdev_prepare_write(struct page *page, unsigned from, unsigned to)
{
	struct inode *inode = page->mapping->host;
	unsigned len = bytes_in_page(inode, page->index);
	char *data = page_address(page);
	int err;

	page->flags |= PG_MAPPEDTODISK;
	if (page->flags & PG_UPTODATE)
		return 0;
	if (from == 0 && to == PAGE_SIZE)
		return 0;
	err = bdev_transfer(inode_bdev(inode),
			    (u64)page->index << (PAGE_SHIFT - 9), data, len,
			    false);
	if (err)
		return err;
	memset(data + len, 0, PAGE_SIZE - len);
	page->flags |= PG_UPTODATE;
	return 0;
}

static const struct address_space_ops bdev_aops = {
	.readpage = bdev_readpage,
	.writepage = bdev_writepage,
	.prepare_write = bdev_prepare_write,
};

/* Gives the device its inode; see bdev.h. */
int bdev_attach(struct block_device *b)
{
	struct inode *inode;

	if (b->inode)
		return 0;
	inode = new_inode(bdev_sb, 0);
	if (!inode)
		return -ENOMEM;
	inode->mode = S_IFBLK | 0600;
	inode->rdev = b->dev;
	inode->size = b->sectors << 9;
	inode->fops = &bdev_fops;
	inode->data.ops = &bdev_aops;
	inode->private = b;
	b->inode = inode;
	return 0;
}

/* Opens a node: the file gets the device's own inode and pages. */
static int bdev_open(struct inode *inode, struct file *f)
{
	struct block_device *b = find_block_device_by_dev(inode->rdev);
	int err = b ? bdev_attach(b) : -ENXIO;

	if (err)
		return err;
	if (f->mode & FMODE_WRITE && b->read_only)
		return -EROFS;
	f->inode = b->inode;
	f->mapping = b->inode->mapping;
	return 0;
}

/* Writes up to the end of the device. */
static ssize_t bdev_write(struct file *f, const void *ubuf, size_t len,
			  loff_t *pos)
{
	loff_t left = f->inode->size - *pos;

	if (len && left <= 0)
		return -ENOSPC;
	return generic_file_write(f, ubuf, min((loff_t)len, left), pos);
}

/* Everything written so far to the medium. */
static int bdev_fsync(struct file *f, bool datasync unused_arg)
{
	int ret = filemap_write_all(f->mapping, true);
	int err = bdev_flush(inode_bdev(f->inode));

	return ret ? ret : err;
}

#define BLKROGET	0x125e
#define BLKGETSIZE	0x1260
#define BLKFLSBUF	0x1261
#define BLKSSZGET	0x1268
#define BLKPBSZGET	0x127b
#define BLKBSZGET	0x80041270
#define BLKBSZSET	0x40041271
#define BLKGETSIZE64	0x80041272

/* Writes what is dirty and drops the clean pages. */
static long flush_buffers(struct file *f)
{
	int err;

	if (!capable())
		return -EACCES;
	err = filemap_write_all(f->mapping, true);
	invalidate_mapping_pages(f->mapping);
	return err;
}

/* ioctl(2). */
static long bdev_ioctl(struct file *f, unsigned cmd, u32 arg)
{
	struct block_device *b = inode_bdev(f->inode);

	switch (cmd) {
	case BLKROGET:
		return put_user((int)b->read_only, (int *)arg);
	case BLKGETSIZE:
		if (b->sectors >> 32)
			return -EFBIG;
		return put_user((u32)b->sectors, (u32 *)arg);
	case BLKGETSIZE64:
		return put_user(b->sectors << 9, (u64 *)arg);
	case BLKSSZGET:
	case BLKPBSZGET:
		return put_user(512, (int *)arg);
	case BLKBSZGET:
		return put_user((int)PAGE_SIZE, (int *)arg);
	case BLKBSZSET:
		return capable() ? 0 : -EACCES;
	case BLKFLSBUF:
		return flush_buffers(f);
	default:
		return -ENOTTY;
	}
}

const struct file_ops bdev_fops = {
	.open = bdev_open,
	.read = generic_file_read,
	.write = bdev_write,
	.mmap = generic_file_mmap,
	.fsync = bdev_fsync,
	.ioctl = bdev_ioctl,
};

static struct file_system bdev_type = {
	.name = "bdev",
};

/* Makes the super block of the devices' inodes; once, at start-up. */
void bdev_cache_init(void)
{
	bdev_sb = pseudo_super(&bdev_type);
}
