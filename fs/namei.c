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

/* Pages for paths that were used and will be again; the last in, first out. */
static char *spare_names[2];
static unsigned nr_spare_names;

/* A page for a path; NULL: no memory. */
static char *alloc_name(void)
{
	if (nr_spare_names)
		return spare_names[--nr_spare_names];
	return get_free_pages(GFP_KERNEL, 0);
}

/* Copies a user path into a page of its own. */
char *getname(const char *upath, bool empty_ok)
{
	char *name = alloc_name();
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
	if (nr_spare_names < ARRAY_SIZE(spare_names))
		spare_names[nr_spare_names++] = name;
	else
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

/* Replaces the text by a link's target and what is left after the link. */
static int splice_link(struct nameidata *nd, struct inode *link)
{
	char *page = alloc_name();
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

/* May everybody search the directory, or the current task as root? */
static inline bool plainly_searchable(const struct inode *dir)
{
	return S_ISDIR(dir->mode) && !dir->ops->revalidate &&
	       ((dir->mode & 0111) == 0111 || current->fsuid == 0);
}

/* The cached child that the walk can step to without any ceremony: there, no
 * link, nothing mounted on it; else NULL.  *end: behind the name. */
static inline struct dentry *plain_child(struct dentry *d, const char *name,
					 const char **end)
{
	const char *p = name;
	struct dentry *child;
	u32 hash = 0;

	if (*p == '.' || !plainly_searchable(d->inode))
		return NULL;
	for (; *p && *p != '/'; p++)
		hash = name_hash_add(hash, *p);
	*end = p;
	child = d_find(d, name, p - name, hash);
	if (!child || !child->inode || S_ISLNK(child->inode->mode) ||
	    child->mounted)
		return NULL;
	return child;
}

/* Walks over what is cached and plain, without counting references, as
 * nothing here sleeps; stops before the first component that needs more. */
static void walk_plain(struct nameidata *nd)
{
	struct dentry *d = nd->dentry, *child;
	const char *p = nd->rest, *end;

	for (;;) {
		while (*p == '/')
			p++;
		if (!*p)
			break;
		child = plain_child(d, p, &end);
		if (!child || (*end && !S_ISDIR(child->inode->mode)))
			break;
		d = child;
		p = end;
	}
	nd->rest = p;
	if (d == nd->dentry)
		return;
	d_use(d);
	nd_set(nd, d);
}

/* Walks along nd->rest, to its end or (LOOKUP_PARENT) its last component. */
static int walk(struct nameidata *nd)
{
	bool slash = false, last;
	int err;

	if (!(nd->flags & LOOKUP_PARENT))
		walk_plain(nd);
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

	nd->page = NULL;
	nd->len = 0;
	nd->slash = false;
	nd->links = 0;
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
	d = nd.dentry;
	if (nd.page)
		putname(nd.page);
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
