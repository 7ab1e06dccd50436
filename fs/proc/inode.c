/*
 * /proc's inodes: made at each lookup from tables of entries, never hashed.
 *
 *	dentry -> inode -> proc_inode { entry, pid, start }
 *
 * An inode does not hold its task: it knows the pid and when the task was
 * started, and each use looks the task up.  A cached name of a task that has
 * ended is dropped when it is next looked at; names that do not exist are not
 * cached at all, as they may come to exist.
 */
#include "fs/proc/proc.h"
#include "fs/proc/proc_internal.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/slab.h"

#define PROC_MAGIC	0x9fa0
#define PROC_ROOT_INO	1

/* The task an inode belongs to, or NULL. */
struct task *proc_task(const struct inode *inode)
{
	const struct proc_inode *pi = proc_inode(inode);
	struct task *t = pi->pid ? find_task(pi->pid) : NULL;

	return t && t->start_ns == pi->start_ns ? t : NULL;
}

/* May the current task look into the memory and files of `t`? */
bool proc_may_look(const struct task *t)
{
	uid_t uid = current->fsuid;

	return t->tgid == current->tgid || uid == 0 ||
	       (uid == t->uid && uid == t->euid && uid == t->suid);
}

/* The text of a link that is nothing but text. */
static int proc_readlink(struct inode *inode, char *buf, size_t size)
{
	return proc_inode(inode)->entry->format(buf, size);
}

/* Follows a magic link; the dentry with a reference, or ERR_PTR. */
static struct dentry *proc_follow(struct inode *inode)
{
	struct task *t = proc_task(inode);

	if (!t)
		return ERR_PTR(-ENOENT);
	if (!proc_may_look(t))
		return ERR_PTR(-EACCES);
	return proc_inode(inode)->entry->follow(t);
}

/* The path a magic link leads to; its length or an error.  May sleep. */
int proc_magic_readlink(struct inode *inode, char *buf, size_t size)
{
	struct dentry *d = inode->ops->follow(inode);
	char *path;
	int len;

	if (IS_ERR(d))
		return PTR_ERR(d);
	path = d_path(d, buf, size);
	dput(d);
	if (IS_ERR(path))
		return PTR_ERR(path);
	len = buf + size - 1 - path;
	memmove(buf, path, len);
	return len;
}

static const struct inode_ops proc_link_iops = {
	.readlink = proc_readlink,
};

static const struct inode_ops proc_magic_iops = {
	.readlink = proc_magic_readlink,
	.follow = proc_follow,
};

static const struct inode_ops proc_file_iops;

/* file_ops.iterate of a directory with nothing but its table. */
static int proc_iterate(struct file *f, struct dir_context *ctx)
{
	if (proc_inode(f->inode)->pid && !proc_task(f->inode))
		return -ENOENT;
	if (proc_emit_dots(f, ctx))
		proc_emit_children(f, ctx);
	return 0;
}

static const struct inode_ops proc_dir_iops = {
	.lookup = proc_lookup,
	.revalidate = proc_revalidate,
};

static const struct file_ops proc_dir_fops = {
	.iterate = proc_iterate,
};

/* Gives an inode the operations of its entry, else those of its type. */
static void proc_set_ops(struct inode *inode, const struct proc_entry *entry)
{
	if (S_ISDIR(inode->mode)) {
		inode->ops = &proc_dir_iops;
		inode->fops = &proc_dir_fops;
		inode->nlink = 2;
	} else if (S_ISLNK(inode->mode)) {
		inode->ops = entry->follow ? &proc_magic_iops :
					     &proc_link_iops;
	} else {
		inode->ops = &proc_file_iops;
		inode->fops = &proc_text_fops;
	}
	if (entry->iops)
		inode->ops = entry->iops;
	if (entry->fops)
		inode->fops = entry->fops;
}

/* A new inode for an entry, of `t` or of the system; see the header. */
struct inode *proc_new_inode(struct super_block *sb,
			     const struct proc_entry *entry,
			     const struct task *t, u32 ino)
{
	struct proc_inode template = {
		.entry = entry,
		.pid = t ? t->pid : 0,
		.start_ns = t ? t->start_ns : 0,
	};
	uid_t uid = t ? t->euid : 0;
	gid_t gid = t ? t->egid : 0;
	struct proc_inode *pi = kmalloc(sizeof(*pi), GFP_KERNEL);
	struct inode *inode = pi ? new_inode(sb, 0) : NULL;

	if (!inode) {
		kfree(pi);
		return ERR_PTR(-ENOMEM);
	}
	*pi = template;
	inode->private = pi;
	inode->ino = ino;
	inode->mode = entry->mode;
	inode->uid = uid;
	inode->gid = gid;
	inode->atime = inode->mtime = inode->ctime = current_time();
	proc_set_ops(inode, entry);
	return inode;
}

