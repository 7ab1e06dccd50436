/*
 * What an ext2 file system looks like on disk.  All numbers are little-endian
 * like the machine, so these structures are used in place.
 *
 *	| boot 1 KB | super block | group descriptors | group 0 | group 1 ...
 *
 *	a group:  [super block and descriptors, copies]  block bitmap (1 block)
 *	          inode bitmap (1 block)  inode table  data blocks ...
 */
#ifndef FS_EXT2_DISK_H
#define FS_EXT2_DISK_H

#include "lib/types.h"

#define EXT2_SUPER_MAGIC	0xEF53
#define EXT2_SUPER_OFFSET	1024	/* bytes from the start of the device */
#define EXT2_MIN_BLOCK_SIZE	1024u
#define EXT2_MAX_BLOCK_SIZE	4096u

#define EXT2_ROOT_INO		2
#define EXT2_GOOD_OLD_FIRST_INO	11
#define EXT2_GOOD_OLD_INODE_SIZE 128
#define EXT2_LINK_MAX		32000
#define EXT2_NAME_LEN		255

/* state */
#define EXT2_VALID_FS		1	/* cleanly unmounted */
#define EXT2_ERROR_FS		2	/* damage was seen */

/* feature_incompat and feature_ro_compat that this file system knows */
#define EXT2_INCOMPAT_FILETYPE		0x0002u
#define EXT2_RO_COMPAT_SPARSE_SUPER	0x0001u
#define EXT2_RO_COMPAT_LARGE_FILE	0x0002u
#define EXT2_RO_COMPAT_BTREE_DIR	0x0004u

struct ext2_super_block {
	u32 inodes_count, blocks_count;
	u32 r_blocks_count;		/* reserved for resuid */
	u32 free_blocks_count, free_inodes_count;
	u32 first_data_block;		/* 1 with 1 KB blocks, else 0 */
	u32 log_block_size;		/* 1024 << this */
	u32 log_frag_size;
	u32 blocks_per_group, frags_per_group, inodes_per_group;
	u32 mtime, wtime;		/* mounted, written */
	u16 mnt_count, max_mnt_count;
	u16 magic;
	u16 state;			/* EXT2_VALID_FS, EXT2_ERROR_FS */
	u16 errors;			/* not used: we go read-only */
	u16 minor_rev_level;
	u32 lastcheck, checkinterval;
	u32 creator_os;
	u32 rev_level;			/* 0: no features, 128-byte inodes */
	u16 def_resuid, def_resgid;
	/* revision 1 */
	u32 first_ino;
	u16 inode_size;
	u16 block_group_nr;
	u32 feature_compat, feature_incompat, feature_ro_compat;
	u8 uuid[16];
	char volume_name[16];
	char last_mounted[64];
	u32 algorithm_usage_bitmap;
	u8 prealloc_blocks, prealloc_dir_blocks;
	u16 reserved_gdt_blocks;
	u8 rest[816];
} packed;

struct ext2_group_desc {
	u32 block_bitmap, inode_bitmap, inode_table;	/* block numbers */
	u16 free_blocks_count, free_inodes_count, used_dirs_count;
	u16 pad;
	u32 reserved[3];
};

#define EXT2_NDIR_BLOCKS	12
#define EXT2_IND_BLOCK		12
#define EXT2_DIND_BLOCK		13
#define EXT2_TIND_BLOCK		14
#define EXT2_N_BLOCKS		15

/* flags of an inode */
#define EXT2_IMMUTABLE_FL	0x00000010u
#define EXT2_APPEND_FL		0x00000020u
#define EXT2_INDEX_FL		0x00001000u	/* hashed directory */
#define EXT2_INHERITED_FL	0x000000cfu	/* from the directory */

struct ext2_inode {
	u16 mode, uid;
	u32 size;
	u32 atime, ctime, mtime, dtime;
	u16 gid, links_count;
	u32 blocks;			/* 512-byte units */
	u32 flags;
	u32 version;
	u32 block[EXT2_N_BLOCKS];	/* or the target of a short symlink */
	u32 generation;
	u32 file_acl;			/* block of extended attributes */
	u32 size_high;			/* of a regular file */
	u32 faddr;
	u8 frag, fsize;
	u16 pad;
	u16 uid_high, gid_high;
	u32 reserved;
};

/* A directory block is a chain of these; rec_len leads to the next one, the
 * last one's to the end of the block; inode 0: unused. */
struct ext2_dirent {
	u32 inode;
	u16 rec_len;
	u8 name_len;
	u8 file_type;			/* with FILETYPE; else name_len's top */
	char name[];
};

#define EXT2_DIRENT_HEAD	8u	/* bytes before the name */
#define EXT2_DIRENT_LEN(name_len) \
	(((name_len) + EXT2_DIRENT_HEAD + 3) & ~3u)

/* The block that file_acl names; shared between inodes by refcount. */
#define EXT2_XATTR_MAGIC	0xEA020000u
struct ext2_xattr_header {
	u32 magic, refcount;
};

#endif
