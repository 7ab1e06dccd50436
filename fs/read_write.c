/*
 * read(2), write(2) and their relatives.
 *
 * The position of a regular file or directory belongs to its struct file; two
 * users of one struct file take turns on pos_lock.  Pipes and terminals have
 * no position and may block, so they are not locked.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "mm/slab.h"

#define MAX_RW_LEN	0x7ffff000u
#define IOV_MAX		1024
#define IOV_FAST	8		/* segments kept on the stack */

struct iovec32 {
	u32 base, len;
};

/* Takes the position of a file that others have open too; true: taken. */
static inline bool lock_pos(struct file *f)
{
	if (likely(f->count <= 2) || !(f->mode & FMODE_POS))
		return false;
	mutex_lock(&f->pos_lock);
	return true;
}

/* Undoes lock_pos(). */
static inline void unlock_pos(struct file *f, bool locked)
{
	if (unlikely(locked))
		mutex_unlock(&f->pos_lock);
}

/* Reads at *pos; see vfs.h. */
ssize_t vfs_read(struct file *f, void *ubuf, size_t len, loff_t *pos)
{
	if (unlikely(!(f->mode & FMODE_READ)))
		return -EBADF;
	if (unlikely(!f->ops->read))
		return S_ISDIR(f->inode->mode) ? -EISDIR : -EINVAL;
	if (unlikely(!access_ok(ubuf, len)))
		return -EFAULT;
	if (unlikely(*pos < 0))
		return -EINVAL;
	return f->ops->read(f, ubuf, min(len, MAX_RW_LEN), pos);
}

/* Writes at *pos; see vfs.h. */
ssize_t vfs_write(struct file *f, const void *ubuf, size_t len, loff_t *pos)
{
	if (unlikely(!(f->mode & FMODE_WRITE)))
		return -EBADF;
	if (unlikely(!f->ops->write))
		return -EINVAL;
	if (unlikely(!access_ok(ubuf, len)))
		return -EFAULT;
	if (unlikely(*pos < 0))
		return -EINVAL;
	if (unlikely(*pos > MAX_FILE_SIZE))
		return -EFBIG;
	return f->ops->write(f, ubuf, min(len, MAX_RW_LEN), pos);
}

/* read(2). */
asmlinkage long sys_read(unsigned fd, void *ubuf, size_t len)
{
	struct file *f = fget(fd);
	bool locked;
	long ret;

	if (unlikely(!f))
		return -EBADF;
	locked = lock_pos(f);
	ret = vfs_read(f, ubuf, len, &f->pos);
	unlock_pos(f, locked);
	fput(f);
	return ret;
}

/* write(2). */
asmlinkage long sys_write(unsigned fd, const void *ubuf, size_t len)
{
	struct file *f = fget(fd);
	bool locked;
	long ret;

	if (unlikely(!f))
		return -EBADF;
	locked = lock_pos(f);
	ret = vfs_write(f, ubuf, len, &f->pos);
	unlock_pos(f, locked);
	fput(f);
	return ret;
}

/* Has the file a position that a call may give? */
static bool has_position(const struct file *f)
{
	return !S_ISFIFO(f->inode->mode) && !S_ISSOCK(f->inode->mode);
}

/* pread64(2). */
asmlinkage long sys_pread64(unsigned fd, void *ubuf, size_t len, u32 low,
			    u32 high)
{
	loff_t pos = (loff_t)high << 32 | low;
	struct file *f = fget(fd);
	long ret;

	if (!f)
		return -EBADF;
	ret = has_position(f) ? vfs_read(f, ubuf, len, &pos) : -ESPIPE;
	fput(f);
	return ret;
}

/* pwrite64(2). */
asmlinkage long sys_pwrite64(unsigned fd, const void *ubuf, size_t len,
			     u32 low, u32 high)
{
	loff_t pos = (loff_t)high << 32 | low;
	struct file *f = fget(fd);
	long ret;

	if (!f)
		return -EBADF;
	ret = has_position(f) ? vfs_write(f, ubuf, len, &pos) : -ESPIPE;
	fput(f);
	return ret;
}

/* Fetches segments into `fast` or memory of their own; ERR_PTR. */
static struct iovec32 *get_iov(const struct iovec32 *uiov, u32 n,
			       struct iovec32 *fast)
{
	struct iovec32 *iov = fast;
	u64 total = 0;
	u32 i;

	if (n > IOV_MAX)
		return ERR_PTR(-EINVAL);
	if (n > IOV_FAST)
		iov = kmalloc(n * sizeof(*iov), GFP_KERNEL);
	if (!iov)
		return ERR_PTR(-ENOMEM);
	if (n && copy_from_user(iov, uiov, n * sizeof(*iov)))
		goto bad_address;
	for (i = 0; i < n; i++)
		total += iov[i].len;
	if (total <= 0x7fffffff)
		return iov;
	if (iov != fast)
		kfree(iov);
	return ERR_PTR(-EINVAL);
bad_address:
	if (iov != fast)
		kfree(iov);
	return ERR_PTR(-EFAULT);
}

