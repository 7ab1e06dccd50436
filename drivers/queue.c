/*
 * Request queues: from submit_bio() to the elevator.  The way from there to
 * the driver and back is in dispatch.c.
 *
 * A bio joins a waiting request or gets one of the queue's BLK_QUEUE_SIZE own.
 * When all are in use the submitter sleeps, and each request that comes free
 * is handed to whoever has waited longest: one wake-up a request, however many
 * wait.  Writes may hold only part of the requests, so that a read finds one
 * while memory is being cleaned.  Softirqs cannot sleep; their bios wait in
 * q->overflow and go first.
 *
 * Everything here runs in process context or in the block softirq, which never
 * interrupt one another.  Requests are never allocated while in use: writing
 * to a disk needs no memory but the bio.
 */
#include "drivers/request.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "mm/slab.h"

#define CONGESTED	(BLK_WRITE_SHARE * 7 / 8)	/* write requests */
#define UNCONGESTED	(BLK_WRITE_SHARE * 3 / 4)

LIST_HEAD(block_queues);
static LIST_HEAD(plugged);		/* queues to start when the plug ends */

static struct wait_queue congestion_queue = WAIT_QUEUE_INIT(congestion_queue);
static u32 congestion_events;		/* times a queue became less full */

/* A task that sleeps until a request is handed to it. */
struct request_waiter {
	struct list_head node;
	struct wait_queue wait;
	struct request *rq;
	bool write;
};

/* ---- plugging ---- */

/* Requests of the current task are gathered from now on. */
void blk_start_plug(void)
{
	current->plug_depth++;
}

/* Starts every queue in which requests were gathered. */
void blk_flush_plug(void)
{
	while (!list_empty(&plugged)) {
		struct request_queue *q = list_first_entry(&plugged,
						struct request_queue,
						plug_node);

		list_del_init(&q->plug_node);
		q->ops->kick(q);
	}
}

/* Ends the innermost blk_start_plug(); the outermost starts the disks. */
void blk_finish_plug(void)
{
	BUG_ON(!current->plug_depth);
	if (!--current->plug_depth)
		blk_flush_plug();
}

/* There is something in the queue: starts it, or leaves that to the plug. */
static void start_queue(struct request_queue *q)
{
	if (!current->plug_depth || blk_completing)
		q->ops->kick(q);
	else if (list_empty(&q->plug_node))
		list_add_tail(&q->plug_node, &plugged);
}

/* ---- requests ---- */

/* May one more request of this direction be used? */
static bool may_use(const struct request_queue *q, bool write)
{
	return !list_empty(&q->free) &&
	       (!write || q->used[1] < BLK_WRITE_SHARE);
}

/* A free request, or NULL.  Free ones exist only while nobody waits. */
static struct request *get_request(struct request_queue *q, bool write)
{
	struct request *rq;

	if (unlikely(!may_use(q, write)))
		return NULL;
	rq = list_first_entry(&q->free, struct request, node);
	list_del(&rq->node);
	q->used[write]++;
	return rq;
}

/* Puts a waiter at the end of the line.  Not inlined: gcc would warn that the
 * waiter lies on a stack, not seeing that blk_put_request() unlinks it. */
static noinline void line_up(struct request_queue *q, struct request_waiter *w)
{
	wait_queue_init(&w->wait);
	list_add_tail(&w->node, &q->waiters);
}

/* Sleeps until a request is handed over. */
static noinline struct request *wait_for_request(struct request_queue *q,
						 bool write)
{
	struct request_waiter w = { .rq = NULL, .write = write };

	line_up(q, &w);
	wait_event(w.wait, w.rq);
	return w.rq;
}

/* Makes a request of one bio and enters it in the elevator. */
static void add_request(struct request_queue *q, struct request *rq,
			struct bio *bio, u64 sector)
{
	list_init(&rq->bios);
	list_add(&bio->node, &rq->bios);
	rq->sector = sector;
	rq->queued_at = jiffies;
	rq->nr_sectors = bio->len >> 9;
	rq->nr_bios = 1;
	rq->write = bio->write;
	rq->flush = false;
	rq->alone = false;
	rq->tries = 0;
	elevator_add(&q->elevator, rq);
}

/* Joins the bio to a waiting request; true if one fits. */
static bool merge_bio(struct request_queue *q, struct bio *bio, u64 sector)
{
	if (!elevator_merge(&q->elevator, bio, sector))
		return false;
	q->stats.merges[bio->write]++;
	return true;
}

/* Queues overflow bios while there are requests for them. */
static void drain_overflow(struct request_queue *q)
{
	while (!list_empty(&q->overflow)) {
		struct bio *bio = list_first_entry(&q->overflow, struct bio,
						   node);
		u64 sector = bio->sector + bio->bdev->start;
		struct request *rq;

		if (!may_use(q, bio->write))
			return;
		list_del(&bio->node);
		if (merge_bio(q, bio, sector))
			continue;
		rq = get_request(q, bio->write);
		add_request(q, rq, bio, sector);
	}
}

