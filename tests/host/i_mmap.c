/* host-test: mm/i_mmap_list.c mm/i_mmap_tree.c lib/rbtree.c */
/*
 * mm/i_mmap: the three indexes of a file's VMAs against a scan of all, while
 * VMAs come, are copied and go; and how many each visits in vain.
 */
#include "mm/i_mmap.h"
#include "tests/host/tap.h"

#include <string.h>

#define VMAS	150
#define PAGES	1000u		/* of the file */

static struct vma vmas[VMAS];
static bool linked[VMAS], met[VMAS];
static struct address_space file;

static bool maps(const struct vma *vma, u32 first, u32 last)
{
	return vma->vm_pgoff <= last && vma_last_pgoff(vma) >= first;
}

/* Gives a VMA a place in the file; long, short, the whole, or a twin. */
static void choose(struct vma *vma)
{
	u32 pages = 1 + rnd_below(rnd() & 1 ? 20 : PAGES / 2);
	struct vma *twin = &vmas[rnd_below(VMAS)];

	vma->vm_start = 0x10000000;
	vma->vm_pgoff = rnd_below(PAGES - pages + 1);
	vma->vm_flags = rnd() & 1 ? VM_SHARED : 0;
	if (rnd_below(10) == 0) {
		vma->vm_pgoff = 0;
		pages = PAGES;
	} else if (rnd_below(5) == 0 && twin->vm_end > twin->vm_start) {
		vma->vm_pgoff = twin->vm_pgoff;
		pages = vma_pages(twin);
	}
	vma->vm_end = vma->vm_start + pages * PAGE_SIZE;
}

/* Links a free VMA as a copy of a linked one, as fork does. */
static void copy(struct vma *vma, struct vma *like)
{
	vma->vm_start = like->vm_start;
	vma->vm_end = like->vm_end;
	vma->vm_pgoff = like->vm_pgoff;
	vma->vm_flags = like->vm_flags;
	i_mmap->insert_copy(vma, like, &file);
}

/* Links or unlinks a random VMA. */
static void step_once(void)
{
	u32 i = rnd_below(VMAS), like = rnd_below(VMAS);

	if (linked[i]) {
		i_mmap->remove(&vmas[i], &file);
	} else if (linked[like] && rnd() & 1) {
		copy(&vmas[i], &vmas[like]);
	} else {
		choose(&vmas[i]);
		i_mmap->insert(&vmas[i], &file);
	}
	linked[i] = !linked[i];
}

/*
 * True if a search meets every VMA that maps the pages, each at most once;
 * *wasted counts the others it meets.
 */
static bool search_right(u32 first, u32 last, u32 *wasted)
{
	struct vma *vma;
	u32 i, count = 0;

	memset(met, 0, sizeof(met));
	for_each_i_mmap(vma, &file, first, last) {
		i = (u32)(vma - vmas);
		if (met[i] || !linked[i])
			return false;
		met[i] = true;
		*wasted += !maps(vma, first, last);
	}
	for (i = 0; i < VMAS; i++) {
		count += linked[i];
		if (linked[i] && maps(&vmas[i], first, last) && !met[i])
			return false;
	}
	return count == file.i_mmap_count;
}

/* Runs one policy; the VMAs met in vain, over all searches. */
static u32 test_policy(const struct i_mmap_ops *ops)
{
	u32 wasted = 0, first, last, i;
	int step, bad = 0;

	i_mmap = ops;
	tap_seed = 12345;		/* the same steps for each */
	for (step = 0; step < 20000 && !bad; step++) {
		step_once();
		first = rnd_below(PAGES);
		last = min(first + rnd_below(step % 4 ? 1 : 50), PAGES - 1);
		bad = !search_right(first, last, &wasted);
	}
	ok(!bad, "%s: %d random steps, %u VMAs met in vain", ops->name, step,
	   wasted);
	for (i = 0; i < VMAS; i++) {
		if (linked[i])
			i_mmap->remove(&vmas[i], &file);
		linked[i] = false;
	}
	ok(file.i_mmap_count == 0 && !i_mmap->first(&file, 0, ~0u),
	   "%s: emptied", ops->name);
	return wasted;
}

/* A sorted list stops at the first VMA behind the page, on both its lists. */
static void test_early_exit(void)
{
	u32 i, wasted = 0;

	i_mmap = &i_mmap_list_sorted;
	for (i = 0; i < 100; i++) {
		vmas[i].vm_start = 0x10000000;
		vmas[i].vm_end = 0x10000000 + 10 * PAGE_SIZE;
		vmas[i].vm_pgoff = i * 10;
		vmas[i].vm_flags = i % 2 ? VM_SHARED : 0;
		i_mmap->insert(&vmas[i], &file);
		linked[i] = true;
	}
	ok(search_right(500, 500, &wasted), "100 VMAs side by side");
	is(wasted, 50, "the half before the page is visited in vain");
	wasted = 0;
	ok(search_right(0, 0, &wasted) && wasted == 0, "none for page 0");
}

int main(void)
{
	u32 list, sorted, tree;

	list_init(&file.i_mmap);
	list_init(&file.i_mmap_shared);
	list = test_policy(&i_mmap_list);
	sorted = test_policy(&i_mmap_list_sorted);
	tree = test_policy(&i_mmap_tree);
	is(tree, 0, "the tree meets none in vain");
	ok(sorted < list * 7 / 10, "the sorted list meets fewer than the list");
	test_early_exit();
	return done();
}
