/*
 * Red-black trees: a binary search tree kept balanced by colours.
 *
 *	1. The root is black.
 *	2. A red node has no red child.
 *	3. Every path from a node down to a missing child passes the same number
 *	   of black nodes.
 *
 * So the longest path is at most twice the shortest.  Inserting a red leaf can
 * break only 2; taking out a black node can break only 3; each is repaired
 * with at most two (three) rotations and recolouring on the way up.
 *
 * Every core below takes update, which is NULL for a plain tree; the cores are
 * inlined so that plain trees pay nothing for it.
 */
#include "lib/rbtree.h"

#define RB_RED		0	/* so that rb_link_node() makes red leaves */
#define RB_BLACK	1

#define rb_inline	inline __attribute__((always_inline))

/* True if a node is black, or missing. */
static rb_inline bool is_black(const struct rb_node *node)
{
	return !node || (node->parent_color & 1) == RB_BLACK;
}

/* True if a node is there and red. */
static rb_inline bool is_red(const struct rb_node *node)
{
	return !is_black(node);
}

/* Paints a node black. */
static rb_inline void set_black(struct rb_node *node)
{
	node->parent_color |= RB_BLACK;
}

/* Paints a node red. */
static rb_inline void set_red(struct rb_node *node)
{
	node->parent_color &= ~(uptr)RB_BLACK;
}

/* Changes the parent and keeps the colour. */
static rb_inline void set_parent(struct rb_node *node, struct rb_node *parent)
{
	node->parent_color = (uptr)parent | (node->parent_color & 1);
}

/* Gives to the colour of from. */
static rb_inline void copy_color(struct rb_node *to, const struct rb_node *from)
{
	to->parent_color = (to->parent_color & ~(uptr)1) |
			   (from->parent_color & 1);
}

/* Makes the link that led to old lead to new; parent is old's. */
static rb_inline void replace_child(struct rb_node *old, struct rb_node *new,
				    struct rb_node *parent,
				    struct rb_root *root)
{
	if (!parent)
		root->node = new;
	else if (parent->left == old)
		parent->left = new;
	else
		parent->right = new;
}

/*
 * Turns the edge between node and its right child, so that the child takes
 * node's place; the colours stay with the nodes.  Two values change:
 *
 *	  node                child
 *	 /    \              /     \
 *	a    child    ->   node     c
 *	     /   \        /    \
 *	    b     c      a      b
 */
static void rotate_left(struct rb_node *node, struct rb_root *root,
			rb_update_fn *update)
{
	struct rb_node *child = node->right, *parent = rb_parent(node);

	node->right = child->left;
	if (child->left)
		set_parent(child->left, node);
	child->left = node;
	set_parent(child, parent);
	replace_child(node, child, parent, root);
	set_parent(node, child);
	if (update) {
		update(node);
		update(child);
	}
}

/* The mirror image of rotate_left(). */
static void rotate_right(struct rb_node *node, struct rb_root *root,
			 rb_update_fn *update)
{
	struct rb_node *child = node->left, *parent = rb_parent(node);

	node->left = child->right;
	if (child->right)
		set_parent(child->right, node);
	child->right = node;
	set_parent(child, parent);
	replace_child(node, child, parent, root);
	set_parent(node, child);
	if (update) {
		update(node);
		update(child);
	}
}

/* Turns node down to the left (its right child up), or the mirror image. */
static void rotate(struct rb_node *node, bool left, struct rb_root *root,
		   rb_update_fn *update)
{
	if (left)
		rotate_left(node, root, update);
	else
		rotate_right(node, root, update);
}

/*
 * Repairs "a red node has no red child" from node, which is red, upwards.
 * With a red uncle recolour and go on two levels up; otherwise one rotation
 * at the grandparent ends it, after another at the parent if node is the
 * inner grandchild.
 */
static rb_inline void insert_fixup(struct rb_node *node, struct rb_root *root,
				   rb_update_fn *update)
{
	struct rb_node *parent, *grand, *uncle;
	bool left;

	while ((parent = rb_parent(node)) && is_red(parent)) {
		grand = rb_parent(parent);
		left = parent == grand->left;
		uncle = left ? grand->right : grand->left;
		if (is_red(uncle)) {
			set_black(uncle);
			set_black(parent);
			set_red(grand);
			node = grand;
			continue;
		}
		if (node == (left ? parent->right : parent->left)) {
			rotate(parent, left, root, update);
			parent = node;
		}
		set_black(parent);
		set_red(grand);
		rotate(grand, !left, root, update);
		break;
	}
	set_black(root->node);
}

/*
 * Repairs the black heights after one black node above node (which may be
 * missing: NULL) went; parent is node's.  A red sibling is first turned up, so
 * that the sibling is black.  If it has no red child, it turns red and the
 * shortage moves up; otherwise its outer red child (the inner one is rotated
 * outwards first) pays for the missing black, and that ends it.
 */
static rb_inline void erase_fixup(struct rb_node *node, struct rb_node *parent,
				  struct rb_root *root, rb_update_fn *update)
{
	struct rb_node *sibling, *outer;
	bool left;

