/*
 * Directories of tmpfs: a tree of names for looking up, a list for reading.
 *
 *	names   red-black tree by (hash, name)
 *	order   list by cookie, which grows with each new entry
 *
 * A reader's position is the cookie of the entry it wants next, so entries
 * that come and go meanwhile do no harm.  0 and 1 are "." and "..".
 */
#include "fs/file.h"
#include "fs/tmpfs_internal.h"
#include "kernel/task.h"
#include "lib/hash.h"
#include "lib/string.h"
#include "mm/slab.h"

#define FIRST_COOKIE	2

/* Less than, equal to or greater than 0 as the name sorts before the entry. */
static int compare(u32 hash, const char *name, unsigned len,
		   const struct tmpfs_dirent *e)
{
	if (hash != e->hash)
		return hash < e->hash ? -1 : 1;
	if (len != e->len)
		return len < e->len ? -1 : 1;
	return memcmp(name, e->name, len);
}

/* The entry of that name, or NULL. */
static struct tmpfs_dirent *find_entry(struct tmpfs_dir *dir, const char *name,
				       unsigned len)
{
	struct rb_node *node = dir->names.node;
	u32 hash = hash_bytes(name, len);
	struct tmpfs_dirent *e;
	int diff;

	while (node) {
		e = rb_entry(node, struct tmpfs_dirent, rb);
		diff = compare(hash, name, len, e);
		if (!diff)
			return e;
		node = diff < 0 ? node->left : node->right;
	}
	return NULL;
}

/* Links an entry into the tree and the list. */
static void insert_entry(struct tmpfs_dir *dir, struct tmpfs_dirent *new)
{
	struct rb_node **link = &dir->names.node, *parent = NULL;
	struct tmpfs_dirent *e;

	while (*link) {
		parent = *link;
		e = rb_entry(parent, struct tmpfs_dirent, rb);
		link = compare(new->hash, new->name, new->len, e) < 0 ?
			&parent->left : &parent->right;
	}
	rb_link_node(&new->rb, parent, link);
	rb_insert_color(&new->rb, &dir->names);
	new->cookie = dir->next_cookie++;
	list_add_tail(&new->node, &dir->order);
}

/* An entry for `inode`, whose reference it takes over; NULL: no memory. */
static struct tmpfs_dirent *new_entry(const char *name, unsigned len,
				      struct inode *inode)
{
	struct tmpfs_dirent *e = kmalloc(sizeof(*e) + len + 1, GFP_KERNEL);

	if (!e)
		return NULL;
	memcpy(e->name, name, len);
	e->name[len] = '\0';
	e->len = len;
	e->hash = hash_bytes(name, len);
	e->inode = inode;
	return e;
}

/* Unlinks and frees an entry, and gives up its inode. */
static void remove_entry(struct tmpfs_dir *dir, struct tmpfs_dirent *e)
{
	struct inode *inode = e->inode;

	rb_erase(&e->rb, &dir->names);
	list_del(&e->node);
	kfree(e);
	iput(inode);
}

/* Makes a directory's table of names. */
int tmpfs_init_dir(struct inode *inode, struct inode *parent)
{
	struct tmpfs_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);

	if (!dir)
		return -ENOMEM;
	list_init(&dir->order);
	dir->next_cookie = FIRST_COOKIE;
	dir->parent = parent;
	inode->private = dir;
	return 0;
}

/* Frees a directory's table.  Directories below it are freed in a loop, not
 * by recursion: the stack is small and the tree may be deep. */
void tmpfs_release_dir(struct inode *inode)
{
	struct tmpfs_sb *tsb = inode->sb->private;
	struct tmpfs_dir *dir = inode->private;
	struct tmpfs_dirent *e;
	struct inode *child;

	if (!dir)
		return;
	list_splice_tail_init(&dir->order, &tsb->doomed);
	kfree(dir);
	if (tsb->draining)
		return;
	tsb->draining = true;
	while (!list_empty(&tsb->doomed)) {
		e = list_first_entry(&tsb->doomed, struct tmpfs_dirent, node);
		list_del(&e->node);
		child = e->inode;
		kfree(e);
		iput(child);
	}
	tsb->draining = false;
}

/* Stamps a directory whose entries changed. */
static void touch_dir(struct inode *dir)
{
	dir->mtime = dir->ctime = current_time();
}

/* inode_ops.lookup. */
static struct inode *tmpfs_lookup(struct inode *dir, const char *name,
				  unsigned len)
{
	struct tmpfs_dirent *e = find_entry(dir->private, name, len);

	return e ? igrab(e->inode) : NULL;
}

/* Names `inode` in the directory, which takes one more reference. */
static int add_name(struct inode *dir, const char *name, unsigned len,
		    struct inode *inode)
{
	struct tmpfs_dirent *e = new_entry(name, len, inode);

	if (!e)
		return -ENOMEM;
	igrab(inode);
	insert_entry(dir->private, e);
	touch_dir(dir);
	return 0;
}

/* inode_ops.mknod; also makes regular files. */
static int tmpfs_mknod(struct inode *dir, const char *name, unsigned len,
		       mode_t mode, dev_t rdev, struct inode **out)
{
	struct inode *inode;
	int err;

	inode = tmpfs_new_inode(dir->sb, dir, mode, rdev, &err);
	if (!inode)
		return err;
	err = add_name(dir, name, len, inode);
	if (err) {
		inode->nlink = 0;
		iput(inode);
		return err;
	}
	*out = inode;
	return 0;
}

