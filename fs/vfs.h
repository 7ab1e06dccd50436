/*
 * The virtual file system: super blocks, inodes, dentries, open files.
 *
 * A dentry names an inode in a directory; a path is resolved to a dentry, and
 * dentries know their parent, so getcwd and /proc/PID/maps can print paths.
 * Unused dentries and inodes stay cached until memory is short.
 */
#ifndef FS_VFS_H
#define FS_VFS_H

#include "fs/fcntl.h"
#include "fs/stat.h"
#include "kernel/sync.h"
#include "kernel/time.h"
#include "mm/filemap.h"

struct block_device;
struct dentry;
struct file;
struct file_lock;
struct inode;
struct pipe;
struct super_block;
struct vma;
struct kstatfs;

/* ---- inodes ---- */
struct inode_ops {
	/* Directory operations; the directory's lock is held.  lookup returns
	 * the child's inode with a reference, NULL: no such name, or ERR_PTR.
	 * create and friends make the child and return 0 or an error; the new
	 * inode (with a reference) goes to *out. */
	struct inode *(*lookup)(struct inode *dir, const char *name,
				unsigned len);
	int (*create)(struct inode *dir, const char *name, unsigned len,
		      mode_t mode, struct inode **out);
	int (*link)(struct inode *dir, const char *name, unsigned len,
		    struct inode *inode);
	int (*unlink)(struct inode *dir, const char *name, unsigned len,
		      struct inode *inode);
	int (*symlink)(struct inode *dir, const char *name, unsigned len,
		       const char *target, struct inode **out);
	int (*mkdir)(struct inode *dir, const char *name, unsigned len,
		     mode_t mode, struct inode **out);
	int (*rmdir)(struct inode *dir, const char *name, unsigned len,
		     struct inode *inode);
	int (*mknod)(struct inode *dir, const char *name, unsigned len,
		     mode_t mode, dev_t rdev, struct inode **out);
	/* `victim` is what new_name names now, or NULL. */
	int (*rename)(struct inode *old_dir, const char *old_name,
		      unsigned old_len, struct inode *new_dir,
		      const char *new_name, unsigned new_len,
		      struct inode *inode, struct inode *victim);
	/* The target, into buf; its length. */
	int (*readlink)(struct inode *inode, char *buf, size_t size);
	/* Called by vmtruncate() after size changed: frees blocks beyond. */
	int (*truncate)(struct inode *inode);
	/* Follow a magic link (/proc/self/exe): the dentry itself, with a
	 * reference, or ERR_PTR.  NULL op: readlink is used. */
	struct dentry *(*follow)(struct inode *inode);
	/* Is a cached dentry still true? (proc)  NULL: always. */
	bool (*revalidate)(struct dentry *dentry);
};

struct inode {
	u32 ino;
	mode_t mode;			/* S_IF* and permissions */
	u32 nlink;
	uid_t uid;
	gid_t gid;
	dev_t rdev;			/* of a device node */
	loff_t size;			/* bytes */
	u64 blocks;			/* 512-byte units allocated */
	u32 blksize;			/* st_blksize */
	struct timespec32 atime, mtime, ctime;
	int count;			/* references */
	int writers;			/* open for writing; < 0: executed */
	struct super_block *sb;
	const struct inode_ops *ops;
	const struct file_ops *fops;
	struct address_space *mapping;	/* pages: &data, or a device's */
	struct address_space data;
	struct mutex lock;		/* directory contents, size, writes */
	bool dirty;			/* differs from the disk's inode */
	bool freeing;			/* being evicted: not to be found */
	struct list_head hash, sb_node, dirty_node, lru;
	struct file_lock *locks;	/* advisory locks, fs/locks.c */
	struct pipe *pipe;		/* of a FIFO that is open, fs/pipe.c */
	void *private;			/* of the file system */
};

struct inode *iget_hashed(struct super_block *sb, u32 ino);	/* or NULL */
/* A new inode with count 1, zeroed, in the hash when ino != 0. NULL: memory.*/
struct inode *new_inode(struct super_block *sb, u32 ino);
/* The inode `ino`, cached or read by sb->ops->read_inode, which runs for one
 * inode at a time.  With a reference, or ERR_PTR.  May sleep. */
