/*
 * truncate(2), ftruncate(2) and fallocate(2).
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"

/* Truncates what a path names. */
static long truncate_path(const char *upath, loff_t size)
{
	struct dentry *d;
	struct inode *inode;
	int err;

	if (size < 0)
		return -EINVAL;
	d = user_path(AT_FDCWD, upath, LOOKUP_FOLLOW, 0);
	if (IS_ERR(d))
		return PTR_ERR(d);
	inode = d->inode;
	if (S_ISDIR(inode->mode))
		err = -EISDIR;
	else if (!S_ISREG(inode->mode))
		err = -EINVAL;
	else
		err = permission(inode, 2);
	if (!err && inode->writers < 0)
		err = -ETXTBSY;
	if (!err)
		err = do_truncate(inode, size);
	dput(d);
	return err;
}

/* Truncates an open file. */
static long truncate_fd(unsigned fd, loff_t size)
{
	struct file *f;
	int err;

	if (size < 0)
		return -EINVAL;
	f = fget(fd);
	if (!f)
		return -EBADF;
	if (!(f->mode & FMODE_WRITE) || !S_ISREG(f->inode->mode))
		err = -EINVAL;
	else
		err = do_truncate(f->inode, size);
	fput(f);
	return err;
}

/* truncate(2) with a 32-bit size. */
asmlinkage long sys_truncate(const char *upath, s32 size)
{
	return truncate_path(upath, size);
}

/* truncate64(2). */
asmlinkage long sys_truncate64(const char *upath, u32 low, u32 high)
{
	return truncate_path(upath, (loff_t)high << 32 | low);
}

/* ftruncate(2) with a 32-bit size. */
asmlinkage long sys_ftruncate(unsigned fd, s32 size)
{
	return truncate_fd(fd, size);
}

/* ftruncate64(2). */
asmlinkage long sys_ftruncate64(unsigned fd, u32 low, u32 high)
{
	return truncate_fd(fd, (loff_t)high << 32 | low);
}

/* fallocate(2): no file system here can reserve blocks. */
asmlinkage long sys_fallocate(unsigned fd, int mode unused_arg, u32 off_low,
			      u32 off_high, u32 len_low, u32 len_high)
{
	loff_t off = (loff_t)off_high << 32 | off_low;
	loff_t len = (loff_t)len_high << 32 | len_low;
	struct file *f = fget(fd);
	long ret = -EOPNOTSUPP;

	if (!f)
		return -EBADF;
	if (off < 0 || len <= 0)
		ret = -EINVAL;
	else if (!(f->mode & FMODE_WRITE))
		ret = -EBADF;
	fput(f);
	return ret;
}
