/*
 * Directories: blocks of variable-length entries.
 *
 *	| ino rec_len . | ino rec_len name      free | 0 rec_len     free |
 *	    '----------->'-------------------------->'-------------------->
 *
 * rec_len leads from entry to entry and ends exactly at the block's end.  A
 * removed entry is swallowed by the one before it in the block, or gets inode
 * 0 when it is the first.  Every entry is checked before it is believed, so
 * damage ends in -EIO, never in a loop.
 *
 * The caller holds the directory's lock; its blocks are metadata, in the
 * device's page cache.
 */
#include "fs/ext2/ext2.h"
#include "fs/stat.h"
#include "lib/string.h"

/* How an entry stores the type of its inode. */
static u8 ext2_file_type(mode_t mode)
{
	static const u8 type[16] = {
		[DT_REG] = 1, [DT_DIR] = 2, [DT_CHR] = 3, [DT_BLK] = 4,
		[DT_FIFO] = 5, [DT_SOCK] = 6, [DT_LNK] = 7,
	};

	return type[IFTODT(mode)];
}

/* The d_type of an entry. */
static unsigned entry_type(const struct super_block *sb,
			   const struct ext2_dirent *de)
{
	static const u8 type[8] = {
		DT_UNKNOWN, DT_REG, DT_DIR, DT_CHR, DT_BLK, DT_FIFO, DT_SOCK,
		DT_LNK,
	};
	u32 filetype = EXT2_SB(sb)->es->feature_incompat &
		EXT2_INCOMPAT_FILETYPE;

	return filetype && de->file_type < 8 ? type[de->file_type] : DT_UNKNOWN;
}

/* The blocks of a directory. */
static u32 dir_blocks(const struct inode *dir)
{
	return (u32)dir->size >> EXT2_SB(dir->sb)->block_shift;
}

/* Reads block i of a directory; a hole is damage.  0 or an error. */
static int read_dir_block(struct inode *dir, u32 i, struct buffer *b)
{
	u32 disk;
	int err = ext2_map(dir, i, &disk);

	if (err)
		return err;
	if (!disk) {
		ext2_error(dir->sb, "directory %u has a hole", dir->ino);
		return -EIO;
	}
	return bread(dir->sb, disk, b);
}

/* What is wrong with the entry at `offset` of a block; NULL: nothing. */
static const char *entry_fault(struct inode *dir, const struct ext2_dirent *de,
			       u32 offset)
{
	if (de->rec_len < EXT2_DIRENT_LEN(1) || de->rec_len & 3)
		return "a bad record length";
	if (de->rec_len < EXT2_DIRENT_LEN(de->name_len))
		return "a name longer than its record";
	if (offset + de->rec_len > dir->sb->block_size)
		return "a record across the block's end";
	if (de->inode > EXT2_SB(dir->sb)->es->inodes_count)
		return "an impossible inode number";
	return NULL;
}

/* The entry at `offset` of a directory block, checked; NULL: damaged. */
static struct ext2_dirent *entry_at(struct inode *dir, struct buffer *b,
				    u32 offset)
{
	struct ext2_dirent *de = (void *)(b->data + offset);
	const char *fault;

	if (offset + EXT2_DIRENT_LEN(1) > dir->sb->block_size)
		fault = "a record across the block's end";
	else
		fault = entry_fault(dir, de, offset);
	if (!fault)
		return de;
	ext2_error(dir->sb, "directory %u: %s at byte %u of a block", dir->ino,
		   fault, offset);
	return NULL;
}

/* Looks for a name in one block.  0 and the slot, -ENOENT, -EIO. */
static int find_in_block(struct inode *dir, const char *name, unsigned len,
			 struct ext2_slot *slot)
{
	struct ext2_dirent *de;
	u32 offset;

	slot->prev = NULL;
	for (offset = 0; offset < dir->sb->block_size; offset += de->rec_len) {
		de = entry_at(dir, &slot->b, offset);
		if (!de)
			return -EIO;
		slot->de = de;
		if (de->inode && de->name_len == len &&
		    !memcmp(de->name, name, len))
			return 0;
		slot->prev = de;
	}
	return -ENOENT;
}

