/*
 * Making data durable: fsync, sync, and the end of the system.
 *
 * The order is always the same: inodes into their blocks, data pages, then
 * the metadata pages of the device, then the disk's own cache.
 */
#include "drivers/block.h"
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/printk.h"
#include "mm/writeback.h"

/* fsync of a file on a disk, or in memory; see vfs.h.  Without datasync the
 * inode is written even if only its times changed. */
int generic_file_fsync(struct file *f, bool datasync unused_arg)
{
	struct super_block *sb = f->dentry->sb;
	int ret = filemap_write_all(f->mapping, true), err;

	err = write_inode_now(f->dentry->inode);
	ret = ret ? ret : err;
	if (!sb->bdev)
		return ret;
	err = filemap_write_all(sb->bdev_inode->mapping, true);
	ret = ret ? ret : err;
	err = bdev_flush(sb->bdev);
	return ret ? ret : err;
}

/* Everything to disk; with `final` the file systems become read-only, which
 * marks them clean, whoever still has files open. */
void sync_filesystems(bool final)
{
	struct super_block *sb;

	sync_inodes(NULL);
	writeback_all(true);
	list_for_each_entry(sb, &super_blocks, node) {
		if (!sb->root || !sb->bdev || sb_readonly(sb))
			continue;
		if (final) {
			shrink_dcache_sb(sb);
			if (sb->ops->remount)
				sb->ops->remount(sb, MS_RDONLY);
			sb->flags |= MS_RDONLY;
		}
		if (sync_super(sb))
			printk(KERN_ERR "%s: write error during sync\n",
			       sb->devname);
	}
}

/* sync(2). */
asmlinkage long sys_sync(void)
{
	sync_filesystems(false);
	return 0;
}

/* syncfs(2). */
asmlinkage long sys_syncfs(unsigned fd)
{
	struct file *f = fget(fd);
	int err;

	if (!f)
		return -EBADF;
	err = sync_super(f->dentry->sb);
	fput(f);
	return err;
}

/* fsync and fdatasync. */
static long do_fsync(unsigned fd, bool datasync)
{
	struct file *f = fget(fd);
	int err;

	if (!f)
		return -EBADF;
	err = f->ops->fsync ? f->ops->fsync(f, datasync) : -EINVAL;
	fput(f);
	return err;
}

/* fsync(2). */
asmlinkage long sys_fsync(unsigned fd)
{
	return do_fsync(fd, false);
}

/* fdatasync(2). */
asmlinkage long sys_fdatasync(unsigned fd)
{
	return do_fsync(fd, true);
}

#define SYNC_RANGE_WAIT_BEFORE	1
#define SYNC_RANGE_WRITE	2
#define SYNC_RANGE_WAIT_AFTER	4

/* sync_file_range(2): data pages only. */
asmlinkage long sys_sync_file_range(unsigned fd, u32 off_low, u32 off_high,
				    u32 len_low, u32 len_high, u32 flags)
{
	loff_t off = (loff_t)off_high << 32 | off_low;
	loff_t len = (loff_t)len_high << 32 | len_low;
	loff_t last = len ? off + len - 1 : MAX_FILE_SIZE;
	struct file *f = fget(fd);
	int err;

	if (!f)
		return -EBADF;
	if (flags & ~7u || off < 0 || last < off)
		err = -EINVAL;
	else if (!(f->mode & FMODE_POS))
		err = -ESPIPE;
	else
		err = filemap_write(f->mapping, off >> PAGE_SHIFT,
				    min(last >> PAGE_SHIFT, (loff_t)~0u),
				    flags & ~SYNC_RANGE_WRITE);
	fput(f);
	return err;
}
