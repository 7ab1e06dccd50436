/*
 * Setting the times of a file, in the five forms of five decades.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"

#define UTIME_NOW	0x3fffffff
#define UTIME_OMIT	0x3ffffffe

/* The two times to set; tv_nsec may be UTIME_NOW or UTIME_OMIT. */
struct new_times {
	struct timespec32 atime, mtime;
};

static const struct new_times both_now = {
	{ 0, UTIME_NOW }, { 0, UTIME_NOW }
};

/* Is the nanosecond field in range, or one of the special values? */
static bool nsec_ok(s32 nsec)
{
	return (nsec >= 0 && nsec < 1000000000) || nsec == UTIME_NOW ||
	       nsec == UTIME_OMIT;
}

/* Setting to now needs write permission, to anything else ownership. */
static int utimes_check(struct inode *inode, const struct new_times *t)
{
	if (sb_readonly(inode->sb))
		return -EROFS;
	if (current->fsuid == 0 || current->fsuid == inode->uid)
		return 0;
	if (t->atime.tv_nsec != UTIME_NOW || t->mtime.tv_nsec != UTIME_NOW)
		return -EPERM;
	return permission(inode, 2);
}

/* Sets one stamp. */
static void set_stamp(struct timespec32 *stamp, struct timespec32 to)
{
	if (to.tv_nsec == UTIME_NOW)
		*stamp = current_time();
	else if (to.tv_nsec != UTIME_OMIT)
		*stamp = to;
}

/* Sets the times of an inode. */
static int set_times(struct inode *inode, const struct new_times *t)
{
	int err;

	if (!nsec_ok(t->atime.tv_nsec) || !nsec_ok(t->mtime.tv_nsec))
		return -EINVAL;
	if (t->atime.tv_nsec == UTIME_OMIT && t->mtime.tv_nsec == UTIME_OMIT)
		return 0;
	err = utimes_check(inode, t);
	if (err)
		return err;
	set_stamp(&inode->atime, t->atime);
	set_stamp(&inode->mtime, t->mtime);
	inode->ctime = current_time();
	mark_inode_dirty(inode);
	return 0;
}

/* Sets the times of a path, or (upath NULL) of the descriptor dirfd. */
static long do_utimes(int dirfd, const char *upath, const struct new_times *t,
		      int flags)
{
	struct dentry *d;
	struct file *f;
	int err;

	if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	if (!upath && dirfd != AT_FDCWD) {
		f = fget(dirfd);
		if (!f)
			return -EBADF;
		err = set_times(f->dentry->inode, t);
		fput(f);
		return err;
	}
	d = user_path(dirfd, upath, LOOKUP_FOLLOW, flags);
	if (IS_ERR(d))
		return PTR_ERR(d);
	err = set_times(d->inode, t);
	dput(d);
	return err;
}

/* utime(2): seconds; NULL: now. */
asmlinkage long sys_utime(const char *upath, const s32 *utimes)
{
	struct new_times t = both_now;
	s32 sec[2];

	if (utimes) {
		if (copy_from_user(sec, utimes, sizeof(sec)))
			return -EFAULT;
		t.atime = (struct timespec32){ sec[0], 0 };
		t.mtime = (struct timespec32){ sec[1], 0 };
	}
	return do_utimes(AT_FDCWD, upath, &t, 0);
}

/* futimesat(2): microseconds. */
asmlinkage long sys_futimesat(int dirfd, const char *upath,
			      const void *utimes)
{
	struct new_times t = both_now;

	if (utimes) {
		if (copy_from_user(&t, utimes, sizeof(t)))
			return -EFAULT;
		if ((u32)t.atime.tv_nsec >= 1000000 ||
		    (u32)t.mtime.tv_nsec >= 1000000)
			return -EINVAL;
		t.atime.tv_nsec *= 1000;
		t.mtime.tv_nsec *= 1000;
	}
	return do_utimes(dirfd, upath, &t, 0);
}

/* utimes(2). */
asmlinkage long sys_utimes(const char *upath, const void *utimes)
{
	return sys_futimesat(AT_FDCWD, upath, utimes);
}

/* utimensat(2): nanoseconds. */
asmlinkage long sys_utimensat(int dirfd, const char *upath,
			      const void *utimes, int flags)
{
	struct new_times t = both_now;

	if (utimes && copy_from_user(&t, utimes, sizeof(t)))
		return -EFAULT;
	return do_utimes(dirfd, upath, &t, flags);
}

/* A 64-bit time cut to what an inode holds. */
static struct timespec32 narrow_time(struct timespec64 t)
{
	s64 sec = min(max(t.tv_sec, (s64)-0x7fffffff), (s64)0x7fffffff);

	return (struct timespec32){ sec, t.tv_nsec };
}

/* utimensat(2) with 64-bit seconds. */
asmlinkage long sys_utimensat_time64(int dirfd, const char *upath,
				     const void *utimes, int flags)
{
	struct new_times t = both_now;
	struct timespec64 wide[2];

	if (utimes) {
		if (copy_from_user(wide, utimes, sizeof(wide)))
			return -EFAULT;
		t.atime = narrow_time(wide[0]);
		t.mtime = narrow_time(wide[1]);
	}
	return do_utimes(dirfd, upath, &t, flags);
}
