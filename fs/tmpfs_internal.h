/* What the files of tmpfs share. */
#ifndef FS_TMPFS_INTERNAL_H
#define FS_TMPFS_INTERNAL_H

#include "fs/vfs.h"
#include "lib/rbtree.h"
#include "mm/shmem.h"

struct tmpfs_sb {
	struct shmem_limit pages;	/* size= */
	u32 max_inodes, nr_inodes;	/* nr_inodes= */
	u32 next_ino;
	mode_t root_mode;
	struct list_head doomed;	/* entries of removed directories */
	bool draining;			/* someone frees them already */
};

/* One name; it holds a reference on its inode. */
struct tmpfs_dirent {
	struct rb_node rb;		/* in names, by hash */
	struct list_head node;		/* in order */
	u32 hash;
	u32 cookie;			/* position for readdir */
	struct inode *inode;
	u16 len;
	char name[];
};

struct tmpfs_dir {
	struct rb_root names;
	struct list_head order;		/* of node, by cookie */
	u32 next_cookie;
	struct inode *parent;		/* what ".." is */
};

extern const struct inode_ops tmpfs_dir_ops;
extern const struct file_ops tmpfs_dir_fops;

/* A new inode of the file system, or NULL and *err is -ENOSPC or -ENOMEM. */
struct inode *tmpfs_new_inode(struct super_block *sb, const struct inode *dir,
			      mode_t mode, dev_t rdev, int *err);
/* Makes a directory inode's (empty) table of names.  0 or -ENOMEM. */
int tmpfs_init_dir(struct inode *inode, struct inode *parent);
/* Frees a directory's table and gives up the inodes it names. */
void tmpfs_release_dir(struct inode *inode);

#endif
