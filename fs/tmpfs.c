/*
 * tmpfs: a file system whose names are kernel objects and whose pages belong
 * to mm/shmem.c, in memory or in swap.
 *
 * A name holds a reference on its inode, so an inode lives as long as it has
 * a name or a user; its super block counts inodes against nr_inodes= and
 * pages against size=.
 */
#include "fs/tmpfs.h"
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/tmpfs_internal.h"
#include "fs/vfs_internal.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/string.h"
#include "mm/slab.h"

#define TMPFS_MAGIC	0x01021994
#define MFD_CLOEXEC	1
#define MFD_ALLOW_SEALING	2

static struct super_block *shmem_sb;	/* of files without a name */

/* Nothing to make durable. */
static int tmpfs_fsync(struct file *f unused_arg, bool datasync unused_arg)
{
	return 0;
}

static const struct file_ops tmpfs_file_fops = {
	.read = generic_file_read,
	.write = generic_file_write,
	.mmap = generic_file_mmap,
	.fsync = tmpfs_fsync,
};

/* Pages beyond the new size were dropped from the cache; free their slots. */
static int tmpfs_truncate(struct inode *inode)
{
	shmem_truncate(inode, inode->size);
	return 0;
}

static const struct inode_ops tmpfs_file_ops = {
	.truncate = tmpfs_truncate,
};

/* The target of a symbolic link. */
static int tmpfs_readlink(struct inode *inode, char *buf, size_t size)
{
	size_t len = min((size_t)inode->size, size);

	memcpy(buf, inode->private, len);
	return len;
}

static const struct inode_ops tmpfs_symlink_ops = {
	.readlink = tmpfs_readlink,
};

static const struct inode_ops tmpfs_special_ops;

/* Gives an inode the operations of its type.  0 or -ENOMEM. */
static int tmpfs_set_ops(struct inode *inode, struct tmpfs_sb *tsb)
{
	switch (inode->mode & S_IFMT) {
	case S_IFREG:
		inode->ops = &tmpfs_file_ops;
		inode->fops = &tmpfs_file_fops;
		return shmem_init_inode(inode, &tsb->pages);
	case S_IFDIR:
		inode->ops = &tmpfs_dir_ops;
		inode->fops = &tmpfs_dir_fops;
		break;
	case S_IFLNK:
		inode->ops = &tmpfs_symlink_ops;
		break;
	default:
		inode->ops = &tmpfs_special_ops;
		init_special_inode(inode, inode->mode, inode->rdev);
	}
	return 0;
}

/* A new inode; see tmpfs_internal.h.  May sleep. */
struct inode *tmpfs_new_inode(struct super_block *sb, const struct inode *dir,
			      mode_t mode, dev_t rdev, int *err)
{
	struct tmpfs_sb *tsb = sb->private;
	struct inode *inode;

	*err = -ENOSPC;
	if (tsb->nr_inodes >= tsb->max_inodes)
		return NULL;
	*err = -ENOMEM;
	inode = new_inode(sb, 0);
	if (!inode)
		return NULL;
	tsb->nr_inodes++;
	inode->ino = ++tsb->next_ino;
	inode->rdev = rdev;
	inode_init_owner(inode, dir, mode);
	*err = tmpfs_set_ops(inode, tsb);
	if (!*err)
		return inode;
	inode->nlink = 0;
	iput(inode);
	return NULL;
}

/* Frees what an inode that is being evicted owns. */
static void tmpfs_release_inode(struct inode *inode)
{
	struct tmpfs_sb *tsb = inode->sb->private;

	if (S_ISREG(inode->mode) && inode->private) {
		shmem_truncate(inode, 0);
		shmem_release_inode(inode);
	} else if (S_ISDIR(inode->mode)) {
		tmpfs_release_dir(inode);
	} else if (S_ISLNK(inode->mode)) {
		kfree(inode->private);
	}
	tsb->nr_inodes--;
}

/* Frees the super block's own part. */
static void tmpfs_put_super(struct super_block *sb)
{
	kfree(sb->private);
}

/* How full the file system is. */
static int tmpfs_statfs(struct super_block *sb, struct kstatfs *k)
{
	struct tmpfs_sb *tsb = sb->private;
	u32 max = tsb->pages.max ? tsb->pages.max : total_pages / 2;

	k->type = TMPFS_MAGIC;
	k->bsize = PAGE_SIZE;
	k->blocks = max;
	k->bfree = k->bavail = max - min(max, tsb->pages.used);
	k->files = tsb->max_inodes;
	k->ffree = tsb->max_inodes - tsb->nr_inodes;
	k->namelen = NAME_MAX;
	return 0;
}

static const struct super_ops tmpfs_super_ops = {
	.release_inode = tmpfs_release_inode,
	.put_super = tmpfs_put_super,
	.statfs = tmpfs_statfs,
};

