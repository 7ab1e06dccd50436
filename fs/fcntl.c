/*
 * fcntl(2) and ioctl(2).
 */
#include "fs/file.h"
#include "fs/locks.h"
#include "fs/pipe.h"
#include "fs/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"

#define O_SETTABLE	(O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | \
			 O_NOATIME)

/* fcntl commands on an open file that is held; `wide`: fcntl64. */
static long do_fcntl(struct file *f, unsigned cmd, u32 arg, bool wide)
{
	switch (cmd) {
	case F_GETFL:
		return f->flags & ~O_CLOEXEC;
	case F_SETFL:
		f->flags = (f->flags & ~O_SETTABLE) | (arg & O_SETTABLE);
		return 0;
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
		return fcntl_lock(f, cmd, (void *)arg, false);
	case F_GETLK64:
	case F_SETLK64:
	case F_SETLKW64:
		if (!wide)
			return -EINVAL;
		return fcntl_lock(f, cmd - F_GETLK64 + F_GETLK, (void *)arg,
				  true);
	case F_SETPIPE_SZ:
	case F_GETPIPE_SZ:
		return pipe_fcntl(f, cmd, arg);
	default:
		return -EINVAL;
	}
}

/* The commands that concern the descriptor, then the others. */
static long fcntl_fd(unsigned fd, unsigned cmd, u32 arg, bool wide)
{
	struct file *f;
	long ret;

	switch (cmd) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		return fd_dup(fd, arg, cmd == F_DUPFD_CLOEXEC);
	case F_GETFD:
		return fd_cloexec(fd, -1);
	case F_SETFD:
		return fd_cloexec(fd, arg & FD_CLOEXEC);
	}
	f = fget(fd);
	if (!f)
		return -EBADF;
	ret = do_fcntl(f, cmd, arg, wide);
	fput(f);
	return ret;
}

/* fcntl(2). */
asmlinkage long sys_fcntl(unsigned fd, unsigned cmd, u32 arg)
{
	return fcntl_fd(fd, cmd, arg, false);
}

/* fcntl64(2). */
asmlinkage long sys_fcntl64(unsigned fd, unsigned cmd, u32 arg)
{
	return fcntl_fd(fd, cmd, arg, true);
}

#define FIONCLEX	0x5450
#define FIOCLEX		0x5451
#define FIONBIO		0x5421
#define FIONREAD	0x541b

/* FIONBIO: O_NONBLOCK from a user int. */
static long set_nonblock(struct file *f, const int *uon)
{
	int on;

	if (get_user(on, uon))
		return -EFAULT;
	if (on)
		f->flags |= O_NONBLOCK;
	else
		f->flags &= ~O_NONBLOCK;
	return 0;
}

/* FIONREAD of a regular file: what is left of it. */
static long bytes_left(struct file *f, int *uleft)
{
	loff_t left = f->inode->size - f->pos;

	return put_user((int)min(left, (loff_t)0x7fffffff), uleft);
}

/* ioctl(2). */
asmlinkage long sys_ioctl(unsigned fd, unsigned cmd, u32 arg)
{
	struct file *f = fget(fd);
	long ret = -ENOTTY;

	if (!f)
		return -EBADF;
	if (f->flags & O_PATH)
		ret = -EBADF;
	else if (cmd == FIOCLEX || cmd == FIONCLEX)
		ret = fd_cloexec(fd, cmd == FIOCLEX);
	else if (cmd == FIONBIO)
		ret = set_nonblock(f, (const int *)arg);
	else if (cmd == FIONREAD && S_ISREG(f->inode->mode))
		ret = bytes_left(f, (int *)arg);
	else if (f->ops->ioctl)
		ret = f->ops->ioctl(f, cmd, arg);
	fput(f);
	return ret == -ENOIOCTLCMD ? -ENOTTY : ret;
}
