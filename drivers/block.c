/*
 * The block devices there are, who has claimed them, and the one gate that
 * every transfer passes.
 *
 * Never destroy what is not ours: a write stays inside its device, a write
 * through a partition can therefore not reach its neighbours or the partition
 * table, and sector 0 of a disk is written only by who has claimed the whole
 * disk.  The gate is asked for each bio, not once at open.
 */
#include "drivers/block.h"
#include "drivers/partition.h"
#include "drivers/pci.h"
#include "drivers/request.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/page.h"
#include "mm/slab.h"

LIST_HEAD(block_devices);

/* The device of this name, without "/dev/", or NULL. */
struct block_device *find_block_device(const char *name)
{
	struct block_device *b;

	list_for_each_entry(b, &block_devices, node)
		if (!strcmp(b->name, name))
			return b;
	return NULL;
}

/* The device of this number, or NULL. */
struct block_device *find_block_device_by_dev(dev_t dev)
{
	struct block_device *b;

	list_for_each_entry(b, &block_devices, node)
		if (b->dev == dev)
			return b;
	return NULL;
}

/* Enters a disk or partition in the list, partitions behind their disk. */
void blk_add_device(struct block_device *b)
{
	list_add_tail(&b->node, &block_devices);
}

/* Does one contain the other? */
static bool overlap(const struct block_device *a, const struct block_device *b)
{
	return a == b || a->whole == b || b->whole == a;
}

/* Takes a device for one exclusive user.  Never sleeps. */
int bdev_claim(struct block_device *b, void *holder)
{
	struct block_device *other;

	list_for_each_entry(other, &block_devices, node)
		if (overlap(b, other) && other->holder)
			return -EBUSY;
	b->holder = holder;
	return 0;
}

/* Ends bdev_claim(). */
void bdev_release(struct block_device *b, void *holder)
{
	BUG_ON(b->holder != holder);
	b->holder = NULL;
}

/* Is this the sector with the partition table, and not the writer's own? */
static bool is_foreign_mbr(const struct bio *bio)
{
	const struct block_device *b = bio->bdev;

	return b->start + bio->sector == 0 && !b->in_ram &&
	       !(b->whole == b && b->holder);
}

/* May this write go to the disk?  Says so if not. */
static int block_may_write(const struct bio *bio)
{
	const struct block_device *b = bio->bdev;

	if (b->read_only || b->whole->read_only)
		return -EROFS;
	if (unlikely(is_foreign_mbr(bio))) {
		printk(KERN_ERR "%s: write to sector 0 refused: the disk is "
		       "not mounted or used for swap as a whole\n", b->name);
		return -EROFS;
	}
	return 0;
}

/* The gate: 0, -EIO when outside the device, -EROFS when not to be written.
 * A malformed bio is a broken invariant. */
int block_may_transfer(const struct bio *bio)
{
	const struct block_device *b = bio->bdev;
	u32 sectors = bio->len >> 9;

	BUG_ON(!sectors || (bio->len & 511) ||
	       bio->offset + bio->len > PAGE_SIZE);
	if (bio->sector >= b->sectors || sectors > b->sectors - bio->sector)
		return -EIO;
	return bio->write ? block_may_write(bio) : 0;
}

/* ---- partitions ---- */

/* What is too large for the stack while a partition table is read. */
struct scan {
	struct block_device *disk;
	u8 sector[512];
	struct partition parts[MAX_PARTITIONS];
};

/* Reads a sector for the parser. */
static int read_scan_sector(void *arg, u64 sector)
{
	struct scan *s = arg;

	return bdev_transfer(s->disk, sector, s->sector, sizeof(s->sector),
			     false);
}

/* Makes partition `nr` of a disk a block device. */
static int add_partition(struct block_device *disk, unsigned nr,
			 const struct partition *p)
{
	struct block_device *b = kzalloc(sizeof(*b), GFP_KERNEL);

	if (!b)
		return -ENOMEM;
	snprintf(b->name, sizeof(b->name), "%s%u", disk->name, nr);
	b->dev = disk->dev + nr;
	b->start = p->start;
	b->sectors = p->sectors;
	b->whole = disk;
	b->queue = disk->queue;
	b->part_type = p->type;
	b->driver = disk->driver;
	blk_add_device(b);
	printk("  %s: %u MB, type %02x\n", b->name, (u32)(p->sectors >> 11),
	       p->type);
	return 0;
}

/* Makes block devices of what the partition table says. */
static int add_partitions(struct scan *s)
{
	int nr, last, error;

	last = parse_partitions(s->disk->name, s->disk->sectors,
				read_scan_sector, s, s->sector, s->parts);
	for (nr = 1; nr <= last; nr++) {
		if (!s->parts[nr - 1].sectors)
			continue;
		error = add_partition(s->disk, nr, &s->parts[nr - 1]);
		if (error)
			return error;
	}
	return 0;
}

/* Enters a disk with its partitions.  Sleeps. */
int register_disk(struct block_device *disk)
{
	struct scan *s = kzalloc(sizeof(*s), GFP_KERNEL);
	int error;

	if (!s)
		return -ENOMEM;
	blk_add_device(disk);
	s->disk = disk;
	error = add_partitions(s);
	kfree(s);
	return error;
}

/* Finds the disks.  Sleeps; called once, by the first thread. */
void block_init(void)
{
	bio_init();
	blk_dispatch_init();
	pci_init();
	ide_init();
	ramdisk_init();
}
