/*
 * Inodes: from the inode table to struct inode and back.
 *
 * The private part holds what the VFS has no field for, above all the block
 * pointers.  An inode reaches its table block by ext2_write_inode(), the block
 * reaches the disk with the device's other dirty pages.
 */
#include "drivers/block.h"
#include "fs/ext2/ext2.h"
#include "fs/stat.h"
#include "lib/string.h"
#include "mm/slab.h"

static struct kmem_cache *info_cache;

/* Makes the cache of private parts; once. */
void ext2_inode_init(void)
{
	info_cache = kmem_cache_create("ext2_inode",
				       sizeof(struct ext2_inode_info), 4);
}

/* A new private part, or NULL.  May sleep. */
struct ext2_inode_info *ext2_alloc_info(void)
{
	struct ext2_inode_info *info = kmem_cache_zalloc(info_cache,
							 GFP_NOFS);

	if (info)
		mutex_init(&info->map_lock);
	return info;
}

/* Frees a private part; NULL is fine. */
void ext2_free_info(struct ext2_inode_info *info)
{
	if (info)
		kmem_cache_free(info_cache, info);
}

/* super_ops.release_inode */
void ext2_release_inode(struct inode *inode)
{
	ext2_free_info(inode->private);
	inode->private = NULL;
}

/* Finds an inode in its table; see ext2.h. */
int ext2_inode_block(struct super_block *sb, u32 ino, struct buffer *b,
		     struct ext2_inode **raw)
{
	struct ext2_sb *s = EXT2_SB(sb);
	u32 index, group;
	struct buffer *gb;
	int err;

	if (!ino || ino > s->es->inodes_count) {
		ext2_error(sb, "inode %u does not exist", ino);
		return -EIO;
	}
	group = (ino - 1) / s->es->inodes_per_group;
	index = (ino - 1) % s->es->inodes_per_group;
	err = bread(sb, ext2_group(s, group, &gb)->inode_table +
		    index / s->inodes_per_block, b);
	if (err)
		return err;
	*raw = (void *)(b->data +
			index % s->inodes_per_block * s->inode_size);
	return 0;
}

/* Gives the inode the operations of its type. */
void ext2_set_ops(struct inode *inode, dev_t rdev)
{
	switch (inode->mode & S_IFMT) {
	case S_IFREG:
		inode->ops = &ext2_file_inode_ops;
		inode->fops = &ext2_file_ops;
		inode->data.ops = &ext2_aops;
		break;
	case S_IFDIR:
		inode->ops = &ext2_dir_inode_ops;
		inode->fops = &ext2_dir_ops;
		break;
	case S_IFLNK:
		inode->ops = &ext2_symlink_inode_ops;
		break;
	default:
		init_special_inode(inode, inode->mode, rdev);
		inode->ops = &ext2_special_inode_ops;
	}
}

/* Copies the inode of the disk into a new struct inode. */
static void load_inode(struct inode *inode, const struct ext2_inode *raw)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	dev_t rdev;

	inode->mode = raw->mode;
	inode->nlink = raw->links_count;
	inode->uid = raw->uid | (u32)raw->uid_high << 16;
	inode->gid = raw->gid | (u32)raw->gid_high << 16;
	inode->size = raw->size;
	if (S_ISREG(inode->mode))
		inode->size |= (loff_t)raw->size_high << 32;
	inode->blocks = raw->blocks;
	inode->atime.tv_sec = raw->atime;
	inode->mtime.tv_sec = raw->mtime;
	inode->ctime.tv_sec = raw->ctime;
	memcpy(info->data, raw->block, sizeof(info->data));
	info->flags = raw->flags;
	info->generation = raw->generation;
	info->file_acl = raw->file_acl;
	rdev = info->data[0] ? info->data[0] : info->data[1];
	ext2_set_ops(inode, rdev);
}

/* Is the inode of the disk fit for use?  0, or -EIO with a message. */
static int check_raw(struct super_block *sb, u32 ino,
		     const struct ext2_inode *raw)
{
	if (!raw->links_count || !raw->mode) {
		ext2_error(sb, "deleted inode %u is referenced", ino);
		return -EIO;
	}
	if (S_ISREG(raw->mode) && raw->size_high >> 31) {
		ext2_error(sb, "inode %u has a negative size", ino);
		return -EIO;
	}
	if (S_ISDIR(raw->mode) && raw->size & (sb->block_size - 1)) {
		ext2_error(sb, "directory %u has the size %u", ino, raw->size);
		return -EIO;
	}
	return 0;
}

