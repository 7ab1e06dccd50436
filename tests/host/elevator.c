/* host-test: drivers/elevator.c lib/rbtree.c */
/*
 * drivers/elevator: merging, the order requests are taken in, and that under
 * a random load every bio comes out once, in its place.
 */
#include <string.h>

#include "drivers/request.h"
#include "tests/host/tap.h"

#define MAX_BIOS	20000

static struct bio bios[MAX_BIOS];
static struct request requests[MAX_BIOS];
static u64 sectors[MAX_BIOS];		/* where each bio wants to go */
static u32 nr_bios, nr_requests;
static struct elevator e;

static void reset(void)
{
	nr_bios = 0;
	nr_requests = 0;
	elevator_init(&e);
}

/* Queues a bio; true if it was merged. */
static bool queue(u64 sector, u16 len, bool write, u32 now)
{
	struct bio *bio = &bios[nr_bios];
	struct request *rq;

	memset(bio, 0, sizeof(*bio));
	bio->len = len;
	bio->write = write;
	sectors[nr_bios++] = sector;
	if (elevator_merge(&e, bio, sector))
		return true;
	rq = &requests[nr_requests++];
	memset(rq, 0, sizeof(*rq));
	list_init(&rq->bios);
	list_add(&bio->node, &rq->bios);
	rq->sector = sector;
	rq->nr_sectors = len / 512;
	rq->nr_bios = 1;
	rq->write = write;
	rq->queued_at = now;
	elevator_add(&e, rq);
	return false;
}

/* The sector of the request that comes next, -1 if none does. */
static long long next_sector(void)
{
	struct request *rq = elevator_next(&e, 0);

	return rq ? (long long)rq->sector : -1;
}

static void test_merging(void)
{
	struct request *rq;

	reset();
	ok(!queue(800, 4096, false, 0), "the first bio is a request");
	ok(queue(808, 4096, false, 0), "one behind joins");
	ok(queue(792, 4096, false, 0), "one before joins");
	ok(!queue(816, 4096, true, 0), "another direction does not");
	ok(!queue(900, 4096, false, 0), "one with a gap does not");
	ok(queue(816, 512, false, 0), "and one behind still does");
	rq = elevator_next(&e, 0);
	is(rq->sector, 792, "the request begins with the lowest");
	is(rq->nr_sectors, 25, "and has all sectors");
	is(rq->nr_bios, 4, "and bios");
	ok(!queue(817, 512, false, 0), "one that was taken grows no more");
}

static void test_limits(void)
{
	unsigned i, merged = 0;

	reset();
	for (i = 0; i < 40; i++)
		merged += queue(i * 8, 4096, true, 0);
	is(nr_requests, 2, "160 KB are two requests");
	is(requests[0].nr_sectors, BLK_MAX_SECTORS, "the first of 128 KB");
	is(merged, 38, "all others are merged");
	reset();
	for (i = 0; i < BLK_MAX_SEGMENTS + 1; i++)
		queue(i, 512, false, 0);
	is(requests[0].nr_bios, BLK_MAX_SEGMENTS, "so many bios at most");
	reset();
	for (i = 40; i-- > 0;)
		queue(i * 8, 4096, false, 0);
	is(nr_requests, 2, "the same downwards");
}

static void test_order(void)
{
	static const u64 queued[] = { 500, 100, 900, 300, 700 };
	unsigned i;

	reset();
	ok(!elevator_next(&e, 0), "an empty elevator");
	for (i = 0; i < ARRAY_SIZE(queued); i++)
		queue(queued[i], 512, false, 0);
	is(next_sector(), 100, "from the lowest");
	is(next_sector(), 300, "upwards");
	queue(200, 512, false, 0);
	queue(301, 512, false, 0);
	is(next_sector(), 301, "at the head");
	is(next_sector(), 500, "ahead of it");
	is(next_sector(), 700, "further");
	is(next_sector(), 900, "to the end");
	is(next_sector(), 200, "then what it has passed");
	is(next_sector(), -1, "and no more");
}

static void test_large_sectors(void)
{
	const u64 high = 1ull << 33;

	reset();
	queue(high + 8, 4096, true, 0);
	ok(queue(high, 4096, true, 0), "merging above 2^32 sectors");
	queue(5, 512, true, 0);
	is(next_sector(), 5, "the low sector first");
	is(next_sector(), (long long)high, "then the high one");
}

