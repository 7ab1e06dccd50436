/*
 * The ext2 file system, read and write.
 *
 * File data lives in the page cache of each inode (aops.c), metadata (super
 * block, descriptors, bitmaps, inode tables, indirect blocks, directories) in
 * the page cache of the block device, one `struct buffer` at a time.
 *
 *	namei.c  dir.c  symlink.c	names
 *	inode.c  ialloc.c		inodes
 *	aops.c  file.c			file contents
 *	block_map.c  truncate.c		file block -> disk block
 *	balloc.c			free blocks
 *	buffer.c  page_io.c		metadata in memory, pages to disk
 *	super.c  geometry.c		the whole
 *
 * Who may touch what.  A bitmap, a descriptor or a count is changed by whoever
 * does not sleep between looking and changing.  The block map of an inode
 * grows and shrinks under map_lock; looking needs no lock, because a pointer
 * is stored only when what it leads to is ready, and blocks are freed only
 * after truncation took the pages away.  map_lock nests inside the page lock;
 * writepage never waits for it, since reclaim may run under it.
 */
#ifndef FS_EXT2_EXT2_H
#define FS_EXT2_EXT2_H

#include "fs/ext2/ext2_disk.h"
#include "fs/vfs.h"
#include "lib/errno.h"

struct block_device;

/* ---- buffers: metadata blocks in memory (buffer.c) ---- */
struct buffer {
	struct page *page;	/* counted; NULL: no buffer */
	u8 *data;		/* the block's bytes in the page */
	u32 mask;		/* its sectors, as in page->private */
};

/* page->private of pages in our care.  The low half is used by pages of the
 * device only: which sectors writepage has to write, for with small blocks a
 * page of metadata also covers blocks that belong to file pages. */
#define PAGE_SECTORS	0x000000ffu	/* one bit per 512 bytes, dirty */
#define PAGE_WHOLE	0x00000100u	/* written by a user: all of it */
#define PAGE_IO_ONE	0x00010000u	/* counts transfers in flight */
#define PAGE_IO_MASK	0x000f0000u
#define PAGE_IO_ERROR	0x00100000u	/* one of them failed */
#define PAGE_FLYING	24		/* shift: sectors being written now */

/* The block `nr`, up to date, in *b with a reference until brelse().  0, -EIO
 * or -ENOMEM.  May sleep. */
int bread(struct super_block *sb, u32 nr, struct buffer *b);
/* The same, but waits for memory: for what must not be left half done. */
int bread_wait(struct super_block *sb, u32 nr, struct buffer *b);
/* The same for a block that was just allocated: not read but zeroed, dirty. */
int bnew(struct super_block *sb, u32 nr, struct buffer *b);
/* Drops the reference; harmless on an empty buffer.  Never sleeps. */
void brelse(struct buffer *b);
/* Turns the reference into one that is held while mounted (pin_page()), and
 * drops such a reference; bunpin is harmless on an empty buffer.  0, or -ENOMEM
 * and the buffer is released.  bpin may sleep. */
int bpin(struct buffer *b);
void bunpin(struct buffer *b);
/* The block changed and must be written.  Never sleeps. */
void bdirty(struct buffer *b);
/* Blocks [nr, nr + count) were freed: what was to be written is forgotten, and
 * writes in flight are over on return.  May sleep. */
void bforget(struct super_block *sb, u32 nr, u32 count);
/* Takes over, gives back the device's page cache.  0 or an error. */
int ext2_attach_device(struct super_block *sb);
void ext2_detach_device(struct super_block *sb);

/* ---- a page's blocks to and from the disk (page_io.c) ---- */
struct page_io {
	struct page *page;
	struct block_device *bdev;
	bool write;
	u64 sector;		/* where the run gathered so far starts */
	u32 offset, len;	/* the run in the page; len 0: none */
};
/* Between begin and end: adds bytes [offset, offset + len) of the page, which
 * are at `sector`; neighbours become one bio.  May sleep. */
void page_io_begin(struct page_io *io, struct page *page,
		   struct block_device *bdev, bool write);
void page_io_add(struct page_io *io, u64 sector, u32 offset, u32 len);
/* Starts the last bio; end_page_read() or end_page_writeback() follows when
 * all are done, at once if there was none. */
