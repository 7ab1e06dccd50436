/*
 * mount(2) and umount(2): the calls over fs/super.c.
 */
#include "drivers/block.h"
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/string.h"
#include "mm/slab.h"

/* umount2(2).  The root file system is made read-only instead. */
asmlinkage long sys_umount2(const char *upath, int flags)
{
	struct dentry *d;
	int err;

	if (!capable())
		return -EPERM;
	if (flags & ~0xf)
		return -EINVAL;
	d = user_path(AT_FDCWD, upath, LOOKUP_FOLLOW, 0);
	if (IS_ERR(d))
		return PTR_ERR(d);
	if (d == d->sb->root && d->covers)
		return umount_super(d);
	err = -EINVAL;
	if (d == d->sb->root)
		err = remount_super(d->sb, MS_RDONLY);
	dput(d);
	return err;
}

/* umount(2), the old form. */
asmlinkage long sys_umount(const char *upath)
{
	return sys_umount2(upath, 0);
}

/* The block device a path names; ERR_PTR(-ENOTBLK), ... */
static struct block_device *lookup_bdev(const char *path)
{
	struct dentry *d = path_lookup(AT_FDCWD, path, LOOKUP_FOLLOW);
	struct block_device *bdev;

	if (IS_ERR(d))
		return (void *)d;
	bdev = ERR_PTR(-ENOTBLK);
	if (S_ISBLK(d->inode->mode)) {
		bdev = find_block_device_by_dev(d->inode->rdev);
		if (!bdev)
			bdev = ERR_PTR(-ENXIO);
	}
	dput(d);
	return bdev;
}

/* Mounts a new super block on the directory `where`. */
static int mount_new(const char *devname, struct dentry *where,
		     const char *typename, unsigned flags, const char *options)
{
	struct file_system *type = find_file_system(typename);
	struct block_device *bdev = NULL;
	struct super_block *sb;

	if (!type)
		return -ENODEV;
	if (where == current->fs->root)
		return -EBUSY;
	if (type->needs_device) {
		bdev = lookup_bdev(devname);
		if (IS_ERR(bdev))
			return PTR_ERR(bdev);
	}
	sb = mount_super(type, bdev, *devname ? devname : type->name, flags,
			 options);
	if (IS_ERR(sb))
		return PTR_ERR(sb);
	attach_mount(sb, where);
	return 0;
}

#define MS_BIND		4096
#define MS_MOVE		8192
#define MS_PROPAGATION	0x1e0000	/* unbindable, private, slave, shared */

/* The strings of mount(2), in kernel memory. */
struct mount_args {
	char dev[256], type[32], options[256];
};

/* Fetches the strings, each of which may be NULL. */
static int get_mount_args(struct mount_args *a, const char *udev,
			  const char *utype, const char *udata)
{
	ssize_t n = 0;

	memset(a, 0, sizeof(*a));
	if (udev)
		n = strncpy_from_user(a->dev, udev, sizeof(a->dev));
	if (n >= 0 && utype)
		n = strncpy_from_user(a->type, utype, sizeof(a->type));
	if (n >= 0 && udata)
		n = strncpy_from_user(a->options, udata, sizeof(a->options));
	return min(n, 0);
}

/* mount(2) with its strings fetched. */
static int do_mount(struct mount_args *a, const char *udir, u32 flags)
{
	struct dentry *where;
	int err;

	if (flags & (MS_BIND | MS_MOVE | MS_PROPAGATION))
		return -EINVAL;
	where = user_path(AT_FDCWD, udir, LOOKUP_FOLLOW, 0);
	if (IS_ERR(where))
		return PTR_ERR(where);
	if (flags & MS_REMOUNT)
		err = where == where->sb->root ?
			remount_super(where->sb, flags) : -EINVAL;
	else if (!S_ISDIR(where->inode->mode))
		err = -ENOTDIR;
	else
		err = mount_new(a->dev, where, a->type, flags, a->options);
	dput(where);
	return err;
}

/* mount(2): new mounts and remounts; no bind or moved mounts. */
asmlinkage long sys_mount(const char *udev, const char *udir,
			  const char *utype, u32 flags, const char *udata)
{
	struct mount_args *a;
	int err;

	if (!capable())
		return -EPERM;
	a = kmalloc(sizeof(*a), GFP_KERNEL);
	if (!a)
		return -ENOMEM;
	err = get_mount_args(a, udev, utype, udata);
	if (!err)
		err = do_mount(a, udir, flags);
	kfree(a);
	return err;
}
