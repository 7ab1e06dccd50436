/*
 * The start of the file system, and its answer to a shortage of memory.
 */
#include "fs/bdev.h"
#include "fs/devfs.h"
#include "fs/ext2/ext2.h"
#include "fs/pipe.h"
#include "fs/proc/proc.h"
#include "fs/tmpfs.h"
#include "fs/vfs_internal.h"

#define OBJECTS_PER_PAGE	16	/* dentries and inodes, about */

/* Caches first, then what uses them. */
void vfs_init(void)
{
	inode_init();
	dcache_init();
	file_init();
	bdev_cache_init();
	pipe_init();
	tmpfs_init();
	devfs_init();
	ext2_init();
	proc_init();
}

/* Frees unused dentries, then inodes that are clean and have no pages: dirty
 * ones wait for the flusher, as reclaim may hold a file system's locks. */
u32 shrink_vfs_caches(u32 pages)
{
	u32 nr = pages * OBJECTS_PER_PAGE;

	return shrink_dcache(nr) + shrink_inodes(nr, false);
}
