/*
 * The root, current directory and umask of tasks.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/string.h"
#include "mm/slab.h"

struct fs_context init_fs_context = { .count = 1, .umask = 022 };

/* A copy for fork; NULL: no memory. */
struct fs_context *fs_dup(struct fs_context *old)
{
	struct fs_context *fs = kmalloc(sizeof(*fs), GFP_KERNEL);

	if (!fs)
		return NULL;
	fs->count = 1;
	fs->umask = old->umask;
	fs->root = old->root ? dget(old->root) : NULL;
	fs->cwd = old->cwd ? dget(old->cwd) : NULL;
	return fs;
}

/* Drops a task's use; may sleep. */
void fs_put(struct fs_context *fs)
{
	if (--fs->count)
		return;
	dput(fs->root);
	dput(fs->cwd);
	if (fs != &init_fs_context)
		kfree(fs);
}

/* Replaces *slot; consumes the reference on `d`. */
static void set_dir(struct dentry **slot, struct dentry *d)
{
	struct dentry *old = *slot;

	*slot = d;
	dput(old);
}

/* A directory that may be entered, with a reference; ERR_PTR. */
static struct dentry *enterable_dir(const char *upath)
{
	struct dentry *d = user_path(AT_FDCWD, upath,
				     LOOKUP_FOLLOW | LOOKUP_DIRECTORY, 0);
	int err;

	if (IS_ERR(d))
		return d;
	err = permission(d->inode, 1);
	if (!err)
		return d;
	dput(d);
	return ERR_PTR(err);
}

/* chdir(2). */
asmlinkage long sys_chdir(const char *upath)
{
	struct dentry *d = enterable_dir(upath);

	if (IS_ERR(d))
		return PTR_ERR(d);
	set_dir(&current->fs->cwd, d);
	return 0;
}

/* fchdir(2). */
asmlinkage long sys_fchdir(unsigned fd)
{
	struct file *f = fget(fd);
	int err;

	if (!f)
		return -EBADF;
	err = S_ISDIR(f->inode->mode) ? permission(f->inode, 1) : -ENOTDIR;
	if (!err)
		set_dir(&current->fs->cwd, dget(f->dentry));
	fput(f);
	return err;
}

/* chroot(2). */
asmlinkage long sys_chroot(const char *upath)
{
	struct dentry *d;

	if (!capable())
		return -EPERM;
	d = enterable_dir(upath);
	if (IS_ERR(d))
		return PTR_ERR(d);
	set_dir(&current->fs->root, d);
	return 0;
}

/* getcwd(2): the length with the NUL, or an error. */
asmlinkage long sys_getcwd(char *ubuf, size_t size)
{
	struct dentry *cwd = current->fs->cwd;
	char *page, *path;
	long ret = -ENOENT;

	if (cwd->unhashed && cwd->parent != cwd)
		return ret;
	page = get_free_pages(GFP_KERNEL, 0);
	if (!page)
		return -ENOMEM;
	path = d_path(cwd, page, PAGE_SIZE);
	if (IS_ERR(path)) {
		ret = PTR_ERR(path);
	} else {
		ret = strlen(path) + 1;
		if ((size_t)ret > size)
			ret = -ERANGE;
		else if (copy_to_user(ubuf, path, ret))
			ret = -EFAULT;
	}
	free_pages_at(page, 0);
	return ret;
}

/* umask(2). */
asmlinkage long sys_umask(mode_t mask)
{
	mode_t old = current->fs->umask;

	current->fs->umask = mask & S_IRWXUGO;
	return old;
}
