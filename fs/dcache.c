/*
 * The directory cache: which name in which directory is which inode.
 *
 *	root "" <- parent - "usr" <- parent - "bin" <- parent - "sh" -> inode
 *
 * A dentry holds a reference on its parent and on its inode; without an inode
 * it says that the name does not exist.  One that nobody uses stays hashed on
 * dentry_lru until memory is short; one whose name was removed (unhashed) is
 * freed by its last user.  Names change only under the directory's lock, and
 * nothing here sleeps except iput() of a dentry's inode.
 */
#include "fs/file.h"
#include "fs/vfs_internal.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/hash.h"
#include "lib/string.h"
#include "mm/slab.h"

#define DENTRY_HASH_BITS	10

static struct kmem_cache *dentry_cache;
static struct list_head dentry_hash[1 << DENTRY_HASH_BITS];
static LIST_HEAD(dentry_lru);		/* unused for the longest time first */
static u32 nr_unused_dentries;

/* The chain for a name of `parent`. */
static struct list_head *dentry_chain(struct dentry *parent, u32 hash)
{
	u32 key = hash ^ (u32)(uptr)parent >> 4;

	return &dentry_hash[hash_u32(key, DENTRY_HASH_BITS)];
}

/* One more reference for a dentry that was found in the cache. */
void d_use(struct dentry *d)
{
	if (!d->count++ && !list_empty(&d->lru)) {
		list_del_init(&d->lru);
		nr_unused_dentries--;
	}
}

/* Are two names of the same length the same?  They are short, so a plain loop
 * beats memcmp(). */
static inline bool same_name(const char *a, const char *b, unsigned len)
{
	const char *end = a + len;

	while (a != end)
		if (*a++ != *b++)
			return false;
	return true;
}

/* The cached child without a reference; or NULL. */
struct dentry *d_find(struct dentry *parent, const char *name, unsigned len,
		      u32 hash)
{
	struct list_head *chain = dentry_chain(parent, hash);
	struct dentry *d;

	list_for_each_entry(d, chain, hash)
		if (d->name_hash == hash && d->parent == parent &&
		    d->len == len && same_name(d->name, name, len))
			return d;
	return NULL;
}

/* The cached child, with a reference; or NULL. */
struct dentry *d_lookup(struct dentry *parent, const char *name, unsigned len,
			u32 hash)
{
	struct dentry *d = d_find(parent, name, len, hash);

	if (d)
		d_use(d);
	return d;
}

/* Stores a copy of a name in the dentry, in place when it is short. */
static int d_set_name(struct dentry *d, const char *name, unsigned len)
{
	d->name = d->short_name;
	if (len >= sizeof(d->short_name))
		d->name = kmalloc(len + 1, GFP_KERNEL);
	if (!d->name)
		return -ENOMEM;
	memcpy(d->name, name, len);
	d->name[len] = '\0';
	d->len = len;
	return 0;
}

/* Frees the copy of the name. */
static void d_free_name(struct dentry *d)
{
	if (d->name != d->short_name)
		kfree(d->name);
}

/* A dentry that is nowhere, with one reference; NULL: no memory. */
static struct dentry *d_new(const char *name, unsigned len)
{
	struct dentry *d = kmem_cache_zalloc(dentry_cache, GFP_KERNEL);

	if (!d)
		return NULL;
	if (d_set_name(d, name, len)) {
		kmem_cache_free(dentry_cache, d);
		return NULL;
	}
	d->count = 1;
	d->parent = d;
	list_init(&d->hash);
	list_init(&d->children);
	list_init(&d->sibling);
	list_init(&d->lru);
	return d;
}

/* A negative dentry in the cache, with one reference; NULL: no memory. */
struct dentry *d_alloc(struct dentry *parent, const char *name, unsigned len,
		       u32 hash)
{
	struct dentry *d = d_new(name, len);

	if (!d)
		return NULL;
	d->parent = dget(parent);
	d->sb = parent->sb;
	d->name_hash = hash;
	list_add(&d->sibling, &parent->children);
	list_add(&d->hash, dentry_chain(parent, hash));
	return d;
}

/* The root of a super block; consumes the inode reference. */
struct dentry *d_alloc_root(struct super_block *sb, struct inode *inode)
{
	struct dentry *d = d_alloc_pseudo(inode, "");

	if (d) {
		d->sb = sb;
		d->unhashed = false;
	}
	return d;
}

/* A dentry outside any directory; consumes the inode reference. */
struct dentry *d_alloc_pseudo(struct inode *inode, const char *name)
{
	struct dentry *d = d_new(name, strlen(name));

	if (!d) {
		iput(inode);
		return NULL;
	}
	d->inode = inode;
	d->sb = inode->sb;
	d->unhashed = true;
	return d;
}

/* Frees a dentry without users and children; returns its parent, whose
 * reference the caller now owns, or NULL.  May sleep. */
static struct dentry *d_free(struct dentry *d)
{
	struct dentry *parent = d->parent == d ? NULL : d->parent;
	struct inode *inode = d->inode;

	list_del_init(&d->hash);
	list_del_init(&d->sibling);
	if (!list_empty(&d->lru)) {
		list_del_init(&d->lru);
		nr_unused_dentries--;
	}
	d_free_name(d);
	kmem_cache_free(dentry_cache, d);
	if (inode)
		iput(inode);
	return parent;
}

