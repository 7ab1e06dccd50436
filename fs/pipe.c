/*
 * Pipes and FIFOs: a ring of 64 KB in pages that exist while they hold data.
 *
 *	page:   0       1       2    ...   15
 *	      [   ddd][ddddddd][d      ]        d: bytes written, not yet read
 *	          ^tail         ^head
 *
 * head and tail count bytes; their low 16 bits are places in the ring.  When
 * a pipe runs empty both go back to the start of their page, so a pipe that
 * passes small messages uses one page again and again.
 *
 * A write of up to PIPE_BUF bytes is done at once or not yet; a longer one in
 * pieces.  The lock is held while bytes are copied (which may sleep), never
 * while waiting for the other side.
 */
#include "fs/pipe.h"
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/slab.h"

#define PIPE_SIZE	65536u
#define PIPE_PAGES	(PIPE_SIZE / PAGE_SIZE)
#define PIPE_BUF	4096u
#define FIONREAD	0x541b

struct pipe {
	char *page[PIPE_PAGES];		/* NULL: holds no data */
	u32 head, tail;			/* bytes ever written, read */
	int readers, writers;		/* open ends */
	int files;			/* open files, the pipe's life */
	u32 reader_opens, writer_opens;	/* ever: what a FIFO's open awaits */
	struct mutex lock;
	struct wait_queue can_read, can_write;
};

static struct kmem_cache *pipe_cache;
static struct super_block *pipe_sb;
static u32 next_pipe_ino;

/* Bytes that wait to be read. */
static u32 pipe_used(const struct pipe *p)
{
	return p->head - p->tail;
}

/* The slot of a position's page. */
static char **pipe_slot(struct pipe *p, u32 pos)
{
	return &p->page[pos / PAGE_SIZE % PIPE_PAGES];
}

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

/* Frees the page of `pos`, which was read to its end. */
static void free_slot(struct pipe *p, u32 pos)
{
	char **slot = pipe_slot(p, pos);

	free_pages_at(*slot, 0);
	*slot = NULL;
}

/* Moves tail over `n` bytes of one page that were copied out.  A page that was
 * read to its end stays when head has come round and written into it. */
static void consume(struct pipe *p, u32 n)
{
	u32 from = p->tail;

	p->tail += n;
	if (p->tail == p->head)
		p->tail = p->head = from & PAGE_MASK;
	else if (p->tail % PAGE_SIZE == 0 &&
		 p->head - (from & PAGE_MASK) <= PIPE_SIZE)
		free_slot(p, from);
}

/* Copies up to `len` bytes to the user; bytes, or -EFAULT. */
static ssize_t pipe_copy_out(struct pipe *p, char *ubuf, size_t len)
{
	size_t done = 0, n;

	len = min(len, (size_t)pipe_used(p));
	while (done < len) {
		u32 offset = p->tail % PAGE_SIZE;

		n = min(len - done, (size_t)(PAGE_SIZE - offset));
		if (copy_to_user(ubuf + done, *pipe_slot(p, p->tail) + offset,
				 n))
			return done ? (ssize_t)done : -EFAULT;
		consume(p, n);
		done += n;
	}
	return done;
}

