/* host-test: lib/radix_tree.c lib/bitmap.c */
/*
 * lib/radix_tree: every operation at random indices, dense, sparse and at the
 * ends of the range, against arrays; allocation failures; nodes all freed.
 */
#include <limits.h>

#include "lib/errno.h"
#include "lib/radix_tree.h"
#include "tests/host/tap.h"

#define ITEMS	400

struct item {
	unsigned long index;
	bool present;
	bool tags[RADIX_NR_TAGS];
};

static struct item items[ITEMS];	/* ordered by index */
static struct radix_tree_root root;
static int nodes, fail_after = -1;

/* What the tree asks for: a node of junk, or NULL when it is time to fail. */
void *radix_node_alloc(void)
{
	u8 *node;
	size_t i;

	if (fail_after >= 0 && fail_after-- == 0)
		return NULL;
	node = malloc(sizeof(struct radix_tree_node));
	for (i = 0; i < sizeof(struct radix_tree_node); i++)
		node[i] = 0xA5;
	nodes++;
	return node;
}

void radix_node_free(void *node)
{
	nodes--;
	free(node);
}

/* True if a subtree keeps the invariants; counts its nodes. */
static bool node_right(const struct radix_tree_node *node, int *count)
{
	unsigned i, tag, used = 0;

	(*count)++;
	for (i = 0; i < RADIX_TREE_SLOTS; i++) {
		const struct radix_tree_node *child = node->slots[i];

		used += child != NULL;
		for (tag = 0; tag < RADIX_NR_TAGS; tag++) {
			bool set = node->tags[tag][i / 32] >> (i % 32) & 1;
			bool below = child && (node->shift == 0 ? set :
				child->tags[tag][0] || child->tags[tag][1]);

			if (set != below)
				return false;
		}
		if (!child || !node->shift)
			continue;
		if (child->parent != node || child->offset != i ||
		    child->shift + 6 != node->shift ||
		    !node_right(child, count))
			return false;
	}
	return used == node->count && used;
}

/* True if the whole tree keeps them, is as low as it can be, leaks nothing. */
static bool tree_right(void)
{
	const struct radix_tree_node *top = root.node;
	int count = 0;

	if (!top)
		return nodes == 0;
	if (top->shift && top->count == 1 && top->slots[0])
		return false;
	return !top->parent && node_right(top, &count) && count == nodes;
}

/* True if all items are found with their tags, and absent ones are not. */
static bool items_right(void)
{
	bool any[RADIX_NR_TAGS] = { false };
	int i, tag;

	for (i = 0; i < ITEMS; i++) {
		struct item *item = &items[i];

		if (radix_tree_lookup(&root, item->index) !=
		    (item->present ? item : NULL))
			return false;
		for (tag = 0; tag < RADIX_NR_TAGS; tag++) {
			any[tag] |= item->tags[tag];
			if (radix_tree_tag_get(&root, item->index, tag) !=
			    item->tags[tag])
				return false;
		}
	}
	for (tag = 0; tag < RADIX_NR_TAGS; tag++)
		if (radix_tree_tagged(&root, tag) != any[tag])
			return false;
	return true;
}

/* True if a gang lookup finds what a scan of the array finds; tag -1: any. */
static bool gang_right(unsigned long first, unsigned max, int tag)
{
	void *results[ITEMS];
	unsigned found, expected = 0;
	int i;

	found = tag < 0 ? radix_tree_gang_lookup(&root, results, first, max)
			: radix_tree_gang_lookup_tag(&root, results, first,
						     max, tag);
	for (i = 0; i < ITEMS && expected < max; i++) {
		if (!items[i].present || items[i].index < first)
			continue;
		if (tag >= 0 && !items[i].tags[tag])
			continue;
		if (expected >= found || results[expected] != &items[i])
			return false;
		expected++;
	}
	return found == expected;
}

static void insert_item(struct item *item)
{
	int error = radix_tree_insert(&root, item->index, item);

	if (error != (item->present ? -EEXIST : 0))
		ok(false, "insert at %lu returned %d", item->index, error);
	item->present = true;
}

static void delete_item(struct item *item)
{
	void *old = radix_tree_delete(&root, item->index);
	int tag;

	if (old != (item->present ? item : NULL))
		ok(false, "delete at %lu", item->index);
	item->present = false;
	for (tag = 0; tag < RADIX_NR_TAGS; tag++)
		item->tags[tag] = false;
}

/* One random operation, more insertions while growing. */
static void step_once(bool growing)
{
	struct item *item = &items[rnd_below(ITEMS)];
	int tag = (int)rnd_below(RADIX_NR_TAGS);

	switch (rnd_below(6)) {
	case 0: case 1:
		growing ? insert_item(item) : delete_item(item);
		break;
	case 2:
		growing ? delete_item(item) : insert_item(item);
		break;
	case 3: case 4:
		if (item->present) {
			radix_tree_tag_set(&root, item->index, tag);
			item->tags[tag] = true;
		}
		break;
	default:
		radix_tree_tag_clear(&root, item->index, tag);
		item->tags[tag] = false;
	}
	if (growing && rnd_below(3) == 0)
		insert_item(item);
}

