/*
 * A map from an unsigned long to a pointer, 64 slots a node, just high enough
 * for the largest index in it; the page cache of a file is one of these.
 *
 *	root -> [shift 6]  slots 0..63       index 0x83 = 2 << 6 | 3
 *	             `- slot 2 -> [shift 0]  slots 0..63
 *	                               `- slot 3 -> item
 *
 * Each item carries up to three tags.  A tag bit in an inner node means "some
 * item below has it", so finding the dirty pages of a file costs in
 * proportion to the dirty pages.
 *
 * Invariants: an item is never NULL; no node is empty; a tag is set in a node
 * exactly if it is set below; the root node is as low as its items allow.
 *
 * Nodes come from radix_node_alloc(), which the user of the tree provides.
 * IT MUST NOT SLEEP: it is called half-way through an insertion, and whoever
 * ran meanwhile could free the nodes being walked.  Nothing else sleeps.
 */
#ifndef LIB_RADIX_TREE_H
#define LIB_RADIX_TREE_H

#include "lib/types.h"

#define RADIX_TREE_SHIFT	6
#define RADIX_TREE_SLOTS	(1 << RADIX_TREE_SHIFT)
#define RADIX_TREE_MASK		(RADIX_TREE_SLOTS - 1)

enum radix_tree_tag {
	RADIX_TAG_DIRTY,
	RADIX_TAG_WRITEBACK,
	RADIX_TAG_TOWRITE,
	RADIX_NR_TAGS,
};

struct radix_tree_node {		/* 288 bytes on i386 */
	u8 shift;			/* of the index; 0: slots hold items */
	u8 offset;			/* of this node in its parent */
	u16 count;			/* of slots in use */
	struct radix_tree_node *parent;	/* NULL for the root node */
	void *slots[RADIX_TREE_SLOTS];
	u32 tags[RADIX_NR_TAGS][RADIX_TREE_SLOTS / 32];
};

struct radix_tree_root {
	struct radix_tree_node *node;	/* NULL: empty */
};

#define RADIX_TREE_INIT		{ NULL }

/* Provided outside: memory for a node, any content, NULL if there is none. */
void *radix_node_alloc(void);
void radix_node_free(void *node);

/* Makes an empty tree. */
static inline void radix_tree_init(struct radix_tree_root *root)
{
	root->node = NULL;
}

/* True if the tree holds no item. */
static inline bool radix_tree_empty(const struct radix_tree_root *root)
{
	return !root->node;
}

/* The address of the slot that holds index's item, NULL if there is none. */
static inline void **radix_tree_lookup_slot(const struct radix_tree_root *root,
					    unsigned long index)
{
	struct radix_tree_node *node = root->node;
	void **slot;

	if (!node || (index >> node->shift) > RADIX_TREE_MASK)
		return NULL;
	for (;;) {
		slot = &node->slots[(index >> node->shift) & RADIX_TREE_MASK];
		if (!*slot)
			return NULL;
		if (!node->shift)
			return slot;
		node = *slot;
	}
}

/* The item at index, NULL if there is none. */
static inline void *radix_tree_lookup(const struct radix_tree_root *root,
				      unsigned long index)
{
	void **slot = radix_tree_lookup_slot(root, index);

	return slot ? *slot : NULL;
}

/*
 * Puts an item (not NULL) at index, without tags.  0, -EEXIST if the index is
 * taken, -ENOMEM; on failure the tree holds the same items as before.
 */
must_check int radix_tree_insert(struct radix_tree_root *root,
				 unsigned long index, void *item);

/* Removes and returns the item at index with its tags; NULL if none. */
void *radix_tree_delete(struct radix_tree_root *root, unsigned long index);

/*
 * Puts another item (not NULL) in the place of the one at index, keeps the
 * tags and returns the old item; NULL, and nothing done, if none is there.
 */
void *radix_tree_replace_slot(struct radix_tree_root *root,
			      unsigned long index, void *item);

/* Sets a tag on the item at index, which must exist. */
void radix_tree_tag_set(struct radix_tree_root *root, unsigned long index,
			enum radix_tree_tag tag);

/* Clears a tag on the item at index; nothing to do if there is no item. */
void radix_tree_tag_clear(struct radix_tree_root *root, unsigned long index,
			  enum radix_tree_tag tag);

/* True if the item at index exists and has the tag. */
bool radix_tree_tag_get(const struct radix_tree_root *root,
			unsigned long index, enum radix_tree_tag tag);

/* True if any item of the tree has the tag. */
bool radix_tree_tagged(const struct radix_tree_root *root,
		       enum radix_tree_tag tag);

/*
 * Stores up to max items in results, in order of index, from the first at or
 * after first; returns how many.  The caller continues after the last one's
 * index, which the item itself must know.
 */
unsigned radix_tree_gang_lookup(const struct radix_tree_root *root,
				void **results, unsigned long first,
				unsigned max);

/* As radix_tree_gang_lookup(), but only items with the tag. */
unsigned radix_tree_gang_lookup_tag(const struct radix_tree_root *root,
				    void **results, unsigned long first,
				    unsigned max, enum radix_tree_tag tag);

#endif
