/*
 * Mounting, unmounting and what concerns the file system as a whole.
 *
 *	on disk		mounted read-write	unmounted, or read-only again
 *	valid	 ->	not valid	  ->	valid
 *	not valid ->	not valid	  ->	not valid: e2fsck has to look
 *	damage seen ->	not valid, error, read-only at once
 *
 * The free counts of the super block are brought up to date when it is
 * written; in between, the descriptors and the sums in struct ext2_sb hold.
 */
#include "drivers/block.h"
#include "fs/ext2/ext2.h"
#include "fs/stat.h"
#include "kernel/printk.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/slab.h"

/* Reports damage; see ext2.h. */
void ext2_error(struct super_block *sb, const char *fmt, ...)
{
	struct ext2_sb *s = EXT2_SB(sb);
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	printk(KERN_ERR "ext2: %s: damaged: %s\n", sb->bdev->name, text);
	s->mount_state = (s->mount_state | EXT2_ERROR_FS) & ~EXT2_VALID_FS;
	if (sb_readonly(sb))
		return;
	printk(KERN_ERR "ext2: %s: read-only from now on; run e2fsck\n",
	       sb->bdev->name);
	s->es->state = s->mount_state;
	bdirty(&s->super);
	sb->flags |= MS_RDONLY;
}

/* A file beyond 2 GB exists from now on. */
void ext2_need_large_file(struct super_block *sb)
{
	struct ext2_super_block *es = EXT2_SB(sb)->es;

	if (es->rev_level && es->feature_ro_compat & EXT2_RO_COMPAT_LARGE_FILE)
		return;
	if (!es->rev_level) {
		es->rev_level = 1;
		es->first_ino = EXT2_GOOD_OLD_FIRST_INO;
		es->inode_size = EXT2_GOOD_OLD_INODE_SIZE;
	}
	es->feature_ro_compat |= EXT2_RO_COMPAT_LARGE_FILE;
	bdirty(&EXT2_SB(sb)->super);
}

/* Puts the counts, the state and the time into the super block's buffer. */
static void update_super(struct ext2_sb *s, u16 state)
{
	s->es->free_blocks_count = s->free_blocks;
	s->es->free_inodes_count = s->free_inodes;
	s->es->state = state;
	s->es->wtime = current_time().tv_sec;
	bdirty(&s->super);
}

/* Writes all dirty metadata.  0 or an error; sleeps if `wait`. */
static int write_metadata(struct super_block *sb, bool wait)
{
	int err = filemap_write_all(sb->bdev_inode->mapping, wait);

	if (!err && wait)
		err = bdev_flush(sb->bdev);
	return err;
}

/* super_ops.sync: what is on disk then is consistent, but not marked clean. */
static int ext2_sync(struct super_block *sb, bool wait)
{
	struct ext2_sb *s = EXT2_SB(sb);

	sync_inodes(sb);	/* again: writing pages may have dirtied them */
	if (!sb_readonly(sb) &&
	    (s->es->free_blocks_count != s->free_blocks ||
	     s->es->free_inodes_count != s->free_inodes))
		update_super(s, s->mount_state & ~EXT2_VALID_FS);
	return write_metadata(sb, wait);
}

/* Marks a file system that becomes writable: not clean until unmounted. */
static int begin_writing(struct ext2_sb *s)
{
	struct ext2_super_block *es = s->es;
	const char *name = s->sb->bdev->name;

	s->mount_state = es->state;
	if (!(es->state & EXT2_VALID_FS))
		printk(KERN_WARNING "ext2: %s: was not cleanly unmounted; "
		       "running e2fsck is recommended\n", name);
	if (es->state & EXT2_ERROR_FS)
		printk(KERN_WARNING "ext2: %s: damage was seen before; "
		       "running e2fsck is recommended\n", name);
	es->mtime = current_time().tv_sec;
	es->mnt_count++;
	update_super(s, es->state & ~EXT2_VALID_FS);
	return write_metadata(s->sb, true);
}

/* Marks a file system that is no longer written: as clean as it was. */
static int end_writing(struct ext2_sb *s)
{
	update_super(s, s->mount_state);
	return write_metadata(s->sb, true);
}

/* super_ops.remount: between read-only and writable.  0 or an error. */
static int ext2_remount(struct super_block *sb, unsigned flags)
{
	struct ext2_sb *s = EXT2_SB(sb);
	bool read_only = flags & MS_RDONLY;
	int err;

	if (read_only == sb_readonly(sb))
		return 0;
	if (!read_only && (s->ro_features || sb->bdev->read_only)) {
		printk(KERN_ERR "ext2: %s: cannot be writable\n",
		       sb->bdev->name);
		return -EROFS;
	}
	if (read_only)
		err = end_writing(s);
	else
		err = begin_writing(s);
	if (!err)
		sb->flags ^= MS_RDONLY;
	return err;
}

/* Releases all that a mount holds, complete or not. */
static void release_sb(struct ext2_sb *s)
{
	ext2_free_groups(s);
	bunpin(&s->super);
	ext2_detach_device(s->sb);
	s->sb->private = NULL;
	kfree(s);
}

