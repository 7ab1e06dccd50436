/* host-test: mm/vma.c mm/unmapped_area.c mm/i_mmap_list.c */
/* host-test: mm/i_mmap_tree.c mm/slab.c mm/buddy.c lib/rbtree.c */
/*
 * mm/vma.c and mm/unmapped_area.c: one address space in which stretches are
 * mapped, cut, moved and joined at random, against an entry for each page.
 * After each step: list, tree and gaps recomputed, find_vma() for any address,
 * the lowest gap found by looking, and each file's count of VMAs.
 */
#include "fs/vfs.h"
#include "mm/i_mmap.h"
#include "mm/mm_internal.h"
#include "mm/slab.h"
#include "tests/host/frames.h"

#define PAGES	400u			/* in the window under test */
#define FIRST	(MMAP_BASE - 40 * PAGE_SIZE)	/* where it starts */
#define FILES	2

/* What a page of the window should be mapped as. */
struct expected {
	struct file *file;
	u32 flags, pgoff;
	bool mapped;
};

static struct expected model[PAGES];
static struct mm mm;
static struct file files[FILES];
static struct address_space mappings[FILES];

void fput(struct file *f)
{
	f->count--;
}

static u32 address(u32 page)
{
	return FIRST + page * PAGE_SIZE;
}

/* ---- the oracle ---- */

/* True if the page at addr is mapped as the model says. */
static bool page_right(const struct vma *vma, u32 addr)
{
	const struct expected *e = &model[(addr - FIRST) / PAGE_SIZE];

	return e->mapped && e->file == vma->vm_file &&
	       e->flags == vma->vm_flags &&
	       e->pgoff == vma->vm_pgoff + (addr - vma->vm_start) / PAGE_SIZE;
}

/* True if the list is in order and maps what the model maps. */
static bool list_right(void)
{
	u32 count = 0, pages = 0, in_model = 0, addr, i;
	const struct vma *vma, *prev = NULL;

	for (vma = mm.mmap; vma; prev = vma, vma = vma->vm_next) {
		if (vma->vm_prev != prev || vma->vm_start >= vma->vm_end ||
		    (prev && prev->vm_end > vma->vm_start))
			return false;
		count++;
		for (addr = vma->vm_start; addr < vma->vm_end &&
		     addr < address(PAGES); addr += PAGE_SIZE, pages++)
			if (!page_right(vma, addr))
				return false;
	}
	for (i = 0; i < PAGES; i++)
		in_model += model[i].mapped;
	return count == mm.map_count && pages == in_model;
}

/* Recomputes the gaps of a subtree; *wrong counts the stale ones. */
static u32 recompute_gap(struct rb_node *rb, u32 *wrong, struct vma **next)
{
	struct vma *vma = rb_entry_safe(rb, struct vma, vm_rb);
	u32 gap;

	if (!vma)
		return 0;
	gap = recompute_gap(rb->left, wrong, next);
	if (vma != *next)
		*wrong += 1000;		/* not in the order of the list */
	*next = vma->vm_next;
	gap = max(gap, vma->vm_start -
		  (vma->vm_prev ? vma->vm_prev->vm_end : 0));
	gap = max(gap, recompute_gap(rb->right, wrong, next));
	*wrong += vma->rb_subtree_gap != gap;
	return gap;
}

static u32 wrong_gaps(void)
{
	struct vma *next = mm.mmap;
	u32 wrong = 0;

	recompute_gap(mm.mm_rb.node, &wrong, &next);
	return next ? wrong + 1000 : wrong;
}

/* True if find_vma() agrees with the list, at the edges above all. */
static bool find_right(void)
{
	u32 addr = address(rnd_below(PAGES)) + rnd_below(3) - 1;
	struct vma *vma = mm.mmap;

	while (vma && vma->vm_end <= addr)
		vma = vma->vm_next;
	return find_vma(&mm, addr) == vma;
}

/* The lowest gap at or above MMAP_BASE, from the list. */
static u32 lowest_gap(u32 len)
{
	const struct vma *vma;
	u32 at = MMAP_BASE;

	for (vma = mm.mmap; vma; vma = vma->vm_next) {
		if (vma->vm_start >= at && vma->vm_start - at >= len)
			return at;
		at = max(at, vma->vm_end);
	}
	return TASK_SIZE - at >= len ? at : 0;
}

/* True if every file's index has as many VMAs as the list. */
static bool files_right(void)
{
	const struct vma *vma;
	u32 i, n;

	for (i = 0; i < FILES; i++) {
		for (n = 0, vma = mm.mmap; vma; vma = vma->vm_next)
			n += vma->vm_file == &files[i];
		if (mappings[i].i_mmap_count != n || files[i].count != (int)n)
			return false;
	}
	return true;
}

/* ---- the steps ---- */

/* Makes [start, start + n) unmapped, as munmap does: split, then unlink. */
static void unmap(u32 start, u32 n)
{
	u32 from = address(start), to = address(start + n), i;
	struct vma *vma = find_vma(&mm, from), *next;

	if (vma && vma->vm_start < from) {
		if (vma_split(vma, from))
			panic("no memory");
		vma = vma->vm_next;
	}
	for (; vma && vma->vm_start < to; vma = next) {
		if (vma->vm_end > to && vma_split(vma, to))
			panic("no memory");
		next = vma->vm_next;
		vma_unlink(&mm, vma);
		vma_free(vma);
	}
	for (i = start; i < start + n; i++)
		model[i].mapped = false;
}

