/*
 * i_mmap=tree: the VMAs of a file in an interval tree (Lespinasse, Linux 3.7;
 * before it the prio_tree of Venkatasubramanian, 2.6.7, for the same purpose).
 *
 * A red-black tree ordered by the first file page of each VMA; every node also
 * knows the largest last page in its subtree, so whole subtrees that end
 * before the page are skipped:
 *
 *	              [4..7] max 9
 *	             /            \
 *	     [0..3] max 3      [6..9] max 9       who maps page 5?  4..7 only
 *
 * Cost: 16 bytes per VMA; insert and remove O(log n); a search O(log n + m)
 * for m VMAs that map the page, never one that does not.
 * Where it fails: nowhere that is known; it costs a few more instructions per
 * mmap than putting a VMA on a list.
 */
#include "mm/i_mmap.h"

#define node_vma(node)	rb_entry_safe(node, struct vma, shared.tree.rb)

/* The largest last page of a subtree. */
static u32 subtree_last(struct rb_node *node)
{
	return node_vma(node)->shared.tree.subtree_last;
}

/* Recomputes the largest last page of a subtree; true if it changed. */
static bool update_last(struct rb_node *node)
{
	struct vma *vma = node_vma(node);
	u32 last = vma_last_pgoff(vma);

	if (node->left)
		last = max(last, subtree_last(node->left));
	if (node->right)
		last = max(last, subtree_last(node->right));
	if (vma->shared.tree.subtree_last == last)
		return false;
	vma->shared.tree.subtree_last = last;
	return true;
}

/* Links a VMA into its file's tree. */
static void tree_insert(struct vma *vma, struct address_space *m)
{
	struct rb_node **link = &m->i_mmap_tree.node, *parent = NULL;

	while (*link) {
		parent = *link;
		link = vma->vm_pgoff < node_vma(parent)->vm_pgoff ?
		       &parent->left : &parent->right;
	}
	vma->shared.tree.subtree_last = vma_last_pgoff(vma);
	rb_link_node(&vma->shared.tree.rb, parent, link);
	rb_insert_augmented(&vma->shared.tree.rb, &m->i_mmap_tree,
			    update_last);
	m->i_mmap_count++;
}

/* The copy that fork made is inserted like any other. */
static void tree_insert_copy(struct vma *vma, struct vma *like unused_arg,
			     struct address_space *m)
{
	tree_insert(vma, m);
}

/* Takes a VMA out of the tree. */
static void tree_remove(struct vma *vma, struct address_space *m)
{
	rb_erase_augmented(&vma->shared.tree.rb, &m->i_mmap_tree, update_last);
	m->i_mmap_count--;
}

/* The first VMA below `node` that overlaps [first, last], or NULL.  The
 * subtree is known to reach `first`. */
static struct vma *leftmost(struct rb_node *node, u32 first, u32 last)
{
	for (;;) {
		struct vma *vma = node_vma(node);

		if (node->left && subtree_last(node->left) >= first) {
			node = node->left;
			continue;
		}
		if (vma->vm_pgoff > last)
			return NULL;
		if (vma_last_pgoff(vma) >= first)
			return vma;
		node = node->right;
		if (!node || subtree_last(node) < first)
			return NULL;
	}
}

/* First VMA, by offset, that maps a page of [first, last]. */
static struct vma *tree_first(struct address_space *m, u32 first, u32 last)
{
	struct rb_node *root = m->i_mmap_tree.node;

	if (!root || subtree_last(root) < first)
		return NULL;
	return leftmost(root, first, last);
}

/* Next VMA, by offset, that maps a page of [first, last]. */
static struct vma *tree_next(struct vma *vma,
			     struct address_space *m unused_arg,
			     u32 first, u32 last)
{
	struct rb_node *node = &vma->shared.tree.rb, *child = node->right;

	for (;;) {
		if (child && subtree_last(child) >= first)
			return leftmost(child, first, last);
		do {
			child = node;
			node = rb_parent(node);
			if (!node)
				return NULL;
		} while (child == node->right);
		vma = node_vma(node);
		if (vma->vm_pgoff > last)
			return NULL;
		if (vma_last_pgoff(vma) >= first)
			return vma;
		child = node->right;
	}
}

const struct i_mmap_ops i_mmap_tree = {
	.name = "tree",
	.insert = tree_insert,
	.insert_copy = tree_insert_copy,
	.remove = tree_remove,
	.first = tree_first,
	.next = tree_next,
};
