/*
 * Making and removing directory entries.
 *
 * Each call resolves the parent directory, locks it, and looks the last
 * component up under the lock, so that of two tasks which make the same name
 * exactly one succeeds.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "lib/string.h"

/* A directory entry in the making, or on its way out. */
struct entry {
	char *name;			/* page with the path */
	struct nameidata nd;		/* its directory, locked */
	struct inode *dir;
	struct dentry *d;
};

/* Unlocks the directory and drops what an entry holds. */
static void entry_end(struct entry *e)
{
	dput(e->d);
	mutex_unlock(&e->dir->lock);
	nd_put(&e->nd);
	putname(e->name);
}

/* Resolves the path of an entry; its directory is not locked yet.  On error
 * nothing is held. */
static int entry_path(struct entry *e, int dirfd, const char *upath)
{
	int err;

	e->name = getname(upath, false);
	if (IS_ERR(e->name))
		return PTR_ERR(e->name);
	err = path_parent(dirfd, e->name, &e->nd);
	if (err)
		putname(e->name);
	return err;
}

/* Locks the directory and looks the name up. On error nothing is held. */
static int entry_lookup(struct entry *e)
{
	e->dir = e->nd.dentry->inode;
	mutex_lock(&e->dir->lock);
	e->d = lookup_locked(e->nd.dentry, e->nd.last, e->nd.len);
	if (!IS_ERR(e->d))
		return 0;
	mutex_unlock(&e->dir->lock);
	nd_put(&e->nd);
	putname(e->name);
	return PTR_ERR(e->d);
}

/* Begins making an entry: 0 with a negative dentry in a locked directory that
 * may be written, or an error with nothing held. */
static int create_begin(struct entry *e, int dirfd, const char *upath,
			bool is_dir)
{
	int err = entry_path(e, dirfd, upath);

	if (err)
		return err;
	if (!nd_is_name(&e->nd)) {
		nd_put(&e->nd);
		putname(e->name);
		return -EEXIST;
	}
	err = entry_lookup(e);
	if (err)
		return err;
	if (e->d->inode)
		err = -EEXIST;
	else if (e->nd.slash && !is_dir)
		err = -ENOENT;
	else
		err = may_create(e->dir);
	if (err)
		entry_end(e);
	return err;
}

/* mkdirat(2). */
asmlinkage long sys_mkdirat(int dirfd, const char *upath, mode_t mode)
{
	struct entry e;
	int err = create_begin(&e, dirfd, upath, true);

	if (err)
		return err;
	mode &= (S_IRWXUGO | S_ISVTX) & ~current->fs->umask;
	err = -EPERM;
	if (e.dir->ops->mkdir)
		err = e.dir->ops->mkdir(e.dir, e.d->name, e.d->len,
					mode | S_IFDIR, &e.d->inode);
	entry_end(&e);
	return err;
}

/* mkdir(2). */
asmlinkage long sys_mkdir(const char *upath, mode_t mode)
{
	return sys_mkdirat(AT_FDCWD, upath, mode);
}

/* Calls the file system for a new file or node. */
static int make_node(struct entry *e, mode_t mode, dev_t dev)
{
	const struct inode_ops *ops = e->dir->ops;
	struct dentry *d = e->d;

	if (S_ISREG(mode))
		return ops->create ? ops->create(e->dir, d->name, d->len, mode,
						 &d->inode) : -EPERM;
	return ops->mknod ? ops->mknod(e->dir, d->name, d->len, mode, dev,
				       &d->inode) : -EPERM;
}

/* May such a node be made at all?  0, -EPERM, -EINVAL. */
static int mknod_check(mode_t mode, u32 dev)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
	case S_IFIFO:
	case S_IFSOCK:
		return 0;
	case S_IFCHR:
	case S_IFBLK:
		if (!capable())
			return -EPERM;
		return dev > 0xffff ? -EINVAL : 0;
	case S_IFDIR:
		return -EPERM;
	default:
		return -EINVAL;
	}
}

/* mknodat(2). */
asmlinkage long sys_mknodat(int dirfd, const char *upath, mode_t mode,
			    u32 dev)
{
	struct entry e;
	int err;

	if (!(mode & S_IFMT))
		mode |= S_IFREG;
	err = mknod_check(mode, dev);
	if (!err)
		err = create_begin(&e, dirfd, upath, false);
	if (err)
		return err;
	mode &= S_IFMT | (S_IALLUGO & ~current->fs->umask);
	err = make_node(&e, mode, dev);
	entry_end(&e);
	return err;
}

/* mknod(2). */
asmlinkage long sys_mknod(const char *upath, mode_t mode, u32 dev)
{
	return sys_mknodat(AT_FDCWD, upath, mode, dev);
}