/* Finds the entry of a name; see ext2.h. */
int ext2_find_entry(struct inode *dir, const char *name, unsigned len,
		    struct ext2_slot *slot)
{
	u32 i, n = dir_blocks(dir);
	int err;

	slot->b.page = NULL;
	if (len > EXT2_NAME_LEN)
		return -ENAMETOOLONG;
	for (i = 0; i < n; i++) {
		err = read_dir_block(dir, i, &slot->b);
		if (!err)
			err = find_in_block(dir, name, len, slot);
		if (!err)
			return 0;
		brelse(&slot->b);
		if (err != -ENOENT)
			return err;
	}
	return -ENOENT;
}

/* Brings a slot up to date after its block may have changed; see ext2.h. */
int ext2_find_again(struct inode *dir, const char *name, unsigned len,
		    struct ext2_slot *slot)
{
	return find_in_block(dir, name, len, slot);
}

/* The directory's contents changed: its times, and a hash tree that somebody
 * else made is no longer valid. */
static void dir_changed(struct inode *dir)
{
	EXT2_I(dir)->flags &= ~EXT2_INDEX_FL;
	dir->mtime = dir->ctime = current_time();
	mark_inode_dirty(dir);
}

/* Fills in an entry, whose rec_len stands. */
static void set_entry(struct ext2_dirent *de, const char *name, unsigned len,
		      struct inode *inode)
{
	bool filetype = EXT2_SB(inode->sb)->es->feature_incompat &
		EXT2_INCOMPAT_FILETYPE;

	de->inode = inode->ino;
	de->name_len = len;
	de->file_type = filetype ? ext2_file_type(inode->mode) : 0;
	memcpy(de->name, name, len);
}

/* Puts an entry into a block that has room.  0, -ENOSPC, -EIO. */
static int add_to_block(struct inode *dir, struct buffer *b, const char *name,
			unsigned len, struct inode *inode)
{
	u32 need = EXT2_DIRENT_LEN(len), used, offset;
	struct ext2_dirent *de, *rest;

	for (offset = 0; offset < dir->sb->block_size; offset += de->rec_len) {
		de = entry_at(dir, b, offset);
		if (!de)
			return -EIO;
		used = de->inode ? EXT2_DIRENT_LEN(de->name_len) : 0;
		if (de->rec_len < used + need)
			continue;
		if (used) {
			rest = (void *)((u8 *)de + used);
			rest->rec_len = de->rec_len - used;
			de->rec_len = used;
			de = rest;
		}
		set_entry(de, name, len, inode);
		bdirty(b);
		return 0;
	}
	return -ENOSPC;
}

/* Adds a block to a directory with one unused entry.  0 or an error. */
static int grow_dir(struct inode *dir, struct buffer *b)
{
	u32 i = dir_blocks(dir), disk;
	bool is_new;
	int err;

	if (dir->size >= 0x7fffffff - dir->sb->block_size)
		return -ENOSPC;
	err = ext2_map_create(dir, i, &disk, &is_new);
	if (err)
		return err;
	err = bnew(dir->sb, disk, b);
	if (err) {
		ext2_truncate_blocks(dir);
		return err;
	}
	((struct ext2_dirent *)b->data)->rec_len = dir->sb->block_size;
	dir->size += dir->sb->block_size;
	mark_inode_dirty(dir);
	return 0;
}

/* Adds the name, which does not exist yet, into the first gap or into a new
 * block.  0 or an error. */
int ext2_add_entry(struct inode *dir, const char *name, unsigned len,
		   struct inode *inode)
{
	u32 i, n = dir_blocks(dir);
	struct buffer b;
	int err = -ENOSPC;

	if (len > EXT2_NAME_LEN)
		return -ENAMETOOLONG;
	for (i = 0; i < n && err == -ENOSPC; i++) {
		err = read_dir_block(dir, i, &b);
		if (err)
			return err;
		err = add_to_block(dir, &b, name, len, inode);
		brelse(&b);
	}
	if (err == -ENOSPC) {
		err = grow_dir(dir, &b);
		if (err)
			return err;
		err = add_to_block(dir, &b, name, len, inode);
		brelse(&b);
	}
	if (!err)
		dir_changed(dir);
	return err;
}

