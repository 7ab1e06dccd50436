/*
 * The file system's system calls, for kernel/syscall_table.c.  Each is what
 * the manual page of its name says, with Linux i386's arguments.
 */
#ifndef FS_SYSCALLS_H
#define FS_SYSCALLS_H

#include "kernel/linkage.h"
#include "lib/types.h"

struct iovec32;

/* ---- mount.c ---- */
asmlinkage long sys_mount(const char *udev, const char *udir,
			  const char *utype, u32 flags, const char *udata);
asmlinkage long sys_umount(const char *upath);
asmlinkage long sys_umount2(const char *upath, int flags);

/* ---- open.c ---- */
asmlinkage long sys_open(const char *upath, int flags, mode_t mode);
asmlinkage long sys_openat(int dirfd, const char *upath, int flags,
			   mode_t mode);
asmlinkage long sys_creat(const char *upath, mode_t mode);
asmlinkage long sys_close(unsigned fd);
asmlinkage long sys_close_range(unsigned first, unsigned last, u32 flags);
asmlinkage long sys_truncate(const char *upath, s32 size);
asmlinkage long sys_truncate64(const char *upath, u32 low, u32 high);
asmlinkage long sys_ftruncate(unsigned fd, s32 size);
asmlinkage long sys_ftruncate64(unsigned fd, u32 low, u32 high);
asmlinkage long sys_fallocate(unsigned fd, int mode, u32 off_low,
			      u32 off_high, u32 len_low, u32 len_high);

/* ---- fcntl.c ---- */
asmlinkage long sys_dup(unsigned fd);
asmlinkage long sys_dup2(unsigned fd, unsigned newfd);
asmlinkage long sys_dup3(unsigned fd, unsigned newfd, int flags);
asmlinkage long sys_fcntl(unsigned fd, unsigned cmd, u32 arg);
asmlinkage long sys_fcntl64(unsigned fd, unsigned cmd, u32 arg);
asmlinkage long sys_ioctl(unsigned fd, unsigned cmd, u32 arg);
asmlinkage long sys_flock(unsigned fd, unsigned cmd);

/* ---- read_write.c, sendfile.c ---- */
asmlinkage long sys_read(unsigned fd, void *ubuf, size_t len);
asmlinkage long sys_write(unsigned fd, const void *ubuf, size_t len);
asmlinkage long sys_readv(unsigned fd, const struct iovec32 *uiov, u32 n);
asmlinkage long sys_writev(unsigned fd, const struct iovec32 *uiov, u32 n);
asmlinkage long sys_pread64(unsigned fd, void *ubuf, size_t len, u32 low,
			    u32 high);
asmlinkage long sys_pwrite64(unsigned fd, const void *ubuf, size_t len,
			     u32 low, u32 high);
asmlinkage long sys_preadv(unsigned fd, const struct iovec32 *uiov, u32 n,
			   u32 low, u32 high);
asmlinkage long sys_pwritev(unsigned fd, const struct iovec32 *uiov, u32 n,
			    u32 low, u32 high);
asmlinkage long sys_lseek(unsigned fd, s32 off, unsigned whence);
asmlinkage long sys_llseek(unsigned fd, u32 high, u32 low, loff_t *uresult,
			   unsigned whence);
asmlinkage long sys_sendfile(unsigned out_fd, unsigned in_fd, s32 *uoff,
			     size_t len);
asmlinkage long sys_sendfile64(unsigned out_fd, unsigned in_fd,
			       loff_t *uoff, size_t len);

/* ---- stat.c, statfs.c ---- */
asmlinkage long sys_oldstat(const char *upath, void *ust);
asmlinkage long sys_oldlstat(const char *upath, void *ust);
asmlinkage long sys_oldfstat(unsigned fd, void *ust);
asmlinkage long sys_newstat(const char *upath, void *ust);
asmlinkage long sys_newlstat(const char *upath, void *ust);
asmlinkage long sys_newfstat(unsigned fd, void *ust);
asmlinkage long sys_stat64(const char *upath, void *ust);
asmlinkage long sys_lstat64(const char *upath, void *ust);
asmlinkage long sys_fstat64(unsigned fd, void *ust);
asmlinkage long sys_fstatat64(int dirfd, const char *upath, void *ust,
			      int flags);
asmlinkage long sys_statx(int dirfd, const char *upath, unsigned flags,
			  unsigned mask, void *ustx);
asmlinkage long sys_readlink(const char *upath, char *ubuf, int size);
asmlinkage long sys_readlinkat(int dirfd, const char *upath, char *ubuf,
			       int size);
asmlinkage long sys_statfs(const char *upath, void *ubuf);
asmlinkage long sys_fstatfs(unsigned fd, void *ubuf);
asmlinkage long sys_statfs64(const char *upath, size_t size, void *ubuf);
asmlinkage long sys_fstatfs64(unsigned fd, size_t size, void *ubuf);
asmlinkage long sys_ustat(u32 dev, void *ubuf);

/* ---- readdir.c ---- */
asmlinkage long sys_getdents(unsigned fd, void *ubuf, unsigned size);
asmlinkage long sys_getdents64(unsigned fd, void *ubuf, unsigned size);

