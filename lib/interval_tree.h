/*
 * Closed intervals [start, last] in a red-black tree, ordered by start and
 * augmented with the largest last in each subtree, so that "who overlaps
 * [a, b]?" costs O(log n + answers).  Equal intervals may coexist.
 *
 * start <= last must hold and neither may change while the node is linked.
 * Nothing here sleeps or allocates; the caller owns the nodes.
 */
#ifndef LIB_INTERVAL_TREE_H
#define LIB_INTERVAL_TREE_H

#include "lib/rbtree.h"

struct interval_tree_node {
	struct rb_node rb;
	unsigned long start, last;
	unsigned long subtree_last;	/* max of last from here down */
};

/* Links a node whose start and last are set. */
void interval_tree_insert(struct interval_tree_node *node,
			  struct rb_root *root);

/* Unlinks a node. */
void interval_tree_remove(struct interval_tree_node *node,
			  struct rb_root *root);

/* The first node, in order of start, that overlaps [start, last], or NULL. */
struct interval_tree_node *
interval_tree_iter_first(const struct rb_root *root,
			 unsigned long start, unsigned long last);

/*
 * The next node after node that overlaps [start, last], or NULL.  To unlink
 * while iterating, fetch the next node first.
 */
struct interval_tree_node *
interval_tree_iter_next(const struct interval_tree_node *node,
			unsigned long start, unsigned long last);

#endif
