/* Reading ahead of a sequential reader, and around a fault. */
#ifndef MM_READAHEAD_H
#define MM_READAHEAD_H

#include "mm/filemap.h"

#define RA_MAX_PAGES	32		/* 128 KB: one disk request */

/* A read() needs page `index` and, from it on, `count` pages: starts reading
 * what the window says.  May sleep for memory, not for the disk. */
void readahead_read(struct file *f, u32 index, u32 count);
/* A fault needs page `pgoff`: starts reading its neighbourhood. */
void readahead_fault(struct vma *vma, u32 pgoff);
/* Starts reading [index, index + count) as far as it is not cached. */
void readahead_range(struct address_space *m, struct file *f, u32 index,
		     u32 count);

#endif
