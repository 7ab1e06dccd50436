/*
 * From a block of a file to a block of the disk.
 *
 *	data[0..11]	-> data
 *	data[12]	-> leaf -> data			n blocks
 *	data[13]	-> x -> leaf -> data		n * n
 *	data[14]	-> x -> x -> leaf -> data	n * n * n
 *
 * with n = block size / 4 pointers to a block.  A zero anywhere is a hole.
 *
 * Looking takes no lock (see ext2.h) and remembers the last leaf, so in a run
 * of lookups the upper levels are not read again.  A lookup that slept while
 * the map shrank must not remember what it saw: map_changes tells.
 */
#include "fs/ext2/ext2.h"

/* Splits the number of a file block into indices; see ext2.h. */
void ext2_block_path(const struct ext2_sb *s, u64 fblock,
		     struct ext2_path *path)
{
	u32 bits = s->block_shift - 2, mask = s->addr_per_block - 1, level, i;

	path->depth = 1;
	path->index[0] = fblock;
	if (fblock < EXT2_NDIR_BLOCKS)
		return;
	fblock -= EXT2_NDIR_BLOCKS;
	for (level = 1; level < EXT2_MAX_DEPTH; level++) {
		if (!(fblock >> bits * level)) {
			path->depth = level + 1;
			path->index[0] = EXT2_IND_BLOCK + level - 1;
			for (i = 1; i <= level; i++)
				path->index[i] =
					fblock >> bits * (level - i) & mask;
			return;
		}
		fblock -= 1ull << bits * level;
	}
	path->depth = 0;
}

/* The last indirect block remembered is no longer to be trusted. */
void ext2_map_changed(struct ext2_inode_info *info)
{
	info->leaf = 0;
	info->map_changes++;
}

/* Is a pointer found in the map of the inode inside the file system?  If not,
 * and the file was not truncated meanwhile, that is damage. */
static bool pointer_ok(struct inode *inode, u32 fblock, u32 nr)
{
	struct ext2_super_block *es = EXT2_SB(inode->sb)->es;

	if (likely(nr >= es->first_data_block && nr < es->blocks_count))
		return true;
	if (fblock < ext2_size_blocks(inode->sb, inode->size))
		ext2_error(inode->sb,
			   "inode %u: block %u has the impossible address %u",
			   inode->ino, fblock, nr);
	return false;
}

/* Reads pointer `index` of indirect block `nr`.  0 or an error. */
static int read_pointer(struct super_block *sb, u32 nr, u32 index, u32 *out)
{
	struct buffer b;
	int err = bread(sb, nr, &b);

	if (err)
		return err;
	*out = ((u32 *)b.data)[index];
	brelse(&b);
	return 0;
}

/* ext2_map() through all levels; remembers the leaf. */
static int map_walk(struct inode *inode, u32 fblock, u32 *disk)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	u32 changes = info->map_changes, leaf = 0, level, nr;
	struct ext2_path path;
	int err;

	ext2_block_path(EXT2_SB(inode->sb), fblock, &path);
	*disk = 0;
	if (!path.depth)
		return 0;
	nr = info->data[path.index[0]];
	for (level = 1; nr && level < path.depth; level++) {
		if (!pointer_ok(inode, fblock, nr))
			return -EIO;
		leaf = nr;
		err = read_pointer(inode->sb, leaf, path.index[level], &nr);
		if (err)
			return err;
	}
	if (leaf && level == path.depth && changes == info->map_changes) {
		info->leaf = leaf;
		info->leaf_first = fblock - path.index[path.depth - 1];
	}
	*disk = nr;
	return 0;
}

/* Looks a file block up; see ext2.h. */
int ext2_map(struct inode *inode, u32 fblock, u32 *disk)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	u32 n = EXT2_SB(inode->sb)->addr_per_block, in_leaf;
	int err;

	in_leaf = fblock - info->leaf_first;
	if (fblock < EXT2_NDIR_BLOCKS) {
		*disk = info->data[fblock];
		err = 0;
	} else if (info->leaf && in_leaf < n) {
		err = read_pointer(inode->sb, info->leaf, in_leaf, disk);
	} else {
		err = map_walk(inode, fblock, disk);
	}
	if (err || !*disk || pointer_ok(inode, fblock, *disk))
		return err;
	return -EIO;
}

/* Where the way to a file block ends in a hole. */
struct branch {
	struct ext2_path path;
	u32 level;		/* of the first missing pointer */
	u32 parent_nr;		/* the block it is in, 0: the inode */
	struct buffer parent;	/* and its buffer */
	u32 new[EXT2_MAX_DEPTH];	/* what was allocated for it */
};

/* The pointers of the block, or the inode, where the branch ends. */
static u32 *branch_pointers(struct inode *inode, struct branch *br)
{
	if (br->parent.page)
		return (u32 *)br->parent.data;
	return EXT2_I(inode)->data;
}

/* Follows the way to a file block as far as it goes; *disk when all the way.
 * br->parent is the caller's to release.  0 or an error. */
