/* Descriptor tables and the file-system context of tasks. */
#ifndef FS_FILE_H
#define FS_FILE_H

#include "fs/vfs.h"

struct files {
	int count;			/* tasks that share it */
	unsigned max;			/* slots in fd */
	struct file **fd;
	u32 *cloexec;			/* one bit per slot */
	unsigned next;			/* lowest possibly free slot */
};

struct fs_context {
	int count;
	struct dentry *root, *cwd;
	mode_t umask;
};

/* fork: a copy; of NULL, an empty table.  NULL: no memory. */
struct files *files_dup(struct files *old);
void files_put(struct files *files);		/* exit; may sleep */
void files_close_on_exec(struct files *files);
struct fs_context *fs_dup(struct fs_context *old);
void fs_put(struct fs_context *fs);
extern struct fs_context init_fs_context;

/* The open file of a descriptor with a reference, or NULL (EBADF). */
struct file *fget(unsigned fd);
/* The same in another task's table. */
struct file *files_get_file(struct files *files, unsigned fd);
/* The same of any table, without a reference (proc). */
struct file *files_peek(struct files *files, unsigned fd);
/* The lowest free descriptor >= from, reserved; -EMFILE, -ENOMEM. */
int get_unused_fd(unsigned from, bool cloexec);
void fd_install(unsigned fd, struct file *f);	/* consumes the reference */
void put_unused_fd(unsigned fd);
/* Another descriptor >= from for the same open file; -errno. */
long fd_dup(unsigned fd, unsigned from, bool cloexec);
/* Reads (set < 0) or sets the close-on-exec flag; -EBADF. */
int fd_cloexec(unsigned fd, int set);

/* ---- poll ---- */
#define POLLIN		0x0001
#define POLLPRI		0x0002
#define POLLOUT		0x0004
#define POLLERR		0x0008
#define POLLHUP		0x0010
#define POLLNVAL	0x0020
/* In file_ops.poll: sleep also on `wq`. */
void poll_wait(struct poll_table *pt, struct wait_queue *wq);

#endif
