/*
 * Doubly linked lists whose links live inside the objects they link.
 *
 *	head <-> a <-> b <-> c <-> (back to head)
 *
 * struct list_head is circular: head and links have one type, an empty head
 * points at itself, and an element leaves without knowing its list.  An hlist
 * has a one-word head (for hash tables); its elements point back at the word
 * that points at them, so they also leave in O(1).
 *
 * Nothing here sleeps, allocates or locks.  A deleted link is poisoned with
 * addresses that are never mapped: deleting it twice, or walking through it,
 * faults at once, and the fault address names the mistake.
 */
#ifndef LIB_LIST_H
#define LIB_LIST_H

#include "lib/types.h"

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;	/* *pprev == this node */
};

struct hlist_head {
	struct hlist_node *first;
};

#define LIST_POISON1	((void *)(uptr)0xFFDE1100)	/* in next */
#define LIST_POISON2	((void *)(uptr)0xFFDE1200)	/* in prev, pprev */

#define LIST_HEAD_INIT(name)	{ &(name), &(name) }
#define LIST_HEAD(name)		struct list_head name = LIST_HEAD_INIT(name)

/* Makes an empty list, or a link that is on no list. */
static inline void list_init(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

/* Joins two neighbours; what stood between them is no longer reached. */
static inline void list_join(struct list_head *prev, struct list_head *next)
{
	next->prev = prev;
	prev->next = next;
}

/* Puts a link after head: last in, first out. */
static inline void list_add(struct list_head *link, struct list_head *head)
{
	list_join(link, head->next);
	list_join(head, link);
}

/* Puts a link before head: first in, first out. */
static inline void list_add_tail(struct list_head *link, struct list_head *head)
{
	list_join(head->prev, link);
	list_join(link, head);
}

/* Takes a link, which must be on a list, off it and poisons it. */
static inline void list_del(struct list_head *link)
{
	list_join(link->prev, link->next);
	link->next = LIST_POISON1;
	link->prev = LIST_POISON2;
}

/* Takes a link off its list and leaves it empty; harmless if it is empty. */
static inline void list_del_init(struct list_head *link)
{
	list_join(link->prev, link->next);
	list_init(link);
}

/* Moves a link from its list to the front of another. */
static inline void list_move(struct list_head *link, struct list_head *head)
{
	list_join(link->prev, link->next);
	list_add(link, head);
}

/* Moves a link from its list to the end of another. */
static inline void list_move_tail(struct list_head *link,
				  struct list_head *head)
{
	list_join(link->prev, link->next);
	list_add_tail(link, head);
}

/* True if the list has no element (or the link is on no list). */
static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

/* True if the list has exactly one element. */
static inline bool list_is_singular(const struct list_head *head)
{
	return !list_empty(head) && head->next == head->prev;
}

/* Appends all of list to head and leaves list empty. */
static inline void list_splice_tail_init(struct list_head *list,
					 struct list_head *head)
{
	if (list_empty(list))
		return;
	list_join(head->prev, list->next);
	list_join(list->prev, head);
	list_init(list);
}

/* Prepends all of list to head and leaves list empty. */
static inline void list_splice_init(struct list_head *list,
				    struct list_head *head)
{
	if (list_empty(list))
		return;
	list_join(list->prev, head->next);
	list_join(head, list->next);
	list_init(list);
}

#define list_entry(ptr, type, member)	container_of(ptr, type, member)
#define list_first_entry(head, type, member) \
	list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) \
	list_entry((head)->prev, type, member)
#define list_next_entry(pos, member) \
	list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_prev_entry(pos, member) \
	list_entry((pos)->member.prev, __typeof__(*(pos)), member)

#define list_for_each(link, head) \
	for (link = (head)->next; link != (head); link = link->next)

#define list_for_each_entry(pos, head, member) \
	for (pos = list_first_entry(head, __typeof__(*pos), member); \
	     &pos->member != (head); \
	     pos = list_next_entry(pos, member))

#define list_for_each_entry_reverse(pos, head, member) \
	for (pos = list_last_entry(head, __typeof__(*pos), member); \
	     &pos->member != (head); \
	     pos = list_prev_entry(pos, member))

/* As list_for_each_entry, but the body may delete or free pos itself. */
#define list_for_each_entry_safe(pos, n, head, member) \
	for (pos = list_first_entry(head, __typeof__(*pos), member), \
	     n = list_next_entry(pos, member); \
	     &pos->member != (head); \
	     pos = n, n = list_next_entry(n, member))

#define HLIST_HEAD_INIT		{ NULL }

/* Makes an empty hash chain. */
static inline void hlist_init(struct hlist_head *head)
{
	head->first = NULL;
}

/* Makes a node that is on no chain; see hlist_unhashed(). */
static inline void hlist_node_init(struct hlist_node *node)
{
	node->next = NULL;
	node->pprev = NULL;
}

/* True if the node is on no chain (initialised, or hlist_del_init() done). */
static inline bool hlist_unhashed(const struct hlist_node *node)
{
	return !node->pprev;
}

/* True if the chain has no element. */
static inline bool hlist_empty(const struct hlist_head *head)
{
	return !head->first;
}

/* Puts a node at the front of a chain. */
static inline void hlist_add_head(struct hlist_node *node,
				  struct hlist_head *head)
{
	node->next = head->first;
	if (node->next)
		node->next->pprev = &node->next;
	head->first = node;
	node->pprev = &head->first;
}

/* Unlinks a node from its chain without touching the node. */
static inline void hlist_unlink(struct hlist_node *node)
{
	*node->pprev = node->next;
	if (node->next)
		node->next->pprev = node->pprev;
}

/* Takes a node, which must be on a chain, off it and poisons it. */
static inline void hlist_del(struct hlist_node *node)
{
	hlist_unlink(node);
	node->next = LIST_POISON1;
	node->pprev = LIST_POISON2;
}

/* Takes a node off its chain, if it is on one, and leaves it unhashed. */
static inline void hlist_del_init(struct hlist_node *node)
{
	if (hlist_unhashed(node))
		return;
	hlist_unlink(node);
	hlist_node_init(node);
}

#define hlist_entry(ptr, type, member)	container_of(ptr, type, member)
#define hlist_entry_safe(ptr, type, member) ({ \
	__typeof__(ptr) ptr_ = (ptr); \
	ptr_ ? hlist_entry(ptr_, type, member) : NULL; })

#define hlist_for_each_entry(pos, head, member) \
	for (pos = hlist_entry_safe((head)->first, __typeof__(*pos), member); \
	     pos; \
	     pos = hlist_entry_safe(pos->member.next, __typeof__(*pos), \
				    member))

/* As hlist_for_each_entry; n is a struct hlist_node *, and pos may be freed. */
#define hlist_for_each_entry_safe(pos, n, head, member) \
	for (pos = hlist_entry_safe((head)->first, __typeof__(*pos), member); \
	     pos && ({ n = pos->member.next; true; }); \
	     pos = hlist_entry_safe(n, __typeof__(*pos), member))

#endif
