/*
 * Requests and their queue: what the block layer and a disk driver share.
 *
 * A request is a run of sectors in one direction, made of bios that follow one
 * another.  It waits in the elevator, is taken by the driver with
 * blk_next_request(), and gives its bios back with blk_end_piece().
 *
 *	submit_bio -> elevator (merge, sort) -> q->ops->kick -> driver
 *	bio->end  <-  blk_end_piece  <-  q->ops->complete (softirq)
 */
#ifndef DRIVERS_REQUEST_H
#define DRIVERS_REQUEST_H

#include "drivers/block.h"
#include "kernel/sched.h"
#include "lib/rbtree.h"

#define BLK_MAX_SECTORS		256	/* of a request: 128 KB */
#define BLK_MAX_SEGMENTS	64	/* bios of a request */
#define BLK_QUEUE_SIZE		128	/* requests of a queue */
#define BLK_WRITE_SHARE		96	/* of these, at most so many writes */

struct request {			/* 64 bytes, so a pool is two pages */
	struct rb_node rb;		/* elevator tree, by sector */
	struct list_head node;		/* elevator fifo, free or flush list */
	struct list_head bios;		/* ascending, without gaps */
	u64 sector;			/* of the first bio left, whole disk */
	u64 taken_ns;			/* when the driver took it */
	u32 queued_at;			/* jiffies */
	u16 nr_sectors;			/* of all bios left */
	u16 nr_bios;
	bool write;
	bool flush;			/* no bios: make the cache durable */
	bool alone;			/* driver: one bio at a time from now */
	u8 tries;			/* driver: failures of this piece */
	bool finished;			/* flush: done, with this result */
	s16 error;
	struct wait_queue *done;	/* flush: who waits for it */
};

/* ---- the elevator (elevator.c): pure, tested on the host ---- */
struct elevator {
	struct rb_root tree[2];		/* requests by sector; [write] */
	struct list_head fifo[2];	/* the same by age */
	u32 count[2];
	u64 head;			/* sector behind the last one taken */
	unsigned turn;			/* requests taken while both waited */
	struct request *last;		/* where the last bio went, or NULL */
};

void elevator_init(struct elevator *e);
/* Joins a bio for disk sector `sector` to a waiting request; true if done. */
bool elevator_merge(struct elevator *e, struct bio *bio, u64 sector);
/* Adds a request (one bio, fields set) that could not be merged. */
void elevator_add(struct elevator *e, struct request *rq);
/* Takes the request to serve next, or NULL.  `now` is jiffies. */
struct request *elevator_next(struct elevator *e, u32 now);

/* ---- queues (queue.c, dispatch.c) ---- */
struct queue_ops {
	/* There is work in the queue.  Starts it unless the hardware is busy.
	 * Never sleeps, never completes anything itself. */
	void (*kick)(struct request_queue *q);
	/* Softirq: completes what the hardware has finished, starts more. */
	void (*complete)(struct request_queue *q);
};

struct disk_stats {
	u32 ios[2], merges[2];		/* requests done, bios joined */
	u64 sectors[2];
	u64 ns[2];			/* time requests were with the driver */
	u64 busy_ns;			/* time any request was */
	u32 in_flight;
	u64 busy_since;
};

struct request_queue {
	const struct queue_ops *ops;
	void *driver;
	struct block_device *disk;
	struct elevator elevator;
	struct list_head free;		/* unused requests */
	u32 used[2];			/* requests in use; [write] */
	struct list_head overflow;	/* bios from softirqs, queue full */
	struct list_head flushes;	/* flush requests, waiting */
	struct list_head waiters;	/* tasks that want a request, by age */
	struct list_head plug_node;	/* in the list of plugged queues */
	struct list_head node;		/* in block_queues */
	struct disk_stats stats;
	struct request *pool;
};

extern struct list_head block_queues;

/* A queue for `disk`, which it is linked to; NULL: out of memory. */
struct request_queue *blk_create_queue(struct block_device *disk,
				       const struct queue_ops *ops,
				       void *driver);

/* Takes the next request, flushes first; NULL: nothing to do. */
struct request *blk_next_request(struct request_queue *q);

/* Sectors of the piece the driver should transfer now: all of the request, or
 * its first bio if rq->alone. */
unsigned blk_piece_sectors(const struct request *rq);

/* Completes that piece.  True when the request is finished (and freed), false
 * when another piece is left, with rq->sector advanced and tries 0. */
bool blk_end_piece(struct request_queue *q, struct request *rq, int error);

/* Gives a request back and passes it on to who waits for one. */
void blk_put_request(struct request_queue *q, struct request *rq);

/* Ends a bio with an error, by the softirq. */
void blk_refuse_bio(struct bio *bio, int error);

extern bool blk_completing;		/* inside the block softirq */

/* Enters a disk or partition in the list, without looking for partitions. */
void blk_add_device(struct block_device *b);

/* May this transfer go to the disk?  The one gate every bio passes: 0, -EIO
 * (outside the device), -EROFS (a write that is not allowed). */
int block_may_transfer(const struct bio *bio);

/* Start-up, each once. */
void bio_init(void);
void blk_dispatch_init(void);
void ide_init(void);
void ramdisk_init(void);

#endif
