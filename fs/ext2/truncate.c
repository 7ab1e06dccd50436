/*
 * Freeing the blocks of a file beyond its size.
 *
 * The map is walked from the left; each subtree is told how many of its blocks
 * to keep:
 *
 *	keep = all	not looked at
 *	keep = some	its pointers are trimmed, the indirect block stays
 *	keep = 0	everything goes, and the indirect block after it
 *
 * The page cache was truncated before, so no page can be on its way to a block
 * that is freed here.  Neighbouring blocks are freed together.
 */
#include "fs/ext2/ext2.h"
#include "fs/stat.h"
#include "lib/string.h"

struct trim {
	struct inode *inode;
	u32 start, count;	/* a run of blocks not yet freed */
	int err;		/* the first error */
};

/* Frees the run that was gathered. */
static void trim_flush(struct trim *t)
{
	if (t->count)
		ext2_free_blocks(t->inode, t->start, t->count);
	t->count = 0;
}

/* Adds a block to the run; what metadata was to be written into it is dropped
 * first, before anybody can get the block. */
static void trim_add(struct trim *t, u32 nr, bool metadata)
{
	if (metadata && ext2_data_blocks_ok(EXT2_SB(t->inode->sb), nr, 1))
		bforget(t->inode->sb, nr, 1);
	if (t->count && nr == t->start + t->count) {
		t->count++;
		return;
	}
	trim_flush(t);
	t->start = nr;
	t->count = 1;
}

static void trim_tree(struct trim *t, u32 *slot, u32 depth, u64 keep);

/* Trims what the indirect block `nr` leads to.  0, or an error when it cannot
 * be read. */
static int trim_children(struct trim *t, u32 nr, u32 depth, u64 keep)
{
	struct ext2_sb *s = EXT2_SB(t->inode->sb);
	u64 span = 1ull << (s->block_shift - 2) * (depth - 1), before;
	struct buffer b;
	u32 *pointers, i;
	int err = -EIO;

	if (ext2_data_blocks_ok(s, nr, 1))
		err = bread_wait(s->sb, nr, &b);
	if (err)
		return err;
	pointers = (u32 *)b.data;
	for (i = keep >> (s->block_shift - 2) * (depth - 1);
	     i < s->addr_per_block; i++) {
		before = i * span;
		trim_tree(t, &pointers[i], depth - 1,
			  keep > before ? keep - before : 0);
	}
	if (keep)
		bdirty(&b);
	brelse(&b);
	return 0;
}

/* Trims the subtree at *slot, `depth` indirect blocks high, to `keep` blocks.
 * The depth bounds the recursion, whatever the pointers say. */
static void trim_tree(struct trim *t, u32 *slot, u32 depth, u64 keep)
{
	bool metadata = depth || !S_ISREG(t->inode->mode);
	u32 nr = *slot;
	int err = 0;

	if (!nr)
		return;
	if (depth)
		err = trim_children(t, nr, depth, keep);
	if (depth > 1)
		cond_resched();
	if (err) {
		ext2_error(t->inode->sb,
			   "inode %u: cannot read indirect block %u",
			   t->inode->ino, nr);
		t->err = err;
	}
	if (keep)
		return;
	*slot = 0;
	trim_add(t, nr, metadata);
}

/* Frees what lies beyond the size; see ext2.h. */
int ext2_truncate_blocks(struct inode *inode)
{
	struct ext2_inode_info *info = EXT2_I(inode);
	struct ext2_sb *s = EXT2_SB(inode->sb);
	u64 keep = ext2_size_blocks(inode->sb, inode->size), first = 0, span;
	struct trim t = { .inode = inode };
	u32 i, depth;

	mutex_lock(&info->map_lock);
	ext2_map_changed(info);
	for (i = 0; i < EXT2_N_BLOCKS; i++, first += span) {
		depth = i < EXT2_NDIR_BLOCKS ? 0 : i - EXT2_NDIR_BLOCKS + 1;
		span = 1ull << (s->block_shift - 2) * depth;
		if (first + span > keep)
			trim_tree(&t, &info->data[i], depth,
				  keep > first ? keep - first : 0);
	}
	trim_flush(&t);
	ext2_map_changed(info);
	info->next_disk = 0;
	info->tail = false;
	mark_inode_dirty(inode);
	mutex_unlock(&info->map_lock);
	return t.err;
}

/* Zeroes the rest of the last block, so that a file that grows again shows no
 * old bytes.  0 or an error. */
static int zero_tail(struct inode *inode)
{
	u32 block_size = inode->sb->block_size;
	u32 from = (u32)inode->size & (PAGE_SIZE - 1), disk;
	struct page *page;
	int err;

	if (!((u32)inode->size & (block_size - 1)) ||
	    ext2_size_blocks(inode->sb, inode->size) > 0xffffffffu)
		return 0;
	err = ext2_map(inode, inode->size >> EXT2_SB(inode->sb)->block_shift,
		       &disk);
	if (err || !disk)
		return err;
	page = read_mapping_page(&inode->data, inode->size >> PAGE_SHIFT, NULL);
	if (IS_ERR(page))
		return PTR_ERR(page);
	lock_page(page);
	if (page->mapping == &inode->data) {
		memset((u8 *)page_address(page) + from, 0, PAGE_SIZE - from);
		set_page_dirty(page);
	}
	unlock_page(page);
	put_page(page);
	return 0;
}

/* The last page may no longer have all of its blocks on disk. */
static void unmap_last_page(struct inode *inode)
{
	struct page *page;

	if (inode->sb->block_size == PAGE_SIZE)
		return;
	page = find_get_page(&inode->data, inode->size >> PAGE_SHIFT);
	if (!page)
		return;
	page->flags &= ~PG_MAPPEDTODISK;
	put_page(page);
}

/* Frees what was reserved beyond the size; see ext2.h. */
void ext2_trim_tail(struct inode *inode)
{
	truncate_inode_pages(&inode->data, inode->size);
	unmap_last_page(inode);
	ext2_truncate_blocks(inode);
}

/* inode_ops.truncate: the size changed, or a write failed half-way; the caller
 * holds inode->lock. */
int ext2_truncate(struct inode *inode)
{
	int err = zero_tail(inode), err2;

	if (EXT2_I(inode)->tail)
		truncate_inode_pages(&inode->data, inode->size);
	err2 = ext2_truncate_blocks(inode);
	unmap_last_page(inode);
	inode->mtime = inode->ctime = current_time();
	if (inode->size > 0x7fffffff)
		ext2_need_large_file(inode->sb);
	mark_inode_dirty(inode);
	return err ? err : err2;
}
