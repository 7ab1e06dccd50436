/*
 * The stat(2) family and readlink(2), with the three layouts that i386 has
 * had and statx.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/uaccess.h"
#include "lib/string.h"
#include "mm/page_alloc.h"

struct old_stat {			/* oldstat, call 18 */
	u16 dev, ino, mode, nlink, uid, gid, rdev, pad;
	u32 size, atime, mtime, ctime;
};

struct new_stat {			/* stat, call 106 */
	u32 dev, ino;
	u16 mode, nlink, uid, gid;
	u32 rdev, size, blksize, blocks;
	u32 atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
	u32 unused[2];
};

struct stat64 {				/* stat64, call 195 */
	u64 dev;
	u32 pad0, ino32, mode, nlink, uid, gid;
	u64 rdev;
	u32 pad3;
	s64 size;
	u32 blksize;
	u64 blocks;
	u32 atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
	u64 ino;
} packed;

struct statx_time {
	s64 sec;
	u32 nsec, pad;
};

struct statx {
	u32 mask, blksize;
	u64 attributes;
	u32 nlink, uid, gid;
	u16 mode, pad;
	u64 ino, size, blocks, attributes_mask;
	struct statx_time atime, btime, ctime, mtime;
	u32 rdev_major, rdev_minor, dev_major, dev_minor;
	u64 spare[14];
} packed;

_Static_assert(sizeof(struct old_stat) == 32, "oldstat");
_Static_assert(sizeof(struct new_stat) == 64, "stat");
_Static_assert(sizeof(struct stat64) == 96, "stat64");
_Static_assert(sizeof(struct statx) == 256, "statx");

#define STATX_BASIC_STATS	0x7ff
#define STATX_RESERVED		0x80000000u

/* Copies an inode's attributes out in one layout.  0, -EFAULT, -EOVERFLOW. */
typedef long (*stat_fn)(struct inode *inode, void *ust);

/* The layout of call 18. */
static long fill_old_stat(struct inode *inode, void *ust)
{
	struct old_stat st = {
		.dev = inode->sb->dev, .ino = inode->ino,
		.mode = inode->mode, .nlink = inode->nlink,
		.uid = inode->uid, .gid = inode->gid, .rdev = inode->rdev,
		.size = inode->size, .atime = inode->atime.tv_sec,
		.mtime = inode->mtime.tv_sec, .ctime = inode->ctime.tv_sec,
	};

	if (inode->size > 0x7fffffff)
		return -EOVERFLOW;
	return copy_to_user(ust, &st, sizeof(st));
}

/* The layout of call 106. */
static long fill_new_stat(struct inode *inode, void *ust)
{
	struct new_stat st = {
		.dev = inode->sb->dev, .ino = inode->ino,
		.mode = inode->mode, .nlink = inode->nlink,
		.uid = inode->uid, .gid = inode->gid, .rdev = inode->rdev,
		.size = inode->size, .blksize = inode->blksize,
		.blocks = inode->blocks,
		.atime = inode->atime.tv_sec,
		.atime_nsec = inode->atime.tv_nsec,
		.mtime = inode->mtime.tv_sec,
		.mtime_nsec = inode->mtime.tv_nsec,
		.ctime = inode->ctime.tv_sec,
		.ctime_nsec = inode->ctime.tv_nsec,
	};

	if (inode->size > 0x7fffffff)
		return -EOVERFLOW;
	return copy_to_user(ust, &st, sizeof(st));
}

/* The layout of call 195. */
static long fill_stat64(struct inode *inode, void *ust)
{
	struct stat64 st = {
		.dev = inode->sb->dev, .ino32 = inode->ino,
		.mode = inode->mode, .nlink = inode->nlink,
		.uid = inode->uid, .gid = inode->gid, .rdev = inode->rdev,
		.size = inode->size, .blksize = inode->blksize,
		.blocks = inode->blocks, .ino = inode->ino,
		.atime = inode->atime.tv_sec,
		.atime_nsec = inode->atime.tv_nsec,
		.mtime = inode->mtime.tv_sec,
		.mtime_nsec = inode->mtime.tv_nsec,
		.ctime = inode->ctime.tv_sec,
		.ctime_nsec = inode->ctime.tv_nsec,
	};

	return copy_to_user(ust, &st, sizeof(st));
}

/* A time in statx's form. */
static struct statx_time to_statx(struct timespec32 t)
{
	return (struct statx_time){ t.tv_sec, t.tv_nsec, 0 };
}

/* The layout of statx. */
static long fill_statx(struct inode *inode, void *ust)
{
	struct statx st = {
		.mask = STATX_BASIC_STATS, .blksize = inode->blksize,
		.nlink = inode->nlink, .uid = inode->uid, .gid = inode->gid,
		.mode = inode->mode, .ino = inode->ino, .size = inode->size,
		.blocks = inode->blocks,
		.atime = to_statx(inode->atime),
		.ctime = to_statx(inode->ctime),
		.mtime = to_statx(inode->mtime),
		.rdev_major = MAJOR(inode->rdev),
		.rdev_minor = MINOR(inode->rdev),
		.dev_major = MAJOR(inode->sb->dev),
		.dev_minor = MINOR(inode->sb->dev),
	};

	return copy_to_user(ust, &st, sizeof(st));
}

