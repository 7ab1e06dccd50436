/* Pages of tmpfs files and of MAP_SHARED | MAP_ANONYMOUS: in the page cache
 * while in memory, in swap otherwise. */
#ifndef MM_SHMEM_H
#define MM_SHMEM_H

#include "mm/filemap.h"
#include "mm/swap_entry.h"

/* A budget of pages shared by the files of one tmpfs. */
struct shmem_limit {
	u32 max;			/* pages; 0: half of memory */
	u32 used;
};

/* Makes a regular file's pages shmem pages: sets inode->mapping->ops and
 * inode->private.  limit may be NULL.  0 or -ENOMEM.  May sleep. */
int shmem_init_inode(struct inode *inode, struct shmem_limit *limit);
/* Frees what shmem_init_inode() made; after shmem_truncate(inode, 0). */
void shmem_release_inode(struct inode *inode);
/* Frees all pages and swap slots from byte `from` on; what a tmpfs file's
 * inode_ops.truncate calls with the new size, and eviction with 0. */
void shmem_truncate(struct inode *inode, loff_t from);
/* swapoff: brings back every page that is in swap area `type`. */
int shmem_unuse(u32 type);

/* An unlinked file of `size` bytes for shared anonymous memory, counted once;
 * ERR_PTR on failure.  fs/tmpfs.c implements it.  May sleep. */
struct file *shmem_file_setup(const char *name, loff_t size);

#endif
