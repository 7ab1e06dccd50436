/*
 * The radix tree of the page cache: insertion, deletion, tags, range lookups.
 *
 *	index bits:  ... | 17..12 | 11..6 | 5..0 |
 *	shift of node:       12       6      0
 *
 * A node with shift s spans RADIX_TREE_SLOTS << s indices.  The tree grows at
 * the root: the old root becomes slot 0 of a new one.  It shrinks the same
 * way.  The invariants are in the header.
 */
#include "lib/bitmap.h"
#include "lib/errno.h"
#include "lib/radix_tree.h"
#include "lib/string.h"

/* The slot of node that leads to index. */
static unsigned slot_offset(const struct radix_tree_node *node,
			    unsigned long index)
{
	return (index >> node->shift) & RADIX_TREE_MASK;
}

/* True if the tree is high enough to hold index. */
static bool covers(const struct radix_tree_root *root, unsigned long index)
{
	return (index >> root->node->shift) <= RADIX_TREE_MASK;
}

/* True if any slot of node has the tag. */
static bool any_tag(const struct radix_tree_node *node, unsigned tag)
{
	return (node->tags[tag][0] | node->tags[tag][1]) != 0;
}

/* The leaf node on the way to index, NULL if there is none. */
static struct radix_tree_node *find_leaf(const struct radix_tree_root *root,
					 unsigned long index)
{
	struct radix_tree_node *node = root->node;

	if (!node || !covers(root, index))
		return NULL;
	while (node && node->shift)
		node = node->slots[slot_offset(node, index)];
	return node;
}

/* A new empty node, NULL if there is no memory. */
static struct radix_tree_node *new_node(unsigned shift, unsigned offset,
					struct radix_tree_node *parent)
{
	struct radix_tree_node *node = radix_node_alloc();

	if (!node)
		return NULL;
	memset(node, 0, sizeof(*node));
	node->shift = (u8)shift;
	node->offset = (u8)offset;
	node->parent = parent;
	return node;
}

/*
 * Lowers the tree while its root node leads only to slot 0 and holds no
 * items; an empty root node goes altogether.
 */
static void shrink(struct radix_tree_root *root)
{
	struct radix_tree_node *node = root->node, *child;

	while (node && node->shift && node->count == 1 && node->slots[0]) {
		child = node->slots[0];
		child->parent = NULL;
		root->node = child;
		radix_node_free(node);
		node = child;
	}
}

/* Frees node and its ancestors as far as empty, and lowers the tree. */
static void free_empty(struct radix_tree_root *root,
		       struct radix_tree_node *node)
{
	struct radix_tree_node *parent;

	while (node && !node->count) {
		parent = node->parent;
		if (parent) {
			parent->slots[node->offset] = NULL;
			parent->count--;
		} else {
			root->node = NULL;
		}
		radix_node_free(node);
		node = parent;
	}
	shrink(root);
}

/* Raises the tree by one level: the old root becomes slot 0. */
static int grow(struct radix_tree_root *root)
{
	struct radix_tree_node *old = root->node;
	struct radix_tree_node *node;
	unsigned tag;

	node = new_node(old->shift + RADIX_TREE_SHIFT, 0, NULL);
	if (!node)
		return -ENOMEM;
	node->slots[0] = old;
	node->count = 1;
	for (tag = 0; tag < RADIX_NR_TAGS; tag++)
		if (any_tag(old, tag))
			set_bit(0, node->tags[tag]);
	old->parent = node;
	root->node = node;
	return 0;
}

/* Makes the root node high enough for index.  0 or -ENOMEM. */
static int extend(struct radix_tree_root *root, unsigned long index)
{
	unsigned shift = 0;

	if (!root->node) {
		while ((index >> shift) > RADIX_TREE_MASK)
			shift += RADIX_TREE_SHIFT;
		root->node = new_node(shift, 0, NULL);
		return root->node ? 0 : -ENOMEM;
	}
	while (!covers(root, index))
		if (grow(root))
			return -ENOMEM;
	return 0;
}

/*
 * The leaf node for index, made with all nodes on the way.  NULL if there is
 * no memory; then what was made is gone again.
 */
static struct radix_tree_node *make_leaf(struct radix_tree_root *root,
					 unsigned long index)
{
	struct radix_tree_node *node = NULL, *child;
	unsigned offset;

	if (extend(root, index))
		goto no_memory;
	node = root->node;
	while (node->shift) {
		offset = slot_offset(node, index);
		child = node->slots[offset];
		if (!child) {
			child = new_node(node->shift - RADIX_TREE_SHIFT,
					 offset, node);
			if (!child)
				goto no_memory;
			node->slots[offset] = child;
			node->count++;
		}
		node = child;
	}
	return node;
no_memory:
	free_empty(root, node);
	return NULL;
}

/* Puts an item at index. */
int radix_tree_insert(struct radix_tree_root *root, unsigned long index,
		      void *item)
{
	struct radix_tree_node *leaf = make_leaf(root, index);
	unsigned offset = index & RADIX_TREE_MASK;

	if (!leaf)
		return -ENOMEM;
	if (leaf->slots[offset])
		return -EEXIST;
	leaf->slots[offset] = item;
	leaf->count++;
	return 0;
}

/* Sets a tag from a slot of node up to the first node that has it already. */
static void set_tag_upwards(struct radix_tree_node *node, unsigned offset,
			    unsigned tag)
{
	while (node && !test_and_set_bit(offset, node->tags[tag])) {
		offset = node->offset;
		node = node->parent;
	}
}

