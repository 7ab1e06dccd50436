/*
 * getdents(2): directory entries in the two layouts of user space.
 *
 * The file system emits entries from f->pos on; each one accepted moves
 * f->pos to the position of its successor, so a full buffer loses nothing.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "kernel/uaccess.h"
#include "lib/string.h"

struct dirent64 {
	u64 ino;
	s64 off;
	u16 reclen;
	u8 type;
	char name[1];			/* NUL at the end */
} packed;

struct dirent32 {
	u32 ino, off;
	u16 reclen;
	char name[1];			/* NUL; the type is the last byte */
} packed;

/* A getdents call while the file system emits entries. */
struct getdents {
	struct dir_context ctx;
	struct file *file;
	u8 *ubuf;			/* next entry goes here */
	u32 left;			/* bytes */
	bool wide;			/* struct dirent64 */
	int error;			/* why nothing was taken */
};

/* Copies one entry of `size` bytes: a header and the name with its NUL. */
static bool put_entry(struct getdents *gd, const void *header, u32 header_len,
		      const char *name, unsigned len, u32 size)
{
	u8 *at = gd->ubuf;

	if (copy_to_user(at, header, header_len) ||
	    copy_to_user(at + header_len, name, len) ||
	    clear_user(at + header_len + len, size - header_len - len)) {
		gd->error = -EFAULT;
		return false;
	}
	gd->ubuf += size;
	gd->left -= size;
	return true;
}

/* Emits in getdents64's layout. */
static bool put_dirent64(struct getdents *gd, const char *name, unsigned len,
			 u32 ino, unsigned type, loff_t next, u32 size)
{
	struct dirent64 d = {
		.ino = ino, .off = next, .reclen = size, .type = type
	};

	return put_entry(gd, &d, offsetof(struct dirent64, name), name, len,
			 size);
}

/* Emits in getdents's layout. */
static bool put_dirent32(struct getdents *gd, const char *name, unsigned len,
			 u32 ino, unsigned type, loff_t next, u32 size)
{
	struct dirent32 d = { .ino = ino, .off = next, .reclen = size };
	u8 *last = gd->ubuf + size - 1;

	if (!put_entry(gd, &d, offsetof(struct dirent32, name), name, len,
		       size))
		return false;
	if (put_user((u8)type, last) == 0)
		return true;
	gd->error = -EFAULT;
	return false;
}

/* Takes one entry; see struct dir_context. */
static bool getdents_emit(struct dir_context *ctx, const char *name,
			  unsigned len, u32 ino, unsigned type, loff_t next)
{
	struct getdents *gd = container_of(ctx, struct getdents, ctx);
	u32 size = gd->wide ?
		round_up(offsetof(struct dirent64, name) + len + 1, 8u) :
		round_up(offsetof(struct dirent32, name) + len + 2, 4u);
	bool ok;

	if (size > gd->left) {
		gd->error = -EINVAL;
		return false;
	}
	ok = gd->wide ? put_dirent64(gd, name, len, ino, type, next, size) :
			put_dirent32(gd, name, len, ino, type, next, size);
	if (ok)
		gd->file->pos = next;
	return ok;
}

/* Calls the file system with the directory locked.  0 or an error. */
static int iterate_dir(struct file *f, struct dir_context *ctx)
{
	int err = -ENOENT;

	if (!f->ops->iterate)
		return -ENOTDIR;
	mutex_lock(&f->pos_lock);
	mutex_lock(&f->inode->lock);
	if (f->inode->nlink)
		err = f->ops->iterate(f, ctx);
	mutex_unlock(&f->inode->lock);
	mutex_unlock(&f->pos_lock);
	return err;
}

/* Both calls: bytes stored, 0 at the end, or an error. */
static long getdents(unsigned fd, void *ubuf, u32 size, bool wide)
{
	struct getdents gd = {
		.ctx = { getdents_emit }, .ubuf = ubuf, .left = size,
		.wide = wide,
	};
	long ret;

	gd.file = fget(fd);
	if (!gd.file)
		return -EBADF;
	ret = access_ok(ubuf, size) ? iterate_dir(gd.file, &gd.ctx) : -EFAULT;
	fput(gd.file);
	if (gd.left < size)
		return size - gd.left;
	return ret < 0 ? ret : gd.error;
}

/* getdents(2). */
asmlinkage long sys_getdents(unsigned fd, void *ubuf, unsigned size)
{
	return getdents(fd, ubuf, size, false);
}

/* getdents64(2). */
asmlinkage long sys_getdents64(unsigned fd, void *ubuf, unsigned size)
{
	return getdents(fd, ubuf, size, true);
}
