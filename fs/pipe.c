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
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/string.h"
#include "mm/page_alloc.h"

#define PIPE_BUF	4096u
#define FIONREAD	0x541b

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

const struct file_ops fifo_fops = {
	.open = fifo_open,
	.read = pipe_read,
	.write = pipe_write,
	.write_kernel = pipe_write_kernel,
	.poll = pipe_poll,
	.ioctl = pipe_ioctl,
	.release = pipe_release,
};
