/*
 * Which file system is the root.
 *
 *	root=DEVICE      ext2 on it; if that fails, the initramfs, if any
 *	nothing given    the initramfs; without one, the disk with our label
 *
 * A small tmpfs is the root until then, because paths need one.
 */
#include "drivers/block.h"
#include "fs/devfs.h"
#include "fs/file.h"
#include "fs/initramfs.h"
#include "fs/vfs_internal.h"
#include "kernel/param.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/slab.h"

#define OUR_LABEL		"pagelab"
#define EXT2_SUPER_SECTOR	2	/* the super block is at byte 1024 */
#define EXT2_SUPER_SIZE		1024
#define EXT2_MAGIC_OFFSET	56	/* u16 0xef53 */
#define EXT2_LABEL_OFFSET	120	/* 16 bytes */

/* Names the block devices there are, for a user whose root= is wrong. */
static void print_devices(void)
{
	struct block_device *b;
	char line[200];
	int len = 0;

	list_for_each_entry(b, &block_devices, node)
		len += scnprintf(line + len, sizeof(line) - len, " %s",
				 b->name);
	printk(KERN_ERR "Block devices present:%s\n", len ? line : " none");
}

/* Does the device hold an ext2 with that label?  Reads it; may sleep. */
static bool has_label(struct block_device *b, const char *label, u8 *buf)
{
	u16 magic;

	if (b->sectors < EXT2_SUPER_SECTOR + EXT2_SUPER_SIZE / 512 ||
	    bdev_transfer(b, EXT2_SUPER_SECTOR, buf, EXT2_SUPER_SIZE, false))
		return false;
	memcpy(&magic, buf + EXT2_MAGIC_OFFSET, sizeof(magic));
	return magic == 0xef53 &&
	       !strncmp((char *)buf + EXT2_LABEL_OFFSET, label, 16);
}

/* The first device with an ext2 of that label, or NULL. */
static struct block_device *find_label(const char *label)
{
	struct block_device *b;
	u8 *buf = kmalloc(EXT2_SUPER_SIZE, GFP_KERNEL);

	if (!buf)
		return NULL;
	list_for_each_entry(b, &block_devices, node)
		if (has_label(b, label, buf)) {
			kfree(buf);
			return b;
		}
	kfree(buf);
	return NULL;
}

/* The device that root= means: hda1, /dev/hda1 or LABEL=x; or NULL. */
static struct block_device *find_root_device(const char *name)
{
	if (!strncmp(name, "LABEL=", 6))
		return find_label(name + 6);
	if (!strncmp(name, "/dev/", 5))
		name += 5;
	return find_block_device(name);
}

/* Makes a super block the root of this task and of those to come. */
static void set_root(struct super_block *sb)
{
	struct fs_context *contexts[] = { &init_fs_context, current->fs };
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(contexts); i++) {
		struct fs_context *fs = contexts[i];

		if (fs->root == sb->root)
			continue;
		dput(fs->root);
		dput(fs->cwd);
		fs->root = dget(sb->root);
		fs->cwd = dget(sb->root);
	}
}

/* Mounts ext2 from a device as the root.  0, or an error after a message. */
static int mount_disk_root(const char *name)
{
	struct block_device *b = find_root_device(name);
	struct file_system *ext2 = find_file_system("ext2");
	struct super_block *sb;
	char devname[24];

	if (!b || !ext2) {
		printk(KERN_ERR "root=%s: there is no such device.\n", name);
		print_devices();
		return -ENODEV;
	}
	snprintf(devname, sizeof(devname), "/dev/%s", b->name);
	sb = mount_super(ext2, b, devname, param_ro ? MS_RDONLY : 0, "");
	if (IS_ERR(sb)) {
		printk(KERN_ERR "root=%s: cannot be mounted as ext2 (error "
		       "%ld).\n", name, -PTR_ERR(sb));
		return PTR_ERR(sb);
	}
	set_root(sb);
	printk("Root: %s (ext2, read-%s)\n", devname,
	       sb_readonly(sb) ? "only" : "write");
	return 0;
}

/* Unpacks the initramfs into the tmpfs that is the root.  0 or an error. */
static int use_initramfs(void)
{
	int err = -ENOENT;

	if (initramfs_present())
		err = initramfs_unpack();
	if (!err)
		printk("Root: initramfs (tmpfs)\n");
	return err;
}

/* The root until the real one is found. */
static void mount_rootfs(void)
{
	struct file_system *tmpfs = find_file_system("tmpfs");
	struct super_block *sb;

	sb = mount_super(tmpfs, NULL, "tmpfs", 0, "mode=0755");
	if (IS_ERR(sb))
		panic("no memory for the root directory");
	set_root(sb);
}

/* Shows /dev in the root, making the directory if that can be done. */
static void show_dev(void)
{
	struct dentry *root = current->fs->root, *d;
	struct inode *dir = root->inode;
	int err;

	mutex_lock(&dir->lock);
	d = lookup_locked(root, "dev", 3);
	if (!IS_ERR(d) && !d->inode && !sb_readonly(root->sb))
		dir->ops->mkdir(dir, d->name, d->len, S_IFDIR | 0755,
				&d->inode);
	mutex_unlock(&dir->lock);
	if (!IS_ERR(d))
		dput(d);
	err = devfs_attach(root);
	if (err)
		printk(KERN_ERR "The root has no directory /dev for the "
		       "devices (error %d)\n", -err);
}

/* Finds and mounts the root, or panics; see the top.  May sleep. */
void mount_root(void)
{
	int err = -ENOENT;

	mount_rootfs();
	devfs_add_block_devices();
	if (param_root)
		err = mount_disk_root(param_root);
	if (err)
		err = use_initramfs();
	if (err && !param_root && find_label(OUR_LABEL))
		err = mount_disk_root("LABEL=" OUR_LABEL);
	if (err)
		panic("no root file system: give root=/dev/hdXN for an ext2 "
		      "partition, or an initramfs (QEMU: -initrd FILE)");
	show_dev();
}
