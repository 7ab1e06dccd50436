/*
 * The ends of pipes: opening and closing them, pipe(2), and FIFOs, where the
 * one who opens an end waits for the other.
 */
#include "fs/file.h"
#include "fs/pipe.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/printf.h"
#include "mm/slab.h"

static struct kmem_cache *pipe_cache;
static struct super_block *pipe_sb;
static u32 next_pipe_ino;

/* A new pipe without ends; NULL: no memory. */
static struct pipe *pipe_alloc(void)
{
	struct pipe *p = kmem_cache_zalloc(pipe_cache, GFP_KERNEL);

	if (!p)
		return NULL;
	mutex_init(&p->lock);
	wait_queue_init(&p->can_read);
	wait_queue_init(&p->can_write);
	return p;
}

/* Frees a pipe and its pages. */
static void pipe_free(struct pipe *p)
{
	unsigned i;

	for (i = 0; i < PIPE_PAGES; i++)
		if (p->page[i])
			free_pages_at(p->page[i], 0);
	kmem_cache_free(pipe_cache, p);
}

/* Adds an open file's ends to the pipe. */
static void add_ends(struct pipe *p, unsigned mode)
{
	p->files++;
	if (mode & FMODE_READ) {
		p->readers++;
		p->reader_opens++;
	}
	if (mode & FMODE_WRITE) {
		p->writers++;
		p->writer_opens++;
	}
}

/* Takes an open file's ends away; the last one frees the pipe. */
static void remove_ends(struct inode *inode, unsigned mode)
{
	struct pipe *p = inode->pipe;

	if (mode & FMODE_READ)
		p->readers--;
	if (mode & FMODE_WRITE)
		p->writers--;
	wake_up(&p->can_read);
	wake_up(&p->can_write);
	if (--p->files)
		return;
	inode->pipe = NULL;
	pipe_free(p);
}

/* file_ops.release of both. */
void pipe_release(struct file *f)
{
	remove_ends(f->inode, f->mode);
}

/* Waits until the other end of a FIFO was opened, even if only briefly. */
static int wait_for_partner(struct pipe *p, unsigned mode)
{
	u32 readers = p->reader_opens, writers = p->writer_opens;

	if (mode & FMODE_READ && mode & FMODE_WRITE)
		return 0;
	if (mode & FMODE_READ)
		return p->writers ? 0 :
			wait_event_interruptible(p->can_read,
						 p->writer_opens != writers);
	return p->readers ? 0 :
		wait_event_interruptible(p->can_write,
					 p->reader_opens != readers);
}

/* file_ops.open: of a FIFO, or of a pipe through /proc/PID/fd. */
int fifo_open(struct inode *inode, struct file *f)
{
	unsigned mode = f->mode & (FMODE_READ | FMODE_WRITE);
	struct pipe *p;
	int err = 0;

	if (!inode->pipe) {
		p = pipe_alloc();
		if (!p)
			return -ENOMEM;
		if (inode->pipe)	/* someone opened it meanwhile */
			pipe_free(p);
		else
			inode->pipe = p;
	}
	p = inode->pipe;
	add_ends(p, mode);
	wake_up(&p->can_read);
	wake_up(&p->can_write);
	if (inode->sb == pipe_sb)
		return 0;		/* a pipe has had both ends */
	if (!(f->flags & O_NONBLOCK))
		err = wait_for_partner(p, mode);
	else if (mode == FMODE_WRITE && !p->readers)
		err = -ENXIO;
	if (err)
		remove_ends(inode, mode);
	return err;
}

/* F_GETPIPE_SZ and F_SETPIPE_SZ: the size is what it is. */
long pipe_fcntl(struct file *f, unsigned cmd, u32 arg)
{
	if (f->ops != &fifo_fops)
		return -EBADF;
	if (cmd == F_SETPIPE_SZ && arg > PIPE_SIZE)
		return -EPERM;
	return PIPE_SIZE;
}

/* The dentry of a new pipe's inode; ERR_PTR. */
static struct dentry *pipe_dentry(void)
{
	struct inode *inode = new_inode(pipe_sb, 0);
	struct dentry *d;
	struct pipe *p;
	char name[24];

	if (!inode)
		return ERR_PTR(-ENOMEM);
	inode->ino = ++next_pipe_ino;
	inode_init_owner(inode, NULL, S_IFIFO | 0600);
	inode->fops = &fifo_fops;
	inode->pipe = p = pipe_alloc();
	snprintf(name, sizeof(name), "pipe:[%u]", inode->ino);
	if (!p) {
		iput(inode);
		return ERR_PTR(-ENOMEM);
	}
	d = d_alloc_pseudo(inode, name);
	if (d)
		return d;
	pipe_free(p);		/* the inode is gone */
	return ERR_PTR(-ENOMEM);
}

/* One end of a new pipe; NULL: no memory. */
static struct file *pipe_end(struct dentry *d, int flags)
{
	struct file *f = alloc_file(d, flags, &fifo_fops);

	if (!f)
		return NULL;
	if (f->mode & FMODE_WRITE)
		d->inode->writers++;
	add_ends(d->inode->pipe, f->mode);
	return f;
}

/* Both ends of a new pipe: read, write.  0 or an error. */
static int pipe_files(struct file *f[2], int flags)
{
	struct dentry *d = pipe_dentry();

	if (IS_ERR(d))
		return PTR_ERR(d);
	f[0] = pipe_end(d, O_RDONLY | flags);
	f[1] = f[0] ? pipe_end(d, O_WRONLY | flags) : NULL;
	if (!f[0]) {
		pipe_free(d->inode->pipe);
		d->inode->pipe = NULL;
	} else if (!f[1]) {
		fput(f[0]);
	}
	dput(d);
	return f[1] ? 0 : -ENOMEM;
}

/* Two descriptors for the two ends, told to the user. */
static int pipe_install(struct file *f[2], int *ufds, bool cloexec)
{
	int fd[2], err;

	fd[0] = get_unused_fd(0, cloexec);
	if (fd[0] < 0)
		return fd[0];
	fd[1] = get_unused_fd(0, cloexec);
	err = min(fd[1], 0);
	if (!err)
		err = copy_to_user(ufds, fd, sizeof(fd));
	if (err) {
		put_unused_fd(fd[0]);
		if (fd[1] >= 0)
			put_unused_fd(fd[1]);
		return err;
	}
	fd_install(fd[0], f[0]);
	fd_install(fd[1], f[1]);
	return 0;
}

/* pipe2(2). */
asmlinkage long sys_pipe2(int *ufds, int flags)
{
	struct file *f[2];
	int err;

	if (flags & ~(O_CLOEXEC | O_NONBLOCK))
		return -EINVAL;
	err = pipe_files(f, flags & O_NONBLOCK);
	if (err)
		return err;
	err = pipe_install(f, ufds, flags & O_CLOEXEC);
	if (err) {
		fput(f[0]);
		fput(f[1]);
	}
	return err;
}

/* pipe(2). */
asmlinkage long sys_pipe(int *ufds)
{
	return sys_pipe2(ufds, 0);
}

/* Makes the cache and the super block of pipes; once, at start-up. */
void pipe_init(void)
{
	static struct file_system type = { .name = "pipefs" };

	pipe_cache = kmem_cache_create("pipe", sizeof(struct pipe), 8);
	pipe_sb = pseudo_super(&type);
}