/* inode_ops.create. */
static int tmpfs_create(struct inode *dir, const char *name, unsigned len,
			mode_t mode, struct inode **out)
{
	return tmpfs_mknod(dir, name, len, mode, 0, out);
}

/* inode_ops.mkdir. */
static int tmpfs_mkdir(struct inode *dir, const char *name, unsigned len,
		       mode_t mode, struct inode **out)
{
	struct inode *inode;
	int err;

	inode = tmpfs_new_inode(dir->sb, dir, mode, 0, &err);
	if (!inode)
		return err;
	err = tmpfs_init_dir(inode, dir);
	if (!err)
		err = add_name(dir, name, len, inode);
	if (err) {
		inode->nlink = 0;
		iput(inode);
		return err;
	}
	inode->nlink = 2;
	dir->nlink++;
	*out = inode;
	return 0;
}

/* inode_ops.symlink. */
static int tmpfs_symlink(struct inode *dir, const char *name, unsigned len,
			 const char *target, struct inode **out)
{
	size_t size = strlen(target);
	char *copy = kmalloc(size + 1, GFP_KERNEL);
	int err;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, target, size + 1);
	err = tmpfs_mknod(dir, name, len, S_IFLNK | S_IRWXUGO, 0, out);
	if (err) {
		kfree(copy);
		return err;
	}
	(*out)->private = copy;
	(*out)->size = size;
	return 0;
}

/* inode_ops.link. */
static int tmpfs_link(struct inode *dir, const char *name, unsigned len,
		      struct inode *inode)
{
	int err = add_name(dir, name, len, inode);

	if (err)
		return err;
	inode->nlink++;
	inode->ctime = current_time();
	return 0;
}

/* Removes a name and the link it was. */
static void drop_name(struct inode *dir, const char *name, unsigned len,
		      struct inode *inode)
{
	inode->nlink--;
	inode->ctime = current_time();
	remove_entry(dir->private, find_entry(dir->private, name, len));
	touch_dir(dir);
}

/* inode_ops.unlink. */
static int tmpfs_unlink(struct inode *dir, const char *name, unsigned len,
			struct inode *inode)
{
	drop_name(dir, name, len, inode);
	return 0;
}

/* Has the directory no entry? */
static bool is_empty(const struct inode *inode)
{
	const struct tmpfs_dir *dir = inode->private;

	return list_empty(&dir->order);
}

/* inode_ops.rmdir. */
static int tmpfs_rmdir(struct inode *dir, const char *name, unsigned len,
		       struct inode *inode)
{
	if (!is_empty(inode))
		return -ENOTEMPTY;
	inode->nlink--;			/* its own "." */
	drop_name(dir, name, len, inode);
	dir->nlink--;			/* its ".." */
	return 0;
}

/* inode_ops.rename. */
static int tmpfs_rename(struct inode *old_dir, const char *old_name,
			unsigned old_len, struct inode *new_dir,
			const char *new_name, unsigned new_len,
			struct inode *inode, struct inode *victim)
{
	bool is_dir = S_ISDIR(inode->mode);
	struct tmpfs_dirent *e;

	if (victim && S_ISDIR(victim->mode) && !is_empty(victim))
		return -ENOTEMPTY;
	e = new_entry(new_name, new_len, inode);
	if (!e)
		return -ENOMEM;
	igrab(inode);
	if (victim && is_dir)
		tmpfs_rmdir(new_dir, new_name, new_len, victim);
	else if (victim)
		drop_name(new_dir, new_name, new_len, victim);
	inode->nlink++;
	drop_name(old_dir, old_name, old_len, inode);
	insert_entry(new_dir->private, e);
	touch_dir(new_dir);
	if (is_dir) {
		old_dir->nlink--;
		new_dir->nlink++;
		((struct tmpfs_dir *)inode->private)->parent = new_dir;
	}
	return 0;
}

const struct inode_ops tmpfs_dir_ops = {
	.lookup = tmpfs_lookup,
	.create = tmpfs_create,
	.mknod = tmpfs_mknod,
	.mkdir = tmpfs_mkdir,
	.symlink = tmpfs_symlink,
	.link = tmpfs_link,
	.unlink = tmpfs_unlink,
	.rmdir = tmpfs_rmdir,
	.rename = tmpfs_rename,
};

/* file_ops.iterate. */
static int tmpfs_iterate(struct file *f, struct dir_context *ctx)
{
	struct tmpfs_dir *dir = f->inode->private;
	struct tmpfs_dirent *e;

	if (f->pos == 0 && !ctx->emit(ctx, ".", 1, f->inode->ino, DT_DIR, 1))
		return 0;
	if (f->pos <= 1 &&
	    !ctx->emit(ctx, "..", 2, dir->parent->ino, DT_DIR, 2))
		return 0;
	list_for_each_entry(e, &dir->order, node) {
		if (e->cookie < f->pos)
			continue;
		if (!ctx->emit(ctx, e->name, e->len, e->inode->ino,
			       IFTODT(e->inode->mode), (loff_t)e->cookie + 1))
			return 0;
	}
	return 0;
}

const struct file_ops tmpfs_dir_fops = {
	.iterate = tmpfs_iterate,
};
