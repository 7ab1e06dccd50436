/*
 * The elevator: which waiting request goes to the disk next.
 *
 * Requests of each direction stand in a tree by sector and in a list by age:
 *
 *	        head
 *	          v                 C-SCAN: always upwards from the head,
 *	--[a]-----+---[b]--[c]--->  then again from the lowest: b c a
 *
 * A bio that continues a waiting request, or ends where one begins, joins it
 * (up to 128 KB), so that a disk sees few, large transfers.
 *
 * Three rules choose among the rest:
 *	1. Somebody waits for a read; writes are mostly done in the background.
 *	   So reads go first, but of 16 requests taken while both wait, 4 are
 *	   writes.
 *	2. Within a direction: C-SCAN.
 *	3. A request older than its direction allows goes before 2, so that a
 *	   stream ahead of the head cannot keep a distant request waiting.
 *
 * Invariants: a request is in both its tree and its fifo or in neither; no
 * request is larger than BLK_MAX_SECTORS or BLK_MAX_SEGMENTS.
 *
 * Pure: no I/O, no sleeping, no allocation; also built for the host's tests.
 */
#include "drivers/request.h"

#define TURNS		16		/* rule 1 */
#define READ_TURNS	12

/* Rule 3, in jiffies of 10 ms: reads 0.5 s, writes 5 s. */
static const s32 max_age[2] = { 50, 500 };

/* Makes an empty elevator. */
void elevator_init(struct elevator *e)
{
	int write;

	for (write = 0; write < 2; write++) {
		e->tree[write].node = NULL;
		list_init(&e->fifo[write]);
		e->count[write] = 0;
	}
	e->head = 0;
	e->turn = 0;
	e->last = NULL;
}

/* Can the request take a bio more? */
static bool has_room(const struct request *rq, unsigned sectors)
{
	return rq->nr_sectors + sectors <= BLK_MAX_SECTORS &&
	       rq->nr_bios < BLK_MAX_SEGMENTS;
}

/* Appends the bio if it begins where the request ends. */
static bool merge_behind(struct request *rq, struct bio *bio, u64 sector)
{
	unsigned sectors = bio->len >> 9;

	if (rq->sector + rq->nr_sectors != sector || !has_room(rq, sectors))
		return false;
	list_add_tail(&bio->node, &rq->bios);
	rq->nr_sectors += sectors;
	rq->nr_bios++;
	return true;
}

/* Prepends the bio if it ends where the request begins.  The request keeps
 * its place in the tree: nothing starts between the bio and the request. */
static bool merge_before(struct request *rq, struct bio *bio, u64 sector)
{
	unsigned sectors = bio->len >> 9;

	if (sector + sectors != rq->sector || !has_room(rq, sectors))
		return false;
	list_add(&bio->node, &rq->bios);
	rq->sector = sector;
	rq->nr_sectors += sectors;
	rq->nr_bios++;
	return true;
}

/* The request with the highest start <= sector (`before`) and the one with
 * the lowest start > sector (`after`); NULL where there is none. */
static void find_neighbours(const struct rb_root *tree, u64 sector,
			    struct request **before, struct request **after)
{
	struct rb_node *node = tree->node;

	*before = NULL;
	*after = NULL;
	while (node) {
		struct request *rq = rb_entry(node, struct request, rb);

		if (rq->sector <= sector) {
			*before = rq;
			node = node->right;
		} else {
			*after = rq;
			node = node->left;
		}
	}
}

/* Joins the bio to a waiting request if one ends or begins where it should.
 * A stream finds its request in e->last without a search. */
bool elevator_merge(struct elevator *e, struct bio *bio, u64 sector)
{
	struct request *before, *after;

	if (e->last && e->last->write == bio->write &&
	    merge_behind(e->last, bio, sector))
		return true;
	find_neighbours(&e->tree[bio->write], sector, &before, &after);
	if (before && merge_behind(before, bio, sector))
		e->last = before;
	else if (after && merge_before(after, bio, sector))
		e->last = after;
	else
		return false;
	return true;
}

/* Enters a new request in its tree, behind others with the same sector, and
 * at the young end of its fifo. */
void elevator_add(struct elevator *e, struct request *rq)
{
	struct rb_root *tree = &e->tree[rq->write];
	struct rb_node **link = &tree->node, *parent = NULL;

	while (*link) {
		parent = *link;
		if (rq->sector < rb_entry(parent, struct request, rb)->sector)
			link = &parent->left;
		else
			link = &parent->right;
	}
	rb_link_node(&rq->rb, parent, link);
	rb_insert_color(&rq->rb, tree);
	list_add_tail(&rq->node, &e->fifo[rq->write]);
	e->count[rq->write]++;
	e->last = rq;
}

/* Rule 1: the direction to serve; at least one request waits. */
static bool choose_direction(struct elevator *e)
{
	bool write;

	if (!e->count[0] || !e->count[1]) {
		e->turn = 0;
		return e->count[1] != 0;
	}
	write = e->turn >= READ_TURNS;
	e->turn = (e->turn + 1) % TURNS;
	return write;
}

/* Rules 2 and 3 within a direction that has a request. */
static struct request *choose_request(struct elevator *e, bool write, u32 now)
{
	struct request *oldest, *before, *after;

	oldest = list_first_entry(&e->fifo[write], struct request, node);
	if ((s32)(now - oldest->queued_at) > max_age[write])
		return oldest;
	if (!e->head)
		return rb_entry(rb_first(&e->tree[write]), struct request, rb);
	find_neighbours(&e->tree[write], e->head - 1, &before, &after);
	if (after)
		return after;
	return rb_entry(rb_first(&e->tree[write]), struct request, rb);
}

/* Takes the request to serve next out of the elevator; NULL: none waits. */
struct request *elevator_next(struct elevator *e, u32 now)
{
	struct request *rq;
	bool write;

	if (!e->count[0] && !e->count[1])
		return NULL;
	write = choose_direction(e);
	rq = choose_request(e, write, now);
	rb_erase(&rq->rb, &e->tree[write]);
	list_del(&rq->node);
	e->count[write]--;
	e->head = rq->sector + rq->nr_sectors;
	if (e->last == rq)
		e->last = NULL;
	return rq;
}
