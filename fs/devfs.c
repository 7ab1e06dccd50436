/*
 * /dev: a tmpfs that the kernel fills, and how opening a node finds the
 * device.
 *
 * The file system exists from start-up on, so that drivers can add nodes at
 * any time; mount_root() makes it visible.
 */
#include "fs/devfs.h"
#include "drivers/block.h"
#include "fs/bdev.h"
#include "fs/devices.h"
#include "fs/pipe.h"
#include "fs/tmpfs.h"
#include "fs/vfs_internal.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/string.h"

#define NR_MAJORS	256

static const struct file_ops *chrdevs[NR_MAJORS];
static struct super_block *devfs_sb;

/* Gives the devices of a major number to `fops`. */
void register_chrdev(unsigned major, const struct file_ops *fops)
{
	BUG_ON(major >= NR_MAJORS || chrdevs[major]);
	chrdevs[major] = fops;
}

/* file_ops.open of every character device node: hands the file over. */
static int chrdev_open(struct inode *inode, struct file *f)
{
	unsigned major = MAJOR(inode->rdev);
	const struct file_ops *fops = NULL;

	if (major < NR_MAJORS)
		fops = chrdevs[major];
	if (!fops)
		return -ENXIO;
	f->ops = fops;
	return fops->open ? fops->open(inode, f) : 0;
}

static const struct file_ops chrdev_fops = {
	.open = chrdev_open,
};

/* Opening a socket's node is not how one connects to it. */
static int socket_open(struct inode *inode unused_arg,
		       struct file *f unused_arg)
{
	return -ENXIO;
}

static const struct file_ops socket_fops = {
	.open = socket_open,
};

/* Gives a device, FIFO or socket inode its file operations. */
void init_special_inode(struct inode *inode, mode_t mode, dev_t rdev)
{
	inode->mode = mode;
	inode->rdev = rdev;
	if (S_ISCHR(mode))
		inode->fops = &chrdev_fops;
	else if (S_ISBLK(mode))
		inode->fops = &bdev_fops;
	else if (S_ISFIFO(mode))
		inode->fops = &fifo_fops;
	else
		inode->fops = &socket_fops;
}

/* Makes an entry of /dev, whose root directory is locked. */
static int devfs_add(struct inode *dir, struct dentry *d, mode_t mode,
		     dev_t rdev)
{
	int err;

	if (d->inode)
		return -EEXIST;
	if (S_ISDIR(mode))
		return dir->ops->mkdir(dir, d->name, d->len, mode, &d->inode);
	err = dir->ops->mknod(dir, d->name, d->len, mode, rdev, &d->inode);
	if (!err)
		d->inode->gid = 0;
	return err;
}

/* Makes the node /dev/NAME; see devfs.h. */
int devfs_create(const char *name, mode_t mode, dev_t rdev)
{
	struct dentry *root = devfs_sb->root, *d;
	int err;

	if (!(mode & S_IFMT))
		mode |= S_IFCHR;
	mutex_lock(&root->inode->lock);
	d = lookup_locked(root, name, strlen(name));
	err = IS_ERR(d) ? PTR_ERR(d) : devfs_add(root->inode, d, mode, rdev);
	if (!IS_ERR(d))
		dput(d);
	mutex_unlock(&root->inode->lock);
	return err;
}

/* Nodes for the block devices that have none yet; those that exist stay. */
void devfs_add_block_devices(void)
{
	struct block_device *b;

	list_for_each_entry(b, &block_devices, node)
		if (devfs_create(b->name, S_IFBLK | 0660, b->dev) == -ENOMEM)
			printk(KERN_ERR "/dev/%s: no memory\n", b->name);
}

/* Shows /dev in the file system whose root is `root`; -ENOENT when that has
 * no such directory, -EBUSY when it is shown already. */
int devfs_attach(struct dentry *root)
{
	struct dentry *d;
	int err = 0;

	if (devfs_sb->root->covers)
		return -EBUSY;
	mutex_lock(&root->inode->lock);
	d = lookup_locked(root, "dev", 3);
	mutex_unlock(&root->inode->lock);
	if (IS_ERR(d))
		return PTR_ERR(d);
	if (d->inode && S_ISDIR(d->inode->mode))
		attach_mount(devfs_sb, d);
	else
		err = -ENOENT;
	dput(d);
	return err;
}

/* file_system.mount: there is one /dev, and it is shown in one place. */
static int devfs_mount(struct super_block *sb, const char *options)
{
	return devfs_sb ? -EBUSY : tmpfs_mount(sb, options);
}

static struct file_system devfs_type = {
	.name = "devtmpfs",
	.mount = devfs_mount,
};

/* Makes /dev with the devices that every system has. */
void devfs_init(void)
{
	struct super_block *sb;

	sb = mount_super(&devfs_type, NULL, "devtmpfs", 0, "mode=0755");
	if (IS_ERR(sb))
		panic("no memory for /dev");
	devfs_sb = sb;
	register_file_system(&devfs_type);
	devices_init();
	devfs_create("shm", S_IFDIR | 01777, 0);
	devfs_create("pts", S_IFDIR | 0755, 0);
}