/* symlinkat(2). */
asmlinkage long sys_symlinkat(const char *utarget, int dirfd,
			      const char *upath)
{
	char *target = getname(utarget, false);
	struct entry e;
	int err;

	if (IS_ERR(target))
		return PTR_ERR(target);
	err = create_begin(&e, dirfd, upath, false);
	if (!err) {
		err = -EPERM;
		if (e.dir->ops->symlink)
			err = e.dir->ops->symlink(e.dir, e.d->name, e.d->len,
						  target, &e.d->inode);
		entry_end(&e);
	}
	putname(target);
	return err;
}

/* symlink(2). */
asmlinkage long sys_symlink(const char *utarget, const char *upath)
{
	return sys_symlinkat(utarget, AT_FDCWD, upath);
}

/* Makes `e` another name of an inode.  0 or an error. */
static int do_link(struct entry *e, struct dentry *old)
{
	struct inode *inode = old->inode;
	int err;

	if (old->sb != e->nd.dentry->sb)
		return -EXDEV;
	if (S_ISDIR(inode->mode) || !e->dir->ops->link)
		return -EPERM;
	if (!inode->nlink)
		return -ENOENT;
	err = e->dir->ops->link(e->dir, e->d->name, e->d->len, inode);
	if (!err)
		e->d->inode = igrab(inode);
	return err;
}

/* linkat(2). */
asmlinkage long sys_linkat(int olddirfd, const char *uold, int newdirfd,
			   const char *unew, int flags)
{
	struct dentry *old;
	struct entry e;
	int err;

	if (flags & ~(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	old = user_path(olddirfd, uold, 0, flags);
	if (IS_ERR(old))
		return PTR_ERR(old);
	err = create_begin(&e, newdirfd, unew, false);
	if (!err) {
		err = do_link(&e, old);
		entry_end(&e);
	}
	dput(old);
	return err;
}

/* link(2). */
asmlinkage long sys_link(const char *uold, const char *unew)
{
	return sys_linkat(AT_FDCWD, uold, AT_FDCWD, unew, 0);
}

/* Why a path that ends in a root, "." or ".." cannot be removed. */
static int not_removable(const struct nameidata *nd, bool is_dir)
{
	if (!is_dir)
		return -EISDIR;
	if (!nd->len)
		return -EBUSY;
	return nd->len == 1 ? -EINVAL : -ENOTEMPTY;
}

/* Begins removing an entry: 0 with its dentry in a locked directory, or an
 * error with nothing held. */
static int remove_begin(struct entry *e, int dirfd, const char *upath,
			bool is_dir)
{
	int err = entry_path(e, dirfd, upath);

	if (err)
		return err;
	if (!nd_is_name(&e->nd)) {
		err = not_removable(&e->nd, is_dir);
		nd_put(&e->nd);
		putname(e->name);
		return err;
	}
	err = entry_lookup(e);
	if (err)
		return err;
	if (!e->d->inode)
		err = -ENOENT;
	else if (e->nd.slash && !is_dir && !S_ISDIR(e->d->inode->mode))
		err = -ENOTDIR;
	else
		err = may_delete(e->dir, e->d->inode, is_dir);
	if (!err && e->d->mounted)
		err = -EBUSY;
	if (err)
		entry_end(e);
	return err;
}

/* unlink(2) of any path. */
static long do_unlink(int dirfd, const char *upath)
{
	struct entry e;
	int err = remove_begin(&e, dirfd, upath, false);

	if (err)
		return err;
	err = -EPERM;
	if (e.dir->ops->unlink)
		err = e.dir->ops->unlink(e.dir, e.d->name, e.d->len,
					 e.d->inode);
	if (!err)
		d_delete(e.d);
	entry_end(&e);
	return err;
}

/* rmdir(2) of any path. */
static long do_rmdir(int dirfd, const char *upath)
{
	struct entry e;
	struct inode *victim;
	int err = remove_begin(&e, dirfd, upath, true);

	if (err)
		return err;
	victim = e.d->inode;
	mutex_lock(&victim->lock);
	err = -EPERM;
	if (e.dir->ops->rmdir)
		err = e.dir->ops->rmdir(e.dir, e.d->name, e.d->len, victim);
	mutex_unlock(&victim->lock);
	if (!err) {
		d_prune_children(e.d);
		d_delete(e.d);
	}
	entry_end(&e);
	return err;
}

/* unlinkat(2). */
asmlinkage long sys_unlinkat(int dirfd, const char *upath, int flags)
{
	if (flags & ~AT_REMOVEDIR)
		return -EINVAL;
	return flags ? do_rmdir(dirfd, upath) : do_unlink(dirfd, upath);
}

/* unlink(2). */
asmlinkage long sys_unlink(const char *upath)
{
	return do_unlink(AT_FDCWD, upath);
}

/* rmdir(2). */
asmlinkage long sys_rmdir(const char *upath)
{
	return do_rmdir(AT_FDCWD, upath);
}