static int find_branch(struct inode *inode, u32 fblock, struct branch *br,
		       u32 *disk)
{
	u32 nr;
	int err;

	br->parent.page = NULL;
	br->parent_nr = 0;
	ext2_block_path(EXT2_SB(inode->sb), fblock, &br->path);
	if (!br->path.depth)
		return -EFBIG;
	for (br->level = 0;; br->level++) {
		nr = branch_pointers(inode, br)[br->path.index[br->level]];
		if (!nr || br->level == br->path.depth - 1)
			break;
		brelse(&br->parent);
		if (!pointer_ok(inode, fblock, nr))
			return -EIO;
		err = bread(inode->sb, nr, &br->parent);
		if (err)
			return err;
		br->parent_nr = nr;
	}
	*disk = nr;
	return 0;
}

/* Where the block should be: behind the one before it in the file, else near
 * the indirect block, else in the inode's group. */
static u32 find_goal(struct inode *inode, u32 fblock, struct branch *br)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	struct ext2_sb *s = EXT2_SB(inode->sb);
	u32 *pointers = branch_pointers(inode, br), i, group;

	if (info->next_disk && fblock == info->next_file)
		return info->next_disk;
	i = br->parent_nr ? br->path.index[br->level] :
		min(br->path.index[0], (u32)EXT2_NDIR_BLOCKS);
	while (i--)
		if (pointers[i])
			return pointers[i] + 1;
	if (br->parent_nr)
		return br->parent_nr + 1;
	group = (inode->ino - 1) / s->es->inodes_per_group;
	return ext2_group_first(s, group);
}

/* Gives back the first `count` blocks allocated for a branch. */
static void undo_branch(struct inode *inode, struct branch *br, u32 count)
{
	while (count--) {
		bforget(inode->sb, br->new[count], 1);
		ext2_free_blocks(inode, br->new[count], 1);
	}
}

/* Allocates what a branch misses, data block last, and links the new blocks
 * with each other but not yet into the file.  0, or an error and nothing. */
static int alloc_branch(struct inode *inode, struct branch *br, u32 goal)
{
	u32 missing = br->path.depth - br->level, i;
	struct buffer b;
	int err = 0;

	for (i = 0; i < missing; i++) {
		br->new[i] = ext2_new_block(inode, goal, &err);
		if (err) {
			undo_branch(inode, br, i);
			return err;
		}
		goal = br->new[i] + 1;
	}
	for (i = 0; i + 1 < missing; i++) {
		err = bnew(inode->sb, br->new[i], &b);
		if (err) {
			undo_branch(inode, br, missing);
			return err;
		}
		((u32 *)b.data)[br->path.index[br->level + 1 + i]] =
			br->new[i + 1];
		brelse(&b);
	}
	return 0;
}

/* Makes the new blocks of a branch part of the file.  Never sleeps. */
static void link_branch(struct inode *inode, u32 fblock, struct branch *br)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	u32 *pointers = branch_pointers(inode, br);
	u32 data = br->new[br->path.depth - br->level - 1];

	pointers[br->path.index[br->level]] = br->new[0];
	if (br->parent.page)
		bdirty(&br->parent);
	info->next_file = fblock + 1;
	info->next_disk = data + 1;
	if (fblock >= ext2_size_blocks(inode->sb, inode->size))
		info->tail = true;
	mark_inode_dirty(inode);
}

/* ext2_map_create() with map_lock held. */
static int map_create_locked(struct inode *inode, u32 fblock, u32 *disk,
			     bool *is_new)
{
	struct branch br;
	int err = find_branch(inode, fblock, &br, disk);

	if (!err && !*disk) {
		err = alloc_branch(inode, &br, find_goal(inode, fblock, &br));
		if (!err) {
			link_branch(inode, fblock, &br);
			*disk = br.new[br.path.depth - br.level - 1];
			*is_new = true;
		}
	} else if (!err && !pointer_ok(inode, fblock, *disk)) {
		err = -EIO;
	}
	brelse(&br.parent);
	return err;
}

/* Looks up or allocates; see ext2.h. */
int ext2_map_create(struct inode *inode, u32 fblock, u32 *disk, bool *is_new)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	int err = ext2_map(inode, fblock, disk);

	*is_new = false;
	if (err || *disk)
		return err;
	if (sb_readonly(inode->sb))
		return -EROFS;
	mutex_lock(&info->map_lock);
	err = map_create_locked(inode, fblock, disk, is_new);
	mutex_unlock(&info->map_lock);
	return err;
}

/* For writepage, which may run under map_lock (reclaim): never waits for it. */
int ext2_map_try_create(struct inode *inode, u32 fblock, u32 *disk)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	bool is_new;
	int err;

	if (!mutex_trylock(&info->map_lock))
		return -EAGAIN;
	err = map_create_locked(inode, fblock, disk, &is_new);
	mutex_unlock(&info->map_lock);
	return err;
}
