/*
 * Virtual memory areas: one for each stretch of addresses that is mapped alike.
 *
 *	mm->mmap --> [08048..0804c r-x prog] <-> [0804c..0804d rw-] <-> [stack]
 *	mm->mm_rb:   the same VMAs in a red-black tree by address
 *
 * Invariants
 *  1. List and tree hold the same VMAs in the same order; none overlap;
 *     map_count is their number.
 *  2. rb_subtree_gap is the largest distance between a VMA of the subtree and
 *     the end of its predecessor (mm/unmapped_area.c searches by it).
 *  3. A VMA of a file is in the file's i_mmap index, once.
 *
 * VMAs are changed only with mmap_sem held for writing, and never half-way
 * across a sleep, so that reclaim may look at them at any time.
 *
 * Watch it in gdb: break vma_link; print *vma.
 */
#include "kernel/printk.h"
#include "fs/vfs.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/i_mmap.h"
#include "mm/mm.h"
#include "mm/mm_internal.h"
#include "mm/slab.h"
#include "mm/vmstat.h"

static struct kmem_cache *vma_cache;

#define rb_vma(node)	rb_entry_safe(node, struct vma, vm_rb)

/* Makes the cache; called once. */
void vma_init(void)
{
	vma_cache = kmem_cache_create("vm_area_struct", sizeof(struct vma), 4);
}

/* The first VMA with vm_end > addr, or NULL. */
struct vma *find_vma(struct mm *mm, u32 addr)
{
	struct vma *found = mm->mmap_cache;
	struct rb_node *node = mm->mm_rb.node;

	vm_inc(find_vma_calls);
	if (likely(found && found->vm_end > addr && found->vm_start <= addr)) {
		vm_inc(find_vma_hits);
		return found;
	}
	found = NULL;
	while (node) {
		struct vma *vma = rb_entry(node, struct vma, vm_rb);

		vm_inc(find_vma_steps);
		if (vma->vm_end > addr) {
			found = vma;
			if (vma->vm_start <= addr)
				break;
			node = node->left;
		} else {
			node = node->right;
		}
	}
	if (found)
		mm->mmap_cache = found;
	return found;
}

/* A zeroed VMA that belongs to mm, not linked; NULL: no memory. */
struct vma *vma_alloc(struct mm *mm, unsigned gfp)
{
	struct vma *vma = kmem_cache_zalloc(vma_cache, gfp);

	if (vma)
		vma->vm_mm = mm;
	return vma;
}

/* Drops the VMA's file and frees it. */
void vma_free(struct vma *vma)
{
	if (vma->vm_file)
		fput(vma->vm_file);
	kmem_cache_free(vma_cache, vma);
}

/* Recomputes the largest gap of a subtree; true if it changed. */
static bool update_gap(struct rb_node *node)
{
	struct vma *vma = rb_entry(node, struct vma, vm_rb);
	u32 gap = vma->vm_start - (vma->vm_prev ? vma->vm_prev->vm_end : 0);

	if (node->left)
		gap = max(gap, rb_vma(node->left)->rb_subtree_gap);
	if (node->right)
		gap = max(gap, rb_vma(node->right)->rb_subtree_gap);
	if (vma->rb_subtree_gap == gap)
		return false;
	vma->rb_subtree_gap = gap;
	return true;
}

/* A VMA's start or its predecessor's end moved: repairs the gaps above. */
static void gap_changed(struct vma *vma)
{
	if (vma)
		rb_update_path(&vma->vm_rb, update_gap);
}

/* Puts a VMA between its neighbours on the list. */
static void list_link(struct mm *mm, struct vma *vma, struct vma *prev)
{
	struct vma *next = prev ? prev->vm_next : mm->mmap;

	vma->vm_prev = prev;
	vma->vm_next = next;
	if (prev)
		prev->vm_next = vma;
	else
		mm->mmap = vma;
	if (next)
		next->vm_prev = vma;
}