	while (parent && is_black(node)) {
		left = node == parent->left;
		sibling = left ? parent->right : parent->left;
		if (is_red(sibling)) {
			set_black(sibling);
			set_red(parent);
			rotate(parent, left, root, update);
			sibling = left ? parent->right : parent->left;
		}
		if (is_black(sibling->left) && is_black(sibling->right)) {
			set_red(sibling);
			node = parent;
			parent = rb_parent(node);
			continue;
		}
		outer = left ? sibling->right : sibling->left;
		if (is_black(outer)) {
			outer = sibling;
			sibling = left ? sibling->left : sibling->right;
			rotate(outer, !left, root, update);
		}
		copy_color(sibling, parent);
		set_black(parent);
		set_black(outer);
		rotate(parent, left, root, update);
		return;
	}
	if (node)
		set_black(node);
}

/* What taking a node out leaves for erase_fixup() and the values to repair. */
struct unlinked {
	struct rb_node *child;	/* took the place; may be NULL */
	struct rb_node *parent;	/* child's; values are stale from here */
	struct rb_node *moved;	/* stands in the node's place, or NULL */
	bool black;		/* a black node is missing above child */
};

/* Takes out a node with at most one child. */
static rb_inline struct unlinked unlink_simple(struct rb_node *node,
					       struct rb_root *root)
{
	struct unlinked gone = {
		.child = node->left ? node->left : node->right,
		.parent = rb_parent(node),
		.black = is_black(node),
	};

	replace_child(node, gone.child, gone.parent, root);
	if (gone.child)
		set_parent(gone.child, gone.parent);
	return gone;
}

/*
 * Takes out a node with two children: its successor, which has no left child,
 * is taken out instead and then put in node's place with node's colour.
 */
static rb_inline struct unlinked unlink_double(struct rb_node *node,
					       struct rb_root *root)
{
	struct rb_node *next = node->right;
	struct unlinked gone;

	while (next->left)
		next = next->left;
	gone = unlink_simple(next, root);
	if (gone.parent == node)
		gone.parent = next;
	*next = *node;
	replace_child(node, next, rb_parent(node), root);
	set_parent(next->left, next);
	if (next->right)
		set_parent(next->right, next);
	gone.moved = next;
	return gone;
}

/* Takes a node out, without rebalancing. */
static rb_inline struct unlinked unlink_node(struct rb_node *node,
					     struct rb_root *root)
{
	if (node->left && node->right)
		return unlink_double(node, root);
	return unlink_simple(node, root);
}

/* Puts a linked leaf into balance. */
void rb_insert_color(struct rb_node *node, struct rb_root *root)
{
	insert_fixup(node, root, NULL);
}

/* Takes a node out of the tree. */
void rb_erase(struct rb_node *node, struct rb_root *root)
{
	struct unlinked gone = unlink_node(node, root);

	if (gone.black)
		erase_fixup(gone.child, gone.parent, root, NULL);
}

/* Recomputes values upwards from node until one stays the same. */
void rb_update_path(struct rb_node *node, rb_update_fn *update)
{
	while (node && update(node))
		node = rb_parent(node);
}

/*
 * Puts a linked leaf into balance.  The leaf's old value means nothing, so
 * "unchanged" must not stop the climb there.
 */
void rb_insert_augmented(struct rb_node *node, struct rb_root *root,
			 rb_update_fn *update)
{
	update(node);
	rb_update_path(rb_parent(node), update);
	insert_fixup(node, root, update);
}

/*
 * Takes a node out of the tree.  The successor that moved into its place still
 * has the value from its old place, so the climb starts there a second time
 * even if it stopped, or changed nothing, below.
 */
void rb_erase_augmented(struct rb_node *node, struct rb_root *root,
			rb_update_fn *update)
{
	struct unlinked gone = unlink_node(node, root);

	rb_update_path(gone.parent, update);
	if (gone.moved) {
		update(gone.moved);
		rb_update_path(rb_parent(gone.moved), update);
	}
	if (gone.black)
		erase_fixup(gone.child, gone.parent, root, update);
}

/* Puts new in the place of old. */
void rb_replace_node(struct rb_node *old, struct rb_node *new,
		     struct rb_root *root)
{
	*new = *old;
	replace_child(old, new, rb_parent(old), root);
	if (new->left)
		set_parent(new->left, new);
	if (new->right)
		set_parent(new->right, new);
}

/* The first node in order. */
struct rb_node *rb_first(const struct rb_root *root)
{
	struct rb_node *node = root->node;

	while (node && node->left)
		node = node->left;
	return node;
}

/* The last node in order. */
struct rb_node *rb_last(const struct rb_root *root)
{
	struct rb_node *node = root->node;

	while (node && node->right)
		node = node->right;
	return node;
}

/* The next node: leftmost on the right, or the first ancestor to the right. */
struct rb_node *rb_next(const struct rb_node *node)
{
	struct rb_node *at = node->right;

	if (at) {
		while (at->left)
			at = at->left;
		return at;
	}
	while ((at = rb_parent(node)) && node == at->right)
		node = at;
	return at;
}

/* The mirror image of rb_next(). */
struct rb_node *rb_prev(const struct rb_node *node)
{
	struct rb_node *at = node->left;

	if (at) {
		while (at->right)
			at = at->right;
		return at;
	}
	while ((at = rb_parent(node)) && node == at->left)
		node = at;
	return at;
}