/* Is an unused dentry worth keeping?  Not below a removed directory, which it
 * would keep from being deleted. */
static bool d_may_cache(const struct dentry *d)
{
	return !d->unhashed && !d->parent->unhashed && !d->sb->uncached;
}

/* Drops a reference.  A loop, as freeing a dentry releases its parent. */
void dput(struct dentry *d)
{
	while (d && !--d->count) {
		if (d_may_cache(d)) {
			list_add_tail(&d->lru, &dentry_lru);
			nr_unused_dentries++;
			return;
		}
		d = d_free(d);
	}
}

/* Takes the name out of the cache. */
void d_drop(struct dentry *d)
{
	d->unhashed = true;
	list_del_init(&d->hash);
}

/* The name was removed: the caller's dentry becomes negative if no one else
 * uses it.  May sleep. */
void d_delete(struct dentry *d)
{
	struct inode *inode = d->inode;

	if (d->count > 1) {
		d_drop(d);
		return;
	}
	d->inode = NULL;
	iput(inode);
}

/* Gives `d` the name and place of `target`, whose name is dropped. */
int d_move(struct dentry *d, struct dentry *target)
{
	struct dentry *old = d->parent;
	char *name = d->name;
	bool kept = name == d->short_name;

	if (d_set_name(d, target->name, target->len)) {
		d->name = name;
		return -ENOMEM;
	}
	if (!kept)
		kfree(name);
	d_drop(target);
	list_del_init(&d->hash);
	d->name_hash = target->name_hash;
	d->parent = dget(target->parent);
	list_move(&d->sibling, &d->parent->children);
	list_add(&d->hash, dentry_chain(d->parent, d->name_hash));
	dput(old);
	return 0;
}

/* Walks up, through mounts, from `d` to see whether it meets `ancestor`. */
bool d_is_below(struct dentry *d, struct dentry *ancestor)
{
	for (;;) {
		if (d == ancestor)
			return true;
		if (d->parent != d)
			d = d->parent;
		else if (d->covers)
			d = d->covers;
		else
			return false;
	}
}

/* Frees an unused dentry and those of its parents that become unused and
 * were removed; the others stay cached. */
static void d_kill(struct dentry *d)
{
	dput(d_free(d));
}

/* Frees unused dentries of a super block until none is left. */
void shrink_dcache_sb(struct super_block *sb)
{
	struct dentry *d;
	bool again = true;

	while (again) {
		again = false;
		list_for_each_entry(d, &dentry_lru, lru) {
			if (d->sb != sb)
				continue;
			d_kill(d);
			again = true;
			break;
		}
	}
}

/* Frees the unused children of a dentry the caller holds: after rmdir only
 * negative ones, which would keep the removed inode from being deleted. */
void d_prune_children(struct dentry *parent)
{
	struct dentry *d;
	bool again = true;

	while (again) {
		again = false;
		list_for_each_entry(d, &parent->children, sibling) {
			if (d->count)
				continue;
			d_kill(d);
			again = true;
			break;
		}
	}
}

/* Frees the `nr` dentries that were unused for the longest time. */
u32 shrink_dcache(u32 nr)
{
	u32 freed = 0;

	while (freed < nr && !list_empty(&dentry_lru)) {
		d_kill(list_first_entry(&dentry_lru, struct dentry, lru));
		freed++;
	}
	return freed;
}

/* Frees the root of a super block that is being unmounted.  May sleep. */
void d_free_root(struct dentry *root)
{
	BUG_ON(root->count != 1 || !list_empty(&root->children));
	d_free(root);
}

/* Puts a string in front of *at, not before buf; false if it does not fit. */
static bool prepend(char *buf, char **at, const char *s, unsigned len)
{
	if ((size_t)(*at - buf) < len)
		return false;
	*at -= len;
	memcpy(*at, s, len);
	return true;
}

/* Prepends the components from `d` up to the current root. */
static bool prepend_path(struct dentry *d, char *buf, char **at)
{
	struct dentry *root = current->fs ? current->fs->root : NULL;
	char *end = *at;

	while (d != root) {
		if (d->parent == d) {
			if (!d->covers)
				break;
			d = d->covers;
			continue;
		}
		if (!prepend(buf, at, d->name, d->len) ||
		    !prepend(buf, at, "/", 1))
			return false;
		d = d->parent;
	}
	return *at != end || prepend(buf, at, "/", 1);
}

/* Is the dentry outside any directory (a pipe, shared memory)? */
static bool d_is_pseudo(const struct dentry *d)
{
	return d->parent == d && d->len;
}

/* The absolute path of a dentry at the end of buf; see vfs.h. */
char *d_path(struct dentry *d, char *buf, size_t size)
{
	char *at = buf + size;
	bool deleted = d->unhashed && (d->parent != d || *d->name == '/');
	bool fits = prepend(buf, &at, "", 1);

	if (fits && deleted)
		fits = prepend(buf, &at, " (deleted)", 10);
	if (fits && d_is_pseudo(d))
		fits = prepend(buf, &at, d->name, d->len);
	else if (fits)
		fits = prepend_path(d, buf, &at);
	return fits ? at : ERR_PTR(-ENAMETOOLONG);
}

/* Makes the cache; once, at start-up. */
void dcache_init(void)
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(dentry_hash); i++)
		list_init(&dentry_hash[i]);
	dentry_cache = kmem_cache_create("dentry", sizeof(struct dentry), 8);
}
