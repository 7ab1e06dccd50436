/*
 * i_mmap=list and i_mmap=list_sorted: the VMAs of a file on two linked lists,
 * private and shared, as in Linux up to 2.6.6.
 *
 *	mapping.i_mmap        -> vma -> vma            (private)
 *	mapping.i_mmap_shared -> vma -> vma -> vma     (shared)
 *
 * `list` keeps no order: a search visits every VMA of the file.
 * `list_sorted` keeps vm_pgoff ascending (2.5.66-mm3) and stops at the first
 * VMA that starts behind the page: about half are visited.
 *
 * Cost: 8 bytes per VMA; list: insert O(1); list_sorted: insert O(n), O(1) for
 * ascending offsets and for fork, which puts the copy beside the original.
 * Where they fail: a search is O(n) however few VMAs map the page; "show-
 * stoppingly expensive at 100k vmas per file" (Morton, April 2003).
 */
#include "kernel/param.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/i_mmap.h"

const struct i_mmap_ops *i_mmap = &i_mmap_tree;

/* i_mmap=NAME on the command line. */
static int set_i_mmap(const char *name)
{
	static const struct i_mmap_ops *const policies[] = {
		&i_mmap_tree, &i_mmap_list_sorted, &i_mmap_list,
	};

	for (unsigned i = 0; i < ARRAY_SIZE(policies); i++) {
		if (strcmp(policies[i]->name, name))
			continue;
		i_mmap = policies[i];
		return 0;
	}
	return -EINVAL;
}
BOOT_PARAM(i_mmap, "i_mmap", "tree, list_sorted, list", set_i_mmap);

/* The list on which a VMA belongs. */
static struct list_head *list_of(const struct vma *vma,
				 struct address_space *m)
{
	return vma->vm_flags & VM_SHARED ? &m->i_mmap_shared : &m->i_mmap;
}

/* Puts a VMA at the head of its list. */
static void list_insert(struct vma *vma, struct address_space *m)
{
	list_add(&vma->shared.list, list_of(vma, m));
	m->i_mmap_count++;
}

/* Puts a VMA behind the last one with a smaller or equal offset. */
static void list_insert_sorted(struct vma *vma, struct address_space *m)
{
	struct list_head *head = list_of(vma, m);
	struct vma *before;

	m->i_mmap_count++;
	list_for_each_entry_reverse(before, head, shared.list) {
		if (before->vm_pgoff <= vma->vm_pgoff) {
			list_add(&vma->shared.list, &before->shared.list);
			return;
		}
	}
	list_add(&vma->shared.list, head);
}

/* Puts a copy right behind its original: order is kept, O(1). */
static void list_insert_copy(struct vma *vma, struct vma *like,
			     struct address_space *m)
{
	list_add(&vma->shared.list, &like->shared.list);
	m->i_mmap_count++;
}

/* Takes a VMA off its list. */
static void list_remove(struct vma *vma, struct address_space *m)
{
	list_del(&vma->shared.list);
	m->i_mmap_count--;
}

/* The VMA behind `link`, going on from the private to the shared list. */
static struct vma *vma_behind(struct list_head *link, struct address_space *m)
{
	link = link->next;
	if (link == &m->i_mmap)
		link = m->i_mmap_shared.next;
	if (link == &m->i_mmap_shared)
		return NULL;
	return list_entry(link, struct vma, shared.list);
}

/* First candidate: simply the first VMA. */
static struct vma *list_first(struct address_space *m, u32 first unused_arg,
			      u32 last unused_arg)
{
	return vma_behind(&m->i_mmap, m);
}

/* Next candidate: simply the next VMA. */
static struct vma *list_next(struct vma *vma, struct address_space *m,
			     u32 first unused_arg, u32 last unused_arg)
{
	return vma_behind(&vma->shared.list, m);
}

/*
 * `vma` if it does not start behind `last`.  Otherwise none behind it on its
 * list does either: go on with the shared list, or end.
 */
static struct vma *early_exit(struct vma *vma, struct address_space *m,
			      u32 last)
{
	if (!vma || vma->vm_pgoff <= last)
		return vma;
	if (vma->vm_flags & VM_SHARED || list_empty(&m->i_mmap_shared))
		return NULL;
	vma = list_first_entry(&m->i_mmap_shared, struct vma, shared.list);
	return vma->vm_pgoff <= last ? vma : NULL;
}

/* First candidate that does not start behind `last`. */
static struct vma *sorted_first(struct address_space *m, u32 first unused_arg,
				u32 last)
{
	return early_exit(vma_behind(&m->i_mmap, m), m, last);
}

/* Next candidate that does not start behind `last`. */
static struct vma *sorted_next(struct vma *vma, struct address_space *m,
			       u32 first unused_arg, u32 last)
{
	return early_exit(vma_behind(&vma->shared.list, m), m, last);
}

const struct i_mmap_ops i_mmap_list = {
	.name = "list",
	.insert = list_insert,
	.insert_copy = list_insert_copy,
	.remove = list_remove,
	.first = list_first,
	.next = list_next,
};

const struct i_mmap_ops i_mmap_list_sorted = {
	.name = "list_sorted",
	.insert = list_insert_sorted,
	.insert_copy = list_insert_copy,
	.remove = list_remove,
	.first = sorted_first,
	.next = sorted_next,
};
