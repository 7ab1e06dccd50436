/*
 * Block devices and their request queues.
 *
 * A bio is one contiguous transfer between memory of one page and the disk;
 * the queue merges neighbouring bios into requests of up to 128 KB, sorts them
 * (C-SCAN) and hands them to the driver.  Completion runs as a softirq.
 *
 * The queue reorders freely.  Whoever needs an order between two transfers of
 * one sector waits for the first (page lock, PG_WRITEBACK) before the second.
 */
#ifndef DRIVERS_BLOCK_H
#define DRIVERS_BLOCK_H

#include "lib/list.h"
#include "lib/types.h"

struct bio;
struct inode;
struct page;
struct request_queue;

struct block_device {
	char name[16];			/* "hda1" */
	dev_t dev;			/* major << 8 | minor, Linux numbers */
	u64 sectors;			/* size in 512-byte sectors */
	u64 start;			/* first sector on the whole disk */
	struct block_device *whole;	/* the disk, or itself */
	struct request_queue *queue;
	struct inode *inode;		/* its page cache (fs/bdev.c) */
	u8 part_type;			/* MBR type byte; 0 for a whole disk */
	bool read_only;
	bool in_ram;			/* RAM disk: sector 0 is free */
	void *holder;			/* who mounted it or swaps to it */
	struct list_head node;		/* in block_devices */
	void *driver;			/* the driver's own */
};

extern struct list_head block_devices;

/* NULL when there is none. */
struct block_device *find_block_device(const char *name);
struct block_device *find_block_device_by_dev(dev_t dev);
/* Exclusive use by a mount or swap area; a disk and its partitions exclude
 * each other.  0, or -EBUSY when it is held.  Never sleeps. */
int bdev_claim(struct block_device *b, void *holder);
void bdev_release(struct block_device *b, void *holder);

typedef void (*bio_end_fn)(struct bio *bio, int error);

struct bio {
	struct block_device *bdev;
	u64 sector;			/* relative to bdev */
	struct page *page;
	u16 offset, len;		/* in the page; multiples of 512 */
	bool write;
	bio_end_fn end;			/* softirq; owns and frees the bio */
	void *private;
	struct list_head node;
	int error;
};

/* Never fails with __GFP_WAIT: a reserve is kept so that memory can always be
 * written out.  May sleep if gfp says so. */
struct bio *bio_alloc(unsigned gfp);
void bio_free(struct bio *bio);

/* Queues a transfer; bio->end is called once, never from within this call,
 * also on error (-EIO, also when out of range; -EROFS).  May sleep while the
 * queue is full, unless in an atomic section or a softirq. */
void submit_bio(struct bio *bio);

/* Reads or writes `len` bytes (multiple of 512) of kernel memory at once and
 * waits.  0, -EIO, -EROFS, -ENOMEM.  Sleeps. */
int bdev_transfer(struct block_device *b, u64 sector, void *buf, size_t len,
		  bool write);

/* Between these, requests are gathered and merged but not started; nests.
 * schedule() flushes the plug of a task that sleeps. */
void blk_start_plug(void);
void blk_finish_plug(void);
void blk_flush_plug(void);

/* Is the write queue of the device so full that writers should wait? */
bool bdev_write_congested(struct block_device *b);
/* Sleeps until some queue is less full or `ticks` jiffies passed. */
void blk_congestion_wait(long ticks);

/* Makes the disk's write cache durable (FLUSH CACHE). 0 or -EIO.  Sleeps. */
int bdev_flush(struct block_device *b);

/* Registers a disk with its queue and reads its partition table.  Partition n
 * has device number disk->dev + n.  A table that cannot be used is reported and
 * leaves the whole disk.  0, or -ENOMEM.  Sleeps. */
int register_disk(struct block_device *disk);

/* Formats /proc/diskstats; the length. */
int diskstats_show(char *buf, size_t size);

/* The drivers: PCI, IDE, RAM disks.  Sleeps, so the first thread calls it. */
void block_init(void);

#endif
