/*
 * sendfile(2): from a file with a page cache to whatever takes kernel memory.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "mm/page_alloc.h"

/* Writes kernel memory at the output's position. */
static ssize_t write_from_kernel(struct file *out, const void *buf, size_t len)
{
	ssize_t ret;
	u32 limit;

	if (out->ops->write_kernel)
		return out->ops->write_kernel(out, buf, len, &out->pos);
	limit = current->rlim[RLIMIT_FSIZE].cur;
	if (out->pos + (loff_t)len > MAX_FILE_SIZE ||
	    (limit != RLIM_INFINITY && out->pos + (loff_t)len > limit))
		return -EFBIG;
	mutex_lock(&out->inode->lock);
	ret = mapping_write(out->mapping, buf, len, out->pos);
	mutex_unlock(&out->inode->lock);
	if (ret > 0)
		out->pos += ret;
	return ret;
}

/* Is it a regular file in the page cache?  (Those of /proc are not.) */
static bool has_pages(const struct file *f)
{
	return S_ISREG(f->inode->mode) && f->mapping->ops;
}

/* Can the pair be connected? 0 or an error. */
static int sendfile_check(struct file *out, struct file *in)
{
	if (!(out->mode & FMODE_WRITE) || !(in->mode & FMODE_READ))
		return -EBADF;
	if (!has_pages(in))
		return -EINVAL;
	if (out->ops->write_kernel)
		return 0;
	return has_pages(out) && !(out->flags & O_APPEND) ? 0 : -EINVAL;
}

/* Copies through `page`; bytes, or an error when there are none. */
static ssize_t sendfile_loop(struct file *out, struct file *in, loff_t *pos,
			     size_t len, void *page)
{
	ssize_t done = 0, n, ret = 0;

	while (len) {
		n = mapping_read(in->mapping, page,
				 min(len, (size_t)PAGE_SIZE), *pos);
		ret = n;
		if (n <= 0)
			break;
		ret = write_from_kernel(out, page, n);
		if (ret <= 0)
			break;
		*pos += ret;
		done += ret;
		len -= ret;
		if (ret < n || signal_pending())
			break;
	}
	return done ? done : ret;
}

/* sendfile with the offset in kernel memory, or NULL: in->pos. */
static ssize_t do_sendfile(unsigned out_fd, unsigned in_fd, loff_t *pos,
			   size_t len)
{
	struct file *in = fget(in_fd), *out = fget(out_fd);
	void *page = NULL;
	ssize_t ret = -EBADF;

	if (in && out)
		ret = sendfile_check(out, in);
	if (!ret && pos && *pos < 0)
		ret = -EINVAL;
	if (!ret) {
		page = get_free_pages(GFP_KERNEL, 0);
		ret = page ? 0 : -ENOMEM;
	}
	if (!ret)
		ret = sendfile_loop(out, in, pos ? pos : &in->pos,
				    min(len, 0x7ffff000u), page);
	if (page)
		free_pages_at(page, 0);
	if (in)
		fput(in);
	if (out)
		fput(out);
	return ret;
}

/* sendfile64(2). */
asmlinkage long sys_sendfile64(unsigned out_fd, unsigned in_fd,
			       loff_t *uoff, size_t len)
{
	loff_t pos;
	ssize_t ret;

	if (!uoff)
		return do_sendfile(out_fd, in_fd, NULL, len);
	if (get_user(pos, uoff))
		return -EFAULT;
	ret = do_sendfile(out_fd, in_fd, &pos, len);
	return put_user(pos, uoff) ? -EFAULT : ret;
}

/* sendfile(2) with a 32-bit offset. */
asmlinkage long sys_sendfile(unsigned out_fd, unsigned in_fd, s32 *uoff,
			     size_t len)
{
	loff_t pos;
	s32 off;
	ssize_t ret;

	if (!uoff)
		return do_sendfile(out_fd, in_fd, NULL, len);
	if (get_user(off, uoff))
		return -EFAULT;
	pos = off;
	ret = do_sendfile(out_fd, in_fd, &pos, len);
	return put_user((s32)pos, uoff) ? -EFAULT : ret;
}