void page_io_end(struct page_io *io);

/* ---- the super block in memory ---- */
struct ext2_sb {
	struct super_block *sb;
	struct buffer super;		/* page 0 */
	struct ext2_super_block *es;	/* in it */
	struct buffer *gdt;		/* the blocks of descriptors, held */
	u32 gdt_blocks;
	u32 groups;
	u32 free_blocks, free_inodes;	/* sums over the descriptors */
	u32 dirs;
	u32 overhead;			/* blocks that can hold no file */
	u32 first_ino, inode_size;
	u32 block_shift;		/* log2 of the block size */
	u32 inodes_per_block, addr_per_block;
	u32 itable_blocks;		/* of one group */
	u32 next_generation;
	u16 mount_state;		/* EXT2_VALID_FS when it was mounted */
	u8 ro_features;			/* unknown ones: never writable */
	struct list_head node;		/* in the list of mounted ones */
};

/* The private part of an inode. */
struct ext2_inode_info {
	u32 data[EXT2_N_BLOCKS];	/* block pointers, or a short symlink */
	u32 flags, generation, file_acl, dtime;
	struct mutex map_lock;		/* growing and shrinking the map */
	u32 leaf_first, leaf;		/* last indirect block used, or 0 */
	u32 map_changes;		/* times leaf was made invalid */
	u32 next_file, next_disk;	/* what a growing file would use next */
	bool tail;			/* blocks may exist beyond the size */
};

static inline struct ext2_sb *EXT2_SB(const struct super_block *sb)
{
	return sb->private;
}

static inline struct ext2_inode_info *EXT2_I(const struct inode *inode)
{
	return inode->private;
}

/* The first 512-byte sector of a block. */
static inline u64 ext2_sector(const struct super_block *sb, u32 block)
{
	return (u64)block << (EXT2_SB(sb)->block_shift - 9);
}

/* File blocks needed for `size` bytes. */
static inline u64 ext2_size_blocks(const struct super_block *sb, loff_t size)
{
	return (u64)(size + sb->block_size - 1) >> EXT2_SB(sb)->block_shift;
}

/* ---- super.c ---- */
/* Damage was found: says so, marks the file system and makes it read-only. */
void ext2_error(struct super_block *sb, const char *fmt, ...)
	printf_like(2, 3);
/* Sets a feature bit that a file now needs (large_file). */
void ext2_need_large_file(struct super_block *sb);

/* ---- geometry.c ---- */
/* Checks the super block in s->es and derives the rest of *s; 0, -EINVAL with
 * a message. */
int ext2_check_super(struct ext2_sb *s);
/* Reads and checks the group descriptors, sums them up.  0 or an error. */
int ext2_load_groups(struct ext2_sb *s);
void ext2_free_groups(struct ext2_sb *s);
/* The descriptor of a group; *b names the buffer to bdirty(). */
struct ext2_group_desc *ext2_group(struct ext2_sb *s, u32 group,
				   struct buffer **b);
/* The first block of a group, and how many it has. */
u32 ext2_group_first(const struct ext2_sb *s, u32 group);
u32 ext2_group_blocks(const struct ext2_sb *s, u32 group);
/* Can [nr, nr + count) belong to a file: in range, no bitmap, no table? */
bool ext2_data_blocks_ok(struct ext2_sb *s, u32 nr, u32 count);

/* ---- balloc.c ---- */
/* Allocates one block, near `goal`; 0: fails with *err.  May sleep. */
u32 ext2_new_block(struct inode *inode, u32 goal, int *err);
/* Frees blocks and lowers inode->blocks.  May sleep. */
void ext2_free_blocks(struct inode *inode, u32 nr, u32 count);

/* ---- ialloc.c ---- */
/* A new inode on disk and in memory, with one link, or ERR_PTR. */
struct inode *ext2_new_inode(struct inode *dir, mode_t mode);
void ext2_free_inode(struct inode *inode);

