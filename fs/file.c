/*
 * Descriptor tables: small numbers to open files.
 *
 *	files->fd[]: [file][file][reserved][NULL][file][NULL] ...
 *	                              next ----^
 *
 * No slot below `next` is free.  A slot is reserved (FD_RESERVED) between
 * get_unused_fd() and fd_install(), so that an open() that sleeps keeps its
 * number.  A table is shared by the threads of a process.
 */
#include "fs/file.h"
#include "fs/locks.h"
#include "fs/syscalls.h"
#include "kernel/task.h"
#include "lib/bitmap.h"
#include "lib/string.h"
#include "mm/slab.h"

#define FD_RESERVED	((struct file *)1)
#define FD_FIRST	32u		/* slots of a new table */

/* Does the slot hold an open file? */
static bool is_open(const struct file *f)
{
	return (uptr)f > (uptr)FD_RESERVED;
}

/* The open file of a descriptor, with a reference, or NULL. */
struct file *fget(unsigned fd)
{
	struct files *files = current->files;

	if (unlikely(fd >= files->max) || unlikely(!is_open(files->fd[fd])))
		return NULL;
	return get_file(files->fd[fd]);
}

/* The open file of a descriptor of any table, without a reference. */
struct file *files_peek(struct files *files, unsigned fd)
{
	if (fd >= files->max || !is_open(files->fd[fd]))
		return NULL;
	return files->fd[fd];
}

/* The open file of a descriptor in any table, with a reference, or NULL. */
struct file *files_get_file(struct files *files, unsigned fd)
{
	if (fd >= files->max || !is_open(files->fd[fd]))
		return NULL;
	return get_file(files->fd[fd]);
}

/* Gives a table room for `max` slots (a multiple of 32) at least. */
static int files_resize(struct files *files, unsigned max)
{
	struct file **fd = kzalloc(max * sizeof(*fd), GFP_KERNEL);
	u32 *cloexec = kzalloc(max / 8, GFP_KERNEL);

	if (!fd || !cloexec) {
		kfree(fd);
		kfree(cloexec);
		return -ENOMEM;
	}
	if (files->max) {
		memcpy(fd, files->fd, files->max * sizeof(*fd));
		memcpy(cloexec, files->cloexec, files->max / 8);
	}
	kfree(files->fd);
	kfree(files->cloexec);
	files->fd = fd;
	files->cloexec = cloexec;
	files->max = max;
	return 0;
}

/* Makes slot `fd` exist, doubling the table.  May sleep. */
static int files_expand(struct files *files, unsigned fd)
{
	unsigned max = files->max;

	while (max <= fd)
		max *= 2;
	return max == files->max ? 0 : files_resize(files, max);
}

/* The lowest descriptor a task may not have. */
static unsigned fd_limit(void)
{
	return min(current->rlim[RLIMIT_NOFILE].cur, 1u << 20);
}

/* The lowest free slot >= from; may be the size of the table. */
static unsigned find_free_slot(const struct files *files, unsigned from)
{
	unsigned fd = max(from, files->next);

	while (fd < files->max && files->fd[fd])
		fd++;
	return fd;
}

/* Reserves the lowest free descriptor >= from.  May sleep. */
int get_unused_fd(unsigned from, bool cloexec)
{
	struct files *files = current->files;
	unsigned fd;
	int err;

	for (;;) {
		fd = find_free_slot(files, from);
		if (fd >= fd_limit())
			return -EMFILE;
		if (fd < files->max)
			break;
		err = files_expand(files, fd);
		if (err)
			return err;
	}
	files->fd[fd] = FD_RESERVED;
	if (from <= files->next)
		files->next = fd + 1;
	if (cloexec)
		set_bit(fd, files->cloexec);
	else
		clear_bit(fd, files->cloexec);
	return fd;
}

/* Fills a reserved slot; consumes the reference. */
void fd_install(unsigned fd, struct file *f)
{
	current->files->fd[fd] = f;
}

/* Frees a slot. */
void put_unused_fd(unsigned fd)
{
	struct files *files = current->files;

	files->fd[fd] = NULL;
	files->next = min(files->next, fd);
}

/* Closes what a table had open as `f`: its record locks go, a reference too. */
static void filp_close(struct files *files, struct file *f)
{
	locks_remove_posix(f, files);
	fput(f);
}

/* Puts `f` (reference consumed) into slot fd, closing what was there. */
static long fd_replace(unsigned fd, struct file *f, bool cloexec)
{
	struct files *files = current->files;
	struct file *old;
	int err;

	err = fd >= fd_limit() ? -EBADF : files_expand(files, fd);
	if (!err && files->fd[fd] == FD_RESERVED)
		err = -EBUSY;
	if (err) {
		fput(f);
		return err;
	}
	old = files->fd[fd];
	files->fd[fd] = f;
	if (cloexec)
		set_bit(fd, files->cloexec);
	else
		clear_bit(fd, files->cloexec);
	if (old)
		filp_close(files, old);
	return fd;
}