/* super_ops.put_super: the last act of an unmount; every inode is gone. */
static void ext2_put_super(struct super_block *sb)
{
	struct ext2_sb *s = EXT2_SB(sb);
	int err;

	if (sb_readonly(sb))
		err = write_metadata(sb, true);
	else
		err = end_writing(s);
	release_sb(s);
	if (!err)
		return;
	printk(KERN_ERR "ext2: %s: cannot write (error %d); run e2fsck\n",
	       sb->bdev->name, -err);
	truncate_inode_pages(sb->bdev_inode->mapping, 0);
}

/* super_ops.statfs */
static int ext2_statfs(struct super_block *sb, struct kstatfs *out)
{
	struct ext2_sb *s = EXT2_SB(sb);
	u32 reserved = s->es->r_blocks_count;

	out->type = EXT2_SUPER_MAGIC;
	out->bsize = sb->block_size;
	out->blocks = s->es->blocks_count - s->overhead;
	out->bfree = s->free_blocks;
	out->bavail = s->free_blocks > reserved ? s->free_blocks - reserved : 0;
	out->files = s->es->inodes_count;
	out->ffree = s->free_inodes;
	out->namelen = EXT2_NAME_LEN;
	return 0;
}

static const struct super_ops ext2_super_ops = {
	.read_inode = ext2_read_inode,
	.write_inode = ext2_write_inode,
	.delete_inode = ext2_delete_inode,
	.release_inode = ext2_release_inode,
	.statfs = ext2_statfs,
	.sync = ext2_sync,
	.put_super = ext2_put_super,
	.remount = ext2_remount,
};

/* Reads the super block, which lies in the device's page 0 whatever the block
 * size is.  0 or an error. */
static int read_super(struct ext2_sb *s)
{
	struct page *page = read_mapping_page(s->sb->bdev_inode->mapping, 0,
					      NULL);

	if (IS_ERR(page)) {
		printk(KERN_ERR "ext2: %s: cannot read the super block\n",
		       s->sb->bdev->name);
		return PTR_ERR(page);
	}
	s->super.page = page;
	s->super.data = (u8 *)page_address(page) + EXT2_SUPER_OFFSET;
	s->super.mask = 3u << EXT2_SUPER_OFFSET / 512;
	s->es = (struct ext2_super_block *)s->super.data;
	return bpin(&s->super);
}

/* Opens the root directory.  0 or an error. */
static int open_root(struct super_block *sb)
{
	struct inode *inode = iget(sb, EXT2_ROOT_INO);

	if (IS_ERR(inode))
		return PTR_ERR(inode);
	if (!S_ISDIR(inode->mode) || !inode->size) {
		printk(KERN_ERR "ext2: %s: the root is no directory\n",
		       sb->bdev->name);
		iput(inode);
		return -EINVAL;
	}
	sb->root = d_alloc_root(sb, inode);
	return sb->root ? 0 : -ENOMEM;
}

/* The bytes a file can have: what the block map reaches. */
static loff_t max_file_size(const struct ext2_sb *s)
{
	loff_t n = s->addr_per_block;

	return (EXT2_NDIR_BLOCKS + n + n * n + n * n * n) << s->block_shift;
}

/* Fills in the super block of a mount once the device is attached. */
static int fill_super(struct super_block *sb)
{
	struct ext2_sb *s = EXT2_SB(sb);
	int err = read_super(s);

	if (!err)
		err = ext2_check_super(s);
	if (err)
		return err;
	sb->block_size = 1u << s->block_shift;
	sb->max_size = max_file_size(s);
	if (sb->bdev->read_only)
		sb->flags |= MS_RDONLY;
	s->mount_state = s->es->state;
	s->next_generation = current_time().tv_sec;
	err = ext2_load_groups(s);
	if (err)
		return err;
	sb->ops = &ext2_super_ops;
	if (!sb_readonly(sb))
		err = begin_writing(s);
	if (err)
		return err;
	err = open_root(sb);
	if (err && !sb_readonly(sb))
		end_writing(s);
	return err;
}

/* file_system.mount; there are no options.  What cannot be mounted is not
 * written to. */
static int ext2_mount(struct super_block *sb, const char *options)
{
	struct ext2_sb *s;
	int err;

	if (options && *options) {
		printk(KERN_ERR "ext2: %s: unknown option \"%s\"; there are "
		       "none but ro and rw\n", sb->bdev->name, options);
		return -EINVAL;
	}
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	s->sb = sb;
	sb->private = s;
	err = ext2_attach_device(sb);
	if (err) {
		sb->private = NULL;
		kfree(s);
		return err;
	}
	err = fill_super(sb);
	if (!err)
		return 0;
	release_sb(s);
	truncate_inode_pages(sb->bdev_inode->mapping, 0);
	return err;
}

static struct file_system ext2_file_system = {
	.name = "ext2",
	.needs_device = true,
	.mount = ext2_mount,
};

/* Registers the file system. */
void ext2_init(void)
{
	ext2_inode_init();
	register_file_system(&ext2_file_system);
}
