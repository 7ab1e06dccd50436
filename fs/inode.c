/*
 * Inodes in memory: found by (super block, number), shared while in use,
 * cached afterwards.
 *
 *	count > 0	in use
 *	count = 0	cached: hashed, on inode_lru, written back or dirty
 *	freeing		being evicted: no longer hashed, never found again
 *
 * An inode leaves the cache only when it is clean and has no cached pages:
 * page reclaim takes its pages, after that shrink_inodes() takes it.  An
 * inode whose last link is gone, or that is not hashed, is evicted by the
 * last iput().  The dirty list holds each inode that differs from its disk
 * block once.
 */
#include "fs/vfs.h"
#include "fs/vfs_internal.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/hash.h"
#include "lib/string.h"
#include "mm/slab.h"

#define INODE_HASH_BITS	9

static struct kmem_cache *inode_cache;
static struct list_head inode_hash[1 << INODE_HASH_BITS];
static LIST_HEAD(inode_lru);		/* unused for the longest time first */
static LIST_HEAD(dirty_inodes);
static struct mutex iget_mutex;
static u32 nr_unused_inodes;

/* The hash chain of an inode number. */
static struct list_head *inode_chain(struct super_block *sb, u32 ino)
{
	u32 key = ino ^ (u32)(uptr)sb >> 4;

	return &inode_hash[hash_u32(key, INODE_HASH_BITS)];
}

/* A cached inode with one more reference, or NULL.  Never sleeps. */
struct inode *iget_hashed(struct super_block *sb, u32 ino)
{
	struct list_head *chain = inode_chain(sb, ino);
	struct inode *inode;

	list_for_each_entry(inode, chain, hash)
		if (inode->ino == ino && inode->sb == sb)
			return igrab(inode);
	return NULL;
}

/* The inode, read if need be; see vfs.h.  May sleep. */
struct inode *iget(struct super_block *sb, u32 ino)
{
	struct inode *inode = iget_hashed(sb, ino);

	if (inode)
		return inode;
	mutex_lock(&iget_mutex);
	inode = iget_hashed(sb, ino);
	if (!inode)
		inode = sb->ops->read_inode(sb, ino);
	mutex_unlock(&iget_mutex);
	return inode;
}

/* A new inode, linked into its super block and, if numbered, hashed. */
struct inode *new_inode(struct super_block *sb, u32 ino)
{
	struct inode *inode = kmem_cache_zalloc(inode_cache, GFP_KERNEL);

	if (!inode)
		return NULL;
	inode->ino = ino;
	inode->sb = sb;
	inode->nlink = 1;
	inode->count = 1;
	inode->blksize = sb->block_size;
	mutex_init(&inode->lock);
	address_space_init(&inode->data, inode, NULL);
	inode->mapping = &inode->data;
	list_init(&inode->hash);
	list_init(&inode->lru);
	list_init(&inode->dirty_node);
	list_add_tail(&inode->sb_node, &sb->inodes);
	if (ino)
		list_add(&inode->hash, inode_chain(sb, ino));
	return inode;
}

/* One more reference on an inode that is not being evicted. */
struct inode *igrab(struct inode *inode)
{
	BUG_ON(inode->freeing);
	if (!inode->count++ && !list_empty(&inode->lru)) {
		list_del_init(&inode->lru);
		nr_unused_inodes--;
	}
	return inode;
}

/* Takes an unused inode out of every list and frees it; deletes it from the
 * disk when it has no link left.  May sleep. */
static void evict(struct inode *inode)
{
	const struct super_ops *ops = inode->sb->ops;

	inode->freeing = true;
	inode->count = 1;	/* an igrab() and iput() do not recurse */
	list_del_init(&inode->hash);
	list_del_init(&inode->dirty_node);
	list_del_init(&inode->data.dirty_node);
	truncate_inode_pages(&inode->data, 0);
	if (!inode->nlink && ops->delete_inode)
		ops->delete_inode(inode);
	if (ops->release_inode)
		ops->release_inode(inode);
	list_del_init(&inode->dirty_node);
	list_del_init(&inode->data.dirty_node);
	list_del(&inode->sb_node);
	kmem_cache_free(inode_cache, inode);
}

/* Drops a reference; see vfs.h. */
void iput(struct inode *inode)
{
	BUG_ON(inode->count <= 0);
	if (--inode->count)
		return;
	if (!inode->nlink || list_empty(&inode->hash)) {
		evict(inode);
		return;
	}
	list_add_tail(&inode->lru, &inode_lru);
	nr_unused_inodes++;
}

/* Puts the inode on the dirty list, unless it lives in memory only. */
void mark_inode_dirty(struct inode *inode)
{
	if (inode->dirty || inode->freeing || !inode->sb->ops->write_inode)
		return;
	inode->dirty = true;
	list_add_tail(&inode->dirty_node, &dirty_inodes);
}

/* Copies a dirty inode to its block; 0 or the error, the inode then being
 * dirty again.  The caller holds a reference.  May sleep. */
int write_inode_now(struct inode *inode)
{
	int err;

	if (!inode->dirty)
		return 0;
	inode->dirty = false;
	list_del_init(&inode->dirty_node);
	err = inode->sb->ops->write_inode(inode);
	if (err)
		mark_inode_dirty(inode);
	return err;
}

