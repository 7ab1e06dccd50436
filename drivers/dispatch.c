/*
 * Requests from the elevator to the driver, and bios back to who sent them.
 *
 *	driver idle:  kick -> blk_next_request() -> hardware
 *	interrupt:    top half records status, raises SOFTIRQ_BLOCK
 *	softirq:      complete -> blk_end_piece() -> bio->end, next request
 *
 * A request that failed can be taken to pieces: with rq->alone each bio is
 * transferred and ended by itself, so that a bad sector costs one page and not
 * the 128 KB it was merged into.
 */
#include "drivers/request.h"
#include "kernel/time.h"
#include "mm/vmstat.h"

bool blk_completing;			/* inside the block softirq */
static LIST_HEAD(refused);		/* bios that failed at the gate */

/* Notes that the driver has begun with a request. */
static void account_start(struct request_queue *q, struct request *rq)
{
	rq->taken_ns = ktime_ns();
	if (!q->stats.in_flight++)
		q->stats.busy_since = rq->taken_ns;
	if (rq->flush)
		return;
	q->stats.sectors[rq->write] += rq->nr_sectors;
	if (rq->write)
		vm_add(pgpgout, rq->nr_sectors >> 1);
	else
		vm_add(pgpgin, rq->nr_sectors >> 1);
}

/* Notes that the driver is done with a request. */
static void account_end(struct request_queue *q, struct request *rq)
{
	u64 now = ktime_ns();

	if (!--q->stats.in_flight)
		q->stats.busy_ns += now - q->stats.busy_since;
	if (rq->flush)
		return;
	q->stats.ios[rq->write]++;
	q->stats.ns[rq->write] += now - rq->taken_ns;
}

/* Takes the next request for the driver, flushes first; NULL: none waits. */
struct request *blk_next_request(struct request_queue *q)
{
	struct request *rq;

	if (unlikely(!list_empty(&q->flushes))) {
		rq = list_first_entry(&q->flushes, struct request, node);
		list_del(&rq->node);
	} else {
		rq = elevator_next(&q->elevator, jiffies);
	}
	if (rq)
		account_start(q, rq);
	return rq;
}

/* Sectors to transfer now: the request's, or the first bio's. */
unsigned blk_piece_sectors(const struct request *rq)
{
	if (!rq->alone)
		return rq->nr_sectors;
	return list_first_entry(&rq->bios, struct bio, node)->len >> 9;
}

/* Takes the first bio off the request and ends it, which frees it. */
static void end_first_bio(struct request *rq, int error)
{
	struct bio *bio = list_first_entry(&rq->bios, struct bio, node);
	unsigned sectors = bio->len >> 9;

	list_del(&bio->node);
	rq->sector += sectors;
	rq->nr_sectors -= sectors;
	rq->nr_bios--;
	bio->error = error;
	bio->end(bio, error);
}

/* Ends a flush, whose request lives on the stack of the task that waits. */
static void end_flush(struct request *rq, int error)
{
	rq->error = (s16)error;
	rq->finished = true;
	wake_up(rq->done);
}

/* Ends the bios of the current piece; true when the request is finished. */
bool blk_end_piece(struct request_queue *q, struct request *rq, int error)
{
	while (!list_empty(&rq->bios)) {
		end_first_bio(rq, error);
		if (rq->alone)
			break;
	}
	if (!list_empty(&rq->bios)) {
		rq->tries = 0;
		return false;
	}
	account_end(q, rq);
	if (rq->flush)
		end_flush(rq, error);
	else
		blk_put_request(q, rq);
	return true;
}

/* ---- the block softirq ---- */

/* Completes a bio that may not go to the disk, as a softirq like any other. */
void blk_refuse_bio(struct bio *bio, int error)
{
	bio->error = error;
	list_add_tail(&bio->node, &refused);
	raise_softirq(SOFTIRQ_BLOCK);
}

/* Ends the bios that block_may_transfer() refused. */
static void end_refused(void)
{
	while (!list_empty(&refused)) {
		struct bio *bio = list_first_entry(&refused, struct bio, node);

		list_del(&bio->node);
		bio->end(bio, bio->error);
	}
}

/* Completes what the disks have done. */
static void block_softirq(void)
{
	struct request_queue *q;

	blk_completing = true;
	end_refused();
	list_for_each_entry(q, &block_queues, node)
		q->ops->complete(q);
	blk_completing = false;
}

/* Once, before the first queue. */
void blk_dispatch_init(void)
{
	open_softirq(SOFTIRQ_BLOCK, block_softirq);
}
