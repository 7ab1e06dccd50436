/*
 * Opening files: permission, creation, and the life of a struct file.
 *
 * A struct file is one act of opening: it holds the dentry, the position and
 * the mode.  inode->writers counts those open for writing, and is negative
 * while the inode is being executed.
 */
#include "fs/file.h"
#include "fs/locks.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/slab.h"

#define O_ONCE	(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC)	/* not kept */

static struct kmem_cache *file_cache;
static const struct file_ops no_file_ops;

/* Counts one more writer, unless the file is being executed. */
static int get_write_access(struct inode *inode)
{
	if (inode->writers < 0)
		return -ETXTBSY;
	inode->writers++;
	return 0;
}

/* A struct file with its own references, open for nothing yet. */
struct file *alloc_file(struct dentry *d, int flags,
			const struct file_ops *ops)
{
	struct file *f = kmem_cache_zalloc(file_cache, GFP_KERNEL);

	if (!f)
		return NULL;
	f->count = 1;
	f->dentry = dget(d);
	f->inode = d->inode;
	f->mapping = d->inode->mapping;
	f->flags = flags & ~O_ONCE;
	f->mode = (flags + 1) & O_ACCMODE;
	f->ops = ops;
	mutex_init(&f->pos_lock);
	if (S_ISREG(d->inode->mode) || S_ISDIR(d->inode->mode))
		f->mode |= FMODE_POS;
	if (flags & O_PATH) {
		f->mode = 0;
		f->ops = &no_file_ops;
	}
	return f;
}

/* Frees a file whose open did not succeed or which was released. */
static void free_file(struct file *f)
{
	struct dentry *d = f->dentry;

	kmem_cache_free(file_cache, f);
	dput(d);
}

/* Opens a dentry without asking for permission. */
struct file *dentry_open(struct dentry *d, int flags)
{
	struct inode *inode = d->inode;
	struct file *f;
	int err = 0;

	f = alloc_file(d, flags, inode->fops ? inode->fops : &no_file_ops);
	if (!f)
		return ERR_PTR(-ENOMEM);
	if (f->mode & FMODE_WRITE)
		err = get_write_access(inode);
	if (!err && f->ops->open) {
		err = f->ops->open(inode, f);
		if (err && f->mode & FMODE_WRITE)
			inode->writers--;
	}
	if (!err)
		return f;
	free_file(f);
	return ERR_PTR(err);
}

/* Drops a reference on an open file; the last one releases it. */
void fput(struct file *f)
{
	if (likely(--f->count))
		return;
	if (f->ops->release)
		f->ops->release(f);
	locks_remove_flock(f);
	if (f->mode & FMODE_WRITE)
		f->dentry->inode->writers--;
	if (f->mode & FMODE_EXEC)
		allow_write_access(f->dentry->inode);
	free_file(f);
}

/* The access that open flags ask for, as permission() wants it. */
static int open_mask(int flags)
{
	static const u8 mask[] = { 4, 2, 6, 6 };
	int ret = mask[flags & O_ACCMODE];

	return flags & O_TRUNC ? ret | 2 : ret;
}

/* May the current task open the inode with these flags? */
static int may_open(struct inode *inode, int flags)
{
	int mask = open_mask(flags), err;

	if (S_ISLNK(inode->mode))
		return -ELOOP;
	if (S_ISDIR(inode->mode) && mask & 2)
		return -EISDIR;
	err = permission(inode, mask);
	if (err)
		return err;
	if (S_ISREG(inode->mode) && inode->size > 0x7fffffff &&
	    !(flags & O_LARGEFILE))
		return -EOVERFLOW;
	if (flags & O_NOATIME && current->fsuid &&
	    current->fsuid != inode->uid)
		return -EPERM;
	return 0;
}

/* Sets an inode's size under its lock. */
int do_truncate(struct inode *inode, loff_t size)
{
	int err;

	if (size > (inode->sb->max_size ? inode->sb->max_size : MAX_FILE_SIZE))
		return -EFBIG;
	mutex_lock(&inode->lock);
	err = vmtruncate(inode, size);
	if (!err && current->fsuid)
		inode->mode &= ~S_ISUID;
	mutex_unlock(&inode->lock);
	return err;
}

/* Opens an existing dentry after checking, truncating if asked. */
static struct file *open_checked(struct dentry *d, int flags)
{
	struct file *f;
	int err;

	if (flags & O_PATH)
		return dentry_open(d, flags);
	err = may_open(d->inode, flags);
	if (err)
		return ERR_PTR(err);
	f = dentry_open(d, flags);
	if (IS_ERR(f) || !(flags & O_TRUNC) || !S_ISREG(d->inode->mode))
		return f;
	err = get_write_access(d->inode);
	if (!err) {
		err = do_truncate(d->inode, 0);
		d->inode->writers--;
	}
	if (!err)
		return f;
	fput(f);
	return ERR_PTR(err);
}

