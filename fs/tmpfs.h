/* tmpfs: files in memory and swap.  Also what /dev and the initramfs are. */
#ifndef FS_TMPFS_H
#define FS_TMPFS_H

#include "fs/vfs.h"

void tmpfs_init(void);		/* once, at start-up */
/* Fills a super block as an empty tmpfs; what file_system.mount is. */
int tmpfs_mount(struct super_block *sb, const char *options);

#endif
