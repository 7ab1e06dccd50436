/*
 * /proc/PID/fd: a link for each descriptor, which leads to the very file that
 * is open, also when that has no path.
 */
#include "fs/file.h"
#include "fs/proc/proc_internal.h"
#include "kernel/task.h"
#include "lib/printf.h"

/* The open file of a task's descriptor with a reference, or NULL. */
static struct file *task_file(struct task *t, unsigned fd)
{
	return t && t->files ? files_get_file(t->files, fd) : NULL;
}

/* The permissions of a link say how the file is open. */
static mode_t link_mode(const struct file *f)
{
	mode_t mode = S_IFLNK;

	if (f->mode & FMODE_READ)
		mode |= 0500;
	if (f->mode & FMODE_WRITE)
		mode |= 0300;
	return mode;
}

/* inode_ops.follow of a link in fd/.  May sleep. */
static struct dentry *fd_follow(struct inode *inode)
{
	struct task *t = proc_task(inode);
	struct dentry *d;
	struct file *f;

	if (t && !proc_may_look(t))
		return ERR_PTR(-EACCES);
	f = task_file(t, proc_inode(inode)->fd);
	if (!f)
		return ERR_PTR(-ENOENT);
	d = dget(f->dentry);
	fput(f);
	return d;
}

static const struct inode_ops link_iops = {
	.readlink = proc_magic_readlink,
	.follow = fd_follow,
};

static const struct proc_entry link_entry = {
	.mode = S_IFLNK,
	.iops = &link_iops,
};

/* The inode number of a descriptor's link. */
static u32 link_ino(const struct inode *dir, unsigned fd)
{
	return PROC_PID_INO(proc_inode(dir)->pid) | PROC_FD_INO |
	       (fd & (PROC_FD_INO - 1));
}

/* inode_ops.lookup of fd/. */
static struct inode *fd_lookup(struct inode *dir, const char *name,
			       unsigned len)
{
	int fd = proc_number(name, len);
	struct task *t = proc_task(dir);
	struct file *f = fd >= 0 ? task_file(t, fd) : NULL;
	struct inode *inode;

	if (!f)
		return ERR_PTR(-ENOENT);
	inode = proc_new_inode(dir->sb, &link_entry, t, link_ino(dir, fd));
	if (!IS_ERR(inode)) {
		proc_inode(inode)->fd = fd;
		inode->mode = link_mode(f);
		inode->size = 64;
	}
	fput(f);
	return inode;
}

/* inode_ops.revalidate: is the descriptor still open, and how? */
static bool fd_revalidate(struct dentry *d)
{
	struct file *f;

	if (!proc_revalidate(d))
		return false;
	f = task_file(proc_task(d->inode), proc_inode(d->inode)->fd);
	if (!f)
		return false;
	d->inode->mode = link_mode(f);
	fput(f);
	return true;
}

/* The lowest descriptor >= fd that is open, or -1. */
static int next_fd(struct task *t, unsigned fd)
{
	struct file *f;

	for (; t->files && fd < t->files->max; fd++) {
		f = task_file(t, fd);
		if (!f)
			continue;
		fput(f);
		return fd;
	}
	return -1;
}

/* file_ops.iterate of fd/. */
static int fd_iterate(struct file *f, struct dir_context *ctx)
{
	struct task *t;
	char name[16];
	int fd, len;

	if (!proc_emit_dots(f, ctx))
		return 0;
	while ((t = proc_task(f->inode))) {
		fd = next_fd(t, max(f->pos - PROC_NUMBERS, (loff_t)0));
		if (fd < 0)
			return 0;
		len = scnprintf(name, sizeof(name), "%d", fd);
		if (!ctx->emit(ctx, name, len, link_ino(f->inode, fd), DT_LNK,
			       PROC_NUMBERS + fd + 1))
			return 0;
	}
	return f->pos > 2 ? 0 : -ENOENT;
}

const struct inode_ops proc_fd_iops = {
	.lookup = fd_lookup,
	.revalidate = fd_revalidate,
};

const struct file_ops proc_fd_fops = {
	.iterate = fd_iterate,
};
