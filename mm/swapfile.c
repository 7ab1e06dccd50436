/*
 * swapon and swapoff, and what /proc/swaps shows.
 *
 * The header is mkswap's (util-linux): page 0 of the area ends in SWAPSPACE2;
 * version at 1024, last page, number of bad pages, UUID, label; the list of
 * bad pages at 1536.  Anything else is refused and said by name, in particular
 * a hibernated system's image (S1SUSPEND).
 */
#include "drivers/block.h"
#include "fs/vfs.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/pgtable.h"
#include "mm/slab.h"
#include "mm/swap.h"
#include "mm/syscalls.h"
#include "mm/vmstat.h"

#define SWAP_FLAG_PREFER	0x8000
#define SWAP_FLAG_PRIO_MASK	0x7fff
#define MAX_BADPAGES		637
#define S_IFBLK_		0060000
#define S_IFMT_			0170000

struct swap_header {
	u8 boot[1024];
	u32 version;
	u32 last_page;
	u32 nr_badpages;
	u8 uuid[16];
	char label[16];
	u32 padding[117];
	u32 badpages[MAX_BADPAGES];
	u8 gap[2];
	char magic[10];
} packed;

/* Says why an area was refused; the error. */
static int refuse(const char *name, const char *why, int error)
{
	printk(KERN_ERR "swapon: %s: %s\n", name, why);
	return error;
}

/* Checks a header against the device; 0 or an error with a message. */
static int check_header(const struct swap_header *h, const char *name,
			u32 device_pages)
{
	_Static_assert(sizeof(*h) == PAGE_SIZE, "the header is one page");
	if (!memcmp(h->magic, "S1SUSPEND", 9) ||
	    !memcmp(h->magic, "ULSUSPEND", 9))
		return refuse(name, "holds a suspended system, not touched",
			      -EINVAL);
	if (!memcmp(h->magic, "SWAP-SPACE", 10))
		return refuse(name, "has an old (version 0) header; run "
			      "mkswap again", -EINVAL);
	if (memcmp(h->magic, "SWAPSPACE2", 10))
		return refuse(name, "has no swap header; run mkswap on it",
			      -EINVAL);
	if (h->version != 1)
		return refuse(name, "unknown version of the swap header",
			      -EINVAL);
	if (h->nr_badpages > MAX_BADPAGES)
		return refuse(name, "header counts too many bad pages",
			      -EINVAL);
	if (h->last_page < 1)
		return refuse(name, "header says the area is empty", -EINVAL);
	if (h->last_page >= device_pages)
		return refuse(name, "header says the area is larger than the "
			      "device", -EINVAL);
	return 0;
}

/* Fills the map from a checked header; 0 or -EINVAL. */
static int fill_map(struct swap_area *a, const struct swap_header *h,
		    const char *name)
{
	a->map[0] = SWAP_MAP_BAD;
	a->pages = a->max - 1;
	for (u32 i = 0; i < h->nr_badpages; i++) {
		u32 bad = h->badpages[i];

		if (!bad || bad >= a->max)
			return refuse(name, "list of bad pages is damaged",
				      -EINVAL);
		if (a->map[bad] == SWAP_MAP_BAD)
			continue;
		a->map[bad] = SWAP_MAP_BAD;
		a->pages--;
	}
	return a->pages ? 0 : refuse(name, "every page is bad", -EINVAL);
}

/* Sets an area up from its header page; 0 or an error. */
static int setup_area(struct swap_area *a, const struct swap_header *h,
		      const char *name)
{
	u32 device_pages = (u32)min(a->bdev->sectors / (PAGE_SIZE / 512),
				    (u64)1 << SWP_PTE_OFFSET_BITS);
	int error = check_header(h, name, device_pages);

	if (error)
		return error;
	a->max = h->last_page + 1;
	a->map = kzalloc(a->max * sizeof(u16), GFP_KERNEL | __GFP_NOWARN);
	if (!a->map)
		return -ENOMEM;
	error = fill_map(a, h, name);
	if (error) {
		kfree(a->map);
		a->map = NULL;
		return error;
	}
	a->lowest = 1;
	a->highest = h->last_page;
	return 0;
}

/* Reads and checks the header of an area; 0 or an error.  May sleep. */
static int read_area(struct swap_area *a, const char *name)
{
	void *page = get_free_pages(GFP_KERNEL, 0);
	int error;

	if (!page)
		return -ENOMEM;
	error = bdev_transfer(a->bdev, 0, page, PAGE_SIZE, false);
	if (error)
		error = refuse(name, "cannot read the header", error);
	else
		error = setup_area(a, page, name);
	free_pages_at(page, 0);
	return error;
}

/* The block device that a path names; ERR_PTR.  May sleep. */
static struct block_device *bdev_of_path(const char *path)
{
	struct dentry *d = path_lookup(AT_FDCWD, path, LOOKUP_FOLLOW);
	struct block_device *b = NULL;