/* Hands free requests to the tasks that have waited longest for one. */
static void grant_requests(struct request_queue *q)
{
	struct request_waiter *w, *next;

	list_for_each_entry_safe(w, next, &q->waiters, node) {
		if (list_empty(&q->free))
			return;
		w->rq = get_request(q, w->write);
		if (!w->rq)
			continue;
		list_del(&w->node);
		wake_up(&w->wait);
	}
}

/* Gives a request back and passes it on.  Waking those who wait for less
 * congestion only at every eighth keeps a crowd from being woken too often. */
void blk_put_request(struct request_queue *q, struct request *rq)
{
	list_add(&rq->node, &q->free);
	q->used[rq->write]--;
	if (unlikely(!list_empty(&q->overflow)))
		drain_overflow(q);
	if (unlikely(!list_empty(&q->waiters)))
		grant_requests(q);
	if (rq->write && q->used[1] <= UNCONGESTED && !(q->used[1] & 7)) {
		congestion_events++;
		wake_up(&congestion_queue);
	}
}

/* ---- submission ---- */

/* Charges the transfer to the task that asked for it. */
static void charge_bio(const struct bio *bio)
{
	if (bio->write)
		current->oublock += bio->len >> 9;
	else
		current->inblock += bio->len >> 9;
}

/* Finds a request for a bio that joins none; may sleep, and looks again then,
 * since others have queued meanwhile.  False: merged after all. */
static bool queue_bio(struct request_queue *q, struct bio *bio, u64 sector)
{
	struct request *rq = get_request(q, bio->write);

	if (unlikely(!rq)) {
		rq = wait_for_request(q, bio->write);
		if (merge_bio(q, bio, sector)) {
			rq->write = bio->write;
			blk_put_request(q, rq);
			return false;
		}
	}
	add_request(q, rq, bio, sector);
	return true;
}

/* Queues a transfer; see drivers/block.h. */
void submit_bio(struct bio *bio)
{
	struct request_queue *q = bio->bdev->queue;
	u64 sector = bio->sector + bio->bdev->start;
	int error = block_may_transfer(bio);

	if (unlikely(error)) {
		blk_refuse_bio(bio, error);
		return;
	}
	charge_bio(bio);
	if (merge_bio(q, bio, sector))
		return;
	if (unlikely((blk_completing || atomic_depth) &&
		     !may_use(q, bio->write))) {
		list_add_tail(&bio->node, &q->overflow);
		return;
	}
	if (queue_bio(q, bio, sector))
		start_queue(q);
}

/* Makes what the disk has acknowledged durable: a request without sectors,
 * which goes before the others.  Sleeps. */
int bdev_flush(struct block_device *b)
{
	struct request_queue *q = b->queue;
	struct wait_queue done = WAIT_QUEUE_INIT(done);
	struct request rq = { .flush = true, .done = &done };

	list_init(&rq.bios);
	list_add_tail(&rq.node, &q->flushes);
	q->ops->kick(q);
	wait_event(done, rq.finished);
	return rq.error;
}

/* ---- congestion ---- */

/* Is the write queue of the device so full that writers should wait? */
bool bdev_write_congested(struct block_device *b)
{
	return b->queue->used[1] >= CONGESTED;
}

/* Sleeps until some queue is less full, or for `ticks` jiffies. */
void blk_congestion_wait(long ticks)
{
	u32 seen = congestion_events;

	wait_event_timeout(congestion_queue, congestion_events != seen, ticks);
}

/* ---- creation ---- */

/* Puts the queue's own requests on its free list; false: no memory. */
static bool create_pool(struct request_queue *q)
{
	unsigned i;

	q->pool = kzalloc(BLK_QUEUE_SIZE * sizeof(*q->pool), GFP_KERNEL);
	if (!q->pool)
		return false;
	for (i = 0; i < BLK_QUEUE_SIZE; i++)
		list_add_tail(&q->pool[i].node, &q->free);
	return true;
}

/* A queue for a whole disk; NULL: out of memory.  May sleep. */
struct request_queue *blk_create_queue(struct block_device *disk,
				       const struct queue_ops *ops,
				       void *driver)
{
	struct request_queue *q = kzalloc(sizeof(*q), GFP_KERNEL);

	if (!q)
		return NULL;
	q->ops = ops;
	q->driver = driver;
	q->disk = disk;
	elevator_init(&q->elevator);
	list_init(&q->free);
	list_init(&q->overflow);
	list_init(&q->flushes);
	list_init(&q->waiters);
	list_init(&q->plug_node);
	if (!create_pool(q)) {
		kfree(q);
		return NULL;
	}
	list_add_tail(&q->node, &block_queues);
	disk->queue = q;
	disk->whole = disk;
	return q;
}
