/*
 * The operations that change names: each is an entry in a directory and a
 * count of links in an inode, changed together.
 *
 * The VFS holds the lock of the directories (and has checked permissions, and
 * that source and target fit together).  A new inode starts with one link; if
 * its entry cannot be made the link is taken back, and iput() deletes it.
 */
#include "fs/ext2/ext2.h"
#include "fs/stat.h"

/* Looks a name up: the inode with a reference, NULL, or ERR_PTR. */
static struct inode *ext2_lookup(struct inode *dir, const char *name,
				 unsigned len)
{
	struct ext2_slot slot;
	u32 ino;
	int err = ext2_find_entry(dir, name, len, &slot);

	if (err == -ENOENT)
		return NULL;
	if (err)
		return ERR_PTR(err);
	ino = slot.de->inode;
	brelse(&slot.b);
	return iget(dir->sb, ino);
}

/* Changes the number of links by `change`, with the time of change. */
static void add_links(struct inode *inode, int change)
{
	inode->nlink += change;
	inode->ctime = current_time();
	mark_inode_dirty(inode);
}

/* Names a new inode.  On failure it is deleted; consumes the reference then.
 * 0 (the reference is in *out) or an error. */
static int add_new(struct inode *dir, const char *name, unsigned len,
		   struct inode *inode, int err, struct inode **out)
{
	if (!err)
		err = ext2_add_entry(dir, name, len, inode);
	if (err) {
		inode->nlink = 0;
		mark_inode_dirty(inode);
		iput(inode);
		return err;
	}
	*out = inode;
	return 0;
}

/* Makes a file, device node, FIFO or socket. */
static int ext2_mknod(struct inode *dir, const char *name, unsigned len,
		      mode_t mode, dev_t rdev, struct inode **out)
{
	struct inode *inode = ext2_new_inode(dir, mode);

	if (IS_ERR(inode))
		return PTR_ERR(inode);
	inode->rdev = rdev;
	ext2_set_ops(inode, rdev);
	return add_new(dir, name, len, inode, 0, out);
}

/* Makes a regular file. */
static int ext2_create(struct inode *dir, const char *name, unsigned len,
		       mode_t mode, struct inode **out)
{
	return ext2_mknod(dir, name, len, S_IFREG | (mode & S_IALLUGO), 0, out);
}

/* Makes a symbolic link. */
static int ext2_symlink(struct inode *dir, const char *name, unsigned len,
			const char *target, struct inode **out)
{
	struct inode *inode = ext2_new_inode(dir, S_IFLNK | S_IRWXUGO);

	if (IS_ERR(inode))
		return PTR_ERR(inode);
	ext2_set_ops(inode, 0);
	return add_new(dir, name, len, inode, ext2_set_target(inode, target),
		       out);
}

/* Makes a directory, which has two links: its name and its ".". */
static int ext2_mkdir(struct inode *dir, const char *name, unsigned len,
		      mode_t mode, struct inode **out)
{
	struct inode *inode;
	int err;

	if (dir->nlink >= EXT2_LINK_MAX)
		return -EMLINK;
	inode = ext2_new_inode(dir, S_IFDIR | (mode & S_IALLUGO));
	if (IS_ERR(inode))
		return PTR_ERR(inode);
	ext2_set_ops(inode, 0);
	add_links(inode, 1);
	err = add_new(dir, name, len, inode, ext2_make_empty(inode, dir), out);
	if (!err)
		add_links(dir, 1);
	return err;
}

/* Makes one more name for a file. */
static int ext2_link(struct inode *dir, const char *name, unsigned len,
		     struct inode *inode)
{
	int err;

	if (inode->nlink >= EXT2_LINK_MAX)
		return -EMLINK;
	add_links(inode, 1);
	err = ext2_add_entry(dir, name, len, inode);
	if (err)
		add_links(inode, -1);
	return err;
}

/* Takes a link away; the last iput() deletes an inode without links. */
static void drop_link(struct inode *inode)
{
	if (inode->nlink)
		add_links(inode, -1);
	else
		ext2_error(inode->sb, "inode %u has more names than links",
			   inode->ino);
}