/* Into the mm's list and tree, and the file's index. */
void vma_link(struct mm *mm, struct vma *vma)
{
	struct rb_node **link = &mm->mm_rb.node, *parent = NULL;
	struct vma *prev = NULL;

	while (*link) {
		parent = *link;
		if (vma->vm_start < rb_vma(parent)->vm_start) {
			link = &parent->left;
		} else {
			prev = rb_vma(parent);
			link = &parent->right;
		}
	}
	list_link(mm, vma, prev);
	gap_changed(vma->vm_next);
	rb_link_node(&vma->vm_rb, parent, link);
	rb_insert_augmented(&vma->vm_rb, &mm->mm_rb, update_gap);
	mm->map_count++;
	if (vma->vm_file)
		i_mmap->insert(vma, vma->vm_file->mapping);
}

/* Takes a VMA out of list, tree and index. */
void vma_unlink(struct mm *mm, struct vma *vma)
{
	struct vma *next = vma->vm_next;

	if (vma->vm_file)
		i_mmap->remove(vma, vma->vm_file->mapping);
	if (vma->vm_prev)
		vma->vm_prev->vm_next = next;
	else
		mm->mmap = next;
	if (next)
		next->vm_prev = vma->vm_prev;
	gap_changed(next);
	rb_erase_augmented(&vma->vm_rb, &mm->mm_rb, update_gap);
	mm->map_count--;
	if (mm->mmap_cache == vma)
		mm->mmap_cache = NULL;
}

/* Changes the bounds of a linked VMA; pgoff follows vm_start. */
void vma_resize(struct vma *vma, u32 start, u32 end)
{
	struct address_space *m = vma->vm_file ? vma->vm_file->mapping : NULL;

	if (m)
		i_mmap->remove(vma, m);
	vma->vm_pgoff += (s32)(start - vma->vm_start) >> PAGE_SHIFT;
	vma->vm_start = start;
	vma->vm_end = end;
	gap_changed(vma);
	gap_changed(vma->vm_next);
	if (m)
		i_mmap->insert(vma, m);
}

/* Cuts `vma` at addr: it keeps [vm_start, addr).  0 or -ENOMEM. */
int vma_split(struct vma *vma, u32 addr)
{
	struct vma *upper = vma_alloc(vma->vm_mm, GFP_KERNEL);

	if (!upper)
		return -ENOMEM;
	upper->vm_start = addr;
	upper->vm_end = vma->vm_end;
	upper->vm_flags = vma->vm_flags;
	upper->vm_pgoff = vma->vm_pgoff +
			  ((addr - vma->vm_start) >> PAGE_SHIFT);
	if (vma->vm_file)
		upper->vm_file = get_file(vma->vm_file);
	vma_resize(vma, vma->vm_start, addr);
	vma_link(vma->vm_mm, upper);
	return 0;
}

/* Cuts *vma at start and end; *vma becomes the part between.  0 or -ENOMEM. */
int vma_isolate(struct vma **vma, u32 start, u32 end)
{
	int error = 0;

	if ((*vma)->vm_start < start) {
		error = vma_split(*vma, start);
		*vma = (*vma)->vm_next;
	}
	if (!error && (*vma)->vm_end > end)
		error = vma_split(*vma, end);
	return error;
}

/* May two neighbours become one VMA? */
static bool can_merge(const struct vma *a, const struct vma *b)
{
	if (a->vm_end != b->vm_start || a->vm_flags != b->vm_flags)
		return false;
	if (a->vm_file != b->vm_file || a->vm_flags & VM_GROWSDOWN)
		return false;
	return a->vm_pgoff + vma_pages(a) == b->vm_pgoff;
}

/* Joins neighbours that touch [start, end] and are alike. */
void vma_merge_range(struct mm *mm, u32 start, u32 end)
{
	struct vma *vma = find_vma(mm, start ? start - 1 : 0);

	while (vma && vma->vm_start < end) {
		struct vma *next = vma->vm_next;

		if (next && can_merge(vma, next)) {
			u32 new_end = next->vm_end;

			vma_unlink(mm, next);
			vma_resize(vma, vma->vm_start, new_end);
			vma_free(next);
			continue;
		}
		vma = next;
	}
}
