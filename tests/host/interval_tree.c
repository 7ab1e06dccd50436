/* host-test: lib/interval_tree.c lib/rbtree.c */
/*
 * lib/interval_tree: queries against a scan of all intervals, while they come
 * and go; equal intervals, points, and the largest unsigned long.
 */
#include <limits.h>

#include "lib/interval_tree.h"
#include "tests/host/tap.h"

#define NODES	200

static struct interval_tree_node nodes[NODES];
static bool linked[NODES];
static struct rb_root root;

static bool overlaps(const struct interval_tree_node *node,
		     unsigned long start, unsigned long last)
{
	return node->start <= last && start <= node->last;
}

/* True if a query yields each overlapping node once, ordered by start. */
static bool query_right(unsigned long start, unsigned long last)
{
	struct interval_tree_node *node;
	unsigned long before = 0;
	int i, expected = 0, found = 0;

	for (i = 0; i < NODES; i++)
		expected += linked[i] && overlaps(&nodes[i], start, last);
	for (node = interval_tree_iter_first(&root, start, last); node;
	     node = interval_tree_iter_next(node, start, last)) {
		if (!overlaps(node, start, last) || node->start < before ||
		    !linked[node - nodes])
			return false;
		before = node->start;
		if (++found > expected)
			return false;
	}
	return found == expected;
}

/* Gives a node an interval: of any length, short, a point, or a twin. */
static void choose(struct interval_tree_node *node, unsigned long span)
{
	unsigned long a = rnd_below((u32)span), b;

	switch (rnd_below(4)) {
	case 0: b = rnd_below((u32)span); break;
	case 1: b = min(a + rnd_below(10), span - 1); break;
	case 2: b = a; break;
	default:
		a = nodes[0].start;
		b = nodes[0].last;
	}
	node->start = min(a, b);
	node->last = max(a, b);
}

/* Toggles random nodes and asks random questions. */
static void test_random(unsigned long span)
{
	int step, i, bad = 0;

	for (step = 0; step < 20000 && !bad; step++) {
		i = (int)rnd_below(NODES);
		if (linked[i])
			interval_tree_remove(&nodes[i], &root);
		else {
			choose(&nodes[i], span);
			interval_tree_insert(&nodes[i], &root);
		}
		linked[i] = !linked[i];
		unsigned long a = rnd_below((u32)span), b;

		b = min(a + rnd_below(step % 3 ? 20 : (u32)span), span - 1);
		bad = !query_right(a, b);
	}
	ok(!bad, "%d random steps over 0..%lu", step, span - 1);
	for (i = 0; i < NODES; i++)
		if (linked[i])
			interval_tree_remove(&nodes[i], &root);
	for (i = 0; i < NODES; i++)
		linked[i] = false;
	ok(rb_root_empty(&root), "emptied");
}

static void test_edges(void)
{
	ok(!interval_tree_iter_first(&root, 0, ULONG_MAX), "an empty tree");
	nodes[0].start = ULONG_MAX;
	nodes[0].last = ULONG_MAX;
	nodes[1].start = 0;
	nodes[1].last = 0;
	nodes[2].start = 0;
	nodes[2].last = ULONG_MAX;
	for (int i = 0; i < 3; i++) {
		interval_tree_insert(&nodes[i], &root);
		linked[i] = true;
	}
	ok(query_right(0, 0), "the point 0");
	ok(query_right(ULONG_MAX, ULONG_MAX), "the largest point");
	ok(query_right(1, ULONG_MAX - 1), "all but the ends");
	ok(query_right(0, ULONG_MAX), "everything");
}

int main(void)
{
	test_random(100);
	test_random(5000);
	test_random(0x7FFFFFFF);
	test_edges();
	return done();
}
