/* host-test: lib/rbtree.c */
/*
 * lib/rbtree: random insertions and erasures against a sorted array, with the
 * red-black rules and every subtree value recomputed after each step.
 */
#include "lib/rbtree.h"
#include "tests/host/tap.h"

#define KEYS	300

struct item {
	struct rb_node rb;
	u32 key, weight;
	u64 sum;		/* of the weights from here down */
	u32 largest;		/* of the weights from here down */
	bool linked;
};

static struct item items[KEYS];
static struct rb_root root;
static unsigned long updates;

#define item_of(ptr)	rb_entry(ptr, struct item, rb)

/* The rb_update_fn: a sum, which always climbs, and a maximum, which stops. */
static bool update(struct rb_node *rb)
{
	struct item *item = item_of(rb);
	u64 sum = item->weight;
	u32 largest = item->weight;
	struct item *child;
	bool changed;

	if ((child = rb_entry_safe(rb->left, struct item, rb))) {
		sum += child->sum;
		largest = max(largest, child->largest);
	}
	if ((child = rb_entry_safe(rb->right, struct item, rb))) {
		sum += child->sum;
		largest = max(largest, child->largest);
	}
	changed = sum != item->sum || largest != item->largest;
	item->sum = sum;
	item->largest = largest;
	updates++;
	return changed;
}

/* As update(), but blind to the sum, so that it often says "unchanged". */
static bool update_max(struct rb_node *rb)
{
	u32 before = item_of(rb)->largest;

	update(rb);
	return item_of(rb)->largest != before;
}

/* Links an item by key; augmented unless fn is NULL. */
static void insert(struct item *item, rb_update_fn *fn)
{
	struct rb_node **link = &root.node, *parent = NULL;

	while (*link) {
		parent = *link;
		link = item->key < item_of(parent)->key ? &parent->left
							: &parent->right;
	}
	rb_link_node(&item->rb, parent, link);
	item->linked = true;
	if (fn)
		rb_insert_augmented(&item->rb, &root, fn);
	else
		rb_insert_color(&item->rb, &root);
}

static void erase(struct item *item, rb_update_fn *fn)
{
	if (fn)
		rb_erase_augmented(&item->rb, &root, fn);
	else
		rb_erase(&item->rb, &root);
	item->linked = false;
}

/* What a subtree should say; black is the black height, -1 if it is bad. */
struct facts {
	int black;
	u64 sum;
	u32 largest;
};

/* Recomputes a subtree from scratch; fn chooses which values must be right. */
static struct facts examine(struct rb_node *rb, struct rb_node *parent,
			    rb_update_fn *fn)
{
	struct facts here = { .black = 0 }, left, right;
	bool red, good;

	if (!rb)
		return here;
	left = examine(rb->left, rb, fn);
	right = examine(rb->right, rb, fn);
	here.sum = left.sum + right.sum + item_of(rb)->weight;
	here.largest = max(max(left.largest, right.largest),
			   item_of(rb)->weight);
	red = !(rb->parent_color & 1);
	good = left.black >= 0 && left.black == right.black &&
	       rb_parent(rb) == parent &&
	       !(red && (!parent || !(parent->parent_color & 1)));
	if (fn)
		good = good && here.largest == item_of(rb)->largest;
	if (fn == update)
		good = good && here.sum == item_of(rb)->sum;
	here.black = good ? left.black + !red : -1;
	return here;
}

/* True if walking both ways meets exactly the linked items, in order. */
static bool order_right(void)
{
	struct rb_node *rb = rb_first(&root), *back = rb_last(&root);
	int i;

	for (i = 0; i < KEYS; i++) {
		if (items[i].linked) {
			if (rb != &items[i].rb)
				return false;
			rb = rb_next(rb);
		}
		if (items[KEYS - 1 - i].linked) {
			if (back != &items[KEYS - 1 - i].rb)
				return false;
			back = rb_prev(back);
		}
	}
	return !rb && !back;
}

/* True if the tree is all it should be. */
static bool tree_right(rb_update_fn *fn)
{
	return examine(root.node, NULL, fn).black >= 0 && order_right();
}

/* Steps at random around a size that itself wanders from 0 to KEYS. */
static void test_random(rb_update_fn *fn, const char *name)
{
	int step, bad = 0;

	for (step = 0; step < 20000 && !bad; step++) {
		struct item *item = &items[rnd_below(KEYS)];
		bool growing = (step / 700) % 2 == 0;

		if (item->linked && (!growing || rnd_below(3) == 0))
			erase(item, fn);
		else if (!item->linked && (growing || rnd_below(3) == 0)) {
			item->weight = rnd_below(1000);
			insert(item, fn);
		}
		bad = !tree_right(fn);
	}
	ok(!bad, "%s: %d random steps", name, step);
	for (step = 0; step < KEYS && !bad; step++)
		if (items[step].linked) {
			erase(&items[step], fn);
			bad = !tree_right(fn);
		}
	ok(!bad && rb_root_empty(&root), "%s: emptied from the left", name);
}

/* Keys in order: the depth stays logarithmic, an insertion costs O(log n). */
static void test_sorted(void)
{
	struct rb_node *rb;
	int i, depth, deepest = 0;

	for (i = 0; i < KEYS; i++) {
		items[i].weight = 1;
		insert(&items[i], update_max);
	}
	ok(tree_right(update_max), "inserted in order");
	for (i = 0; i < KEYS; i++) {
		depth = 0;
		for (rb = &items[i].rb; rb; rb = rb_parent(rb))
			depth++;
		deepest = max(deepest, depth);
	}
	ok(deepest <= 17, "300 sorted keys are at most 17 deep (%d)", deepest);
	updates = 0;
	erase(&items[150], update_max);
	insert(&items[150], update_max);
	ok(updates <= 30, "early exit: %lu updates for two changes", updates);
}

static void test_in_place(void)
{
	struct item other = { .key = items[7].key, .weight = 5000 };
	int i;

	for (i = 0; i < KEYS; i++)
		update(&items[i].rb);
	for (i = 0; i < KEYS; i++) {
		items[i].weight = rnd_below(1000);
		rb_update_path(&items[i].rb, update_max);
	}
	ok(tree_right(update_max), "rb_update_path after changes in place");
	rb_update_path(NULL, update);
	rb_replace_node(&items[7].rb, &other.rb, &root);
	ok(rb_next(&items[6].rb) == &other.rb &&
	   rb_prev(&items[8].rb) == &other.rb, "rb_replace_node: neighbours");
	rb_replace_node(&other.rb, &items[7].rb, &root);
	ok(tree_right(update_max), "rb_replace_node and back");
	rb_replace_node(root.node, &other.rb, &root);
	ok(root.node == &other.rb, "rb_replace_node of the root");
}

int main(void)
{
	int i;

	for (i = 0; i < KEYS; i++)
		items[i].key = (u32)i;
	ok(!rb_first(&root) && !rb_last(&root), "an empty tree has no ends");
	test_random(NULL, "plain");
	test_random(update, "sum");
	test_random(update_max, "max");
	test_sorted();
	test_in_place();
	return done();
}
