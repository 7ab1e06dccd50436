/*
 * Regular files: everything is the page cache's, except that the last close
 * after a write that failed half-way frees the blocks reserved beyond the end.
 */
#include "fs/ext2/ext2.h"

/* A file description is closed: trims what was reserved and never written. */
static void ext2_release(struct file *f)
{
	struct inode *inode = f->inode;

	if (!(f->mode & FMODE_WRITE) || !EXT2_I(inode)->tail ||
	    sb_readonly(inode->sb))
		return;
	mutex_lock(&inode->lock);
	ext2_trim_tail(inode);
	mutex_unlock(&inode->lock);
}

/* write(2); a file beyond 2 GB needs a feature bit in the super block. */
static ssize_t ext2_write(struct file *f, const void *ubuf, size_t len,
			  loff_t *pos)
{
	ssize_t done = generic_file_write(f, ubuf, len, pos);

	if (f->inode->size > 0x7fffffff)
		ext2_need_large_file(f->inode->sb);
	return done;
}

const struct file_ops ext2_file_ops = {
	.read = generic_file_read,
	.write = ext2_write,
	.mmap = generic_file_mmap,
	.release = ext2_release,
	.fsync = generic_file_fsync,
};

const struct inode_ops ext2_file_inode_ops = {
	.truncate = ext2_truncate,
};