static void test_same_sector(void)
{
	reset();
	queue(100, 512, true, 0);
	queue(100, 1024, true, 0);
	queue(100, 1536, true, 0);
	is(elevator_next(&e, 0)->nr_sectors, 1, "same sector: the first first");
	e.head = 0;
	is(elevator_next(&e, 0)->nr_sectors, 2, "the second second");
	e.head = 0;
	is(elevator_next(&e, 0)->nr_sectors, 3, "the third third");
}

/* The longest run of reads, and the writes, while both always wait. */
static void test_directions(void)
{
	unsigned i, reads = 0, writes = 0, longest = 0;

	reset();
	for (i = 0; i < 400; i++) {
		queue(i * 100, 512, false, 0);
		queue(i * 100 + 50, 512, true, 0);
	}
	for (i = 0; i < 160; i++) {
		if (elevator_next(&e, 0)->write) {
			writes++;
			reads = 0;
		} else {
			longest = max(longest, ++reads);
		}
	}
	is(writes, 40, "a quarter are writes while both wait");
	is(longest, 12, "a write waits for 12 reads at most");
	while (e.count[0])
		elevator_next(&e, 0);
	ok(elevator_next(&e, 0)->write, "writes alone go at once");
}

/* A stream just ahead of the head, and one request far behind it. */
static void test_age(void)
{
	unsigned now;

	reset();
	queue(1000, 512, false, 0);
	elevator_next(&e, 0);
	queue(5, 512, false, 0);
	for (now = 0; now < 1000; now++) {
		queue(2000 + now * 100, 512, false, now);
		if (elevator_next(&e, now)->sector == 5)
			break;
	}
	ok(now > 10 && now <= 60, "a distant read is taken after 0.5 s (%u)",
	   now);
	reset();
	queue(5, 512, true, 0);
	queue(10, 512, true, 0xfffffff0);
	e.head = 8;
	is(elevator_next(&e, 0)->sector, 10, "jiffies may wrap");
}

/* Checks a request against where its bios wanted to go; how many they are. */
static int check_request(struct request *rq, bool *seen)
{
	u64 at = rq->sector;
	struct bio *bio;
	int n = 0;

	list_for_each_entry(bio, &rq->bios, node) {
		u32 i = bio - bios;

		if (seen[i] || sectors[i] != at || bio->write != rq->write)
			return -1;
		seen[i] = true;
		at += bio->len / 512;
		n++;
	}
	if (n != rq->nr_bios || at != rq->sector + rq->nr_sectors ||
	    rq->nr_sectors > BLK_MAX_SECTORS || n > BLK_MAX_SEGMENTS)
		return -1;
	return n;
}

static void test_random(void)
{
	static bool seen[MAX_BIOS];
	u32 out = 0, bad = 0, now = 0;
	struct request *rq;
	int n;

	reset();
	while (nr_bios < MAX_BIOS || out < nr_bios) {
		now += rnd_below(3);
		if (nr_bios < MAX_BIOS && rnd_below(4))
			queue(rnd_below(4000) * 8, 512 * (1 + rnd_below(8)),
			      rnd_below(2), now);
		if (nr_bios < MAX_BIOS && rnd_below(3))
			continue;
		rq = elevator_next(&e, now);
		n = rq ? check_request(rq, seen) : 0;
		if (n < 0)
			bad++;
		else
			out += n;
		if (bad)
			break;
	}
	is(bad, 0, "random load: every request is whole");
	is(out, MAX_BIOS, "random load: every bio comes out once");
	is(e.count[0] + e.count[1], 0, "random load: nothing is left");
	ok(rb_root_empty(&e.tree[0]) && rb_root_empty(&e.tree[1]),
	   "random load: the trees are empty");
	ok(nr_requests < MAX_BIOS, "random load: some were merged (%u of %u)",
	   MAX_BIOS - nr_requests, MAX_BIOS);
}

int main(void)
{
	test_merging();
	test_limits();
	test_order();
	test_large_sectors();
	test_same_sector();
	test_directions();
	test_age();
	test_random();
	return done();
}
