/* Pipes and FIFOs. */
#ifndef FS_PIPE_H
#define FS_PIPE_H

#include "fs/vfs.h"

extern const struct file_ops fifo_fops;	/* of every FIFO node */

void pipe_init(void);		/* once, at start-up */
/* F_GETPIPE_SZ and F_SETPIPE_SZ: the size is fixed.  -EBADF: no pipe. */
long pipe_fcntl(struct file *f, unsigned cmd, u32 arg);

#endif
