/*
 * statfs(2) and its relatives.
 */
#include "drivers/block.h"
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/uaccess.h"
#include "lib/string.h"

struct statfs32 {
	u32 type, bsize, blocks, bfree, bavail, files, ffree;
	u32 fsid[2];
	u32 namelen, frsize, flags, spare[4];
};

struct statfs64 {
	u32 type, bsize;
	u64 blocks, bfree, bavail, files, ffree;
	u32 fsid[2];
	u32 namelen, frsize, flags, spare[4];
} packed;

_Static_assert(sizeof(struct statfs32) == 64, "statfs");
_Static_assert(sizeof(struct statfs64) == 84, "statfs64");

#define ST_RDONLY	0x0001
#define ST_VALID	0x0020
#define ST_NOATIME	0x0400

/* Asks a super block how full it is. */
static int do_statfs(struct super_block *sb, struct kstatfs *k)
{
	memset(k, 0, sizeof(*k));
	k->bsize = sb->block_size;
	k->namelen = NAME_MAX;
	return sb->ops->statfs ? sb->ops->statfs(sb, k) : 0;
}

/* The flags of a mount, as statfs reports them. */
static u32 mount_flags(struct super_block *sb)
{
	return ST_VALID | ST_NOATIME | (sb_readonly(sb) ? ST_RDONLY : 0);
}

/* Copies out the 32-bit form. */
static long put_statfs(struct super_block *sb, void *ubuf)
{
	struct kstatfs k;
	struct statfs32 st;
	int err = do_statfs(sb, &k);

	if (err)
		return err;
	if (k.blocks >> 32 || k.files >> 32)
		return -EOVERFLOW;
	st = (struct statfs32){
		.type = k.type, .bsize = k.bsize, .blocks = k.blocks,
		.bfree = k.bfree, .bavail = k.bavail, .files = k.files,
		.ffree = k.ffree, .fsid = { sb->dev, 0 },
		.namelen = k.namelen, .frsize = k.bsize,
		.flags = mount_flags(sb),
	};
	return copy_to_user(ubuf, &st, sizeof(st));
}

/* Copies out the 64-bit form. */
static long put_statfs64(struct super_block *sb, void *ubuf)
{
	struct kstatfs k;
	struct statfs64 st;
	int err = do_statfs(sb, &k);

	if (err)
		return err;
	st = (struct statfs64){
		.type = k.type, .bsize = k.bsize, .blocks = k.blocks,
		.bfree = k.bfree, .bavail = k.bavail, .files = k.files,
		.ffree = k.ffree, .fsid = { sb->dev, 0 },
		.namelen = k.namelen, .frsize = k.bsize,
		.flags = mount_flags(sb),
	};
	return copy_to_user(ubuf, &st, sizeof(st));
}

typedef long (*put_fn)(struct super_block *sb, void *ubuf);

/* The file system that a path is on. */
static long statfs_path(const char *upath, void *ubuf, put_fn put)
{
	struct dentry *d = user_path(AT_FDCWD, upath, LOOKUP_FOLLOW, 0);
	long ret;

	if (IS_ERR(d))
		return PTR_ERR(d);
	ret = put(d->sb, ubuf);
	dput(d);
	return ret;
}

/* The file system that an open file is on. */
static long statfs_fd(unsigned fd, void *ubuf, put_fn put)
{
	struct file *f = fget(fd);
	long ret;

	if (!f)
		return -EBADF;
	ret = put(f->dentry->sb, ubuf);
	fput(f);
	return ret;
}

/* statfs(2). */
asmlinkage long sys_statfs(const char *upath, void *ubuf)
{
	return statfs_path(upath, ubuf, put_statfs);
}

/* fstatfs(2). */
asmlinkage long sys_fstatfs(unsigned fd, void *ubuf)
{
	return statfs_fd(fd, ubuf, put_statfs);
}

/* statfs64(2).  Some libraries pass the size with padding at the end. */
asmlinkage long sys_statfs64(const char *upath, size_t size, void *ubuf)
{
	if (size != sizeof(struct statfs64) &&
	    size != sizeof(struct statfs64) + 4)
		return -EINVAL;
	return statfs_path(upath, ubuf, put_statfs64);
}

/* fstatfs64(2). */
asmlinkage long sys_fstatfs64(unsigned fd, size_t size, void *ubuf)
{
	if (size != sizeof(struct statfs64) &&
	    size != sizeof(struct statfs64) + 4)
		return -EINVAL;
	return statfs_fd(fd, ubuf, put_statfs64);
}

/* ustat(2): free blocks and inodes of a mounted device. */
asmlinkage long sys_ustat(u32 dev, void *ubuf)
{
	struct {
		u32 tfree, tinode;
		char fname[6], fpack[6];
	} st;
	struct super_block *sb;
	struct kstatfs k;
	int err;

	list_for_each_entry(sb, &super_blocks, node) {
		if (!sb->root || sb->dev != dev)
			continue;
		err = do_statfs(sb, &k);
		if (err)
			return err;
		memset(&st, 0, sizeof(st));
		st.tfree = k.bfree;
		st.tinode = k.ffree;
		return copy_to_user(ubuf, &st, sizeof(st));
	}
	return -EINVAL;
}
