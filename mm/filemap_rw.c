/*
 * read() and write() through the page cache.
 *
 *	read:   find or read the page, copy to the user, no page lock
 *	write:  lock the page, prepare_write (blocks, rest of the page),
 *	        copy with faults disabled, mark dirty, unlock, throttle
 *
 * The user's buffer may be a mapping of the very page that is being written:
 * copying with the page locked must not fault, or it would wait for itself.
 * So the buffer is touched first and copied with faults disabled; when a page
 * of it was evicted in between, the round is repeated.
 */
#include "fs/vfs.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/filemap.h"
#include "mm/lru.h"
#include "mm/page_alloc.h"
#include "mm/readahead.h"
#include "mm/writeback.h"

/* Gives others a chance between pages, at little cost when none waits. */
static inline void breathe(void)
{
	if (unlikely(need_resched || softirq_pending))
		cond_resched();
}

/* Where a transfer stands. */
struct transfer {
	struct address_space *m;
	loff_t pos;
	size_t left;
	char *buf;			/* user or kernel memory */
	bool user;
};

/* The page for a read, up to date, with a reference; ERR_PTR. */
static inline struct page *page_for_read(struct file *f, struct transfer *t)
{
	u32 index = (u32)(t->pos >> PAGE_SHIFT);
	struct page *page = find_get_page(t->m, index);

	if (likely(page && page->flags & PG_UPTODATE)) {
		if (unlikely(f && f->ra.size && index == f->ra.ahead))
			readahead_read(f, index, 1);
		return page;
	}
	if (page)
		put_page(page);
	else if (f && !t->m->ops->getpage)
		readahead_read(f, index, (u32)(((t->pos % PAGE_SIZE) +
			       t->left + PAGE_SIZE - 1) >> PAGE_SHIFT));
	return read_mapping_page(t->m, index, f);
}

/* Bytes of the current page that the transfer takes, at most to `end`. */
static size_t chunk(const struct transfer *t, loff_t end)
{
	size_t n = min(t->left, (size_t)(PAGE_SIZE - t->pos % PAGE_SIZE));

	return end - t->pos < (loff_t)n ? (size_t)(end - t->pos) : n;
}

/* Copies out of a page; bytes that could not be copied. */
static size_t copy_out(struct transfer *t, struct page *page, size_t n)
{
	const char *from = (char *)page_address(page) + t->pos % PAGE_SIZE;

	if (t->user)
		return copy_to_user_partial(t->buf, from, n);
	memcpy(t->buf, from, n);
	return 0;
}

/* Counts `n` bytes as done. */
static void advance(struct transfer *t, size_t n)
{
	t->pos += n;
	t->buf += n;
	t->left -= n;
}

/* Reads until done, end of file or an error; 0 or the error. */
static int read_pages(struct file *f, struct transfer *t)
{
	while (t->left && t->pos < t->m->host->size) {
		struct page *page = page_for_read(f, t);
		size_t n, missed;

		if (IS_ERR(page))
			return PTR_ERR(page);
		n = t->pos < t->m->host->size ? chunk(t, t->m->host->size) : 0;
		missed = copy_out(t, page, n);
		mark_page_accessed(page);
		put_page(page);
		advance(t, n - missed);
		if (missed)
			return -EFAULT;
		breathe();
	}
	return 0;
}

/* file_ops.read of most file systems. */
ssize_t generic_file_read(struct file *f, void *ubuf, size_t len, loff_t *pos)
{
	struct transfer t = { f->mapping, *pos, len, ubuf, true };
	int error;

	if (!access_ok(ubuf, len))
		return -EFAULT;
	error = read_pages(f, &t);
	f->ra.next = (u32)((t.pos + PAGE_SIZE - 1) >> PAGE_SHIFT);
	*pos = t.pos;
	return t.left != len ? (ssize_t)(len - t.left) : error;
}

/* Reads into kernel memory; bytes (short at end of file) or an error. */
ssize_t mapping_read(struct address_space *m, void *buf, size_t len,
		     loff_t pos)
{
	struct transfer t = { m, pos, len, buf, false };
	int error = read_pages(NULL, &t);

	return t.left != len ? (ssize_t)(len - t.left) : error;
}

/* Copies into a locked page; bytes that could not be copied. */
static size_t copy_in(struct transfer *t, struct page *page, size_t n)
{
	char *to = (char *)page_address(page) + t->pos % PAGE_SIZE;

	if (t->user)
		return copy_from_user_atomic(to, t->buf, n);
	memcpy(to, t->buf, n);
	return 0;
}

/* The page for a write: locked, with a reference; ERR_PTR. */
static struct page *page_for_write(struct transfer *t)
{
	u32 index = (u32)(t->pos >> PAGE_SHIFT);
	struct page *page;