struct inode *iget(struct super_block *sb, u32 ino);
struct inode *igrab(struct inode *inode);	/* one more reference */
/* Gives a device, FIFO or socket inode its file operations. */
void init_special_inode(struct inode *inode, mode_t mode, dev_t rdev);
/* Owner, group and mode of a new inode in `dir`, with the current times. */
void inode_init_owner(struct inode *inode, const struct inode *dir,
		      mode_t mode);
/* An executable may not be written, nor a file being written executed.
 * deny fails with -ETXTBSY when the inode is open for writing. */
static inline int deny_write_access(struct inode *inode)
{
	if (inode->writers > 0)
		return -ETXTBSY;
	inode->writers--;
	return 0;
}

static inline void allow_write_access(struct inode *inode)
{
	inode->writers++;
}

/* Drops a reference; the last one of an unlinked inode deletes it. Sleeps. */
void iput(struct inode *inode);
/* The inode must be written back some time; never sleeps. */
void mark_inode_dirty(struct inode *inode);
/* Writes dirty inodes of `sb` (NULL: all) into their blocks. May sleep. */
int sync_inodes(struct super_block *sb);

/* ---- super blocks ---- */
struct super_ops {
	/* Reads the inode `ino` from disk; ERR_PTR. */
	struct inode *(*read_inode)(struct super_block *sb, u32 ino);
	int (*write_inode)(struct inode *inode);	/* copy to its block */
	void (*delete_inode)(struct inode *inode);	/* nlink 0, last use */
	void (*release_inode)(struct inode *inode);	/* frees private */
	int (*statfs)(struct super_block *sb, struct kstatfs *out);
	int (*sync)(struct super_block *sb, bool wait);
	void (*put_super)(struct super_block *sb);
	int (*remount)(struct super_block *sb, unsigned flags);
};

#define MS_RDONLY	1
#define MS_REMOUNT	32

struct super_block {
	const struct super_ops *ops;
	const struct file_system *type;
	struct block_device *bdev;	/* NULL: none */
	struct inode *bdev_inode;	/* page cache of the device: metadata */
	char devname[32];		/* as /proc/mounts shows it */
	dev_t dev;			/* st_dev */
	u32 block_size;
	loff_t max_size;		/* of a file; 0: MAX_FILE_SIZE */
	unsigned flags;			/* MS_RDONLY */
	bool uncached;			/* unused dentries go at once (proc) */
	struct dentry *root;
	struct list_head inodes;	/* of sb_node */
	struct list_head node;		/* in super_blocks */
	void *private;
};

struct file_system {
	const char *name;
	bool needs_device;
	/* Fills sb (bdev, flags set) and sb->root; 0 or an error with a
	 * message logged that names the cause. */
	int (*mount)(struct super_block *sb, const char *options);
	struct list_head node;
};
void register_file_system(struct file_system *fs);
extern struct list_head super_blocks;	/* of node, in order of mounting */
extern struct list_head file_systems;	/* of node */

static inline bool sb_readonly(const struct super_block *sb)
{
	return sb->flags & MS_RDONLY;
}

struct kstatfs {
	u32 type, bsize;
	u64 blocks, bfree, bavail, files, ffree;
	u32 namelen;
};

/* ---- dentries ---- */
struct dentry {
	int count;
	struct inode *inode;		/* NULL: the name does not exist */
	struct dentry *parent;		/* itself for a root */
	struct super_block *sb;
	struct dentry *mounted;		/* root mounted on this, or NULL */
	struct dentry *covers;		/* of a mounted root: where */
	struct list_head hash, children, sibling, lru;
	u32 name_hash;
	u16 len;
	bool unhashed;			/* deleted */
	char *name;
	char short_name[32];
};

/* One more reference. */
static inline struct dentry *dget(struct dentry *d)
{
	d->count++;
	return d;
}

/* Drops a reference; an unused dentry stays cached while it is hashed.  NULL
 * is fine.  May sleep. */
void dput(struct dentry *d);
/* The root dentry of a super block over `inode` (consumes its reference also
 * on failure); NULL: no memory. */
struct dentry *d_alloc_root(struct super_block *sb, struct inode *inode);
/* A dentry outside any directory (pipes, shared memory), shown as `name`;
 * consumes the inode reference also on failure.  NULL: no memory. */
struct dentry *d_alloc_pseudo(struct inode *inode, const char *name);
/* The absolute path as seen from the current root, at the END of buf; a
 * pointer into buf, or ERR_PTR(-ENAMETOOLONG).  " (deleted)" is appended. */
