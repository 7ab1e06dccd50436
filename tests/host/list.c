/* host-test: */
/*
 * lib/list.h: each operation against a written-down order, and the poison.
 */
#include <string.h>

#include "lib/list.h"
#include "tests/host/tap.h"

struct item {
	struct list_head link;
	struct hlist_node hash;
	char name;
};

static struct item items[6] = {
	{ .name = 'a' }, { .name = 'b' }, { .name = 'c' },
	{ .name = 'd' }, { .name = 'e' }, { .name = 'f' },
};

/* Compares a list, forwards and backwards, with a string of names. */
static void is_list(struct list_head *head, const char *expected,
		    const char *test)
{
	char found[16] = "", back[16] = "";
	size_t n = 0, i = sizeof(back) - 1;
	struct item *pos;

	list_for_each_entry(pos, head, link)
		found[n++] = pos->name;
	list_for_each_entry_reverse(pos, head, link)
		back[--i] = pos->name;
	if (!ok(!strcmp(found, expected) && !strcmp(back + i, expected), "%s",
		test))
		printf("# found %s, backwards %s, expected %s\n", found,
		       back + i, expected);
}

/* Compares a hash chain with a string of names. */
static void is_hlist(struct hlist_head *head, const char *expected,
		     const char *test)
{
	char found[16] = "";
	struct item *pos;
	size_t n = 0;

	hlist_for_each_entry(pos, head, hash)
		found[n++] = pos->name;
	if (!ok(!strcmp(found, expected), "%s", test))
		printf("# found %s, expected %s\n", found, expected);
}

static void test_list(void)
{
	LIST_HEAD(one);
	struct list_head two;
	struct item *pos, *n;
	int i;

	list_init(&two);
	ok(list_empty(&one) && list_empty(&two), "new lists are empty");
	list_add(&items[1].link, &one);
	ok(list_is_singular(&one), "one element is singular");
	list_add(&items[0].link, &one);
	list_add_tail(&items[2].link, &one);
	is_list(&one, "abc", "add and add_tail");
	ok(!list_is_singular(&one), "three are not singular");
	for (i = 3; i < 6; i++)
		list_add_tail(&items[i].link, &two);
	list_move(&items[5].link, &one);
	is_list(&one, "fabc", "move");
	is_list(&two, "de", "move takes away");
	list_move_tail(&items[0].link, &one);
	is_list(&one, "fbca", "move_tail within a list");
	list_splice_tail_init(&two, &one);
	is_list(&one, "fbcade", "splice_tail_init");
	ok(list_empty(&two), "the spliced list is empty");
	list_splice_tail_init(&two, &one);
	is_list(&one, "fbcade", "splicing an empty list changes nothing");
	list_splice_init(&one, &two);
	is_list(&two, "fbcade", "splice_init");
	list_for_each_entry_safe(pos, n, &two, link)
		if (pos->name > 'b')
			list_del(&pos->link);
	is_list(&two, "ba", "deleting while iterating");
	ok(items[5].link.next == LIST_POISON1 &&
	   items[5].link.prev == LIST_POISON2, "list_del poisons");
	list_del_init(&items[0].link);
	list_del_init(&items[0].link);
	ok(list_empty(&items[0].link), "list_del_init twice is harmless");
	is_list(&two, "b", "one is left");
}

static void test_hlist(void)
{
	struct hlist_head head = HLIST_HEAD_INIT;
	struct hlist_node *n;
	struct item *pos;
	int i;

	ok(hlist_empty(&head), "a new chain is empty");
	for (i = 0; i < 6; i++) {
		hlist_node_init(&items[i].hash);
		hlist_add_head(&items[i].hash, &head);
	}
	is_hlist(&head, "fedcba", "hlist_add_head");
	hlist_del(&items[5].hash);
	is_hlist(&head, "edcba", "hlist_del of the first");
	ok(items[5].hash.pprev == LIST_POISON2, "hlist_del poisons");
	hlist_del_init(&items[0].hash);
	hlist_del_init(&items[0].hash);
	is_hlist(&head, "edcb", "hlist_del_init of the last, twice");
	ok(hlist_unhashed(&items[0].hash), "it is unhashed");
	hlist_for_each_entry_safe(pos, n, &head, hash)
		if (pos->name != 'd')
			hlist_del(&pos->hash);
	is_hlist(&head, "d", "deleting while iterating");
}

int main(void)
{
	test_list();
	test_hlist();
	return done();
}
