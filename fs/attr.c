/*
 * Changing and testing an inode's owner, group and mode.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"

#define KEEP_ID		0xffffffffu	/* chown: leave as it is */

/* Is the current task the owner, or the superuser? */
static bool owner_or_capable(const struct inode *inode)
{
	return current->fsuid == 0 || current->fsuid == inode->uid;
}

/* May attributes change at all?  0, -EROFS, -EPERM. */
static int attr_check(const struct inode *inode)
{
	if (sb_readonly(inode->sb))
		return -EROFS;
	return owner_or_capable(inode) ? 0 : -EPERM;
}

/* Notes a change of attributes. */
static void attr_changed(struct inode *inode)
{
	inode->ctime = current_time();
	mark_inode_dirty(inode);
}

/* chmod of an inode. */
static int do_chmod(struct inode *inode, mode_t mode)
{
	int err = attr_check(inode);

	if (err)
		return err;
	mode &= S_IALLUGO;
	if (current->fsuid && !in_group(inode->gid))
		mode &= ~S_ISGID;
	inode->mode = (inode->mode & S_IFMT) | mode;
	attr_changed(inode);
	return 0;
}

/* chmod of a path. */
static long chmod_path(int dirfd, const char *upath, mode_t mode)
{
	struct dentry *d = user_path(dirfd, upath, LOOKUP_FOLLOW, 0);
	int err;

	if (IS_ERR(d))
		return PTR_ERR(d);
	err = do_chmod(d->inode, mode);
	dput(d);
	return err;
}

/* chmod(2). */
asmlinkage long sys_chmod(const char *upath, mode_t mode)
{
	return chmod_path(AT_FDCWD, upath, mode);
}

/* fchmodat(2). */
asmlinkage long sys_fchmodat(int dirfd, const char *upath, mode_t mode)
{
	return chmod_path(dirfd, upath, mode);
}

/* fchmod(2). */
asmlinkage long sys_fchmod(unsigned fd, mode_t mode)
{
	struct file *f = fget(fd);
	int err;

	if (!f)
		return -EBADF;
	err = f->flags & O_PATH ? -EBADF : do_chmod(f->dentry->inode, mode);
	fput(f);
	return err;
}

/* May the owner and group become these?  Only root gives files away. */
static int chown_check(const struct inode *inode, u32 uid, u32 gid)
{
	if (sb_readonly(inode->sb))
		return -EROFS;
	if (current->fsuid == 0)
		return 0;
	if (current->fsuid != inode->uid)
		return -EPERM;
	if (uid != KEEP_ID && uid != inode->uid)
		return -EPERM;
	if (gid != KEEP_ID && gid != inode->gid && !in_group(gid))
		return -EPERM;
	return 0;
}

/* chown of an inode; an executable loses its set-id bits. */
static int do_chown(struct inode *inode, u32 uid, u32 gid)
{
	int err = chown_check(inode, uid, gid);

	if (err)
		return err;
	if (uid != KEEP_ID)
		inode->uid = uid;
	if (gid != KEEP_ID)
		inode->gid = gid;
	if (!S_ISDIR(inode->mode) && inode->mode & 0111) {
		inode->mode &= ~S_ISUID;
		if (inode->mode & 0010)
			inode->mode &= ~S_ISGID;
	}
	attr_changed(inode);
	return 0;
}

/* fchownat(2). */
asmlinkage long sys_fchownat(int dirfd, const char *upath, u32 uid, u32 gid,
			     int flags)
{
	struct dentry *d;
	int err;

	if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	d = user_path(dirfd, upath, LOOKUP_FOLLOW, flags);
	if (IS_ERR(d))
		return PTR_ERR(d);
	err = do_chown(d->inode, uid, gid);
	dput(d);
	return err;
}

/* chown32(2). */
asmlinkage long sys_chown(const char *upath, u32 uid, u32 gid)
{
	return sys_fchownat(AT_FDCWD, upath, uid, gid, 0);
}

/* lchown32(2). */
asmlinkage long sys_lchown(const char *upath, u32 uid, u32 gid)
{
	return sys_fchownat(AT_FDCWD, upath, uid, gid, AT_SYMLINK_NOFOLLOW);
}

/* fchown32(2). */
asmlinkage long sys_fchown(unsigned fd, u32 uid, u32 gid)
{
	struct file *f = fget(fd);
	int err;

	if (!f)
		return -EBADF;
	err = f->flags & O_PATH ? -EBADF : do_chown(f->dentry->inode, uid, gid);
	fput(f);
	return err;
}

/* A 16-bit id as a 32-bit one. */
static u32 widen_id(u32 id)
{
	return (u16)id == 0xffff ? KEEP_ID : (u16)id;
}

/* chown(2) with 16-bit ids. */
asmlinkage long sys_chown16(const char *upath, u32 uid, u32 gid)
{
	return sys_chown(upath, widen_id(uid), widen_id(gid));
}

/* lchown(2) with 16-bit ids. */
asmlinkage long sys_lchown16(const char *upath, u32 uid, u32 gid)
{
	return sys_lchown(upath, widen_id(uid), widen_id(gid));
}

/* fchown(2) with 16-bit ids. */
asmlinkage long sys_fchown16(unsigned fd, u32 uid, u32 gid)
{
	return sys_fchown(fd, widen_id(uid), widen_id(gid));
}

/* Tests with the real ids, unless AT_EACCESS. */
static int access_check(struct inode *inode, int mode, int flags)
{
	uid_t fsuid = current->fsuid;
	gid_t fsgid = current->fsgid;
	int err;

	if (!(flags & AT_EACCESS)) {
		current->fsuid = current->uid;
		current->fsgid = current->gid;
	}
	err = permission(inode, mode);
	current->fsuid = fsuid;
	current->fsgid = fsgid;
	return err;
}

/* faccessat2(2). */
asmlinkage long sys_faccessat2(int dirfd, const char *upath, int mode,
			       int flags)
{
	struct dentry *d;
	int err;

	if (mode & ~7 ||
	    flags & ~(AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	d = user_path(dirfd, upath, LOOKUP_FOLLOW, flags);
	if (IS_ERR(d))
		return PTR_ERR(d);
	err = access_check(d->inode, mode, flags);
	dput(d);
	return err;
}

/* faccessat(2). */
asmlinkage long sys_faccessat(int dirfd, const char *upath, int mode)
{
	return sys_faccessat2(dirfd, upath, mode, 0);
}

/* access(2). */
asmlinkage long sys_access(const char *upath, int mode)
{
	return sys_faccessat2(AT_FDCWD, upath, mode, 0);
}
