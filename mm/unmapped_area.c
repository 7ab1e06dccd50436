/*
 * Where a new mapping goes: the lowest gap at or above MMAP_BASE that holds it
 * (Lespinasse's gap tree, Linux 3.8).
 *
 * Every node of the VMA tree knows the largest gap below any VMA of its
 * subtree, so the search descends only where a gap of the wanted size is:
 *
 *	                vma gap 1, subtree 9
 *	              /                     \
 *	    gap 4, subtree 4           gap 9, subtree 9     want 6: go right
 *
 * Cost: 4 bytes per VMA, O(log n) per search, exact first fit; a search for
 * the same size again is not cheaper, as a cached hint would make it.
 */
#include "mm/mm.h"
#include "mm/vmstat.h"

#define rb_vma(node)	rb_entry_safe(node, struct vma, vm_rb)

/* Does the gap below `vma` hold len bytes from `low` on?  Where, or 0. */
static u32 gap_fits(const struct vma *vma, u32 low, u32 len)
{
	u32 start = vma->vm_prev ? vma->vm_prev->vm_end : 0;

	start = max(start, low);
	if (vma->vm_start < start || vma->vm_start - start < len)
		return 0;
	return start;
}

/* The next node to look at when everything below `node` has been seen. */
static struct rb_node *climb(struct rb_node *node)
{
	struct rb_node *child;

	do {
		child = node;
		node = rb_parent(node);
	} while (node && child == node->right);
	return node;
}

/* Down the left spine as long as it may hold a gap that ends above low. */
static struct rb_node *descend(struct rb_node *node, u32 low, u32 len)
{
	while (node->left && rb_vma(node)->vm_start >= low + len &&
	       rb_vma(node->left)->rb_subtree_gap >= len) {
		vm_inc(gua_steps);
		node = node->left;
	}
	return node;
}

/* The lowest gap between VMAs, at or above `low`; 0: none. */
static u32 search_gaps(struct mm *mm, u32 low, u32 len)
{
	struct rb_node *node = mm->mm_rb.node;

	if (!node || rb_vma(node)->rb_subtree_gap < len)
		return 0;
	node = descend(node, low, len);
	while (node) {
		u32 at = gap_fits(rb_vma(node), low, len);

		vm_inc(gua_steps);
		if (at)
			return at;
		if (node->right && rb_vma(node->right)->rb_subtree_gap >= len)
			node = descend(node->right, low, len);
		else
			node = climb(node);
	}
	return 0;
}

/* Where a new mapping of `len` bytes may go; 0: no room. */
u32 get_unmapped_area(struct mm *mm, u32 len)
{
	struct rb_node *last = mm->mm_rb.node;
	u32 at = search_gaps(mm, MMAP_BASE, len);

	if (at)
		return at;
	while (last && last->right)
		last = last->right;
	at = last ? max(rb_vma(last)->vm_end, MMAP_BASE) : MMAP_BASE;
	return at <= TASK_SIZE && TASK_SIZE - at >= len ? at : 0;
}
