/*
 * The upper half of ext2_fakes.h: flushing and truncating the cache, the
 * device as fs/bdev.c has it, and the calls a program would make.
 */
#ifndef TESTS_HOST_EXT2_VFS_H
#define TESTS_HOST_EXT2_VFS_H

#include <unistd.h>

#include "tests/host/ext2_fakes.h"

static struct super_block sb;

#define for_each_page(page) \
	for (page = mem_map; page < mem_map + FRAMES; page++)

int filemap_write(struct address_space *m, u32 first unused_arg,
		  u32 last unused_arg, bool wait)
{
	int err = m->error;
	struct page *page;

	for_each_page(page)
		if (page->count && page->mapping == m)
			write_page(page);
	while (wait && nr_bios)
		finish_bio();
	m->error = 0;
	return err;
}

void truncate_inode_pages(struct address_space *m, loff_t from)
{
	struct page *page;
	loff_t pos;

	for_each_page(page) {
		pos = (loff_t)page->index << PAGE_SHIFT;
		if (!page->count || page->mapping != m ||
		    pos + PAGE_SIZE <= from)
			continue;
		page->count++;
		lock_page(page);
		wait_on_page_writeback(page);
		if (pos >= from) {
			clear_page_dirty(page);
			remove_from_page_cache(page);
		} else if (page->flags & PG_UPTODATE) {
			memset((u8 *)page_address(page) + (from - pos), 0,
			       PAGE_SIZE - (from - pos));
			set_page_dirty(page);
		}
		unlock_page(page);
		put_page(page);
	}
}

u32 invalidate_mapping_pages(struct address_space *m)
{
	struct page *page;

	for_each_page(page)
		if (page->count == 1 && page->mapping == m &&
		    !(page->flags & (PG_DIRTY | PG_WRITEBACK | PG_LOCKED)))
			remove_from_page_cache(page);
	return 0;
}

void address_space_init(struct address_space *m, struct inode *host,
			const struct address_space_ops *ops)
{
	memset(m, 0, sizeof(*m));
	radix_tree_init(&m->pages);
	list_init(&m->dirty_node);
	m->host = host;
	m->ops = ops;
}

/* ---- what ext2 names but this test does not use ---- */
ssize_t generic_file_read(struct file *f unused_arg, void *buf unused_arg,
			  size_t len unused_arg, loff_t *pos unused_arg)
{
	return 0;
}

ssize_t generic_file_write(struct file *f unused_arg,
			   const void *buf unused_arg, size_t len unused_arg,
			   loff_t *pos unused_arg)
{
	return 0;
}

int generic_file_mmap(struct file *f unused_arg, struct vma *vma unused_arg)
{
	return 0;
}

int generic_file_fsync(struct file *f unused_arg, bool datasync unused_arg)
{
	return 0;
}

void init_special_inode(struct inode *inode, mode_t mode unused_arg,
			dev_t rdev)
{
	inode->rdev = rdev;
}

void register_file_system(struct file_system *fs)
{
	ext2 = fs;
}

struct dentry *d_alloc_root(struct super_block *of, struct inode *inode)
{
	struct dentry *d = calloc(1, sizeof(*d));

	d->inode = inode;
	d->sb = of;
	return d;
}

/* ---- the device ---- */
static int device_readpage(struct file *f unused_arg, struct page *page)
{
	u64 sector = (u64)page->index * 8;

	end_page_read(page, copy_sectors(sector, page_address(page), PAGE_SIZE,
					 false));
	return 0;
}

static int device_writepage(struct page *page,
			    struct writeback_control *wbc unused_arg)
{
	panic("page %u of the device is written as a whole", page->index);
}

static const struct address_space_ops device_aops = {
	.readpage = device_readpage,
	.writepage = device_writepage,
};

static char image[80];			/* the disk, for the tools */

/* Runs a tool on the image; its exit status. */
static int run_tool(const char *before, const char *after)
{
	char command[400];

	snprintf(command, sizeof(command),
		 "PATH=$PATH:/sbin:/usr/sbin; %s %s %s >/dev/null 2>&1", before,
		 image, after);
	return system(command);
}

