/*
 * rename(2).
 *
 * Two directories are locked, the one above the other first.  What is above
 * what can only be changed by a rename between two directories, and of those
 * there is one at a time (rename_mutex).
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"

#define RENAME_NOREPLACE	1

static struct mutex rename_mutex = {
	.wait = WAIT_QUEUE_INIT(rename_mutex.wait),
};

/* Both ends of a rename. */
struct rename {
	struct nameidata from, to;	/* the two directories */
	struct dentry *old, *new;	/* the names in them */
	unsigned flags;
};

/* Locks both directories. */
static void lock_rename(struct dentry *a, struct dentry *b)
{
	if (a == b) {
		mutex_lock(&a->inode->lock);
		return;
	}
	mutex_lock(&rename_mutex);
	if (d_is_below(a, b)) {
		mutex_lock(&b->inode->lock);
		mutex_lock(&a->inode->lock);
	} else {
		mutex_lock(&a->inode->lock);
		mutex_lock(&b->inode->lock);
	}
}

/* Undoes lock_rename(). */
static void unlock_rename(struct dentry *a, struct dentry *b)
{
	mutex_unlock(&a->inode->lock);
	if (a == b)
		return;
	mutex_unlock(&b->inode->lock);
	mutex_unlock(&rename_mutex);
}

/* May the entries be exchanged for each other?  Types and permissions. */
static int rename_permitted(struct rename *r)
{
	struct inode *from = r->from.dentry->inode, *to = r->to.dentry->inode;
	struct inode *inode = r->old->inode, *victim = r->new->inode;
	bool is_dir = S_ISDIR(inode->mode);
	int err = may_delete(from, inode, is_dir);

	if (!err)
		err = victim ? may_delete(to, victim, is_dir) : may_create(to);
	if (!err && is_dir && from != to)
		err = permission(inode, 2);
	return err;
}

/* Do the names make sense?  1: nothing to do, 0: go on, or an error. */
static int rename_check(struct rename *r)
{
	struct inode *inode = r->old->inode, *victim = r->new->inode;

	if (!inode)
		return -ENOENT;
	if (!S_ISDIR(inode->mode) && (r->from.slash || r->to.slash))
		return -ENOTDIR;
	if (victim && r->flags & RENAME_NOREPLACE)
		return -EEXIST;
	if (d_is_below(r->to.dentry, r->old))
		return -EINVAL;
	if (victim && d_is_below(r->from.dentry, r->new))
		return -ENOTEMPTY;
	if (inode == victim)
		return 1;
	if (r->old->mounted || r->new->mounted)
		return -EBUSY;
	return rename_permitted(r);
}

/* Calls the file system and moves the dentry. */
static int rename_entry(struct rename *r)
{
	struct inode *dir = r->from.dentry->inode, *victim = r->new->inode;
	bool dir_victim = victim && S_ISDIR(victim->mode);
	int err;

	if (!dir->ops->rename)
		return -EPERM;
	if (dir_victim)
		mutex_lock(&victim->lock);
	err = dir->ops->rename(dir, r->old->name, r->old->len,
			       r->to.dentry->inode, r->new->name, r->new->len,
			       r->old->inode, victim);
	if (dir_victim)
		mutex_unlock(&victim->lock);
	if (err)
		return err;
	if (dir_victim)
		d_prune_children(r->new);
	if (d_move(r->old, r->new)) {
		d_drop(r->old);
		d_drop(r->new);
	}
	return 0;
}

/* The rename proper, with both directories locked. */
static int rename_locked(struct rename *r)
{
	int err;

	r->old = lookup_locked(r->from.dentry, r->from.last, r->from.len);
	if (IS_ERR(r->old))
		return PTR_ERR(r->old);
	r->new = lookup_locked(r->to.dentry, r->to.last, r->to.len);
	if (IS_ERR(r->new)) {
		dput(r->old);
		return PTR_ERR(r->new);
	}
	err = rename_check(r);
	if (!err)
		err = rename_entry(r);
	dput(r->new);
	dput(r->old);
	return min(err, 0);
}

/* Checks the two last components and renames. */
static int rename_parents(struct rename *r)
{
	int err;

	if (r->from.dentry->sb != r->to.dentry->sb)
		return -EXDEV;
	if (!nd_is_name(&r->from) || !nd_is_name(&r->to))
		return -EBUSY;
	lock_rename(r->from.dentry, r->to.dentry);
	err = rename_locked(r);
	unlock_rename(r->from.dentry, r->to.dentry);
	return err;
}

/* Resolves both paths, which are in kernel memory, and renames. */
static int rename_paths(int olddirfd, const char *old, int newdirfd,
			const char *new, unsigned flags)
{
	struct rename r = { .flags = flags };
	int err = path_parent(olddirfd, old, &r.from);

	if (err)
		return err;
	err = path_parent(newdirfd, new, &r.to);
	if (!err) {
		err = rename_parents(&r);
		nd_put(&r.to);
	}
	nd_put(&r.from);
	return err;
}

/* renameat2(2); of the flags only RENAME_NOREPLACE. */
asmlinkage long sys_renameat2(int olddirfd, const char *uold, int newdirfd,
			      const char *unew, unsigned flags)
{
	char *old, *new;
	int err;

	if (flags & ~RENAME_NOREPLACE)
		return -EINVAL;
	old = getname(uold, false);
	if (IS_ERR(old))
		return PTR_ERR(old);
	new = getname(unew, false);
	err = IS_ERR(new) ? PTR_ERR(new) : 0;
	if (!err) {
		err = rename_paths(olddirfd, old, newdirfd, new, flags);
		putname(new);
	}
	putname(old);
	return err;
}

/* renameat(2). */
asmlinkage long sys_renameat(int olddirfd, const char *uold, int newdirfd,
			     const char *unew)
{
	return sys_renameat2(olddirfd, uold, newdirfd, unew, 0);
}

/* rename(2). */
asmlinkage long sys_rename(const char *uold, const char *unew)
{
	return sys_renameat2(AT_FDCWD, uold, AT_FDCWD, unew, 0);
}