/* A stat call on a path. */
static long stat_path(int dirfd, const char *upath, void *ust, int flags,
		      stat_fn fill)
{
	struct dentry *d = user_path(dirfd, upath, LOOKUP_FOLLOW, flags);
	long ret;

	if (IS_ERR(d))
		return PTR_ERR(d);
	ret = fill(d->inode, ust);
	dput(d);
	return ret;
}

/* A stat call on a descriptor. */
static long stat_fd(unsigned fd, void *ust, stat_fn fill)
{
	struct file *f = fget(fd);
	long ret;

	if (!f)
		return -EBADF;
	ret = fill(f->dentry->inode, ust);
	fput(f);
	return ret;
}

/* oldstat(2), oldlstat(2), oldfstat(2). */
asmlinkage long sys_oldstat(const char *upath, void *ust)
{
	return stat_path(AT_FDCWD, upath, ust, 0, fill_old_stat);
}

/* As oldstat, of a symbolic link itself. */
asmlinkage long sys_oldlstat(const char *upath, void *ust)
{
	return stat_path(AT_FDCWD, upath, ust, AT_SYMLINK_NOFOLLOW,
			 fill_old_stat);
}

/* As oldstat, of a descriptor. */
asmlinkage long sys_oldfstat(unsigned fd, void *ust)
{
	return stat_fd(fd, ust, fill_old_stat);
}

/* stat(2). */
asmlinkage long sys_newstat(const char *upath, void *ust)
{
	return stat_path(AT_FDCWD, upath, ust, 0, fill_new_stat);
}

/* lstat(2). */
asmlinkage long sys_newlstat(const char *upath, void *ust)
{
	return stat_path(AT_FDCWD, upath, ust, AT_SYMLINK_NOFOLLOW,
			 fill_new_stat);
}

/* fstat(2). */
asmlinkage long sys_newfstat(unsigned fd, void *ust)
{
	return stat_fd(fd, ust, fill_new_stat);
}

/* stat64(2). */
asmlinkage long sys_stat64(const char *upath, void *ust)
{
	return stat_path(AT_FDCWD, upath, ust, 0, fill_stat64);
}

/* lstat64(2). */
asmlinkage long sys_lstat64(const char *upath, void *ust)
{
	return stat_path(AT_FDCWD, upath, ust, AT_SYMLINK_NOFOLLOW,
			 fill_stat64);
}

/* fstat64(2). */
asmlinkage long sys_fstat64(unsigned fd, void *ust)
{
	return stat_fd(fd, ust, fill_stat64);
}

/* fstatat64(2). */
asmlinkage long sys_fstatat64(int dirfd, const char *upath, void *ust,
			      int flags)
{
	if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH))
		return -EINVAL;
	return stat_path(dirfd, upath, ust, flags, fill_stat64);
}

/* statx(2): always answers with the basic fields. */
asmlinkage long sys_statx(int dirfd, const char *upath, unsigned flags,
			  unsigned mask, void *ustx)
{
	const unsigned known = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT |
			       AT_EMPTY_PATH | AT_STATX_SYNC_TYPE;

	if (flags & ~known || mask & STATX_RESERVED ||
	    (flags & AT_STATX_SYNC_TYPE) == AT_STATX_SYNC_TYPE)
		return -EINVAL;
	return stat_path(dirfd, upath, ustx, flags, fill_statx);
}

/* Copies the text of a link out, cut to `size`; its length. */
static long read_link(struct inode *inode, char *ubuf, int size)
{
	char *page;
	int len;

	if (!S_ISLNK(inode->mode))
		return -EINVAL;
	page = get_free_pages(GFP_KERNEL, 0);
	if (!page)
		return -ENOMEM;
	len = inode->ops->readlink(inode, page, PATH_MAX);
	len = min(len, size);
	if (len > 0 && copy_to_user(ubuf, page, len))
		len = -EFAULT;
	free_pages_at(page, 0);
	return len;
}

/* readlinkat(2). */
asmlinkage long sys_readlinkat(int dirfd, const char *upath, char *ubuf,
			       int size)
{
	struct dentry *d;
	long ret;

	if (size <= 0)
		return -EINVAL;
	d = user_path(dirfd, upath, 0, AT_EMPTY_PATH);
	if (IS_ERR(d))
		return PTR_ERR(d);
	ret = read_link(d->inode, ubuf, size);
	dput(d);
	return ret;
}

/* readlink(2). */
asmlinkage long sys_readlink(const char *upath, char *ubuf, int size)
{
	return sys_readlinkat(AT_FDCWD, upath, ubuf, size);
}