/* Makes an empty file system on the disk. */
static void make_fs(const char *options, u32 kilobytes)
{
	const char *dir = getenv("TMPDIR");
	char command[200], size[20];
	FILE *f;

	snprintf(image, sizeof(image), "%s/ext2.%d", dir ? dir : "/tmp",
		 (int)getpid());
	snprintf(command, sizeof(command), "mke2fs -q -F -t ext2 %s", options);
	snprintf(size, sizeof(size), "%uK", kilobytes);
	remove(image);
	if (run_tool(command, size))
		panic("mke2fs failed");
	f = fopen(image, "rb");
	memset(disk, 0, sizeof(disk));
	hda1.sectors = fread(disk, 512, MAX_SECTORS, f);
	fclose(f);
	remove(image);
}

/* Is e2fsck content with the disk? */
static inline bool fsck(void)
{
	FILE *f = fopen(image, "wb");
	bool clean;

	fwrite(disk, 512, hda1.sectors, f);
	fclose(f);
	clean = !run_tool("e2fsck -fn", "");
	remove(image);
	return clean;
}

/* Mounts the disk; 0 or the error, and nothing is left then. */
static int mount_fs(unsigned flags)
{
	int err;

	memset(&sb, 0, sizeof(sb));
	list_init(&sb.inodes);
	sb.bdev = &hda1;
	sb.bdev_inode = &hda1_inode;
	sb.flags = flags;
	hda1_inode.sb = &sb;
	hda1_inode.mapping = &hda1_inode.data;
	address_space_init(&hda1_inode.data, &hda1_inode, &device_aops);
	err = ext2->mount(&sb, "");
	if (err)
		evict_inodes(&sb);
	return err;
}

/* Writes all that is dirty. */
static void sync_fs(void)
{
	struct inode *inode;

	sync_inodes(&sb);
	list_for_each_entry(inode, &sb.inodes, sb_node)
		filemap_write_all(&inode->data, true);
	sb.ops->sync(&sb, true);
}

/* Unmounts; panics if somebody still holds an inode. */
static void umount_fs(void)
{
	sync_fs();
	iput(sb.root->inode);
	free(sb.root);
	evict_inodes(&sb);
	BUG_ON(!list_empty(&sb.inodes));
	sb.ops->put_super(&sb);
	while (nr_bios)
		finish_bio();
	BUG_ON(hda1_inode.data.nrpages);
}

/* ---- files ---- */
/* Frees what a failed write reserved, as the last close does. */
static void close_inode(struct inode *inode)
{
	if (EXT2_I(inode)->tail && !sb_readonly(&sb))
		ext2_trim_tail(inode);
	iput(inode);
}

/* write(2): bytes or an error; `fails`: the copy of some page does. */
static int write_inode(struct inode *inode, const u8 *buf, u32 len, loff_t pos,
		       bool fails)
{
	u32 done = 0, n, offset;
	struct page *page;
	int err = 0;

	for (; done < len; done += n) {
		offset = (u32)(pos + done) & (PAGE_SIZE - 1);
		n = min(len - done, PAGE_SIZE - offset);
		page = find_or_create_page(&inode->data,
					   (pos + done) >> PAGE_SHIFT, 0);
		if (!page)
			return done ? (int)done : -ENOMEM;
		err = ext2_aops.prepare_write(page, offset, offset + n);
		if (!err && fails && !rnd_below(3))
			err = -EFAULT;
		if (!err) {
			memcpy((u8 *)page_address(page) + offset, buf + done,
			       n);
			page->flags |= PG_UPTODATE;
			set_page_dirty(page);
			inode->size = max(inode->size, pos + done + n);
			mark_inode_dirty(inode);
		}
		unlock_page(page);
		put_page(page);
		if (err)
			break;
	}
	return done ? (int)done : err;
}

/* pread(2) within the file: bytes or an error. */
static int read_inode(struct inode *inode, u8 *buf, u32 len, loff_t pos)
{
	u32 done = 0, n, offset;
	struct page *page;

	if (pos >= inode->size)
		return 0;
	len = min((loff_t)len, inode->size - pos);
	for (; done < len; done += n) {
		offset = (u32)(pos + done) & (PAGE_SIZE - 1);
		n = min(len - done, PAGE_SIZE - offset);
		page = read_mapping_page(&inode->data,
					 (pos + done) >> PAGE_SHIFT, NULL);
		if (IS_ERR(page))
			return PTR_ERR(page);
		memcpy(buf + done, (u8 *)page_address(page) + offset, n);
		put_page(page);
	}
	return len;
}

/* ftruncate(2). */
static int truncate_inode(struct inode *inode, loff_t size)
{
	bool shrink = size < inode->size;

	inode->size = size;
	if (shrink)
		truncate_inode_pages(&inode->data, size);
	return inode->ops->truncate(inode);
}

#endif
