/*
 * Extended attributes: no file system here has any.  The calls still resolve
 * their path, so that a wrong one is reported as such.
 */
#include "fs/file.h"
#include "fs/syscalls.h"
#include "fs/vfs_internal.h"

/* The result `ret`, unless the path does not resolve. */
static long on_path(const char *upath, unsigned lookup, long ret)
{
	struct dentry *d = user_path(AT_FDCWD, upath, lookup, 0);

	if (IS_ERR(d))
		return PTR_ERR(d);
	dput(d);
	return ret;
}

/* The result `ret`, unless the descriptor is not open. */
static long on_fd(unsigned fd, long ret)
{
	struct file *f = fget(fd);

	if (!f)
		return -EBADF;
	fput(f);
	return ret;
}

/* setxattr(2), lsetxattr(2), removexattr(2), lremovexattr(2). */
asmlinkage long sys_setxattr(const char *upath)
{
	return on_path(upath, 0, -EOPNOTSUPP);
}

/* fsetxattr(2), fremovexattr(2). */
asmlinkage long sys_fsetxattr(unsigned fd)
{
	return on_fd(fd, -EOPNOTSUPP);
}

/* getxattr(2). */
asmlinkage long sys_getxattr(const char *upath)
{
	return on_path(upath, LOOKUP_FOLLOW, -EOPNOTSUPP);
}

/* lgetxattr(2). */
asmlinkage long sys_lgetxattr(const char *upath)
{
	return on_path(upath, 0, -EOPNOTSUPP);
}

/* fgetxattr(2). */
asmlinkage long sys_fgetxattr(unsigned fd)
{
	return on_fd(fd, -EOPNOTSUPP);
}

/* listxattr(2): the empty list. */
asmlinkage long sys_listxattr(const char *upath)
{
	return on_path(upath, LOOKUP_FOLLOW, 0);
}

/* llistxattr(2): the empty list. */
asmlinkage long sys_llistxattr(const char *upath)
{
	return on_path(upath, 0, 0);
}

/* flistxattr(2): the empty list. */
asmlinkage long sys_flistxattr(unsigned fd)
{
	return on_fd(fd, 0);
}
