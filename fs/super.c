/*
 * Super blocks: which file system is mounted where.
 *
 *	/data  dentry --mounted--> root dentry of another super block
 *	              <--covers---
 *
 * A super block is mounted in at most one place, so these two pointers say
 * all there is to know.  Unmounting detaches the root first, so that nobody
 * can enter while the rest is written.
 */
#include "drivers/block.h"
#include "fs/bdev.h"
#include "fs/file.h"
#include "fs/vfs_internal.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/slab.h"

LIST_HEAD(super_blocks);
LIST_HEAD(file_systems);
static u32 next_anon_dev = 1;		/* minor of the next device-less one */

static const struct super_ops no_super_ops;

/* Adds a type to those that mount(2) knows. */
void register_file_system(struct file_system *fs)
{
	list_add_tail(&fs->node, &file_systems);
}

/* The file system type of that name, or NULL. */
struct file_system *find_file_system(const char *name)
{
	struct file_system *fs;

	list_for_each_entry(fs, &file_systems, node)
		if (!strcmp(fs->name, name))
			return fs;
	return NULL;
}

/* An empty super block with an anonymous device number. */
struct super_block *sb_alloc(struct file_system *type, const char *devname)
{
	struct super_block *sb = kzalloc(sizeof(*sb), GFP_KERNEL);

	if (!sb)
		return NULL;
	sb->ops = &no_super_ops;
	sb->type = type;
	sb->block_size = PAGE_SIZE;
	sb->dev = MKDEV(0, next_anon_dev++ & 0xff);
	strlcpy(sb->devname, devname, sizeof(sb->devname));
	list_init(&sb->inodes);
	list_add_tail(&sb->node, &super_blocks);
	return sb;
}

/* A super block for objects that have no path. */
struct super_block *pseudo_super(struct file_system *type)
{
	struct super_block *sb = sb_alloc(type, type->name);

	if (!sb)
		panic("no memory for the %s super block", type->name);
	return sb;
}

/* Gives back the device and the memory of a super block without inodes. */
static void sb_free(struct super_block *sb)
{
	if (sb->bdev)
		bdev_release(sb->bdev, sb);
	list_del(&sb->node);
	kfree(sb);
}

/* Claims the device for a super block and finds its page cache. */
static int sb_set_bdev(struct super_block *sb, struct block_device *bdev)
{
	int err = bdev_attach(bdev);

	if (err)
		return err;
	if (bdev->read_only && !sb_readonly(sb))
		return -EROFS;
	err = bdev_claim(bdev, sb);
	if (err)
		return err;
	sb->bdev = bdev;
	sb->bdev_inode = bdev->inode;
	sb->dev = bdev->dev;
	return 0;
}

/* Mounts a file system, attached nowhere; see vfs_internal.h. */
struct super_block *mount_super(struct file_system *type,
				struct block_device *bdev, const char *devname,
				unsigned flags, const char *options)
{
	struct super_block *sb = sb_alloc(type, devname);
	int err = 0;

	if (!sb)
		return ERR_PTR(-ENOMEM);
	sb->flags = flags & MS_RDONLY;
	if (bdev)
		err = sb_set_bdev(sb, bdev);
	if (!err)
		err = type->mount(sb, options);
	if (!err)
		return sb;
	evict_inodes(sb);
	sb_free(sb);
	return ERR_PTR(err);
}

/* Shows a super block at a directory. */
void attach_mount(struct super_block *sb, struct dentry *where)
{
	sb->root->covers = dget(where);
	where->mounted = sb->root;
}

/* Writes inodes, then data, then the metadata pages, then the disk's cache. */
int sync_super(struct super_block *sb)
{
	int ret = sync_inodes(sb), err;

	err = write_inode_pages(sb, true);
	ret = ret ? ret : err;
	if (sb->ops->sync) {
		err = sb->ops->sync(sb, true);
		ret = ret ? ret : err;
	}
	if (!sb->bdev)
		return ret;
	err = filemap_write_all(sb->bdev_inode->mapping, true);
	ret = ret ? ret : err;
	err = bdev_flush(sb->bdev);
	return ret ? ret : err;
}

/* Changes between read-only and read/write. */
int remount_super(struct super_block *sb, unsigned flags)
{
	int err = 0;

	flags &= MS_RDONLY;
	if (flags == (sb->flags & MS_RDONLY))
		return 0;
	if (flags && inodes_busy_writing(sb))
		return -EBUSY;
	if (!flags && sb->bdev && sb->bdev->read_only)
		return -EROFS;
	if (flags)
		err = sync_super(sb);
	if (!err && sb->ops->remount)
		err = sb->ops->remount(sb, flags);
	if (err)
		return err;
	sb->flags = (sb->flags & ~MS_RDONLY) | flags;
	return sync_super(sb);
}

/* Writes and frees a super block that is attached nowhere and unused. */
static void kill_super(struct super_block *sb)
{
	struct block_device *bdev = sb->bdev;

	if (sync_super(sb))
		printk(KERN_ERR "%s: data lost at unmount: write error\n",
		       sb->devname);
	d_free_root(sb->root);
	evict_inodes(sb);
	if (sb->ops->put_super)
		sb->ops->put_super(sb);
	if (bdev && (filemap_write_all(sb->bdev_inode->mapping, true) ||
		     bdev_flush(bdev)))
		printk(KERN_ERR "%s: write error at unmount\n", sb->devname);
	sb_free(sb);
}

/* Unmounts the super block whose root the caller holds, and drops that
 * reference.  0 or -EBUSY.  May sleep. */
int umount_super(struct dentry *root)
{
	struct super_block *sb = root->sb;
	struct dentry *where = root->covers;

	shrink_dcache_sb(sb);
	if (root->count != 2 || !list_empty(&root->children) ||
	    root->mounted) {
		dput(root);
		return -EBUSY;
	}
	where->mounted = NULL;
	root->covers = NULL;
	dput(where);
	dput(root);
	kill_super(sb);
	return 0;
}

/* Appends the line of one mounted super block; the new length. */
static int show_mount(struct super_block *sb, char *buf, size_t size, int len)
{
	char path[128], *where = d_path(sb->root, path, sizeof(path));

	if (IS_ERR(where))
		return len;
	return len + scnprintf(buf + len, size - len,
			       "%s %s %s %s,noatime 0 0\n", sb->devname,
			       where, sb->type->name,
			       sb_readonly(sb) ? "ro" : "rw");
}

/* Formats /proc/mounts, the root first. */
int mounts_show(char *buf, size_t size)
{
	struct super_block *root = current->fs->root->sb, *sb;
	int len = show_mount(root, buf, size, 0);

	list_for_each_entry(sb, &super_blocks, node)
		if (sb != root && sb->root && sb->root->covers)
			len = show_mount(sb, buf, size, len);
	return len;
}

/* Formats /proc/filesystems. */
int filesystems_show(char *buf, size_t size)
{
	struct file_system *fs;
	int len = 0;

	list_for_each_entry(fs, &file_systems, node)
		len += scnprintf(buf + len, size - len, "%s\t%s\n",
				 fs->needs_device ? "" : "nodev", fs->name);
	return len;
}