/* Makes a regular file for the negative dentry `d` of the locked `dir`. */
static int create_file(struct inode *dir, struct dentry *d, mode_t mode)
{
	int err = may_create(dir);

	if (!err && !dir->ops->create)
		err = -EACCES;
	mode = (mode & S_IALLUGO & ~current->fs->umask) | S_IFREG;
	if (!err)
		err = dir->ops->create(dir, d->name, d->len, mode, &d->inode);
	return err;
}

/* The dentry of nd's last component, made if missing (then *created). */
static struct dentry *lookup_or_create(struct nameidata *nd, mode_t mode,
				       bool *created)
{
	struct inode *dir = nd->dentry->inode;
	struct dentry *d;
	int err;

	mutex_lock(&dir->lock);
	d = lookup_locked(nd->dentry, nd->last, nd->len);
	if (!IS_ERR(d) && !d->inode) {
		err = nd->slash ? -EISDIR : create_file(dir, d, mode);
		*created = !err;
		if (err) {
			dput(d);
			d = ERR_PTR(err);
		}
	}
	mutex_unlock(&dir->lock);
	return d;
}

/* The dentry an O_CREAT open of nd's path ends at, links followed. */
static struct dentry *create_target(struct nameidata *nd, int flags,
				    mode_t mode, bool *created)
{
	struct dentry *d;
	int err;

	for (;;) {
		if (!nd_is_name(nd))
			return nd->len ? ERR_PTR(-EISDIR) : dget(nd->dentry);
		d = lookup_or_create(nd, mode, created);
		if (IS_ERR(d) || *created)
			return d;
		if (flags & O_EXCL || !S_ISLNK(d->inode->mode) ||
		    flags & O_NOFOLLOW)
			break;
		err = nd_follow_last(nd, d);
		dput(d);
		if (err)
			return ERR_PTR(err);
	}
	if (!(flags & O_EXCL))
		return follow_mount(d);
	dput(d);
	return ERR_PTR(-EEXIST);
}

/* open(2) with O_CREAT. */
static struct file *open_create(int dirfd, const char *name, int flags,
				mode_t mode)
{
	struct nameidata nd;
	bool created = false;
	struct dentry *d;
	struct file *f;
	int err = path_parent(dirfd, name, &nd);

	if (err)
		return ERR_PTR(err);
	d = create_target(&nd, flags, mode, &created);
	nd_put(&nd);
	if (IS_ERR(d))
		return (void *)d;
	if (created)
		f = dentry_open(d, flags);
	else if (S_ISDIR(d->inode->mode))
		f = ERR_PTR(-EISDIR);
	else
		f = open_checked(d, flags);
	dput(d);
	return f;
}

/* Opens a path in kernel memory for the current task. */
struct file *do_open(int dirfd, const char *name, int flags, mode_t mode)
{
	unsigned lookup = flags & O_NOFOLLOW ? 0 : LOOKUP_FOLLOW;
	struct dentry *d;
	struct file *f;

	if (flags & O_CREAT && !(flags & O_PATH))
		return open_create(dirfd, name, flags, mode);
	if (flags & O_DIRECTORY)
		lookup |= LOOKUP_DIRECTORY;
	d = path_lookup(dirfd, name, lookup);
	if (IS_ERR(d))
		return (void *)d;
	f = open_checked(d, flags);
	dput(d);
	return f;
}

/* Opens for the kernel or on behalf of exec. */
struct file *file_open(const char *path, int flags, mode_t mode)
{
	return do_open(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

/* Makes the cache of open files; once, at start-up. */
void file_init(void)
{
	file_cache = kmem_cache_create("filp", sizeof(struct file), 8);
}

/* openat(2). */
asmlinkage long sys_openat(int dirfd, const char *upath, int flags,
			   mode_t mode)
{
	char *name = getname(upath, false);
	struct file *f;
	int fd;

	if (IS_ERR(name))
		return PTR_ERR(name);
	fd = get_unused_fd(0, flags & O_CLOEXEC);
	if (fd >= 0) {
		f = do_open(dirfd, name, flags, mode);
		if (IS_ERR(f)) {
			put_unused_fd(fd);
			fd = PTR_ERR(f);
		} else {
			fd_install(fd, f);
		}
	}
	putname(name);
	return fd;
}

/* open(2). */
asmlinkage long sys_open(const char *upath, int flags, mode_t mode)
{
	return sys_openat(AT_FDCWD, upath, flags, mode);
}

/* creat(2). */
asmlinkage long sys_creat(const char *upath, mode_t mode)
{
	return sys_openat(AT_FDCWD, upath, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