/* Transfers segment after segment until one is short.  Bytes or an error. */
static ssize_t do_iov(struct file *f, const struct iovec32 *iov, u32 n,
		      loff_t *pos, bool write)
{
	ssize_t done = 0, ret;
	void *base;
	u32 i;

	if (!(f->mode & (write ? FMODE_WRITE : FMODE_READ)))
		return -EBADF;
	for (i = 0; i < n; i++) {
		if (!iov[i].len)
			continue;
		base = (void *)iov[i].base;
		ret = write ? vfs_write(f, base, iov[i].len, pos) :
			      vfs_read(f, base, iov[i].len, pos);
		if (ret < 0)
			return done ? done : ret;
		done += ret;
		if ((u32)ret < iov[i].len)
			break;
	}
	return done;
}

/* The four vector calls; `upos` NULL: at the file's own position. */
static long rw_vector(unsigned fd, const struct iovec32 *uiov, u32 n,
		      loff_t *upos, bool write)
{
	struct iovec32 fast[IOV_FAST], *iov;
	struct file *f = fget(fd);
	bool locked;
	long ret;

	if (!f)
		return -EBADF;
	iov = get_iov(uiov, n, fast);
	if (IS_ERR(iov)) {
		ret = PTR_ERR(iov);
	} else if (upos) {
		ret = has_position(f) ? do_iov(f, iov, n, upos, write) :
					-ESPIPE;
	} else {
		locked = lock_pos(f);
		ret = do_iov(f, iov, n, &f->pos, write);
		unlock_pos(f, locked);
	}
	if (!IS_ERR(iov) && iov != fast)
		kfree(iov);
	fput(f);
	return ret;
}

/* readv(2). */
asmlinkage long sys_readv(unsigned fd, const struct iovec32 *uiov, u32 n)
{
	return rw_vector(fd, uiov, n, NULL, false);
}

/* writev(2). */
asmlinkage long sys_writev(unsigned fd, const struct iovec32 *uiov, u32 n)
{
	return rw_vector(fd, uiov, n, NULL, true);
}

/* preadv(2). */
asmlinkage long sys_preadv(unsigned fd, const struct iovec32 *uiov, u32 n,
			   u32 low, u32 high)
{
	loff_t pos = (loff_t)high << 32 | low;

	return rw_vector(fd, uiov, n, &pos, false);
}

/* pwritev(2). */
asmlinkage long sys_pwritev(unsigned fd, const struct iovec32 *uiov, u32 n,
			    u32 low, u32 high)
{
	loff_t pos = (loff_t)high << 32 | low;

	return rw_vector(fd, uiov, n, &pos, true);
}

/* Moves the position relative to 0, itself or the end. */
loff_t generic_llseek(struct file *f, loff_t off, int whence)
{
	if (whence == SEEK_CUR)
		off += f->pos;
	else if (whence == SEEK_END)
		off += f->inode->size;
	else if (whence != SEEK_SET)
		return -EINVAL;
	if (off < 0 || off > MAX_FILE_SIZE)
		return -EINVAL;
	f->pos = off;
	return off;
}

/* The position of a device that has none. */
loff_t null_llseek(struct file *f unused_arg, loff_t off unused_arg,
		   int whence unused_arg)
{
	return 0;
}

/* Seeks in an open file. */
static loff_t vfs_llseek(struct file *f, loff_t off, int whence)
{
	bool locked = lock_pos(f);
	loff_t ret;

	if (f->flags & O_PATH)
		ret = -EBADF;
	else if (f->ops->llseek)
		ret = f->ops->llseek(f, off, whence);
	else
		ret = f->mode & FMODE_POS || S_ISBLK(f->inode->mode) ?
			generic_llseek(f, off, whence) : -ESPIPE;
	unlock_pos(f, locked);
	return ret;
}

/* lseek(2) with 32-bit offsets. */
asmlinkage long sys_lseek(unsigned fd, s32 off, unsigned whence)
{
	struct file *f = fget(fd);
	loff_t ret;

	if (!f)
		return -EBADF;
	ret = vfs_llseek(f, off, whence);
	if (ret > 0x7fffffff)
		ret = -EOVERFLOW;
	fput(f);
	return ret;
}

/* _llseek(2). */
asmlinkage long sys_llseek(unsigned fd, u32 high, u32 low, loff_t *uresult,
			   unsigned whence)
{
	struct file *f = fget(fd);
	loff_t ret;

	if (!f)
		return -EBADF;
	ret = vfs_llseek(f, (loff_t)high << 32 | low, whence);
	fput(f);
	if (ret < 0)
		return ret;
	return put_user(ret, uresult);
}