/* Removes a name. */
static int ext2_unlink(struct inode *dir, const char *name, unsigned len,
		       struct inode *inode)
{
	struct ext2_slot slot;
	int err = ext2_find_entry(dir, name, len, &slot);

	if (err)
		return err;
	ext2_remove_entry(dir, &slot);
	drop_link(inode);
	return 0;
}

/* A directory lost its name: no link is left, and its parent has one less. */
static void drop_dir(struct inode *parent, struct inode *inode)
{
	inode->nlink = 0;
	add_links(inode, 0);
	drop_link(parent);
}

/* Removes an empty directory. */
static int ext2_rmdir(struct inode *dir, const char *name, unsigned len,
		      struct inode *inode)
{
	struct ext2_slot slot;
	int err = ext2_dir_empty(inode);

	if (err)
		return err;
	err = ext2_find_entry(dir, name, len, &slot);
	if (err)
		return err;
	ext2_remove_entry(dir, &slot);
	drop_dir(dir, inode);
	return 0;
}

/* Lets new_name name `inode`, in place of `victim` or as a new entry. */
static int rename_target(struct inode *dir, const char *name, unsigned len,
			 struct inode *inode, struct inode *victim)
{
	struct ext2_slot slot;
	int err = 0;

	if (!victim)
		return ext2_add_entry(dir, name, len, inode);
	if (S_ISDIR(victim->mode))
		err = ext2_dir_empty(victim);
	if (!err)
		err = ext2_find_entry(dir, name, len, &slot);
	if (err)
		return err;
	ext2_set_entry(dir, &slot, inode);
	if (S_ISDIR(victim->mode))
		drop_dir(dir, victim);
	else
		drop_link(victim);
	return 0;
}

/* Finds what a rename will change besides the target: the old entry, and the
 * ".." of a directory that `moves`.  0, or an error and no slot is held. */
static int rename_prepare(struct inode *old_dir, const char *name,
			  unsigned len, struct inode *inode, bool moves,
			  struct ext2_slot *old, struct ext2_slot *dotdot)
{
	int err = ext2_find_entry(old_dir, name, len, old);

	dotdot->b.page = NULL;
	if (err || !moves)
		return err;
	err = ext2_find_entry(inode, "..", 2, dotdot);
	if (err)
		brelse(&old->b);
	return err == -ENOENT ? -EIO : err;
}

/* Moves a name.  All blocks are at hand before the first change, and the new
 * entry is made before the old one goes: a rename that fails did nothing. */
static int ext2_rename(struct inode *old_dir, const char *old_name,
		       unsigned old_len, struct inode *new_dir,
		       const char *new_name, unsigned new_len,
		       struct inode *inode, struct inode *victim)
{
	bool moves = S_ISDIR(inode->mode) && old_dir != new_dir;
	struct ext2_slot old, dotdot;
	int err;

	if (moves && !victim && new_dir->nlink >= EXT2_LINK_MAX)
		return -EMLINK;
	err = rename_prepare(old_dir, old_name, old_len, inode, moves, &old,
			     &dotdot);
	if (err)
		return err;
	err = rename_target(new_dir, new_name, new_len, inode, victim);
	if (!err)
		err = ext2_find_again(old_dir, old_name, old_len, &old);
	if (err) {
		brelse(&old.b);
		brelse(&dotdot.b);
		return err;
	}
	ext2_remove_entry(old_dir, &old);
	if (moves) {
		ext2_set_entry(inode, &dotdot, new_dir);
		drop_link(old_dir);
		add_links(new_dir, 1);
	}
	add_links(inode, 0);
	return 0;
}

const struct inode_ops ext2_dir_inode_ops = {
	.lookup = ext2_lookup,
	.create = ext2_create,
	.link = ext2_link,
	.unlink = ext2_unlink,
	.symlink = ext2_symlink,
	.mkdir = ext2_mkdir,
	.rmdir = ext2_rmdir,
	.mknod = ext2_mknod,
	.rename = ext2_rename,
};

/* Devices, FIFOs, sockets: all they do is in their file operations. */
const struct inode_ops ext2_special_inode_ops = {
	.lookup = NULL,
};
