/*
 * The initramfs: a cpio archive unpacked into the root tmpfs.
 *
 * lib/cpio.c checks every length; here a name may be anything, and is made
 * below the current directory like a user's would be.  Directories must come
 * before what is in them, as cpio writes them.
 */
#include "fs/initramfs.h"
#include "fs/file.h"
#include "fs/vfs_internal.h"
#include "kernel/e820.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/cpio.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"

/* An inode that more names of the archive may mean. */
struct hard_link {
	struct list_head node;
	u32 ino;
	struct inode *inode;
};

static LIST_HEAD(hard_links);
static unsigned nr_entries;

/* Is there an archive? */
bool initramfs_present(void)
{
	return initramfs_start && initramfs_size;
}

/* The inode that an earlier entry with this number made, or NULL. */
static struct inode *find_hard_link(const struct cpio_entry *e)
{
	struct hard_link *link;

	if (e->nlink < 2 || !S_ISREG(e->mode))
		return NULL;
	list_for_each_entry(link, &hard_links, node)
		if (link->ino == e->ino)
			return link->inode;
	return NULL;
}

/* Remembers the inode of an entry that has more names. */
static int add_hard_link(const struct cpio_entry *e, struct inode *inode)
{
	struct hard_link *link;

	if (e->nlink < 2 || !S_ISREG(e->mode))
		return 0;
	link = kmalloc(sizeof(*link), GFP_KERNEL);
	if (!link)
		return -ENOMEM;
	link->ino = e->ino;
	link->inode = igrab(inode);
	list_add(&link->node, &hard_links);
	return 0;
}

/* Forgets them all. */
static void free_hard_links(void)
{
	struct hard_link *link, *next;

	list_for_each_entry_safe(link, next, &hard_links, node) {
		list_del(&link->node);
		iput(link->inode);
		kfree(link);
	}
}

/* The target of a link, as a string of its own; NULL: no memory. */
static char *link_target(const struct cpio_entry *e)
{
	char *target = kmalloc(e->size + 1, GFP_KERNEL);

	if (!target)
		return NULL;
	memcpy(target, e->data, e->size);
	target[e->size] = '\0';
	return target;
}

/* Makes a symbolic link in a locked directory. */
static int make_symlink(struct inode *dir, struct dentry *d,
			const struct cpio_entry *e)
{
	char *target;
	int err;

	if (!e->size || e->size >= PATH_MAX)
		return -EINVAL;
	target = link_target(e);
	if (!target)
		return -ENOMEM;
	err = dir->ops->symlink(dir, d->name, d->len, target, &d->inode);
	kfree(target);
	return err;
}

/* Makes a file, or another name of one. */
static int make_regular(struct inode *dir, struct dentry *d,
			const struct cpio_entry *e)
{
	struct inode *inode = find_hard_link(e);
	int err;

	if (inode) {
		err = dir->ops->link(dir, d->name, d->len, inode);
		if (!err)
			d->inode = igrab(inode);
		return err;
	}
	err = dir->ops->create(dir, d->name, d->len, e->mode, &d->inode);
	return err ? err : add_hard_link(e, d->inode);
}

/* Makes what an entry describes under a name that is free. */
static int make_entry(struct inode *dir, struct dentry *d,
		      const struct cpio_entry *e)
{
	switch (e->mode & S_IFMT) {
	case S_IFREG:
		return make_regular(dir, d, e);
	case S_IFDIR:
		return dir->ops->mkdir(dir, d->name, d->len, e->mode,
				       &d->inode);
	case S_IFLNK:
		return make_symlink(dir, d, e);
	case S_IFCHR:
	case S_IFBLK:
	case S_IFIFO:
	case S_IFSOCK:
		return dir->ops->mknod(dir, d->name, d->len, e->mode,
				       MKDEV(e->rdev_major, e->rdev_minor),
				       &d->inode);
	default:
		return -EINVAL;
	}
}

/* Gives an inode the archive's attributes and contents. */
static int fill_entry(struct inode *inode, const struct cpio_entry *e)
{
	ssize_t n = 0;

	if (S_ISREG(e->mode) && e->size) {
		mutex_lock(&inode->lock);
		n = mapping_write(inode->mapping, e->data, e->size, 0);
		mutex_unlock(&inode->lock);
	}
	if (n >= 0 && S_ISREG(e->mode) && (u32)n != e->size)
		n = -ENOSPC;
	inode->mode = (inode->mode & S_IFMT) | (e->mode & S_IALLUGO);
	inode->uid = e->uid;
	inode->gid = e->gid;
	inode->mtime = (struct timespec32){ e->mtime, 0 };
	return min(n, 0);
}

/* Makes an entry at the end of a resolved path; an existing directory is kept,
 * anything else in the way is an error. */
static int unpack_at(struct nameidata *nd, const struct cpio_entry *e)
{
	struct inode *dir = nd->dentry->inode;
	struct dentry *d;
	int err = 0;

	mutex_lock(&dir->lock);
	d = lookup_locked(nd->dentry, nd->last, nd->len);
	if (IS_ERR(d))
		err = PTR_ERR(d);
	else if (!d->inode)
		err = make_entry(dir, d, e);
	else if (!S_ISDIR(d->inode->mode) || !S_ISDIR(e->mode))
		err = -EEXIST;
	mutex_unlock(&dir->lock);
	if (!err)
		err = fill_entry(d->inode, e);
	if (!IS_ERR(d))
		dput(d);
	return err;
}

/* cpio_fn: unpacks one entry; a negative result ends the walk. */
static int unpack_entry(const struct cpio_entry *e, void *arg unused_arg)
{
	struct nameidata nd;
	int err = -ENAMETOOLONG;

	if (strlen(e->name) < PATH_MAX)
		err = path_parent(AT_FDCWD, e->name, &nd);
	if (!err) {
		if (nd_is_name(&nd))
			err = unpack_at(&nd, e);
		nd_put(&nd);
	}
	if (err)
		printk(KERN_ERR "initramfs: %.128s: error %d\n", e->name,
		       -err);
	else
		nr_entries++;
	return err;
}

/* The archive's own frames are free now: its files were copied. */
static void free_archive(void)
{
	u32 start = virt_to_phys(initramfs_start);

	free_boot_memory(start, (u64)start + initramfs_size);
	initramfs_start = NULL;
}

/* Unpacks the archive into the current root; see initramfs.h. */
int initramfs_unpack(void)
{
	int err = cpio_walk(initramfs_start, initramfs_size, unpack_entry,
			    NULL);

	free_hard_links();
	if (err == -EINVAL)
		printk(KERN_ERR "initramfs: not a newc cpio archive, or "
		       "damaged or cut short after %u entries (compressed "
		       "archives must be unpacked first)\n", nr_entries);
	else if (err)
		printk(KERN_ERR "initramfs: stopped after %u entries: %s\n",
		       nr_entries, err == -ENOMEM || err == -ENOSPC ?
		       "no memory" : "error");
	else
		printk("initramfs: %u entries, %u KB\n", nr_entries,
		       (u32)(initramfs_size >> 10));
	free_archive();
	return err;
}