/* Removes an entry; see ext2.h. */
void ext2_remove_entry(struct inode *dir, struct ext2_slot *slot)
{
	if (slot->prev)
		slot->prev->rec_len += slot->de->rec_len;
	slot->de->inode = 0;
	bdirty(&slot->b);
	brelse(&slot->b);
	dir_changed(dir);
}

/* Points an entry at another inode; see ext2.h. */
void ext2_set_entry(struct inode *dir, struct ext2_slot *slot,
		    struct inode *inode)
{
	set_entry(slot->de, slot->de->name, slot->de->name_len, inode);
	bdirty(&slot->b);
	brelse(&slot->b);
	dir_changed(dir);
}

/* The first block of a new directory; see ext2.h. */
int ext2_make_empty(struct inode *inode, struct inode *parent)
{
	struct ext2_dirent *de;
	struct buffer b;
	int err = grow_dir(inode, &b);

	if (err)
		return err;
	de = (void *)b.data;
	de->rec_len = EXT2_DIRENT_LEN(1);
	set_entry(de, ".", 1, inode);
	de = (void *)(b.data + de->rec_len);
	de->rec_len = inode->sb->block_size - EXT2_DIRENT_LEN(1);
	set_entry(de, "..", 2, parent);
	brelse(&b);
	return 0;
}

/* Is the entry "." or ".."? */
static bool is_dot(const struct ext2_dirent *de)
{
	return de->name[0] == '.' &&
	       (de->name_len == 1 || (de->name_len == 2 && de->name[1] == '.'));
}

/* Is there anything in a block besides "." and ".."?  0, -ENOTEMPTY, -EIO. */
static int block_empty(struct inode *dir, struct buffer *b)
{
	struct ext2_dirent *de;
	u32 offset;

	for (offset = 0; offset < dir->sb->block_size; offset += de->rec_len) {
		de = entry_at(dir, b, offset);
		if (!de)
			return -EIO;
		if (de->inode && !is_dot(de))
			return -ENOTEMPTY;
	}
	return 0;
}

/* May the directory be removed?  See ext2.h. */
int ext2_dir_empty(struct inode *dir)
{
	u32 i, n = dir_blocks(dir);
	struct buffer b;
	int err = 0;

	for (i = 0; i < n && !err; i++) {
		err = read_dir_block(dir, i, &b);
		if (err)
			break;
		err = block_empty(dir, &b);
		brelse(&b);
	}
	return err;
}

/* Hands the entries of a block from `pos` on to the reader, and moves f->pos.
 * The block is walked from its start, since `pos` may by now be inside an
 * entry.  0: go on, 1: the reader is full, -EIO. */
static int emit_block(struct file *f, struct dir_context *ctx,
		      struct buffer *b, u32 from)
{
	struct inode *dir = f->inode;
	loff_t base = f->pos - from;
	struct ext2_dirent *de;
	u32 offset, next;

	for (offset = 0; offset < dir->sb->block_size; offset = next) {
		de = entry_at(dir, b, offset);
		if (!de)
			return -EIO;
		next = offset + de->rec_len;
		if (offset < from || !de->inode)
			continue;
		if (!ctx->emit(ctx, de->name, de->name_len, de->inode,
			       entry_type(dir->sb, de), base + next))
			return 1;
		f->pos = base + next;
	}
	f->pos = base + dir->sb->block_size;
	return 0;
}

/* file_ops.iterate: from f->pos to the end of the directory or until the
 * reader is full.  0 or an error. */
static int ext2_iterate(struct file *f, struct dir_context *ctx)
{
	struct inode *dir = f->inode;
	u32 mask = dir->sb->block_size - 1;
	struct buffer b;
	int err = 0;

	while (!err && f->pos >= 0 && f->pos < dir->size) {
		err = read_dir_block(dir, (u32)f->pos >>
				     EXT2_SB(dir->sb)->block_shift, &b);
		if (err)
			return err;
		err = emit_block(f, ctx, &b, (u32)f->pos & mask);
		brelse(&b);
	}
	return err < 0 ? err : 0;
}

const struct file_ops ext2_dir_ops = {
	.iterate = ext2_iterate,
	.fsync = generic_file_fsync,
};
