/* Device nodes: who serves a character device, and its name in /dev. */
#ifndef FS_DEVFS_H
#define FS_DEVFS_H

#include "fs/vfs.h"

/* Gives the character devices of a major number to `fops`, whose open() looks
 * at inode->rdev.  At start-up only. */
void register_chrdev(unsigned major, const struct file_ops *fops);
/* Makes the node /dev/NAME, a character device unless mode says S_IFBLK.  0,
 * -ENOMEM, -EEXIST. */
int devfs_create(const char *name, mode_t mode, dev_t rdev);

void devfs_init(void);			/* once, at start-up */
/* Makes nodes for block devices that have none. */
void devfs_add_block_devices(void);
/* Shows /dev below `root`.  0, -ENOENT: no such directory, -EBUSY, -ENOMEM. */
int devfs_attach(struct dentry *root);

#endif