/* ---- dirops.c, rename.c ---- */
asmlinkage long sys_mkdir(const char *upath, mode_t mode);
asmlinkage long sys_mkdirat(int dirfd, const char *upath, mode_t mode);
asmlinkage long sys_mknod(const char *upath, mode_t mode, u32 dev);
asmlinkage long sys_mknodat(int dirfd, const char *upath, mode_t mode,
			    u32 dev);
asmlinkage long sys_symlink(const char *utarget, const char *upath);
asmlinkage long sys_symlinkat(const char *utarget, int dirfd,
			      const char *upath);
asmlinkage long sys_link(const char *uold, const char *unew);
asmlinkage long sys_linkat(int olddirfd, const char *uold, int newdirfd,
			   const char *unew, int flags);
asmlinkage long sys_unlink(const char *upath);
asmlinkage long sys_unlinkat(int dirfd, const char *upath, int flags);
asmlinkage long sys_rmdir(const char *upath);
asmlinkage long sys_rename(const char *uold, const char *unew);
asmlinkage long sys_renameat(int olddirfd, const char *uold, int newdirfd,
			     const char *unew);
asmlinkage long sys_renameat2(int olddirfd, const char *uold, int newdirfd,
			      const char *unew, unsigned flags);

/* ---- attr.c, utimes.c ---- */
asmlinkage long sys_chmod(const char *upath, mode_t mode);
asmlinkage long sys_fchmod(unsigned fd, mode_t mode);
asmlinkage long sys_fchmodat(int dirfd, const char *upath, mode_t mode);
asmlinkage long sys_chown(const char *upath, u32 uid, u32 gid);
asmlinkage long sys_lchown(const char *upath, u32 uid, u32 gid);
asmlinkage long sys_fchown(unsigned fd, u32 uid, u32 gid);
asmlinkage long sys_chown16(const char *upath, u32 uid, u32 gid);
asmlinkage long sys_lchown16(const char *upath, u32 uid, u32 gid);
asmlinkage long sys_fchown16(unsigned fd, u32 uid, u32 gid);
asmlinkage long sys_fchownat(int dirfd, const char *upath, u32 uid, u32 gid,
			     int flags);
asmlinkage long sys_access(const char *upath, int mode);
asmlinkage long sys_faccessat(int dirfd, const char *upath, int mode);
asmlinkage long sys_faccessat2(int dirfd, const char *upath, int mode,
			       int flags);
asmlinkage long sys_utime(const char *upath, const s32 *utimes);
asmlinkage long sys_utimes(const char *upath, const void *utimes);
asmlinkage long sys_futimesat(int dirfd, const char *upath,
			      const void *utimes);
asmlinkage long sys_utimensat(int dirfd, const char *upath,
			      const void *utimes, int flags);
asmlinkage long sys_utimensat_time64(int dirfd, const char *upath,
				     const void *utimes, int flags);

/* ---- fs_context.c ---- */
asmlinkage long sys_chdir(const char *upath);
asmlinkage long sys_fchdir(unsigned fd);
asmlinkage long sys_chroot(const char *upath);
asmlinkage long sys_getcwd(char *ubuf, size_t size);
asmlinkage long sys_umask(mode_t mask);

/* ---- sync.c ---- */
asmlinkage long sys_sync(void);
asmlinkage long sys_syncfs(unsigned fd);
asmlinkage long sys_fsync(unsigned fd);
asmlinkage long sys_fdatasync(unsigned fd);
asmlinkage long sys_sync_file_range(unsigned fd, u32 off_low, u32 off_high,
				    u32 len_low, u32 len_high, u32 flags);

/* ---- xattr.c: no file system here has extended attributes ---- */
asmlinkage long sys_setxattr(const char *upath);
asmlinkage long sys_fsetxattr(unsigned fd);
asmlinkage long sys_getxattr(const char *upath);
asmlinkage long sys_lgetxattr(const char *upath);
asmlinkage long sys_fgetxattr(unsigned fd);
asmlinkage long sys_listxattr(const char *upath);
asmlinkage long sys_llistxattr(const char *upath);
asmlinkage long sys_flistxattr(unsigned fd);

/* ---- tmpfs.c ---- */
asmlinkage long sys_memfd_create(const char *uname, unsigned flags);

/* ---- pipe.c ---- */
asmlinkage long sys_pipe(int *ufds);
asmlinkage long sys_pipe2(int *ufds, int flags);

/* ---- select.c ---- */
struct pollfd;
asmlinkage long sys_poll(struct pollfd *ufds, u32 n, s32 timeout_ms);
asmlinkage long sys_ppoll(struct pollfd *ufds, u32 n, void *uts,
			  const u64 *umask, size_t size);
asmlinkage long sys_ppoll_time64(struct pollfd *ufds, u32 n, void *uts,
				 const u64 *umask, size_t size);
asmlinkage long sys_old_select(const void *uargs);
asmlinkage long sys_select(int n, u32 *uin, u32 *uout, u32 *uex, void *utv);
asmlinkage long sys_pselect6(int n, u32 *uin, u32 *uout, u32 *uex, void *uts,
			     const void *usig);
asmlinkage long sys_pselect6_time64(int n, u32 *uin, u32 *uout, u32 *uex,
				    void *uts, const void *usig);

#endif