/* Maps n unmapped pages from start on; few kinds, so that many can join. */
static void map(u32 start, u32 n)
{
	struct vma *vma = vma_alloc(&mm, 0);
	u32 kind = rnd_below(5), i;

	vma->vm_start = address(start);
	vma->vm_end = address(start + n);
	vma->vm_flags = kind & 1 ? VM_READ : VM_READ | VM_SHARED;
	vma->vm_pgoff = start + 100 * (kind / 4);
	if (kind > 1)
		vma->vm_file = get_file(&files[kind % 2]);
	vma_link(&mm, vma);
	for (i = start; i < start + n; i++)
		model[i] = (struct expected){
			vma->vm_file, vma->vm_flags,
			vma->vm_pgoff + i - start, true,
		};
}

/* Moves one end of a random VMA, inwards. */
static void shrink(void)
{
	struct vma *vma = find_vma(&mm, address(rnd_below(PAGES)));
	u32 page;

	if (!vma || vma->vm_start >= address(PAGES) || vma_pages(vma) < 2)
		return;
	if (rnd() & 1) {
		page = (vma->vm_start - FIRST) / PAGE_SIZE;
		vma_resize(vma, vma->vm_start + PAGE_SIZE, vma->vm_end);
	} else {
		page = (vma->vm_end - FIRST) / PAGE_SIZE - 1;
		vma_resize(vma, vma->vm_start, vma->vm_end - PAGE_SIZE);
	}
	model[page].mapped = false;
}

/* True if no two neighbours in the window could still be one VMA. */
static bool all_joined(void)
{
	const struct vma *vma, *next;

	for (vma = mm.mmap; vma && vma->vm_next; vma = vma->vm_next) {
		next = vma->vm_next;
		if (vma->vm_end == next->vm_start &&
		    vma->vm_end < address(PAGES) &&
		    vma->vm_file == next->vm_file &&
		    vma->vm_flags == next->vm_flags &&
		    vma->vm_pgoff + vma_pages(vma) == next->vm_pgoff)
			return false;
	}
	return true;
}

/* One step; false if joining left something apart. */
static bool step_once(void)
{
	u32 start = rnd_below(PAGES), n;

	n = 1 + rnd_below(min(PAGES - start, rnd_below(8) ? 6u : 60u));
	switch (rnd_below(8)) {
	case 0: case 1: case 2: case 3:
		unmap(start, n);
		map(start, n);
		break;
	case 4: case 5:
		unmap(start, n);
		break;
	case 6:
		shrink();
		break;
	default:
		if (rnd_below(10))
			break;
		vma_merge_range(&mm, FIRST, address(PAGES));
		return all_joined();
	}
	return true;
}

/* Steps at random; `full` closes the space above the window. */
static void test_random(bool full)
{
	int step, order = 0, find = 0, gaps = 0, area = 0, file = 0, join = 0;
	struct vma *top = NULL;
	u32 len;

	if (full) {
		top = vma_alloc(&mm, 0);
		top->vm_start = address(PAGES);
		top->vm_end = TASK_SIZE;
		vma_link(&mm, top);
	}
	for (step = 0; step < 10000; step++) {
		join += !step_once();
		order += !list_right();
		gaps += wrong_gaps() != 0;
		find += !find_right();
		file += !files_right();
		len = PAGE_SIZE * (1 + rnd_below(rnd() & 1 ? 10 : 100));
		area += get_unmapped_area(&mm, len) != lowest_gap(len);
	}
	printf("# %d random steps%s\n", step, full ? ", no room above" : "");
	is(order, 0, "list, tree and model agree");
	is(gaps, 0, "the gaps are what a recomputation says");
	is(find, 0, "find_vma");
	is(area, 0, "get_unmapped_area finds the lowest gap");
	is(file, 0, "the files' indexes have their VMAs");
	is(join, 0, "alike neighbours are joined");
	unmap(0, PAGES);
	if (top) {
		vma_unlink(&mm, top);
		vma_free(top);
	}
	ok(!mm.mmap && !mm.mm_rb.node && mm.map_count == 0, "emptied");
}

static void test_edges(void)
{
	is(get_unmapped_area(&mm, PAGE_SIZE), MMAP_BASE, "an empty space");
	is(get_unmapped_area(&mm, TASK_SIZE - MMAP_BASE), MMAP_BASE,
	   "all of it");
	is(get_unmapped_area(&mm, TASK_SIZE - MMAP_BASE + PAGE_SIZE), 0,
	   "a page more");
	is(get_unmapped_area(&mm, 0xFFFFF000), 0, "the largest length");
	ok(!find_vma(&mm, 0) && !find_vma(&mm, 0xFFFFFFFF), "no VMA");
	map(0, 3);
	fail_after = 0;
	is(vma_split(mm.mmap, address(1)), 0, "a slab at hand serves a split");
	fail_after = -1;
	unmap(0, PAGES);
}

int main(void)
{
	int i;

	frames_init(1024, 1);
	slab_init();
	vma_init();
	for (i = 0; i < FILES; i++) {
		files[i].mapping = &mappings[i];
		list_init(&mappings[i].i_mmap);
		list_init(&mappings[i].i_mmap_shared);
	}
	test_edges();
	test_random(false);
	test_random(true);
	return done();
}
