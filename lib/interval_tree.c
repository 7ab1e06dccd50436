/*
 * Overlap search.  An interval overlaps [start, last] exactly if
 *
 *	node->start <= last  and  start <= node->last
 *
 * Order by start prunes by the first: past a node that starts too late, all
 * start too late.  subtree_last prunes by the second: below a node whose
 * subtree_last is too small, all end too early.
 */
#include "lib/interval_tree.h"

#define interval_of(ptr)	rb_entry(ptr, struct interval_tree_node, rb)

/* The largest last from a link down; 0 if it is empty. */
static unsigned long last_below(const struct rb_node *rb)
{
	return rb ? interval_of(rb)->subtree_last : 0;
}

/* The rb_update_fn of this tree. */
static bool update_last(struct rb_node *rb)
{
	struct interval_tree_node *node = interval_of(rb);
	unsigned long last = node->last;

	last = max(last, last_below(rb->left));
	last = max(last, last_below(rb->right));
	if (node->subtree_last == last)
		return false;
	node->subtree_last = last;
	return true;
}

/* Links a node, after those with an equal start. */
void interval_tree_insert(struct interval_tree_node *node,
			  struct rb_root *root)
{
	struct rb_node **link = &root->node, *parent = NULL;

	while (*link) {
		parent = *link;
		if (node->start < interval_of(parent)->start)
			link = &parent->left;
		else
			link = &parent->right;
	}
	rb_link_node(&node->rb, parent, link);
	rb_insert_augmented(&node->rb, root, update_last);
}

/* Unlinks a node. */
void interval_tree_remove(struct interval_tree_node *node,
			  struct rb_root *root)
{
	rb_erase_augmented(&node->rb, root, update_last);
}

/*
 * The first overlap at rb or below, where something is known to end late
 * enough.  If the left side has such a node, the first overlap is there, or
 * all further ones start too late as well.
 */
static struct interval_tree_node *
first_below(struct rb_node *rb, unsigned long start, unsigned long last)
{
	struct interval_tree_node *node;

	for (;;) {
		if (rb->left && last_below(rb->left) >= start) {
			rb = rb->left;
			continue;
		}
		node = interval_of(rb);
		if (node->start > last)
			return NULL;
		if (node->last >= start)
			return node;
		rb = rb->right;
		if (!rb || last_below(rb) < start)
			return NULL;
	}
}

/* The first overlap in the tree. */
struct interval_tree_node *
interval_tree_iter_first(const struct rb_root *root,
			 unsigned long start, unsigned long last)
{
	if (!root->node || last_below(root->node) < start)
		return NULL;
	return first_below(root->node, start, last);
}

/*
 * The next overlap: to the right below node, else at the first ancestor to the
 * right that overlaps, or to the right below one of those.
 */
struct interval_tree_node *
interval_tree_iter_next(const struct interval_tree_node *node,
			unsigned long start, unsigned long last)
{
	const struct rb_node *rb = &node->rb;
	struct rb_node *parent;

	for (;;) {
		if (rb->right && last_below(rb->right) >= start)
			return first_below(rb->right, start, last);
		while ((parent = rb_parent(rb)) && rb == parent->right)
			rb = parent;
		if (!parent || interval_of(parent)->start > last)
			return NULL;
		if (interval_of(parent)->last >= start)
			return interval_of(parent);
		rb = parent;
	}
}
