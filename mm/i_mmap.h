/*
 * The index of the VMAs that map a file: truncate needs it always, and objrmap
 * finds its PTEs through it.  Chosen at boot by i_mmap=:
 *
 *	tree         interval tree by file offset       i_mmap_tree.c
 *	list_sorted  two lists, ascending vm_pgoff      i_mmap_list.c
 *	list         two lists, unordered               i_mmap_list.c
 *
 * Changed only between sleeps; a VMA's start, end and offset must not change
 * while it is in the index.
 */
#ifndef MM_I_MMAP_H
#define MM_I_MMAP_H

#include "mm/filemap.h"
#include "mm/mm.h"

struct i_mmap_ops {
	const char *name;
	void (*insert)(struct vma *vma, struct address_space *m);
	/* Inserts a copy of `like` (same file, offsets, size), made by fork. */
	void (*insert_copy)(struct vma *vma, struct vma *like,
			    struct address_space *m);
	void (*remove)(struct vma *vma, struct address_space *m);
	/* Candidates: every VMA that maps a page of [first, last], and for the
	 * lists others too, which the caller must reject. */
	struct vma *(*first)(struct address_space *m, u32 first, u32 last);
	struct vma *(*next)(struct vma *vma, struct address_space *m,
			    u32 first, u32 last);
};

extern const struct i_mmap_ops *i_mmap;
extern const struct i_mmap_ops i_mmap_tree, i_mmap_list, i_mmap_list_sorted;

#define for_each_i_mmap(vma, m, lo, hi) \
	for (vma = i_mmap->first(m, lo, hi); vma; \
	     vma = i_mmap->next(vma, m, lo, hi))

/* Pages of a VMA; the file offset of its last page. */
static inline u32 vma_pages(const struct vma *vma)
{
	return (vma->vm_end - vma->vm_start) >> PAGE_SHIFT;
}

static inline u32 vma_last_pgoff(const struct vma *vma)
{
	return vma->vm_pgoff + vma_pages(vma) - 1;
}

#endif