char *d_path(struct dentry *d, char *buf, size_t size);

/* ---- path resolution (fs/namei.c) ---- */
#define LOOKUP_FOLLOW		1	/* follow a final symlink */
#define LOOKUP_DIRECTORY	2	/* must be a directory */
#define LOOKUP_PARENT		4	/* stop at the parent */

/* The dentry with a reference, or ERR_PTR.  `path` is kernel memory. */
struct dentry *path_lookup(int dirfd, const char *path, unsigned flags);
/* May the current task do `mask` (4 read, 2 write, 1 execute)? 0, -EACCES. */
int permission(struct inode *inode, int mask);

/* ---- open files ---- */
struct poll_table;
struct dir_context {
	/* Takes one entry; false when the buffer is full. */
	bool (*emit)(struct dir_context *ctx, const char *name, unsigned len,
		     u32 ino, unsigned type, loff_t next_pos);
};

struct file_ops {
	ssize_t (*read)(struct file *f, void *ubuf, size_t len, loff_t *pos);
	ssize_t (*write)(struct file *f, const void *ubuf, size_t len,
			 loff_t *pos);
	int (*iterate)(struct file *f, struct dir_context *ctx);
	long (*ioctl)(struct file *f, unsigned cmd, u32 arg);
	int (*mmap)(struct file *f, struct vma *vma);	/* NULL: -ENODEV */
	int (*open)(struct inode *inode, struct file *f);
	void (*release)(struct file *f);
	unsigned (*poll)(struct file *f, struct poll_table *pt);
	loff_t (*llseek)(struct file *f, loff_t off, int whence);
	int (*fsync)(struct file *f, bool datasync);
	/* As write, from kernel memory (sendfile).  NULL: a regular file uses
	 * its page cache, others refuse with -EINVAL. */
	ssize_t (*write_kernel)(struct file *f, const void *buf, size_t len,
				loff_t *pos);
};

#define FMODE_READ	1
#define FMODE_WRITE	2
#define FMODE_POS	4	/* f->pos matters: pos_lock guards it */
#define FMODE_EXEC	8	/* a program: fput() ends deny_write_access() */

struct file {
	int count;			/* references */
	struct dentry *dentry;
	struct inode *inode;		/* dentry's, or the block device's */
	struct address_space *mapping;	/* inode->mapping at open */
	const struct file_ops *ops;
	unsigned flags;			/* O_* */
	unsigned mode;			/* FMODE_* */
	loff_t pos;
	struct file_ra ra;
	struct mutex pos_lock;
	void *private;
};

static inline struct file *get_file(struct file *f)
{
	f->count++;
	return f;
}

/* Drops a reference; the last one releases.  May sleep. */
void fput(struct file *f);
/* Opens for the kernel or on behalf of exec; ERR_PTR. */
struct file *file_open(const char *path, int flags, mode_t mode);
/* A file over a dentry (consumes nothing; takes its own references).  No
 * permission is checked.  ERR_PTR.  May sleep. */
struct file *dentry_open(struct dentry *d, int flags);
/* Reads or writes an open file at *pos, which moves; checks mode, range and
 * limits as read(2) does.  Bytes, or an error.  May sleep. */
ssize_t vfs_read(struct file *f, void *ubuf, size_t len, loff_t *pos);
ssize_t vfs_write(struct file *f, const void *ubuf, size_t len, loff_t *pos);
/* lseek(2) for files with a size; file_ops.llseek may be NULL for it. */
loff_t generic_llseek(struct file *f, loff_t off, int whence);
/* For devices without a position: succeeds and stays at 0. */
loff_t null_llseek(struct file *f, loff_t off, int whence);

/* fsync: pages, inode, device cache.  What file_ops.fsync usually is. */
int generic_file_fsync(struct file *f, bool datasync);

/* ---- start-up ---- */
void vfs_init(void);		/* caches, file systems, devfs, proc */
/* Mounts root= (or unpacks the initramfs), devtmpfs on /dev. */
void mount_root(void);
/* Everything to disk; at power-off also marks file systems clean. */
void sync_filesystems(bool final);
/* Gives back up to `pages` pages worth of unused dentries and inodes; objects
 * freed.  Called by reclaim; may sleep only if gfp has __GFP_FS. */
u32 shrink_vfs_caches(u32 pages);

#endif