/* close(2). */
asmlinkage long sys_close(unsigned fd)
{
	struct files *files = current->files;
	struct file *f;

	if (fd >= files->max || !is_open(files->fd[fd]))
		return -EBADF;
	f = files->fd[fd];
	put_unused_fd(fd);
	filp_close(files, f);
	return 0;
}

/* close_range(2): only plain closing, or marking close-on-exec (4). */
asmlinkage long sys_close_range(unsigned first, unsigned last, u32 flags)
{
	struct files *files = current->files;
	unsigned fd;

	if (first > last || flags & ~4u)
		return -EINVAL;
	for (fd = first; fd <= last && fd < files->max; fd++) {
		if (!is_open(files->fd[fd]))
			continue;
		if (flags)
			set_bit(fd, files->cloexec);
		else
			sys_close(fd);
	}
	return 0;
}

/* Another descriptor >= from for the same open file. */
long fd_dup(unsigned fd, unsigned from, bool cloexec)
{
	struct file *f = fget(fd);
	int newfd;

	if (!f)
		return -EBADF;
	newfd = from >= fd_limit() ? -EINVAL : get_unused_fd(from, cloexec);
	if (newfd < 0)
		fput(f);
	else
		fd_install(newfd, f);
	return newfd;
}

/* dup(2). */
asmlinkage long sys_dup(unsigned fd)
{
	return fd_dup(fd, 0, false);
}

/* dup2(2). */
asmlinkage long sys_dup2(unsigned fd, unsigned newfd)
{
	struct file *f = fget(fd);

	if (!f)
		return -EBADF;
	if (fd != newfd)
		return fd_replace(newfd, f, false);
	fput(f);
	return newfd;
}

/* dup3(2). */
asmlinkage long sys_dup3(unsigned fd, unsigned newfd, int flags)
{
	struct file *f;

	if (fd == newfd || flags & ~O_CLOEXEC)
		return -EINVAL;
	f = fget(fd);
	return f ? fd_replace(newfd, f, flags & O_CLOEXEC) : -EBADF;
}

/* Reads or, with set >= 0, sets a descriptor's close-on-exec flag. */
int fd_cloexec(unsigned fd, int set)
{
	struct files *files = current->files;

	if (fd >= files->max || !is_open(files->fd[fd]))
		return -EBADF;
	if (set < 0)
		return test_bit(fd, files->cloexec);
	if (set)
		set_bit(fd, files->cloexec);
	else
		clear_bit(fd, files->cloexec);
	return 0;
}

/* One above the highest slot in use, in whole words of the bitmap. */
static unsigned files_used(const struct files *files)
{
	unsigned n = files->max;

	while (n && !files->fd[n - 1])
		n--;
	return max(round_up(n, 32u), FD_FIRST);
}

/* A copy of a table whose files get one more reference; `old` NULL: an empty
 * table.  NULL: no memory.  May sleep. */
struct files *files_dup(struct files *old)
{
	struct files *new = kzalloc(sizeof(*new), GFP_KERNEL);
	unsigned fd, size;

	if (!new)
		return NULL;
	size = old ? files_used(old) : FD_FIRST;
	if (files_resize(new, size)) {
		kfree(new);
		return NULL;
	}
	new->count = 1;
	for (fd = 0; old && fd < min(size, old->max); fd++)
		if (is_open(old->fd[fd]))
			new->fd[fd] = get_file(old->fd[fd]);
	if (old)
		memcpy(new->cloexec, old->cloexec, size / 8);
	new->next = find_free_slot(new, 0);
	return new;
}

/* Drops a task's use of its table; the last closes all.  May sleep. */
void files_put(struct files *files)
{
	unsigned fd;

	if (--files->count)
		return;
	for (fd = 0; fd < files->max; fd++)
		if (is_open(files->fd[fd]))
			filp_close(files, files->fd[fd]);
	kfree(files->fd);
	kfree(files->cloexec);
	kfree(files);
}

/* Closes the descriptors marked close-on-exec.  May sleep. */
void files_close_on_exec(struct files *files)
{
	unsigned fd;
	struct file *f;

	for (fd = 0; fd < files->max; fd++) {
		if (!test_bit(fd, files->cloexec))
			continue;
		clear_bit(fd, files->cloexec);
		f = files->fd[fd];
		if (!is_open(f))
			continue;
		files->fd[fd] = NULL;
		files->next = min(files->next, fd);
		filp_close(files, f);
	}
}
