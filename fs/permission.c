/*
 * Who may do what with an inode: owner, group, others, and the superuser.
 */
#include "fs/vfs_internal.h"
#include "kernel/task.h"

/* Is the current task in group `gid`? */
bool in_group(gid_t gid)
{
	unsigned i;

	if (current->fsgid == gid)
		return true;
	for (i = 0; i < current->ngroups; i++)
		if (current->groups[i] == gid)
			return true;
	return false;
}

/* May the current task access the inode so?  0, -EACCES or -EROFS. */
int permission(struct inode *inode, int mask)
{
	mode_t mode = inode->mode;

	if (mask & 2 && sb_readonly(inode->sb) &&
	    (S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode)))
		return -EROFS;
	if (current->fsuid == 0) {
		if (!(mask & 1) || mode & 0111 || S_ISDIR(mode))
			return 0;
		return -EACCES;
	}
	if (current->fsuid == inode->uid)
		mode >>= 6;
	else if (in_group(inode->gid))
		mode >>= 3;
	return mask & ~mode & 7 ? -EACCES : 0;
}

/* May an entry be made in the directory?  It must still exist. */
int may_create(struct inode *dir)
{
	if (!dir->nlink)
		return -ENOENT;
	return permission(dir, 2 | 1);
}

/* May the entry of `victim` be removed by rmdir (is_dir) or unlink? */
int may_delete(struct inode *dir, struct inode *victim, bool is_dir)
{
	int err = permission(dir, 2 | 1);

	if (err)
		return err;
	if (dir->mode & S_ISVTX && current->fsuid &&
	    current->fsuid != victim->uid && current->fsuid != dir->uid)
		return -EPERM;
	if (is_dir && !S_ISDIR(victim->mode))
		return -ENOTDIR;
	if (!is_dir && S_ISDIR(victim->mode))
		return -EISDIR;
	return 0;
}
