/*
 * RAM disks: ramdisk=SIZE,SIZE makes /dev/ram0 and /dev/ram1, for running the
 * whole laboratory, file system and swap, without touching a real disk.
 *
 *	directory -> up to 1024 tables -> 1024 pages each
 *
 * The frames are taken at boot, one by one, so that any free memory will do.
 * They pass through the request queue like those of a real disk, and complete
 * in the block softirq: what is learnt here about merging holds there.
 */
#include "drivers/ramdisk.h"
#include "drivers/request.h"
#include "kernel/param.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/page.h"
#include "mm/slab.h"

#define RAM_MAJOR	1
#define MAX_RAMDISKS	4
#define PER_TABLE	1024		/* pointers in a page */

struct ramdisk {
	struct block_device bdev;
	u8 **tables[PER_TABLE];		/* each of PER_TABLE page addresses */
};

static u64 wanted[MAX_RAMDISKS];	/* bytes, from the command line */
static unsigned nr_wanted, nr_ramdisks;

/* Parses ramdisk=SIZE[,SIZE...]. */
static int set_ramdisk(const char *value)
{
	char size[16];
	const char *end;

	for (; *value; value = *end ? end + 1 : end) {
		end = strchr(value, ',');
		if (!end)
			end = value + strlen(value);
		if (nr_wanted == MAX_RAMDISKS ||
		    end - value >= (sptr)sizeof(size))
			return -EINVAL;
		strlcpy(size, value, end - value + 1);
		if (parse_size(size, &wanted[nr_wanted]) ||
		    wanted[nr_wanted] < PAGE_SIZE)
			return -EINVAL;
		nr_wanted++;
	}
	return nr_wanted ? 0 : -EINVAL;
}

BOOT_PARAM(ramdisk, "ramdisk", "a size or several, such as 64M,32M",
	   set_ramdisk);

/* The memory behind a sector; what follows it up to the page's end is valid. */
static u8 *sector_address(struct ramdisk *r, u64 sector)
{
	u32 page = (u32)(sector >> 3);

	return r->tables[page / PER_TABLE][page % PER_TABLE] +
	       ((u32)sector & 7) * 512;
}

/* Copies a bio to or from the disk, whose pages it need not be aligned to. */
static void copy_bio(struct ramdisk *r, const struct bio *bio, u64 sector)
{
	u8 *mem = (u8 *)page_address(bio->page) + bio->offset;
	u32 left = bio->len;

	while (left) {
		u32 n = min(left, PAGE_SIZE - ((u32)sector & 7) * 512);
		u8 *disk = sector_address(r, sector);

		if (bio->write)
			memcpy(disk, mem, n);
		else
			memcpy(mem, disk, n);
		mem += n;
		left -= n;
		sector += n >> 9;
	}
}

/* There is work: the softirq does it. */
static void ramdisk_kick(struct request_queue *q unused_arg)
{
	raise_softirq(SOFTIRQ_BLOCK);
}

/* Serves every request of the queue. */
static void ramdisk_complete(struct request_queue *q)
{
	struct request *rq;
	struct bio *bio;

	while ((rq = blk_next_request(q))) {
		u64 sector = rq->sector;

		list_for_each_entry(bio, &rq->bios, node) {
			copy_bio(q->driver, bio, sector);
			sector += bio->len >> 9;
		}
		blk_end_piece(q, rq, 0);
	}
}

static const struct queue_ops ramdisk_ops = {
	.kick = ramdisk_kick,
	.complete = ramdisk_complete,
};

/* Gives all memory of a disk back that was never registered. */
static void free_ramdisk(struct ramdisk *r)
{
	unsigned t, i;

	for (t = 0; t < PER_TABLE && r->tables[t]; t++) {
		for (i = 0; i < PER_TABLE && r->tables[t][i]; i++)
			free_pages_at(r->tables[t][i], 0);
		free_pages_at(r->tables[t], 0);
	}
	kfree(r);
}

/* Adds page `n`, in ascending order; false when out of memory. */
static bool add_page(struct ramdisk *r, u32 n)
{
	u8 ***table = &r->tables[n / PER_TABLE];

	if (!*table)
		*table = get_free_pages(GFP_KERNEL | __GFP_ZERO, 0);
	if (!*table)
		return false;
	(*table)[n % PER_TABLE] = get_free_pages(GFP_KERNEL | __GFP_ZERO, 0);
	return (*table)[n % PER_TABLE] != NULL;
}

/* A disk with its memory, or NULL. */
static struct ramdisk *alloc_ramdisk(u32 pages)
{
	struct ramdisk *r = kzalloc(sizeof(*r), GFP_KERNEL);
	u32 n;

	for (n = 0; r && n < pages; n++) {
		/* Not GFP_KERNEL to the last page: the boot must go on. */
		if (nr_free_pages <= pages_high || !add_page(r, n)) {
			free_ramdisk(r);
			return NULL;
		}
	}
	return r;
}

/* Makes a RAM disk. */
int ramdisk_register(u32 pages)
{
	struct ramdisk *r;

	if (nr_ramdisks == MAX_RAMDISKS || pages > PER_TABLE * PER_TABLE)
		return -ENOSPC;
	r = alloc_ramdisk(pages);
	if (!r)
		return -ENOMEM;
	snprintf(r->bdev.name, sizeof(r->bdev.name), "ram%u", nr_ramdisks);
	r->bdev.dev = RAM_MAJOR << 8 | nr_ramdisks;
	r->bdev.sectors = (u64)pages << (PAGE_SHIFT - 9);
	r->bdev.in_ram = true;
	r->bdev.driver = r;
	if (!blk_create_queue(&r->bdev, &ramdisk_ops, r)) {
		free_ramdisk(r);
		return -ENOMEM;
	}
	nr_ramdisks++;
	blk_add_device(&r->bdev);
	printk("%s: %u KB\n", r->bdev.name, pages * (PAGE_SIZE / 1024));
	return 0;
}

/* Makes the disks of the command line; says which one does not fit. */
void ramdisk_init(void)
{
	unsigned i;

	for (i = 0; i < nr_wanted; i++) {
		u64 pages = wanted[i] >> PAGE_SHIFT;
		int error = ramdisk_register((u32)min(pages, (u64)~0u));

		if (error) {
			printk(KERN_ERR "ramdisk: no memory for %u KB\n",
			       (u32)(wanted[i] >> 10));
			return;
		}
	}
}
