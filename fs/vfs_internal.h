/* What the files of the VFS core share among themselves. */
#ifndef FS_VFS_INTERNAL_H
#define FS_VFS_INTERNAL_H

#include "fs/vfs.h"

/* ---- inode.c ---- */
void inode_init(void);
int write_inode_now(struct inode *inode);
u32 shrink_inodes(u32 nr, bool write);
void evict_inodes(struct super_block *sb);
u32 drop_pagecache(void);
/* Starts, and with `wait` finishes, writing the data of every inode of a super
 * block; the first error. */
int write_inode_pages(struct super_block *sb, bool wait);
/* Is an inode of the super block open for writing? */
bool inodes_busy_writing(struct super_block *sb);

/* ---- dcache.c ---- */
void dcache_init(void);
/* The hash of a name, as dentries store it: begins with 0, byte by byte. */
static inline u32 name_hash_add(u32 hash, char c)
{
	return hash * 31 + (u8)c;
}

static inline u32 name_hash(const char *name, unsigned len)
{
	u32 hash = 0;

	while (len--)
		hash = name_hash_add(hash, *name++);
	return hash;
}

/* The cached child, or NULL; without a reference, so only until the caller
 * sleeps or calls d_use(). */
struct dentry *d_find(struct dentry *parent, const char *name, unsigned len,
		      u32 hash);
void d_use(struct dentry *d);
/* The cached child with a reference, or NULL.  Never sleeps. */
struct dentry *d_lookup(struct dentry *parent, const char *name, unsigned len,
			u32 hash);
/* A new negative dentry, hashed, with one reference; NULL: no memory. */
struct dentry *d_alloc(struct dentry *parent, const char *name, unsigned len,
		       u32 hash);
/* Takes the name out of the cache; the dentry lives on for its users. */
void d_drop(struct dentry *d);
/* The name was removed: forgets the inode, or drops the name when in use. */
void d_delete(struct dentry *d);
/* Gives `d` the name and parent of `target`, which is dropped.  0, -ENOMEM. */
int d_move(struct dentry *d, struct dentry *target);
/* Is `d` the same as, or below, `ancestor`? */
bool d_is_below(struct dentry *d, struct dentry *ancestor);
/* Frees the unused dentries of a super block. */
void shrink_dcache_sb(struct super_block *sb);
/* Frees up to `nr` unused dentries; how many went.  May sleep. */
u32 shrink_dcache(u32 nr);
void d_free_root(struct dentry *root);
/* Frees the unused children of a directory that was removed. */
void d_prune_children(struct dentry *d);

/* ---- namei.c ---- */
/* A path while it is resolved. */
struct nameidata {
	struct dentry *dentry;	/* reached so far, with a reference */
	const char *rest;	/* what is left of the path */
	const char *last;	/* path_parent(): the last component... */
	unsigned len;		/* ...its length, 0: the path is a root */
	bool slash;		/* ...and whether slashes follow it */
	char *page;		/* page that holds the text, or NULL */
	unsigned links;		/* symbolic links followed */
	unsigned flags;		/* LOOKUP_* */
};

/* Copies a user path into a page; ERR_PTR.  Free with putname().  An empty
 * path is -ENOENT unless `empty_ok`. */
char *getname(const char *upath, bool empty_ok);
void putname(char *name);
/* The dentry of a user path, with AT_SYMLINK_* and AT_EMPTY_PATH; ERR_PTR. */
struct dentry *user_path(int dirfd, const char *upath, unsigned lookup,
			 unsigned at_flags);
/* Resolves up to the last component.  0: nd holds a reference until nd_put()
 * and points into `name`.  May sleep. */
int path_parent(int dirfd, const char *name, struct nameidata *nd);
/* Goes on through `link`, the symbolic link that nd's last component is, to
 * another last component.  0 or an error; nd is to be put in both cases. */
int nd_follow_last(struct nameidata *nd, struct dentry *link);
void nd_put(struct nameidata *nd);
/* Is the last component an ordinary name: neither a root, "." nor ".."? */
bool nd_is_name(const struct nameidata *nd);
/* The child of `dir`, whose lock is held; negative if there is none. */
struct dentry *lookup_locked(struct dentry *dir, const char *name,
			     unsigned len);
/* The child of a directory that is not locked, negative if there is none;
 * ERR_PTR.  May sleep. */
struct dentry *lookup_child(struct dentry *dir, const char *name,
			    unsigned len);
/* What is mounted on `d`, or `d`; consumes and returns a reference. */
struct dentry *follow_mount(struct dentry *d);
/* ---- permission.c ---- */
/* Is the current task in group `gid`? */
bool in_group(gid_t gid);
/* May an entry be made in, or `victim` removed from, `dir`? 0 or an error */
int may_create(struct inode *dir);
int may_delete(struct inode *dir, struct inode *victim, bool is_dir);

/* ---- super.c ---- */
/* An empty super block in super_blocks; NULL: no memory. */
struct super_block *sb_alloc(struct file_system *type, const char *devname);
/* A super block for objects without a path (pipes, pages of devices).  Made
 * at start-up, panics without memory. */
struct super_block *pseudo_super(struct file_system *type);
struct file_system *find_file_system(const char *name);	/* or NULL */
/* A mounted super block that is attached nowhere yet; claims `bdev` (NULL
 * when the type needs none).  ERR_PTR.  May sleep. */
struct super_block *mount_super(struct file_system *type,
				struct block_device *bdev, const char *devname,
				unsigned flags, const char *options);
/* Shows a mounted super block at the directory `where`; takes a reference. */
void attach_mount(struct super_block *sb, struct dentry *where);
/* Unmounts; consumes the caller's reference on the root.  0 or -EBUSY. */
int umount_super(struct dentry *root);
/* Writes everything of a super block and makes it durable. */
int sync_super(struct super_block *sb);
/* Changes between read-only and read/write. 0, -EBUSY, -EROFS, -EIO. */
int remount_super(struct super_block *sb, unsigned flags);
/* Format /proc/mounts and /proc/filesystems; the length. */
int mounts_show(char *buf, size_t size);
int filesystems_show(char *buf, size_t size);

#define MAX_FILE_SIZE	(1ll << 43)	/* page numbers have 32 bits */

/* ---- open.c ---- */
void file_init(void);
/* Opens a path in kernel memory for the current task; ERR_PTR. */
struct file *do_open(int dirfd, const char *name, int flags, mode_t mode);
/* An open file without operations called; for pipes.  Takes its own
 * references.  NULL: no memory. */
struct file *alloc_file(struct dentry *d, int flags,
			const struct file_ops *ops);
/* Sets the size of an inode that may be written.  0, or an error. */
int do_truncate(struct inode *inode, loff_t size);

#endif