static int by_index(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

/* Chooses distinct indices below 2^bits, the first and the last included. */
static void choose_indices(unsigned bits)
{
	unsigned long mask = ULONG_MAX >> (8 * sizeof(long) - bits);
	unsigned long base = rnd(), i;

	for (i = 0; i < ITEMS; i++) {
		items[i] = (struct item){ .index = base * i * 2654435761u };
		if (i % 3 == 0)
			items[i].index = i * 2;	/* some neighbours */
		items[i].index &= mask;
	}
	items[0].index = 0;
	items[1].index = mask;
	qsort(items, ITEMS, sizeof(items[0]), by_index);
	for (i = 1; i < ITEMS; i++)
		if (items[i].index == items[i - 1].index)
			items[i].index++;
}

static void test_random(unsigned bits)
{
	int step, bad = 0;

	choose_indices(bits);
	for (step = 0; step < 20000 && !bad; step++) {
		step_once((step / 1500) % 2 == 0);
		bad = !gang_right(items[rnd_below(ITEMS)].index + rnd_below(2),
				  rnd_below(40), (int)rnd_below(4) - 1);
		if (step % 20 == 0)
			bad |= !tree_right() || !items_right();
	}
	ok(!bad, "%u-bit indices: %d random steps", bits, step);
	ok(gang_right(0, ITEMS, -1), "%u-bit indices: all items", bits);
	for (step = 0; step < ITEMS; step++)
		delete_item(&items[step]);
	ok(radix_tree_empty(&root) && nodes == 0, "%u-bit: nodes freed", bits);
}

/* Fails the n-th allocation of an insertion, for every n there is. */
static void test_no_memory(unsigned long present, unsigned long index)
{
	struct item a = { .index = present }, b = { .index = index };
	int fail, error, before, bad = 0;

	if (radix_tree_insert(&root, present, &a))
		return;
	radix_tree_tag_set(&root, present, RADIX_TAG_DIRTY);
	before = nodes;
	for (fail = 0;; fail++) {
		fail_after = fail;
		error = radix_tree_insert(&root, index, &b);
		fail_after = -1;
		bad |= !tree_right() || radix_tree_lookup(&root, present) != &a;
		if (!error)
			break;
		bad |= error != -ENOMEM || nodes != before;
	}
	ok(!bad && fail > 0, "%lx into a tree with %lx: %d failures survived",
	   index, present, fail);
	ok(radix_tree_delete(&root, index) == &b && nodes == before,
	   "shrunk again");
	radix_tree_delete(&root, present);
}

static void test_edges(void)
{
	struct item a, b;
	void *result;

	ok(!radix_tree_lookup(&root, 0) && !radix_tree_delete(&root, 0) &&
	   !radix_tree_gang_lookup(&root, &result, 0, 1), "an empty tree");
	fail_after = 0;
	is(radix_tree_insert(&root, 5, &a), -ENOMEM, "no memory at all");
	fail_after = 1;
	is(radix_tree_insert(&root, 500, &a), -ENOMEM, "memory for the root");
	fail_after = -1;
	ok(tree_right() && radix_tree_empty(&root), "it is still empty");
	is(radix_tree_insert(&root, UINT32_MAX, &a), 0, "UINT32_MAX");
	ok(radix_tree_lookup(&root, UINT32_MAX) == &a, "found there");
	radix_tree_tag_set(&root, UINT32_MAX, RADIX_TAG_DIRTY);
	ok(radix_tree_replace_slot(&root, UINT32_MAX, &b) == &a &&
	   radix_tree_lookup(&root, UINT32_MAX) == &b &&
	   radix_tree_tag_get(&root, UINT32_MAX, RADIX_TAG_DIRTY),
	   "replaced, tag kept");
	ok(!radix_tree_replace_slot(&root, 1, &a), "nothing to replace");
	is(radix_tree_gang_lookup(&root, &result, UINT32_MAX, 1), 1,
	   "gang lookup from the last index");
	radix_tree_delete(&root, UINT32_MAX);
	is(radix_tree_insert(&root, ULONG_MAX, &a), 0, "ULONG_MAX");
	is(radix_tree_gang_lookup(&root, &result, 0, 1), 1, "found from 0");
	radix_tree_delete(&root, ULONG_MAX);
	is(nodes, 0, "all nodes freed");
}

int main(void)
{
	test_edges();
	test_random(10);
	test_random(14);
	test_random(20);
	test_random(32);
	test_random(8 * sizeof(long));
	test_no_memory(0, 100000);
	test_no_memory(63, UINT32_MAX);
	test_no_memory(100000, 0);
	test_no_memory(UINT32_MAX, 1);
	return done();
}
