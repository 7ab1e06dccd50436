/* Pipes and FIFOs. */
#ifndef FS_PIPE_H
#define FS_PIPE_H

#include "fs/vfs.h"

#define PIPE_SIZE	65536u
#define PIPE_PAGES	(PIPE_SIZE / PAGE_SIZE)

struct pipe {
	char *page[PIPE_PAGES];		/* NULL: holds no data */
	u32 head, tail;			/* bytes ever written, read */
	int readers, writers;		/* open ends */
	int files;			/* open files, the pipe's life */
	u32 reader_opens, writer_opens;	/* ever: what a FIFO's open awaits */
	struct mutex lock;
	struct wait_queue can_read, can_write;
};

/* ---- pipe.c ---- */
extern const struct file_ops fifo_fops;	/* of every pipe and FIFO */

/* ---- fifo.c ---- */
void pipe_init(void);		/* once, at start-up */
int fifo_open(struct inode *inode, struct file *f);
void pipe_release(struct file *f);
/* F_GETPIPE_SZ and F_SETPIPE_SZ: the size is fixed.  -EBADF: no pipe. */
long pipe_fcntl(struct file *f, unsigned cmd, u32 arg);

#endif