	if (!t->m->ops->getpage) {
		page = find_or_create_page(t->m, index, GFP_KERNEL);
		return page ? page : ERR_PTR(-ENOMEM);
	}
	for (;;) {
		page = t->m->ops->getpage(t->m, index, NULL);
		if (IS_ERR(page))
			return page;
		lock_page(page);
		if (page->mapping == t->m)
			return page;
		unlock_page(page);
		put_page(page);
	}
}

/* Copies `n` bytes into a page that is ready; what was copied.  A page that is
 * not up to date was to be overwritten as a whole: a part of it is nothing. */
static size_t fill_page(struct transfer *t, struct page *page, size_t n)
{
	struct inode *inode = t->m->host;
	size_t done = n - copy_in(t, page, n);

	if (!done || (done < n && !(page->flags & PG_UPTODATE)))
		return 0;
	if (done == PAGE_SIZE)
		page->flags |= PG_UPTODATE;
	set_page_dirty(page);
	if (t->pos + (loff_t)done > inode->size)
		inode->size = t->pos + done;
	return done;
}

/* Writes into one page; bytes written (0: try again), or an error. */
static ssize_t write_one(struct transfer *t, size_t n)
{
	unsigned offset = t->pos % PAGE_SIZE;
	struct page *page = page_for_write(t);
	ssize_t done = 0;

	if (IS_ERR(page))
		return PTR_ERR(page);
	if (t->m->ops->prepare_write)
		done = t->m->ops->prepare_write(page, offset, offset + n);
	if (!done)
		done = fill_page(t, page, n);
	unlock_page(page);
	mark_page_accessed(page);
	put_page(page);
	return done;
}

/* Writes until done or an error; 0 or the error. */
static int write_pages(struct transfer *t)
{
	while (t->left) {
		size_t n = chunk(t, t->pos + PAGE_SIZE);
		ssize_t done;

		if (t->user && fault_in_pages(t->buf, n, false) < 0)
			return -EFAULT;
		done = write_one(t, n);
		if (done < 0)
			return done;
		advance(t, done);
		balance_dirty_pages(t->m);
		breathe();
		if (fatal_signal_pending())
			return -EINTR;
	}
	return 0;
}

/* Gives back blocks that were allocated past the end of a short write. */
static void trim_after_failure(struct inode *inode)
{
	if (inode->ops && inode->ops->truncate)
		inode->ops->truncate(inode);
}

/* Writes with inode->lock held; bytes or an error. */
static ssize_t write_inode_range(struct transfer *t, size_t len)
{
	struct inode *inode = t->m->host;
	int error = write_pages(t);

	if (error && t->pos > inode->size - (loff_t)PAGE_SIZE)
		trim_after_failure(inode);
	if (t->left == len)
		return error;
	inode->mtime = inode->ctime = current_time();
	mark_inode_dirty(inode);
	return len - t->left;
}

/* How much of a write RLIMIT_FSIZE allows; 0: none, SIGXFSZ was sent. */
static size_t limit_to_rlimit(loff_t pos, size_t len)
{
	u32 limit = current->rlim[RLIMIT_FSIZE].cur;

	if (limit == RLIM_INFINITY || pos + (loff_t)len <= limit)
		return len;
	if (pos >= limit) {
		send_signal(current, SIGXFSZ);
		return 0;
	}
	return limit - (u32)pos;
}

/* file_ops.write of most file systems; takes inode->lock. */
ssize_t generic_file_write(struct file *f, const void *ubuf, size_t len,
			   loff_t *pos)
{
	struct inode *inode = f->mapping->host;
	struct transfer t = { f->mapping, *pos, len, (char *)ubuf, true };
	ssize_t done;

	if (!len)
		return 0;
	if (!access_ok(ubuf, len))
		return -EFAULT;
	mutex_lock(&inode->lock);
	if (f->flags & O_APPEND)
		t.pos = inode->size;
	len = limit_to_rlimit(t.pos, len);
	t.left = len;
	done = len ? write_inode_range(&t, len) : -EFBIG;
	mutex_unlock(&inode->lock);
	if (done > 0)
		*pos = t.pos;
	if (done > 0 && f->flags & O_SYNC) {
		int error = f->ops->fsync ? f->ops->fsync(f, true) : 0;

		return error ? error : done;
	}
	return done;
}

/* Writes kernel memory through the cache; the caller holds inode->lock. */
ssize_t mapping_write(struct address_space *m, const void *buf, size_t len,
		      loff_t pos)
{
	struct transfer t = { m, pos, len, (char *)buf, false };

	return write_inode_range(&t, len);
}
