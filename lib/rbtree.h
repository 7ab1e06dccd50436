/*
 * Red-black trees whose nodes live inside the objects they order, optionally
 * augmented: each node may carry a value computed from its whole subtree.
 *
 * The caller walks down and compares; the tree links and rebalances:
 *
 *	while (*link) {
 *		parent = *link;
 *		link = less(new, parent) ? &parent->left : &parent->right;
 *	}
 *	rb_link_node(&new->rb, parent, link);
 *	rb_insert_color(&new->rb, root);
 *
 * Augmentation: update(node) recomputes node's value from node and its two
 * children and says whether the value changed.  The value must depend on the
 * set of nodes below, not on the shape of the tree (a maximum, a sum, the
 * largest gap): then a rotation changes only the two nodes that turned, and a
 * change climbs towards the root only until a value stays the same.
 * Where linking or erasing a node also changes what a neighbour contributes
 * (the gap before it), call rb_update_path() for that neighbour first: after
 * the rotations it may look unchanged while its ancestors are stale.
 *
 * Nothing here sleeps or allocates.  A node is in one tree at a time.
 */
#ifndef LIB_RBTREE_H
#define LIB_RBTREE_H

#include "lib/types.h"

/* 12 bytes on i386: the colour sits in bit 0 of the aligned parent pointer. */
struct rb_node {
	uptr parent_color;
	struct rb_node *left, *right;
} aligned(sizeof(void *));

struct rb_root {
	struct rb_node *node;
};

/* Recomputes a node's value from itself and its children; true if changed. */
typedef bool rb_update_fn(struct rb_node *node);

#define RB_ROOT			{ NULL }
#define rb_entry(ptr, type, member)	container_of(ptr, type, member)
#define rb_entry_safe(ptr, type, member) ({ \
	__typeof__(ptr) ptr_ = (ptr); \
	ptr_ ? rb_entry(ptr_, type, member) : NULL; })

/* The parent of a node, NULL for the root. */
static inline struct rb_node *rb_parent(const struct rb_node *node)
{
	return (struct rb_node *)(node->parent_color & ~(uptr)1);
}

/* True if the tree has no node. */
static inline bool rb_root_empty(const struct rb_root *root)
{
	return !root->node;
}

/*
 * Hangs a new red leaf at *link, below parent (NULL for an empty tree).  The
 * tree is valid again only after rb_insert_color() or rb_insert_augmented().
 */
static inline void rb_link_node(struct rb_node *node, struct rb_node *parent,
				struct rb_node **link)
{
	node->parent_color = (uptr)parent;
	node->left = NULL;
	node->right = NULL;
	*link = node;
}

/* Rebalances after rb_link_node(). */
void rb_insert_color(struct rb_node *node, struct rb_root *root);

/* Takes a node out of the tree and rebalances; the node's links are stale. */
void rb_erase(struct rb_node *node, struct rb_root *root);

/* As rb_insert_color(), and brings all subtree values up to date. */
void rb_insert_augmented(struct rb_node *node, struct rb_root *root,
			 rb_update_fn *update);

/* As rb_erase(), and brings all subtree values up to date. */
void rb_erase_augmented(struct rb_node *node, struct rb_root *root,
			rb_update_fn *update);

/*
 * Brings the values from node to the root up to date after node's own key
 * changed in place (without changing its order).  Accepts NULL.
 */
void rb_update_path(struct rb_node *node, rb_update_fn *update);

/* Puts new in the place of old, which leaves the tree; values are not moved. */
void rb_replace_node(struct rb_node *old, struct rb_node *new,
		     struct rb_root *root);

/* The first and the last node in order, NULL if the tree is empty. */
struct rb_node *rb_first(const struct rb_root *root);
struct rb_node *rb_last(const struct rb_root *root);

/* The neighbours in order, NULL at the ends. */
struct rb_node *rb_next(const struct rb_node *node);
struct rb_node *rb_prev(const struct rb_node *node);

#endif
