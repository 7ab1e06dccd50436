/*
 * From a path to a dentry.
 *
 *	"/usr/lib/x"   root -> usr -> lib -> x
 *
 * The walk is a loop, not a recursion: a symbolic link on the way replaces
 * the text read so far by its target, with what is left of the path behind
 * it, and at most MAX_LINKS of them are followed.  A name in the directory
 * cache costs no lock; otherwise the directory's lock is held while the file
 * system looks it up, so that a name is never added twice.
 */
#include "fs/file.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/string.h"
#include "mm/page_alloc.h"

#define MAX_LINKS	40

/* Is the current task in group `gid`? */
static bool in_group(gid_t gid)
{
	unsigned i;

	if (current->fsgid == gid)
		return true;
	for (i = 0; i < current->ngroups; i++)
		if (current->groups[i] == gid)
			return true;
	return false;
}

/* May the current task access the inode so?  0, -EACCES or -EROFS. */
int permission(struct inode *inode, int mask)
{
	mode_t mode = inode->mode;

	if (mask & 2 && sb_readonly(inode->sb) &&
	    (S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode)))
		return -EROFS;
	if (current->fsuid == 0) {
		if (!(mask & 1) || mode & 0111 || S_ISDIR(mode))
			return 0;
		return -EACCES;
	}
	if (current->fsuid == inode->uid)
		mode >>= 6;
	else if (in_group(inode->gid))
		mode >>= 3;
	return mask & ~mode & 7 ? -EACCES : 0;
}

/* May an entry be made in the directory?  It must still exist. */
int may_create(struct inode *dir)
{
	if (!dir->nlink)
		return -ENOENT;
	return permission(dir, 2 | 1);
}

/* May the entry of `victim` be removed by rmdir (is_dir) or unlink? */
int may_delete(struct inode *dir, struct inode *victim, bool is_dir)
{
	int err = permission(dir, 2 | 1);

	if (err)
		return err;
	if (dir->mode & S_ISVTX && current->fsuid &&
	    current->fsuid != victim->uid && current->fsuid != dir->uid)
		return -EPERM;
	if (is_dir && !S_ISDIR(victim->mode))
		return -ENOTDIR;
	if (!is_dir && S_ISDIR(victim->mode))
		return -EISDIR;
	return 0;
}

/* Copies a user path into a page of its own. */
char *getname(const char *upath, bool empty_ok)
{
	char *name = get_free_pages(GFP_KERNEL, 0);
	ssize_t len;

	if (!name)
		return ERR_PTR(-ENOMEM);
	len = strncpy_from_user(name, upath, PATH_MAX);
	if (len > 0 || (!len && empty_ok))
		return name;
	putname(name);
	return ERR_PTR(len ? len : -ENOENT);
}

/* Frees what getname() returned. */
void putname(char *name)
{
	free_pages_at(name, 0);
}

/* Replaces the dentry reached; consumes the reference on `d`. */
static void nd_set(struct nameidata *nd, struct dentry *d)
{
	struct dentry *old = nd->dentry;

	nd->dentry = d;
	dput(old);
}

/* Gives up what a walk holds. */
void nd_put(struct nameidata *nd)
{
	dput(nd->dentry);
	nd->dentry = NULL;
	if (nd->page)
		putname(nd->page);
	nd->page = NULL;
}

/* The topmost root mounted on `d`. */
struct dentry *follow_mount(struct dentry *d)
{
	while (unlikely(d->mounted)) {
		struct dentry *root = dget(d->mounted);

		dput(d);
		d = root;
	}
	return d;
}

