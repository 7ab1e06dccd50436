/*
 * Which blocks are free: one bitmap block per group, a set bit is a used one.
 *
 * A search starts at the goal and takes it, or the next stretch of 8 free
 * blocks, or any free block of the group; then it goes on to the next groups.
 * Nothing sleeps between finding a clear bit and setting it, so no lock is
 * needed.  The sums in struct ext2_sb follow the descriptors; they reach the
 * super block when it is written.
 */
#include "fs/ext2/ext2.h"
#include "kernel/task.h"
#include "lib/bitmap.h"

#define STRETCH		8	/* free blocks we like to start with */

/* May the current task use up a block?  The reserve is for root. */
static bool may_allocate(struct ext2_sb *s)
{
	if (s->free_blocks > s->es->r_blocks_count)
		return true;
	return s->free_blocks &&
	       (capable() || current->fsuid == s->es->def_resuid);
}

/* A free bit of the map at or after `from`, or `size`. */
static u32 find_free(const void *map, u32 size, u32 from)
{
	u32 bit;

	if (from < size && !test_bit(from, map))
		return from;
	bit = bitmap_find_zero_run(map, size, from, STRETCH);
	if (bit >= size)
		bit = find_next_zero_bit(map, size, from);
	return bit;
}

/* Keeps the counts; `change` blocks became free (or were used, negative). */
static void count_blocks(struct ext2_sb *s, u32 group, s32 change)
{
	struct buffer *gb;
	struct ext2_group_desc *desc = ext2_group(s, group, &gb);

	desc->free_blocks_count += change;
	s->free_blocks += change;
	bdirty(gb);
}

/* Takes a block of the group whose bitmap is read.  0: none from `from` on.
 * Never sleeps. */
static u32 take_block(struct ext2_sb *s, u32 group, u32 from, struct buffer *b)
{
	u32 size = ext2_group_blocks(s, group);
	u32 bit = find_free(b->data, size, from);

	if (bit >= size)
		return 0;
	set_bit(bit, b->data);
	bdirty(b);
	count_blocks(s, group, -1);
	return ext2_group_first(s, group) + bit;
}

/* Looks for a block in one group; 0: none there, or *err. */
static u32 new_block_in(struct ext2_sb *s, u32 group, u32 from, int *err)
{
	struct ext2_group_desc *desc;
	struct buffer b, *gb;
	u32 nr = 0;

	desc = ext2_group(s, group, &gb);
	if (!desc->free_blocks_count)
		return 0;
	*err = bread(s->sb, desc->block_bitmap, &b);
	if (*err)
		return 0;
	if (desc->free_blocks_count)
		nr = take_block(s, group, from, &b);
	brelse(&b);
	if (nr && !ext2_data_blocks_ok(s, nr, 1)) {
		ext2_error(s->sb, "bitmap of group %u has block %u of the "
			   "metadata as free", group, nr);
		*err = -EIO;
		return 0;
	}
	return nr;
}

/* Allocates a block; the goal's group is tried from the goal on first, and
 * once more from its start after all others. */
u32 ext2_new_block(struct inode *inode, u32 goal, int *err)
{
	struct ext2_sb *s = EXT2_SB(inode->sb);
	u32 first = s->es->first_data_block, group, from, nr, i;

	*err = -ENOSPC;
	if (!may_allocate(s))
		return 0;
	if (goal < first || goal >= s->es->blocks_count)
		goal = first;
	group = (goal - first) / s->es->blocks_per_group;
	from = (goal - first) % s->es->blocks_per_group;
	for (i = 0; i <= s->groups; i++) {
		*err = 0;
		nr = new_block_in(s, group, from, err);
		if (nr) {
			inode->blocks += inode->sb->block_size / 512;
			mark_inode_dirty(inode);
		}
		if (nr || *err)
			return nr;
		from = 0;
		group = group + 1 < s->groups ? group + 1 : 0;
	}
	*err = -ENOSPC;
	return 0;
}

/* Clears `count` bits of one group's bitmap.  May sleep to read it. */
static void free_in_group(struct inode *inode, u32 group, u32 bit, u32 count)
{
	struct ext2_sb *s = EXT2_SB(inode->sb);
	u32 freed = 0, nr = ext2_group_first(s, group) + bit;
	struct ext2_group_desc *desc;
	struct buffer b, *gb;

	desc = ext2_group(s, group, &gb);
	if (bread_wait(s->sb, desc->block_bitmap, &b)) {
		ext2_error(s->sb, "cannot read the block bitmap of group %u",
			   group);
		return;
	}
	for (; count--; bit++, nr++) {
		if (test_and_clear_bit(bit, b.data))
			freed++;
		else
			ext2_error(s->sb, "inode %u: block %u is free already",
				   inode->ino, nr);
	}
	bdirty(&b);
	brelse(&b);
	count_blocks(s, group, freed);
	inode->blocks -= min(inode->blocks,
			     (u64)freed * (inode->sb->block_size / 512));
	mark_inode_dirty(inode);
}

/* Frees blocks; addresses that no file can have are damage and skipped. */
void ext2_free_blocks(struct inode *inode, u32 nr, u32 count)
{
	struct ext2_sb *s = EXT2_SB(inode->sb);
	u32 per_group = s->es->blocks_per_group, bit, group, now;

	if (!ext2_data_blocks_ok(s, nr, count)) {
		ext2_error(s->sb, "inode %u: blocks %u+%u are not data blocks",
			   inode->ino, nr, count);
		return;
	}
	while (count) {
		group = (nr - s->es->first_data_block) / per_group;
		bit = (nr - s->es->first_data_block) % per_group;
		now = min(count, per_group - bit);
		free_in_group(inode, group, bit, now);
		nr += now;
		count -= now;
	}
}