/* ---- inode.c ---- */
void ext2_inode_init(void);
struct ext2_inode_info *ext2_alloc_info(void);	/* zeroed, or NULL */
void ext2_free_info(struct ext2_inode_info *info);
struct inode *ext2_read_inode(struct super_block *sb, u32 ino);
int ext2_write_inode(struct inode *inode);
void ext2_delete_inode(struct inode *inode);
void ext2_release_inode(struct inode *inode);
/* Gives the inode the operations of its type. */
void ext2_set_ops(struct inode *inode, dev_t rdev);
/* The buffer and place of an inode in its table; 0 or an error. */
int ext2_inode_block(struct super_block *sb, u32 ino, struct buffer *b,
		     struct ext2_inode **raw);
/* Is the symlink's target in the inode itself? */
bool ext2_fast_symlink(const struct inode *inode);

/* ---- block_map.c ---- */
#define EXT2_MAX_DEPTH	4	/* pointers from the inode to the data */

/* How to reach a file block: an index per level, the first one in data[]. */
struct ext2_path {
	u32 depth;			/* levels used, 0: beyond the limit */
	u32 index[EXT2_MAX_DEPTH];
};
void ext2_block_path(const struct ext2_sb *s, u64 fblock,
		     struct ext2_path *path);
/* The disk block of a file block into *disk, 0 for a hole.  0 or an error. */
int ext2_map(struct inode *inode, u32 fblock, u32 *disk);
/* The same, and allocates: *is_new when the disk's contents are stale.  Takes
 * map_lock.  -ENOSPC, -EFBIG, -EIO, -ENOMEM. */
int ext2_map_create(struct inode *inode, u32 fblock, u32 *disk, bool *is_new);
/* As ext2_map_create(), -EAGAIN instead of waiting for map_lock. */
int ext2_map_try_create(struct inode *inode, u32 fblock, u32 *disk);
/* Cached knowledge about the map is stale.  Never sleeps. */
void ext2_map_changed(struct ext2_inode_info *info);

/* ---- truncate.c ---- */
/* Frees every block beyond inode->size.  Takes map_lock.  May sleep. */
int ext2_truncate_blocks(struct inode *inode);
/* Drops pages and blocks that a failed write left beyond the end of the file.
 * The caller holds inode->lock.  Sleeps. */
void ext2_trim_tail(struct inode *inode);
int ext2_truncate(struct inode *inode);		/* inode_ops.truncate */

/* ---- aops.c, file.c ---- */
extern const struct address_space_ops ext2_aops;
extern const struct file_ops ext2_file_ops;
extern const struct inode_ops ext2_file_inode_ops;

/* ---- dir.c ---- */
extern const struct file_ops ext2_dir_ops;

/* An entry found in a directory: its block, and the entry before it there. */
struct ext2_slot {
	struct buffer b;		/* of the caller, to brelse() */
	struct ext2_dirent *de, *prev;	/* prev NULL: first in the block */
};
/* 0, -ENOENT, or an error; the slot holds a buffer only on 0. */
int ext2_find_entry(struct inode *dir, const char *name, unsigned len,
		    struct ext2_slot *slot);
/* Finds the entry in the block of its slot once more, after another entry was
 * added or removed there.  Never sleeps. */
int ext2_find_again(struct inode *dir, const char *name, unsigned len,
		    struct ext2_slot *slot);
int ext2_add_entry(struct inode *dir, const char *name, unsigned len,
		   struct inode *inode);
/* Removes the entry of a slot and releases the slot. */
void ext2_remove_entry(struct inode *dir, struct ext2_slot *slot);
/* Makes the entry of a slot name another inode and releases the slot. */
void ext2_set_entry(struct inode *dir, struct ext2_slot *slot,
		    struct inode *inode);
/* Gives a new directory its block with "." and "..". */
int ext2_make_empty(struct inode *inode, struct inode *parent);
/* 0: nothing but "." and ".."; -ENOTEMPTY, or an error. */
int ext2_dir_empty(struct inode *dir);

/* ---- namei.c, symlink.c ---- */
extern const struct inode_ops ext2_dir_inode_ops;
extern const struct inode_ops ext2_special_inode_ops;
extern const struct inode_ops ext2_symlink_inode_ops;
/* Stores the target of a new symlink.  0 or an error. */
int ext2_set_target(struct inode *inode, const char *target);

/* Registers "ext2"; once, at start-up. */
void ext2_init(void);

#endif