/* Writes the dirty inodes there are now; the first error is returned. */
int sync_inodes(struct super_block *sb)
{
	struct inode *inode, *next;
	LIST_HEAD(todo);
	int ret = 0, err;

	list_for_each_entry_safe(inode, next, &dirty_inodes, dirty_node)
		if (!sb || inode->sb == sb)
			list_move_tail(&inode->dirty_node, &todo);
	while (!list_empty(&todo)) {
		inode = list_first_entry(&todo, struct inode, dirty_node);
		igrab(inode);
		err = write_inode_now(inode);
		if (err && !ret)
			ret = err;
		iput(inode);
	}
	return ret;
}

/* Can the unused inode be dropped without losing anything?  Writes it back
 * when only that is missing.  May sleep if `write`. */
static bool inode_droppable(struct inode *inode, bool write)
{
	if (inode->data.nrpages)
		return false;
	if (!inode->dirty)
		return true;
	if (!write)
		return false;
	igrab(inode);
	write_inode_now(inode);
	if (--inode->count)
		return false;
	list_add(&inode->lru, &inode_lru);
	nr_unused_inodes++;
	return !inode->nlink || (!inode->dirty && !inode->data.nrpages);
}

/* Evicts up to `nr` unused inodes, the oldest first; how many went.  Writes
 * dirty ones when `write`, and may then sleep. */
u32 shrink_inodes(u32 nr, bool write)
{
	u32 scan = nr_unused_inodes, freed = 0;
	struct inode *inode;

	while (scan-- && freed < nr && !list_empty(&inode_lru)) {
		inode = list_first_entry(&inode_lru, struct inode, lru);
		list_move_tail(&inode->lru, &inode_lru);
		if (!inode_droppable(inode, write))
			continue;
		list_del_init(&inode->lru);
		nr_unused_inodes--;
		evict(inode);
		freed++;
	}
	return freed;
}

/* Evicts all unused inodes of a super block that is being unmounted, pages
 * and all; they have been written.  May sleep. */
void evict_inodes(struct super_block *sb)
{
	struct inode *inode;
	bool again = true;

	while (again) {
		again = false;
		list_for_each_entry(inode, &sb->inodes, sb_node) {
			if (inode->count || inode->freeing)
				continue;
			list_del_init(&inode->lru);
			nr_unused_inodes--;
			evict(inode);
			again = true;
			break;
		}
	}
}

/* Calls fn on each inode of a super block that has cached pages; the inode is
 * held meanwhile.  Returns the first error.  May sleep. */
static int for_each_cached_inode(struct super_block *sb,
				 int (*fn)(struct inode *, void *), void *arg)
{
	struct inode *inode, *prev = NULL;
	int ret = 0, err;

	list_for_each_entry(inode, &sb->inodes, sb_node) {
		if (inode->freeing || !inode->data.nrpages)
			continue;
		igrab(inode);
		err = fn(inode, arg);
		if (err && !ret)
			ret = err;
		if (prev)
			iput(prev);
		prev = inode;
	}
	if (prev)
		iput(prev);
	return ret;
}

/* Drops the clean pages of one inode and adds them to *arg. */
static int drop_inode_pages(struct inode *inode, void *arg)
{
	*(u32 *)arg += invalidate_mapping_pages(&inode->data);
	return 0;
}

/* Drops the clean, unmapped pages of every inode (drop_caches); pages. */
u32 drop_pagecache(void)
{
	struct super_block *sb;
	u32 pages = 0;

	list_for_each_entry(sb, &super_blocks, node)
		for_each_cached_inode(sb, drop_inode_pages, &pages);
	return pages;
}

/* Writes the dirty pages of one inode; *arg: wait for it? */
static int write_one_inode(struct inode *inode, void *arg)
{
	if (inode->data.no_writeback || inode->data.swap_backed)
		return 0;
	return filemap_write_all(&inode->data, *(bool *)arg);
}

/* Writes the data of every inode of a super block. */
int write_inode_pages(struct super_block *sb, bool wait)
{
	return for_each_cached_inode(sb, write_one_inode, &wait);
}

/* Is an inode of the super block open for writing? */
bool inodes_busy_writing(struct super_block *sb)
{
	struct inode *inode;

	list_for_each_entry(inode, &sb->inodes, sb_node)
		if (inode->writers > 0)
			return true;
	return false;
}

/* Owner, group (of the directory when it is set-group-id), mode, times. */
void inode_init_owner(struct inode *inode, const struct inode *dir,
		      mode_t mode)
{
	inode->mode = mode;
	inode->uid = current->fsuid;
	inode->gid = current->fsgid;
	if (dir && dir->mode & S_ISGID) {
		inode->gid = dir->gid;
		if (S_ISDIR(mode))
			inode->mode |= S_ISGID;
	}
	inode->atime = inode->mtime = inode->ctime = current_time();
}

/* Makes the caches; once, at start-up. */
void inode_init(void)
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(inode_hash); i++)
		list_init(&inode_hash[i]);
	mutex_init(&iget_mutex);
	inode_cache = kmem_cache_create("inode", sizeof(struct inode), 8);
}