/* super_ops.read_inode: a new inode with a reference, or ERR_PTR. */
struct inode *ext2_read_inode(struct super_block *sb, u32 ino)
{
	struct ext2_inode_info *info;
	struct inode *inode = NULL;
	struct ext2_inode *raw;
	struct buffer b;
	int err = ext2_inode_block(sb, ino, &b, &raw);

	if (err)
		return ERR_PTR(err);
	err = check_raw(sb, ino, raw);
	if (err) {
		brelse(&b);
		return ERR_PTR(err);
	}
	info = ext2_alloc_info();
	if (info)
		inode = new_inode(sb, ino);
	if (inode) {
		inode->private = info;
		load_inode(inode, raw);
	} else {
		ext2_free_info(info);
	}
	brelse(&b);
	return inode ? inode : ERR_PTR(-ENOMEM);
}

/* Copies a struct inode into the inode of the disk. */
static void store_inode(const struct inode *inode, struct ext2_inode *raw)
{
	const struct ext2_inode_info *info = EXT2_I(inode);

	raw->mode = inode->mode;
	raw->links_count = inode->nlink;
	raw->uid = inode->uid;
	raw->uid_high = inode->uid >> 16;
	raw->gid = inode->gid;
	raw->gid_high = inode->gid >> 16;
	raw->size = inode->size;
	raw->size_high = S_ISREG(inode->mode) ? inode->size >> 32 : 0;
	raw->blocks = inode->blocks;
	raw->atime = inode->atime.tv_sec;
	raw->mtime = inode->mtime.tv_sec;
	raw->ctime = inode->ctime.tv_sec;
	raw->dtime = info->dtime;
	raw->flags = info->flags;
	raw->generation = info->generation;
	raw->file_acl = info->file_acl;
	memcpy(raw->block, info->data, sizeof(raw->block));
	if (!S_ISCHR(inode->mode) && !S_ISBLK(inode->mode))
		return;
	raw->block[0] = inode->rdev <= 0xffff ? inode->rdev : 0;
	raw->block[1] = inode->rdev <= 0xffff ? 0 : inode->rdev;
}

/* super_ops.write_inode: into the table block.  0 or an error.  May sleep. */
int ext2_write_inode(struct inode *inode)
{
	struct ext2_inode *raw;
	struct buffer b;
	int err = ext2_inode_block(inode->sb, inode->ino, &b, &raw);

	if (err)
		return err;
	if (S_ISREG(inode->mode) && inode->size > 0x7fffffff)
		ext2_need_large_file(inode->sb);
	store_inode(inode, raw);
	bdirty(&b);
	brelse(&b);
	return 0;
}

/* Drops the inode's part in its block of extended attributes. */
static void drop_attributes(struct inode *inode)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	struct ext2_xattr_header *head;
	struct buffer b;

	if (!info->file_acl)
		return;
	if (!ext2_data_blocks_ok(EXT2_SB(inode->sb), info->file_acl, 1) ||
	    bread_wait(inode->sb, info->file_acl, &b)) {
		ext2_error(inode->sb, "inode %u: bad attribute block %u",
			   inode->ino, info->file_acl);
		return;
	}
	head = (void *)b.data;
	if (head->magic == EXT2_XATTR_MAGIC && head->refcount > 1) {
		head->refcount--;
		bdirty(&b);
		brelse(&b);
	} else {
		brelse(&b);
		bforget(inode->sb, info->file_acl, 1);
		ext2_free_blocks(inode, info->file_acl, 1);
	}
	info->file_acl = 0;
}

/* super_ops.delete_inode: the last link and the last user are gone; frees the
 * blocks and the inode.  Sleeps. */
void ext2_delete_inode(struct inode *inode)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	bool has_blocks = S_ISREG(inode->mode) || S_ISDIR(inode->mode) ||
		(S_ISLNK(inode->mode) && !ext2_fast_symlink(inode));
	int err;

	if (sb_readonly(inode->sb))
		return;
	inode->size = 0;
	if (has_blocks)
		ext2_truncate_blocks(inode);
	drop_attributes(inode);
	inode->blocks = 0;
	info->dtime = current_time().tv_sec;
	while ((err = ext2_write_inode(inode)) == -ENOMEM)
		blk_congestion_wait(HZ / 50);
	if (err)
		ext2_error(inode->sb, "cannot delete inode %u", inode->ino);
	ext2_free_inode(inode);
}