/* The inode number of a directory's child. */
static u32 child_ino(const struct inode *dir, unsigned index)
{
	const struct proc_inode *pi = proc_inode(dir);

	return pi->pid ? dir->ino + 1 + index :
			 (u32)(uptr)&pi->entry->children[index];
}

/* Finds a name among the entry's children; a new inode or ERR_PTR. */
struct inode *proc_lookup(struct inode *dir, const char *name, unsigned len)
{
	const struct proc_inode *pi = proc_inode(dir);
	const struct proc_entry *e = pi->entry->children;
	struct task *t = proc_task(dir);
	unsigned i;

	if (pi->pid && !t)
		return ERR_PTR(-ENOENT);
	for (i = 0; e[i].name; i++)
		if (strlen(e[i].name) == len && !memcmp(e[i].name, name, len))
			return proc_new_inode(dir->sb, &e[i], t,
					      child_ino(dir, i));
	return ERR_PTR(-ENOENT);
}

/* Emits "." and "..", as far as they are still to come. */
bool proc_emit_dots(struct file *f, struct dir_context *ctx)
{
	u32 parent = f->dentry->parent->inode->ino;

	if (f->pos == 0 && !ctx->emit(ctx, ".", 1, f->inode->ino, DT_DIR, 1))
		return false;
	return f->pos > 1 || ctx->emit(ctx, "..", 2, parent, DT_DIR, 2);
}

/* Emits what is still to come of the entry's children. */
bool proc_emit_children(struct file *f, struct dir_context *ctx)
{
	const struct proc_entry *e = proc_inode(f->inode)->entry->children;
	unsigned i;

	for (i = 0; e[i].name; i++) {
		if (i + 2 < f->pos)
			continue;
		if (!ctx->emit(ctx, e[i].name, strlen(e[i].name),
			       child_ino(f->inode, i), IFTODT(e[i].mode),
			       i + 3))
			return false;
	}
	return true;
}

/* Is a cached name still true?  Its owner may have changed. */
bool proc_revalidate(struct dentry *d)
{
	struct task *t;

	if (!proc_inode(d->inode)->pid)
		return true;
	t = proc_task(d->inode);
	if (!t)
		return false;
	d->inode->uid = t->euid;
	d->inode->gid = t->egid;
	return true;
}

/* The number a name is, without leading zeros; or -1. */
int proc_number(const char *name, unsigned len)
{
	int n = 0;
	unsigned i;

	if (!len || len > 9 || (len > 1 && *name == '0'))
		return -1;
	for (i = 0; i < len; i++) {
		if (name[i] < '0' || name[i] > '9')
			return -1;
		n = n * 10 + name[i] - '0';
	}
	return n;
}

/* Frees what belongs to an inode that is being evicted. */
static void proc_release_inode(struct inode *inode)
{
	kfree(inode->private);
}

/* statfs(2): there is nothing to fill. */
static int proc_statfs(struct super_block *sb unused_arg, struct kstatfs *k)
{
	k->type = PROC_MAGIC;
	k->bsize = PAGE_SIZE;
	k->namelen = NAME_MAX;
	return 0;
}

static const struct super_ops proc_super_ops = {
	.release_inode = proc_release_inode,
	.statfs = proc_statfs,
};

/* file_system.mount. */
static int proc_mount(struct super_block *sb, const char *options unused_arg)
{
	struct inode *root;

	sb->ops = &proc_super_ops;
	root = proc_new_inode(sb, &proc_root_entry, NULL, PROC_ROOT_INO);
	if (IS_ERR(root))
		return PTR_ERR(root);
	sb->root = d_alloc_root(sb, root);
	return sb->root ? 0 : -ENOMEM;
}

static struct file_system proc_type = {
	.name = "proc",
	.mount = proc_mount,
};

/* Registers the file system. */
void proc_init(void)
{
	proc_sys_vm_init();
	register_file_system(&proc_type);
}