	if (IS_ERR(d))
		return (void *)d;
	if (!d->inode)
		b = ERR_PTR(-ENOENT);
	else if ((d->inode->mode & S_IFMT_) != S_IFBLK_)
		b = ERR_PTR(refuse(path, "not a block device", -EINVAL));
	else
		b = find_block_device_by_dev(d->inode->rdev);
	dput(d);
	return b ? b : ERR_PTR(-ENXIO);
}

/* A free area with its priority set, or NULL: all are taken. */
static struct swap_area *new_area(const char *path, int flags)
{
	static int next_prio = -1;

	for (u32 i = 0; i < MAX_SWAPFILES; i++) {
		struct swap_area *a = &swap_areas[i];

		if (a->bdev)
			continue;
		memset(a, 0, sizeof(*a));
		strlcpy(a->name, path, sizeof(a->name));
		a->prio = flags & SWAP_FLAG_PREFER ?
			  flags & SWAP_FLAG_PRIO_MASK : next_prio--;
		return a;
	}
	return NULL;
}

/* Starts swapping to a block device; 0 or an error.  May sleep. */
int swap_on(const char *path, int flags)
{
	struct block_device *b = bdev_of_path(path);
	struct swap_area *a;
	int error;

	if (IS_ERR(b))
		return PTR_ERR(b);
	a = new_area(path, flags);
	if (!a)
		return refuse(path, "too many swap areas", -EPERM);
	error = bdev_claim(b, &swap_areas);
	if (error)
		return refuse(path, "in use", error);
	a->bdev = b;
	error = read_area(a, path);
	if (error) {
		a->bdev = NULL;
		bdev_release(b, &swap_areas);
		return error;
	}
	a->used = a->active = true;
	nr_swap_pages += a->pages;
	total_swap_pages += a->pages;
	printk("Adding %u kB swap on %s, priority %d\n", a->pages * 4, path,
	       a->prio);
	return 0;
}

/* Stops swapping to an area; 0 or an error, the area is in use again. */
static int swap_off(struct swap_area *a)
{
	int error;

	a->used = false;
	nr_swap_pages -= a->pages - a->inuse;
	total_swap_pages -= a->pages;
	error = try_to_unuse(a - swap_areas);
	if (error) {
		a->used = true;
		nr_swap_pages += a->pages - a->inuse;
		total_swap_pages += a->pages;
		return error;
	}
	a->active = false;
	bdev_release(a->bdev, &swap_areas);
	a->bdev = NULL;
	kfree(a->map);
	a->map = NULL;
	return 0;
}

/* Copies a path from the user into a page to be freed; ERR_PTR. */
static char *path_from_user(const char __user *path)
{
	char *buf = kmalloc(PAGE_SIZE, GFP_KERNEL);
	ssize_t n;

	if (!buf)
		return ERR_PTR(-ENOMEM);
	n = strncpy_from_user(buf, path, PAGE_SIZE);
	if (n >= 0)
		return buf;
	kfree(buf);
	return ERR_PTR(n);
}

/* swapon(2) */
asmlinkage long sys_swapon(const char __user *path, int flags)
{
	char *name;
	int error;

	if (!capable())
		return -EPERM;
	name = path_from_user(path);
	if (IS_ERR(name))
		return PTR_ERR(name);
	error = swap_on(name, flags);
	kfree(name);
	return error;
}

/* The active area on a device, or NULL. */
static struct swap_area *area_of(const struct block_device *b)
{
	for (u32 i = 0; i < MAX_SWAPFILES; i++)
		if (swap_areas[i].used && swap_areas[i].bdev == b)
			return &swap_areas[i];
	return NULL;
}

/* swapoff(2) */
asmlinkage long sys_swapoff(const char __user *path)
{
	struct block_device *b;
	struct swap_area *a;
	char *name;

	if (!capable())
		return -EPERM;
	name = path_from_user(path);
	if (IS_ERR(name))
		return PTR_ERR(name);
	b = bdev_of_path(name);
	kfree(name);
	if (IS_ERR(b))
		return PTR_ERR(b);
	a = area_of(b);
	return a ? swap_off(a) : -EINVAL;
}

/* Formats /proc/swaps. */
int swaps_show(char *buf, size_t size)
{
	int len = snprintf(buf, size, "Filename\t\t\t\tType\t\tSize\t\t"
			   "Used\t\tPriority\n");

	for (u32 i = 0; i < MAX_SWAPFILES; i++) {
		const struct swap_area *a = &swap_areas[i];

		if (a->used && (size_t)len < size)
			len += snprintf(buf + len, size - len,
					"%-39s partition\t%u\t\t%u\t\t%d\n",
					a->name, a->pages * 4, a->inuse * 4,
					a->prio);
	}
	return min(len, (int)size);
}
