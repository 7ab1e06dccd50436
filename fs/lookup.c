/*
 * One name in one directory: from the cache, or from the file system.
 *
 * A name that is cached costs no lock.  Otherwise the directory's lock is held
 * while the file system looks, so that a name is never cached twice; and the
 * dentry is made after the answer is known, so that nobody sees a name that
 * seems not to exist.
 */
#include "fs/vfs_internal.h"

/* Asks the file system for a name that is not cached; `dir` is locked. */
static struct dentry *lookup_uncached(struct dentry *dir, const char *name,
				      unsigned len, u32 hash)
{
	struct inode *inode = dir->inode->ops->lookup(dir->inode, name, len);
	struct dentry *d;

	if (IS_ERR(inode))
		return (void *)inode;
	d = d_alloc(dir, name, len, hash);
	if (d)
		d->inode = inode;
	else if (inode)
		iput(inode);
	return d ? d : ERR_PTR(-ENOMEM);
}

/* A cached child that is still true, or NULL. */
static struct dentry *lookup_cached(struct dentry *dir, const char *name,
				    unsigned len, u32 hash)
{
	struct dentry *d = d_lookup(dir, name, len, hash);
	const struct inode_ops *ops = dir->inode->ops;

	if (d && ops->revalidate && !ops->revalidate(d)) {
		d_drop(d);
		dput(d);
		return NULL;
	}
	return d;
}

/* The child of a locked directory, negative when there is none; ERR_PTR. */
struct dentry *lookup_locked(struct dentry *dir, const char *name,
			     unsigned len)
{
	u32 hash = name_hash(name, len);
	struct dentry *d;

	if (len > NAME_MAX)
		return ERR_PTR(-ENAMETOOLONG);
	d = lookup_cached(dir, name, len, hash);
	return d ? d : lookup_uncached(dir, name, len, hash);
}

/* The child of a directory that is not locked; ERR_PTR. */
struct dentry *lookup_child(struct dentry *dir, const char *name,
				   unsigned len)
{
	struct dentry *d;

	if (len > NAME_MAX)
		return ERR_PTR(-ENAMETOOLONG);
	d = lookup_cached(dir, name, len, name_hash(name, len));
	if (likely(d))
		return d;
	mutex_lock(&dir->inode->lock);
	d = lookup_locked(dir, name, len);
	mutex_unlock(&dir->inode->lock);
	return d;
}