/* Clears a tag from a slot of node up to the first node that still needs it. */
static void clear_tag_upwards(struct radix_tree_node *node, unsigned offset,
			      unsigned tag)
{
	while (node && test_and_clear_bit(offset, node->tags[tag]) &&
	       !any_tag(node, tag)) {
		offset = node->offset;
		node = node->parent;
	}
}

/* Removes and returns the item at index. */
void *radix_tree_delete(struct radix_tree_root *root, unsigned long index)
{
	struct radix_tree_node *node = find_leaf(root, index);
	unsigned offset = index & RADIX_TREE_MASK, tag;
	void *item;

	if (!node || !node->slots[offset])
		return NULL;
	item = node->slots[offset];
	for (tag = 0; tag < RADIX_NR_TAGS; tag++)
		clear_tag_upwards(node, offset, tag);
	node->slots[offset] = NULL;
	if (!--node->count)
		free_empty(root, node);
	return item;
}

/* Puts another item in the place of the one at index. */
void *radix_tree_replace_slot(struct radix_tree_root *root,
			      unsigned long index, void *item)
{
	void **slot = radix_tree_lookup_slot(root, index);
	void *old;

	if (!slot)
		return NULL;
	old = *slot;
	*slot = item;
	return old;
}

/* Sets a tag on the item at index. */
void radix_tree_tag_set(struct radix_tree_root *root, unsigned long index,
			enum radix_tree_tag tag)
{
	set_tag_upwards(find_leaf(root, index), index & RADIX_TREE_MASK, tag);
}

/* Clears a tag on the item at index. */
void radix_tree_tag_clear(struct radix_tree_root *root, unsigned long index,
			  enum radix_tree_tag tag)
{
	clear_tag_upwards(find_leaf(root, index), index & RADIX_TREE_MASK, tag);
}

/* True if the item at index exists and has the tag. */
bool radix_tree_tag_get(const struct radix_tree_root *root,
			unsigned long index, enum radix_tree_tag tag)
{
	const struct radix_tree_node *node = find_leaf(root, index);

	return node && test_bit(index & RADIX_TREE_MASK, node->tags[tag]);
}

/* True if any item of the tree has the tag. */
bool radix_tree_tagged(const struct radix_tree_root *root,
		       enum radix_tree_tag tag)
{
	return root->node && any_tag(root->node, tag);
}

#define ANY_ITEM	RADIX_NR_TAGS	/* in place of a tag: tags or not */

/* The first slot of node at or after offset that is wanted, else SLOTS. */
static unsigned next_offset(const struct radix_tree_node *node,
			    unsigned offset, unsigned tag)
{
	if (tag != ANY_ITEM)
		return find_next_bit(node->tags[tag], RADIX_TREE_SLOTS, offset);
	while (offset < RADIX_TREE_SLOTS && !node->slots[offset])
		offset++;
	return offset;
}

/* The lowest index that slot offset of node, on the way to index, spans. */
static unsigned long first_index(const struct radix_tree_node *node,
				 unsigned offset, unsigned long index)
{
	unsigned long above = index >> node->shift & ~(long)RADIX_TREE_MASK;

	return (above | offset) << node->shift;
}

/*
 * The leaf of the first wanted item at or after *index, which becomes that
 * item's index; NULL if there is none.  Goes down where a slot is wanted and
 * up where no later slot of the node is.
 */
static struct radix_tree_node *next_leaf(const struct radix_tree_root *root,
					 unsigned long *index, unsigned tag)
{
	struct radix_tree_node *node = root->node;
	unsigned offset, at;

	if (!node || !covers(root, *index))
		return NULL;
	at = slot_offset(node, *index);
	for (;;) {
		offset = next_offset(node, at, tag);
		if (offset == RADIX_TREE_SLOTS) {
			at = node->offset + 1u;
			node = node->parent;
			if (!node)
				return NULL;
			continue;
		}
		if (offset != slot_offset(node, *index))
			*index = first_index(node, offset, *index);
		if (!node->shift)
			return node;
		node = node->slots[offset];
		at = slot_offset(node, *index);
	}
}

/* Both gang lookups; tag may be ANY_ITEM. */
static unsigned gang_lookup(const struct radix_tree_root *root, void **results,
			    unsigned long index, unsigned max, unsigned tag)
{
	struct radix_tree_node *leaf;
	unsigned found = 0, offset;

	while (found < max && (leaf = next_leaf(root, &index, tag))) {
		offset = index & RADIX_TREE_MASK;
		while (found < max && offset < RADIX_TREE_SLOTS) {
			results[found++] = leaf->slots[offset];
			offset = next_offset(leaf, offset + 1, tag);
		}
		index = (index | RADIX_TREE_MASK) + 1;
		if (!index)
			break;
	}
	return found;
}

/* Items in order of index. */
unsigned radix_tree_gang_lookup(const struct radix_tree_root *root,
				void **results, unsigned long first,
				unsigned max)
{
	return gang_lookup(root, results, first, max, ANY_ITEM);
}

/* Tagged items in order of index. */
unsigned radix_tree_gang_lookup_tag(const struct radix_tree_root *root,
				    void **results, unsigned long first,
				    unsigned max, enum radix_tree_tag tag)
{
	return gang_lookup(root, results, first, max, tag);
}