/* size=: bytes with a suffix, or a percentage of memory.  In pages. */
static int parse_pages(char *value, u32 *pages)
{
	size_t len = strlen(value);
	u32 percent;
	u64 bytes;

	if (len && value[len - 1] == '%') {
		value[len - 1] = '\0';
		if (kstrtou32(value, 10, &percent) || percent > 100)
			return -EINVAL;
		*pages = total_pages / 100 * percent;
		return 0;
	}
	if (parse_size(value, &bytes) || bytes >> 43)
		return -EINVAL;
	*pages = (bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
	return 0;
}

/* Takes one option NAME=VALUE.  0 or -EINVAL. */
static int tmpfs_option(struct tmpfs_sb *tsb, char *name, char *value)
{
	u64 n;

	if (!strcmp(name, "size"))
		return parse_pages(value, &tsb->pages.max);
	if (!strcmp(name, "mode"))
		return kstrtou32(value, 8, &tsb->root_mode) ||
		       tsb->root_mode & ~S_IALLUGO ? -EINVAL : 0;
	if (!strcmp(name, "nr_inodes")) {
		if (parse_size(value, &n) || n >> 32)
			return -EINVAL;
		tsb->max_inodes = n ? n : ~0u;
		return 0;
	}
	return -EINVAL;
}

/* Parses the mount options.  0, or -EINVAL with a message. */
static int tmpfs_options(struct tmpfs_sb *tsb, const char *options)
{
	char copy[256], *name, *next, *value;

	strlcpy(copy, options ? options : "", sizeof(copy));
	for (name = copy; *name; name = next) {
		next = strchr(name, ',');
		if (next)
			*next++ = '\0';
		else
			next = name + strlen(name);
		value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		if (!*name)
			continue;
		if (!value || tmpfs_option(tsb, name, value)) {
			printk(KERN_ERR "tmpfs: bad option '%s': size=BYTES "
			       "or PERCENT%%, nr_inodes=N, mode=OCTAL\n", name);
			return -EINVAL;
		}
	}
	return 0;
}

/* Makes the root directory. */
static int tmpfs_make_root(struct super_block *sb, struct tmpfs_sb *tsb)
{
	struct inode *root;
	int err;

	root = tmpfs_new_inode(sb, NULL, tsb->root_mode | S_IFDIR, 0, &err);
	if (!root)
		return err;
	root->nlink = 2;
	err = tmpfs_init_dir(root, root);
	if (err) {
		iput(root);
		return err;
	}
	sb->root = d_alloc_root(sb, root);
	return sb->root ? 0 : -ENOMEM;
}

/* file_system.mount. */
int tmpfs_mount(struct super_block *sb, const char *options)
{
	struct tmpfs_sb *tsb = kzalloc(sizeof(*tsb), GFP_KERNEL);
	int err;

	if (!tsb)
		return -ENOMEM;
	tsb->root_mode = 01777;
	tsb->max_inodes = total_pages / 2;
	list_init(&tsb->doomed);
	sb->private = tsb;
	sb->ops = &tmpfs_super_ops;
	err = tmpfs_options(tsb, options);
	if (!err)
		err = tmpfs_make_root(sb, tsb);
	if (err)
		kfree(tsb);
	return err;
}

/* An inode with no name; see mm/shmem.h. */
static struct inode *shmem_inode(loff_t size)
{
	struct inode *inode;
	int err;

	if (size < 0 || size > MAX_FILE_SIZE)
		return ERR_PTR(-EINVAL);
	inode = tmpfs_new_inode(shmem_sb, NULL, S_IFREG | S_IRWXUGO, 0, &err);
	if (!inode)
		return ERR_PTR(err);
	inode->nlink = 0;
	inode->size = size;
	return inode;
}

/* A file for shared anonymous memory; /proc/PID/maps shows `name`, which
 * starts with a slash. */
struct file *shmem_file_setup(const char *name, loff_t size)
{
	struct inode *inode = shmem_inode(size);
	struct dentry *d;
	struct file *f;

	if (IS_ERR(inode))
		return (void *)inode;
	d = d_alloc_pseudo(inode, name);
	if (!d)
		return ERR_PTR(-ENOMEM);
	f = dentry_open(d, O_RDWR | O_LARGEFILE);
	dput(d);
	return f;
}

/* memfd_create(2), without seals. */
asmlinkage long sys_memfd_create(const char *uname, unsigned flags)
{
	static const char prefix[] = "/memfd:";
	char name[NAME_MAX];
	struct file *f;
	ssize_t len;
	int fd;

	if (flags & ~(MFD_CLOEXEC | MFD_ALLOW_SEALING))
		return -EINVAL;
	strlcpy(name, prefix, sizeof(name));
	len = strncpy_from_user(name + sizeof(prefix) - 1, uname,
				sizeof(name) - sizeof(prefix) + 1);
	if (len < 0)
		return len == -ENAMETOOLONG ? -EINVAL : len;
	fd = get_unused_fd(0, flags & MFD_CLOEXEC);
	if (fd < 0)
		return fd;
	f = shmem_file_setup(name, 0);
	if (IS_ERR(f)) {
		put_unused_fd(fd);
		return PTR_ERR(f);
	}
	fd_install(fd, f);
	return fd;
}

static struct file_system tmpfs_type = {
	.name = "tmpfs",
	.mount = tmpfs_mount,
};

static struct file_system shmem_type = {
	.name = "shmem",
};

/* Registers tmpfs and makes the super block of nameless files. */
void tmpfs_init(void)
{
	static struct tmpfs_sb shmem = { .max_inodes = ~0u };

	register_file_system(&tmpfs_type);
	list_init(&shmem.doomed);
	shmem.pages.max = ~0u;
	shmem_sb = pseudo_super(&shmem_type);
	shmem_sb->private = &shmem;
	shmem_sb->ops = &tmpfs_super_ops;
}