/* Goes to the parent directory, across mounts, but not above the root. */
static void walk_up(struct nameidata *nd)
{
	struct dentry *d = nd->dentry, *root = current->fs->root;

	while (d != root && d->parent == d && d->covers)
		d = d->covers;
	if (d != root)
		d = d->parent;
	nd_set(nd, follow_mount(dget(d)));
}

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
static struct dentry *lookup_child(struct dentry *dir, const char *name,
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

/* Replaces the text by a link's target and what is left after the link. */
static int splice_link(struct nameidata *nd, struct inode *link)
{
	char *page = get_free_pages(GFP_KERNEL, 0);
	size_t left = strlen(nd->rest) + 1;
	int len;

	if (!page)
		return -ENOMEM;
	len = link->ops->readlink(link, page, PATH_MAX);
	if (len > 0 && len + left <= PATH_MAX) {
		memcpy(page + len, nd->rest, left);
		if (nd->page)
			putname(nd->page);
		nd->rest = nd->page = page;
		if (*page == '/')
			nd_set(nd, dget(current->fs->root));
		return 0;
	}
	putname(page);
	return !len ? -ENOENT : len < 0 ? len : -ENAMETOOLONG;
}

/* Follows a symbolic link found in the directory reached. */
static int follow_link(struct nameidata *nd, struct inode *link)
{
	struct dentry *target;

	if (++nd->links > MAX_LINKS)
		return -ELOOP;
	if (!link->ops->follow)
		return splice_link(nd, link);
	target = link->ops->follow(link);
	if (IS_ERR(target))
		return PTR_ERR(target);
	nd_set(nd, target);
	return 0;
}

/* Cuts the next component off nd->rest; false at the end of the path. */
static bool next_component(struct nameidata *nd)
{
	const char *p = nd->rest;

	while (*p == '/')
		p++;
	nd->last = p;
	while (*p && *p != '/')
		p++;
	nd->len = p - nd->last;
	nd->rest = p;
	nd->slash = *p == '/';
	return nd->len;
}

/* Is nothing but slashes left? */
static bool at_last(const struct nameidata *nd)
{
	const char *p = nd->rest;

	while (*p == '/')
		p++;
	return !*p;
}

/* Is the component made of `dots` dots and nothing else? */
static bool is_dots(const struct nameidata *nd, unsigned dots)
{
	return nd->len == dots && nd->last[0] == '.' &&
	       nd->last[dots - 1] == '.';
}

/* Is the last component an ordinary name? */
bool nd_is_name(const struct nameidata *nd)
{
	return nd->len && !is_dots(nd, 1) && !is_dots(nd, 2);
}

/* Goes to the child named by the component; `last`: nothing follows it. */
static int walk_child(struct nameidata *nd, bool last)
{
	struct dentry *d = lookup_child(nd->dentry, nd->last, nd->len);
	int err = 0;

	if (IS_ERR(d))
		return PTR_ERR(d);
	if (!d->inode)
		err = -ENOENT;
	else if (S_ISLNK(d->inode->mode) &&
		 (!last || nd->slash || nd->flags & LOOKUP_FOLLOW))
		err = follow_link(nd, d->inode);
	else {
		nd_set(nd, follow_mount(d));
		return 0;
	}
	dput(d);
	return err;
}

/* Walks along nd->rest, to its end or (LOOKUP_PARENT) its last component. */
static int walk(struct nameidata *nd)
{
	bool slash = false, last;
	int err;

	while (next_component(nd)) {
		last = at_last(nd);
		slash = nd->slash;
		if (!S_ISDIR(nd->dentry->inode->mode))
			return -ENOTDIR;
		err = permission(nd->dentry->inode, 1);
		if (err)
			return err;
		if (last && nd->flags & LOOKUP_PARENT)
			return 0;
		if (is_dots(nd, 2))
			walk_up(nd);
		else if (!is_dots(nd, 1))
			err = walk_child(nd, last);
		if (err)
			return err;
	}
	if ((slash || nd->flags & LOOKUP_DIRECTORY) &&
	    !S_ISDIR(nd->dentry->inode->mode))
		return -ENOTDIR;
	return 0;
}

/* Follows nd's last component and goes on to a new last component. */
int nd_follow_last(struct nameidata *nd, struct dentry *link)
{
	int err = follow_link(nd, link->inode);

	return err ? err : walk(nd);
}

/* Sets where a walk starts: the root, the current directory, or `dirfd`. */
static int walk_from(struct nameidata *nd, int dirfd, const char *name)
{
	struct file *f;

	if (*name == '/') {
		nd->dentry = dget(current->fs->root);
	} else if (dirfd == AT_FDCWD) {
		nd->dentry = dget(current->fs->cwd);
	} else {
		f = fget(dirfd);
		if (!f)
			return -EBADF;
		nd->dentry = dget(f->dentry);
		fput(f);
	}
	nd->rest = name;
	return 0;
}

/* Walks a path with `flags`; nd is to be put only when this succeeds. */
static int path_walk(int dirfd, const char *name, unsigned flags,
		     struct nameidata *nd)
{
	int err;

	memset(nd, 0, sizeof(*nd));
	nd->flags = flags;
	err = walk_from(nd, dirfd, name);
	if (err)
		return err;
	err = walk(nd);
	if (err)
		nd_put(nd);
	return err;
}

/* Resolves all but the last component. */
int path_parent(int dirfd, const char *name, struct nameidata *nd)
{
	return path_walk(dirfd, name, LOOKUP_PARENT, nd);
}

/* Resolves a path in kernel memory; see vfs.h. */
struct dentry *path_lookup(int dirfd, const char *path, unsigned flags)
{
	struct nameidata nd;
	struct dentry *d;
	int err = *path ? path_walk(dirfd, path, flags, &nd) : -ENOENT;

	if (err)
		return ERR_PTR(err);
	d = dget(nd.dentry);
	nd_put(&nd);
	return d;
}

/* The dentry that an empty path with AT_EMPTY_PATH names. */
static struct dentry *dirfd_dentry(int dirfd)
{
	struct nameidata nd;
	int err = walk_from(&nd, dirfd, "");

	return err ? ERR_PTR(err) : nd.dentry;
}

/* Resolves a user path for a call that takes AT_* flags. */
struct dentry *user_path(int dirfd, const char *upath, unsigned lookup,
			 unsigned at_flags)
{
	char *name = getname(upath, at_flags & AT_EMPTY_PATH);
	struct dentry *d;

	if (IS_ERR(name))
		return (void *)name;
	if (at_flags & AT_SYMLINK_NOFOLLOW)
		lookup &= ~LOOKUP_FOLLOW;
	if (at_flags & AT_SYMLINK_FOLLOW)
		lookup |= LOOKUP_FOLLOW;
	d = *name ? path_lookup(dirfd, name, lookup) : dirfd_dentry(dirfd);
	putname(name);
	return d;
}
