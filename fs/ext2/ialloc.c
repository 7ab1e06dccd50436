/*
 * Which inodes are free: one bitmap block per group, like balloc.c.
 *
 * A directory goes to the emptiest group, so that trees spread over the disk;
 * everything else goes to the group of its directory, so that its blocks are
 * near, or to the next group that has room.
 */
#include "fs/ext2/ext2.h"
#include "fs/stat.h"
#include "lib/bitmap.h"
#include "lib/string.h"

/* The group with the most free blocks among those with at least the average
 * of free inodes. */
static u32 group_for_dir(struct ext2_sb *s)
{
	u32 average = s->free_inodes / s->groups, best = 0, blocks = 0, i;
	struct ext2_group_desc *desc;
	struct buffer *gb;

	for (i = 0; i < s->groups; i++) {
		desc = ext2_group(s, i, &gb);
		if (!desc->free_inodes_count ||
		    desc->free_inodes_count < average ||
		    desc->free_blocks_count <= blocks)
			continue;
		best = i;
		blocks = desc->free_blocks_count;
	}
	return best;
}

/* Keeps the counts; `change` inodes became free (or were used, negative). */
static void count_inodes(struct ext2_sb *s, u32 group, s32 change, bool dir)
{
	struct buffer *gb;
	struct ext2_group_desc *desc = ext2_group(s, group, &gb);

	desc->free_inodes_count += change;
	s->free_inodes += change;
	if (dir) {
		desc->used_dirs_count -= change;
		s->dirs -= change;
	}
	bdirty(gb);
}

/* Takes a free inode of the group; 0: it has none, or *err.  May sleep. */
static u32 new_inode_in(struct ext2_sb *s, u32 group, bool dir, int *err)
{
	u32 bit, size = s->es->inodes_per_group;
	struct ext2_group_desc *desc;
	struct buffer b, *gb;

	desc = ext2_group(s, group, &gb);
	if (!desc->free_inodes_count)
		return 0;
	*err = bread(s->sb, desc->inode_bitmap, &b);
	if (*err)
		return 0;
	bit = group ? 0 : s->first_ino - 1;
	bit = find_next_zero_bit(b.data, size, bit);
	if (bit < size) {
		set_bit(bit, b.data);
		bdirty(&b);
		count_inodes(s, group, -1, dir);
	}
	brelse(&b);
	return bit < size ? group * size + bit + 1 : 0;
}

/* Takes a free inode number near the directory; 0: none, *err says why. */
static u32 new_ino(struct inode *dir, mode_t mode, int *err)
{
	struct ext2_sb *s = EXT2_SB(dir->sb);
	u32 group, ino, i;

	if (S_ISDIR(mode))
		group = group_for_dir(s);
	else
		group = (dir->ino - 1) / s->es->inodes_per_group;
	for (i = 0; i < s->groups; i++) {
		*err = 0;
		ino = new_inode_in(s, group, S_ISDIR(mode), err);
		if (ino || *err)
			return ino;
		group = group + 1 < s->groups ? group + 1 : 0;
	}
	*err = -ENOSPC;
	return 0;
}

/* Gives an inode number back.  May sleep to read the bitmap. */
static void free_ino(struct ext2_sb *s, u32 ino, bool dir)
{
	u32 group = (ino - 1) / s->es->inodes_per_group;
	u32 bit = (ino - 1) % s->es->inodes_per_group;
	struct ext2_group_desc *desc;
	struct buffer b, *gb;

	desc = ext2_group(s, group, &gb);
	if (bread_wait(s->sb, desc->inode_bitmap, &b)) {
		ext2_error(s->sb, "cannot read the inode bitmap of group %u",
			   group);
		return;
	}
	if (test_and_clear_bit(bit, b.data)) {
		bdirty(&b);
		count_inodes(s, group, 1, dir);
	} else {
		ext2_error(s->sb, "inode %u is free already", ino);
	}
	brelse(&b);
}

/* Zeroes an inode in its table, so nothing of its last owner remains. */
static int clear_raw_inode(struct super_block *sb, u32 ino)
{
	struct ext2_inode *raw;
	struct buffer b;
	int err = ext2_inode_block(sb, ino, &b, &raw);

	if (err)
		return err;
	memset(raw, 0, EXT2_SB(sb)->inode_size);
	bdirty(&b);
	brelse(&b);
	return 0;
}

/* Fills in a new inode. */
static void init_inode(struct inode *inode, struct inode *dir, mode_t mode,
		       struct ext2_inode_info *info)
{
	struct ext2_sb *s = EXT2_SB(inode->sb);

	inode->private = info;
	inode_init_owner(inode, dir, mode);
	info->flags = EXT2_I(dir)->flags & EXT2_INHERITED_FL;
	info->generation = s->next_generation++;
	mark_inode_dirty(inode);
}

/* Makes an inode in the directory `dir`; see ext2.h.  Its operations are set
 * by ext2_set_ops(). */
struct inode *ext2_new_inode(struct inode *dir, mode_t mode)
{
	struct ext2_inode_info *info = ext2_alloc_info();
	struct inode *inode = NULL;
	int err = -ENOMEM;
	u32 ino;

	if (!info)
		return ERR_PTR(-ENOMEM);
	ino = new_ino(dir, mode, &err);
	if (ino) {
		err = clear_raw_inode(dir->sb, ino);
		if (!err) {
			err = -ENOMEM;
			inode = new_inode(dir->sb, ino);
		}
		if (!inode)
			free_ino(EXT2_SB(dir->sb), ino, S_ISDIR(mode));
	}
	if (!inode) {
		ext2_free_info(info);
		return ERR_PTR(err);
	}
	init_inode(inode, dir, mode, info);
	return inode;
}

/* Frees the number of a deleted inode. */
void ext2_free_inode(struct inode *inode)
{
	free_ino(EXT2_SB(inode->sb), inode->ino, S_ISDIR(inode->mode));
}
