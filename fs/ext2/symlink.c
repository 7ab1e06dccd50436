/*
 * Symbolic links.  A target of up to 59 bytes is kept in the inode, where the
 * block pointers would be; a longer one has a block of its own.
 */
#include "fs/ext2/ext2.h"
#include "fs/stat.h"
#include "lib/string.h"

/* Is the target in the inode?  Then it has no block but that of attributes. */
bool ext2_fast_symlink(const struct inode *inode)
{
	u32 attributes = EXT2_I(inode)->file_acl ?
		inode->sb->block_size / 512 : 0;

	return S_ISLNK(inode->mode) && inode->blocks == attributes;
}

/* Copies the target into buf; its length, or an error. */
static int ext2_readlink(struct inode *inode, char *buf, size_t size)
{
	u32 len = min((u64)inode->size, (u64)size), disk;
	struct buffer b;
	int err;

	if (ext2_fast_symlink(inode)) {
		len = min(len, (u32)sizeof(EXT2_I(inode)->data));
		memcpy(buf, EXT2_I(inode)->data, len);
		return len;
	}
	err = ext2_map(inode, 0, &disk);
	if (!err && !disk)
		err = -EIO;
	if (!err)
		err = bread(inode->sb, disk, &b);
	if (err)
		return err;
	len = min(len, inode->sb->block_size);
	memcpy(buf, b.data, len);
	brelse(&b);
	return len;
}

/* Stores the target of a new link; see ext2.h. */
int ext2_set_target(struct inode *inode, const char *target)
{
	u32 len = strlen(target), disk;
	struct buffer b;
	bool is_new;
	int err;

	if (len >= inode->sb->block_size)
		return -ENAMETOOLONG;
	inode->size = len;
	mark_inode_dirty(inode);
	if (len < sizeof(EXT2_I(inode)->data)) {
		memcpy(EXT2_I(inode)->data, target, len);
		return 0;
	}
	err = ext2_map_create(inode, 0, &disk, &is_new);
	if (!err)
		err = bnew(inode->sb, disk, &b);
	if (err)
		return err;
	memcpy(b.data, target, len);
	brelse(&b);
	return 0;
}

const struct inode_ops ext2_symlink_inode_ops = {
	.readlink = ext2_readlink,
};