/* file_ops.read. */
static ssize_t pipe_read(struct file *f, void *ubuf, size_t len,
			 loff_t *pos unused_arg)
{
	struct pipe *p = f->inode->pipe;
	ssize_t ret;

	if (!len)
		return 0;
	mutex_lock(&p->lock);
	while (!pipe_used(p)) {
		mutex_unlock(&p->lock);
		if (!p->writers)
			return 0;
		if (f->flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(p->can_read, pipe_used(p) ||
					       !p->writers);
		if (ret)
			return ret;
		mutex_lock(&p->lock);
	}
	ret = pipe_copy_out(p, ubuf, len);
	mutex_unlock(&p->lock);
	wake_up(&p->can_write);
	return ret;
}

/* The page for position `pos`, made if need be; NULL: no memory. */
static char *get_slot(struct pipe *p, u32 pos)
{
	char **slot = pipe_slot(p, pos);

	if (!*slot)
		*slot = get_free_pages(GFP_KERNEL, 0);
	return *slot;
}

/* Copies `len` bytes, for which there is room, from user or kernel memory;
 * bytes, or -EFAULT, -ENOMEM, then nothing was written. */
static ssize_t pipe_copy_in(struct pipe *p, const char *buf, size_t len,
			    bool user)
{
	size_t done = 0, n;
	u32 pos = p->head;
	char *page;

	for (; done < len; done += n, pos += n) {
		n = min(len - done, (size_t)(PAGE_SIZE - pos % PAGE_SIZE));
		page = get_slot(p, pos);
		if (!page)
			return -ENOMEM;
		if (!user)
			memcpy(page + pos % PAGE_SIZE, buf + done, n);
		else if (copy_from_user(page + pos % PAGE_SIZE, buf + done, n))
			return -EFAULT;
	}
	p->head = pos;
	return done;
}

/* Can a write that wants `need` bytes of room at once go on? */
static bool can_write(const struct pipe *p, u32 need)
{
	return !p->readers || PIPE_SIZE - pipe_used(p) >= need;
}

/* Writes as much as there is room for, `need` bytes at least; 0: no room. */
static ssize_t write_piece(struct pipe *p, const char *buf, size_t len,
			   u32 need, bool user)
{
	u32 space;
	ssize_t ret = 0;

	mutex_lock(&p->lock);
	space = PIPE_SIZE - pipe_used(p);
	if (!p->readers)
		ret = -EPIPE;
	else if (space >= need)
		ret = pipe_copy_in(p, buf, min(len, (size_t)space), user);
	mutex_unlock(&p->lock);
	if (ret > 0)
		wake_up(&p->can_read);
	return ret;
}

/* Writes from user or kernel memory. */
static ssize_t do_pipe_write(struct file *f, const char *buf, size_t len,
			     bool user)
{
	struct pipe *p = f->inode->pipe;
	u32 need = len <= PIPE_BUF ? len : 1;
	size_t done = 0;
	ssize_t ret = 0;

	while (done < len) {
		ret = write_piece(p, buf + done, len - done, need, user);
		if (ret == 0 && f->flags & O_NONBLOCK)
			ret = -EAGAIN;
		if (ret == 0)
			ret = wait_event_interruptible(p->can_write,
						       can_write(p, need));
		if (ret < 0)
			break;
		done += ret;
	}
	if (ret == -EPIPE)
		send_signal(current, SIGPIPE);
	return done ? (ssize_t)done : ret;
}

/* file_ops.write. */
static ssize_t pipe_write(struct file *f, const void *ubuf, size_t len,
			  loff_t *pos unused_arg)
{
	return do_pipe_write(f, ubuf, len, true);
}

/* file_ops.write_kernel. */
static ssize_t pipe_write_kernel(struct file *f, const void *buf, size_t len,
				 loff_t *pos unused_arg)
{
	return do_pipe_write(f, buf, len, false);
}

/* file_ops.poll. */
static unsigned pipe_poll(struct file *f, struct poll_table *pt)
{
	struct pipe *p = f->inode->pipe;
	unsigned mask = 0;

	if (f->mode & FMODE_READ) {
		poll_wait(pt, &p->can_read);
		if (pipe_used(p))
			mask |= POLLIN;
		if (!p->writers && p->writer_opens)
			mask |= POLLHUP;
	}
	if (f->mode & FMODE_WRITE) {
		poll_wait(pt, &p->can_write);
		if (can_write(p, PIPE_BUF))
			mask |= POLLOUT;
		if (!p->readers)
			mask |= POLLERR;
	}
	return mask;
}

/* ioctl(2): FIONREAD. */
static long pipe_ioctl(struct file *f, unsigned cmd, u32 arg)
{
	if (cmd != FIONREAD)
		return -ENOTTY;
	return put_user((int)pipe_used(f->inode->pipe), (int *)arg);
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

/* file_ops.release. */
static void pipe_release(struct file *f)
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
static int fifo_open(struct inode *inode, struct file *f)
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
	if (!(f->flags & O_NONBLOCK))
		err = wait_for_partner(p, mode);
	else if (mode == FMODE_WRITE && !p->readers)
		err = -ENXIO;
	if (err)
		remove_ends(inode, mode);
	return err;
}

const struct file_ops fifo_fops = {
	.open = fifo_open,
	.read = pipe_read,
	.write = pipe_write,
	.write_kernel = pipe_write_kernel,
	.poll = pipe_poll,
	.ioctl = pipe_ioctl,
	.release = pipe_release,
};

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
	char name[24];

	if (!inode)
		return ERR_PTR(-ENOMEM);
	inode->ino = ++next_pipe_ino;
	inode_init_owner(inode, NULL, S_IFIFO | 0600);
	inode->fops = &fifo_fops;
	inode->pipe = pipe_alloc();
	snprintf(name, sizeof(name), "pipe:[%u]", inode->ino);
	if (!inode->pipe) {
		iput(inode);
		return ERR_PTR(-ENOMEM);
	}
	d = d_alloc_pseudo(inode, name);
	return d ? d : ERR_PTR(-ENOMEM);
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
