/* Block devices as files: each has an inode whose pages are its contents. */
#ifndef FS_BDEV_H
#define FS_BDEV_H

#include "drivers/block.h"
#include "fs/vfs.h"

extern const struct file_ops bdev_fops;	/* of every block device node */

/* Makes sure that the device has its inode (b->inode).  0 or -ENOMEM. */
int bdev_attach(struct block_device *b);
void bdev_cache_init(void);

#endif
