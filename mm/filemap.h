/*
 * The page cache: the pages of files, found by (mapping, index).
 *
 * An address_space belongs to one inode (inode->data) or block device.  A file
 * system gives it operations; everything else here is common.
 */
#ifndef MM_FILEMAP_H
#define MM_FILEMAP_H

#include "lib/errno.h"
#include "lib/radix_tree.h"
#include "lib/rbtree.h"
#include "mm/page.h"

struct file;
struct inode;
struct vma;
struct writeback_control;

struct address_space_ops {
	/* Starts reading `page` (locked, not up to date).  When done, also on
	 * error (PG_ERROR), the page is unlocked by the completion.  Returns 0
	 * or an error after unlocking.  May sleep. */
	int (*readpage)(struct file *file, struct page *page);

	/* Writes `page`: locked, its dirty bit already cleared.  Sets
	 * PG_WRITEBACK by set_page_writeback(), starts the I/O, unlocks, and
	 * calls end_page_writeback() on completion.  On an immediate error it
	 * unlocks, redirties if worth retrying, and returns the error. */
	int (*writepage)(struct page *page, struct writeback_control *wbc);

	/* Makes [from, to) of the locked page writable: allocates the disk
	 * blocks of the range (so that writeback cannot meet a full disk) and
	 * brings the rest of the page up to date; sets PG_MAPPEDTODISK when
	 * all its blocks up to end of file are allocated.  Also called before
	 * a shared mapping becomes writable, with from = 0.  0, -ENOSPC, -EIO,
	 * -ENOMEM.  May sleep. */
	int (*prepare_write)(struct page *page, unsigned from, unsigned to);

	/* Finds or makes the page when it may live elsewhere (shmem: in swap).
	 * Returns it up to date, unlocked, with a reference, or ERR_PTR.
	 * Sets *waited, if given, when it came from a disk.  NULL op: the
	 * common page cache path.  May sleep. */
	struct page *(*getpage)(struct address_space *m, u32 index,
				bool *waited);
};

struct address_space {
	struct inode *host;
	const struct address_space_ops *ops;
	struct radix_tree_root pages;	/* tags: dirty, writeback */
	u32 nrpages;
	struct list_head i_mmap;	/* private VMAs (list policies) */
	struct list_head i_mmap_shared;	/* shared VMAs (list policies) */
	struct rb_root i_mmap_tree;	/* all VMAs (i_mmap=tree) */
	u32 i_mmap_count;		/* VMAs of both kinds */
	u32 truncate_count;		/* times VMAs were zapped by truncate */
	int error;			/* write error not yet reported */
	struct list_head dirty_node;	/* in the list of dirty mappings */
	u32 dirtied_when;		/* jiffies of the first dirty page */
	bool swap_backed;		/* pages go to swap (shmem, tmpfs) */
	bool no_writeback;		/* pages are never written */
};

void address_space_init(struct address_space *m, struct inode *host,
			const struct address_space_ops *ops);

/* ---- finding pages ---- */
/* A reference on the cached page, or NULL.  Never sleeps; not locked. */
struct page *find_get_page(struct address_space *m, u32 index);
/* The page, locked, with a reference; made (not up to date) if missing.
 * NULL when out of memory.  May sleep. */
struct page *find_or_create_page(struct address_space *m, u32 index,
				 unsigned gfp);
/* The page, up to date, unlocked, with a reference; read if need be.
 * ERR_PTR(-EIO), ERR_PTR(-ENOMEM).  May sleep. */
struct page *read_mapping_page(struct address_space *m, u32 index,
			       struct file *file);
/* Puts a new page into the cache, locked, and on the LRU. 0, -EEXIST,
 * -ENOMEM. */
int add_to_page_cache(struct page *p, struct address_space *m, u32 index,
		      unsigned gfp);

/* ---- completion, called by file systems (softirq or process) ---- */
/* End of a read: sets UPTODATE or ERROR, unlocks. */
void end_page_read(struct page *p, int error);
void set_page_writeback(struct page *p);
/* End of a write; an error is recorded on the mapping for the next fsync or
 * msync (invariant 7: a page leaves memory clean or with its error known). */
void end_page_writeback(struct page *p, int error);

/* Marks a page dirty and its mapping with it; true if it was clean. */
bool set_page_dirty(struct page *p);

/* ---- file operations most file systems use as they are ---- */
/* Bytes done, or an error.  May sleep; write takes inode->lock. */
ssize_t generic_file_read(struct file *f, void *ubuf, size_t len, loff_t *pos);
ssize_t generic_file_write(struct file *f, const void *ubuf, size_t len,
			   loff_t *pos);
/* Reads into kernel memory through the cache; for exec, symlinks,
 * directories.  Bytes read (short at end of file) or an error. */
ssize_t mapping_read(struct address_space *m, void *buf, size_t len,
		     loff_t pos);
/* Writes kernel memory through the cache and extends host->size. */
ssize_t mapping_write(struct address_space *m, const void *buf, size_t len,
		      loff_t pos);
/* file_ops.mmap of anything with a page cache: always 0. */
int generic_file_mmap(struct file *f, struct vma *vma);

/* ---- flushing ---- */
/* Starts (and with wait: finishes) writing the dirty pages of [first, last]
 * in file order.  Returns and clears a recorded write error if wait. */
int filemap_write(struct address_space *m, u32 first, u32 last, bool wait);
#define filemap_write_all(m, wait)	filemap_write((m), 0, ~0u, (wait))

/* ---- truncation (mm/truncate.c) ---- */
/* Drops every cached page from byte `from` on; zeroes the tail of a partial
 * page.  Waits for I/O in flight. */
void truncate_inode_pages(struct address_space *m, loff_t from);
/* Sets inode->size; when shrinking, unmaps and drops what lies beyond, then
 * calls inode->ops->truncate.  Caller holds inode->lock.  0 or an error. */
int vmtruncate(struct inode *inode, loff_t size);
/* Drops clean, unmapped pages; pages dropped (for drop_caches). */
u32 invalidate_mapping_pages(struct address_space *m);
u32 invalidate_mapping_range(struct address_space *m, loff_t from, loff_t to);
/* A hole [from, to) of the cache and of every mapping, unused if len 0. */
void unmap_mapping_range(struct address_space *m, loff_t from, loff_t len,
			 bool even_cows);

/* Readahead state of an open file (struct file.ra). */
struct file_ra {
	u32 start, size;	/* the current window, in pages */
	u32 next;		/* page that continues the sequence */
	u32 ahead;		/* first page of the window not yet read */
	u32 max;		/* limit of the window; 0: the default, 32 */
};

#endif
