/* host-test: mm/buddy.c */
/*
 * mm/buddy.c: random blocks against an owner for each frame, the invariants of
 * its opening comment recomputed, exhaustion, and complete joining at the end.
 */
#include "mm/buddy.h"
#include "tests/host/arena.h"

#define FRAMES	5000u			/* no power of two: a ragged end */
#define BLOCKS	600

struct block {
	struct page *page;
	unsigned order;
};

static struct block blocks[BLOCKS];	/* those with a page are ours */
static bool ours[FRAMES];		/* frames in those */
static u32 nr_ours;

/* A frame the allocator was never given. */
static bool is_hole(u32 pfn)
{
	return pfn < 3 || (pfn >= 1000 && pfn < 1100) || pfn == 3333;
}

static u32 count_holes(void)
{
	u32 pfn, n = 0;

	for (pfn = 0; pfn < FRAMES; pfn++)
		n += is_hole(pfn);
	return n;
}

/* True if the free block at pfn keeps the invariants 1 and 2. */
static bool block_right(u32 pfn, unsigned order)
{
	u32 buddy = pfn ^ (1u << order), i;

	if (pfn % (1u << order) || pfn + (1u << order) > FRAMES)
		return false;
	for (i = 0; i < 1u << order; i++) {
		if (ours[pfn + i] || is_hole(pfn + i) ||
		    mem_map[pfn + i].type != PAGE_FREE)
			return false;
		if (i && buddy_is_free_head(&mem_map[pfn + i]))
			return false;
	}
	return order == MAX_ORDER - 1 || buddy + (1u << order) > FRAMES ||
	       !buddy_is_free_head(&mem_map[buddy]) ||
	       mem_map[buddy].private != order;
}

/* True if the whole of memory is as it should be. */
static bool memory_right(void)
{
	u32 counted[MAX_ORDER] = { 0 }, free = 0, pfn;
	unsigned order;

	for (pfn = 0; pfn < FRAMES; pfn++) {
		if (!buddy_is_free_head(&mem_map[pfn]))
			continue;
		order = (unsigned)mem_map[pfn].private;
		if (!block_right(pfn, order))
			return false;
		counted[order]++;
		free += 1u << order;
	}
	for (order = 0; order < MAX_ORDER; order++)
		if (counted[order] != free_blocks(order))
			return false;
	return free + nr_ours + count_holes() == FRAMES;
}

/* Notes that frames became ours or free; false if they were that already. */
static bool own(struct page *page, unsigned order, bool value)
{
	u32 pfn = page_to_pfn(page), i;
	bool good = pfn % (1u << order) == 0;

	for (i = 0; i < 1u << order; i++) {
		good = good && ours[pfn + i] != value && !is_hole(pfn + i);
		ours[pfn + i] = value;
		if (value)
			page[i].type = PAGE_KERNEL;
	}
	nr_ours += value ? 1u << order : -(1u << order);
	return good;
}

/* Takes or gives back one random block. */
static bool step_once(unsigned max_order)
{
	struct block *block = &blocks[rnd_below(BLOCKS)];
	bool good;

	if (block->page) {
		good = own(block->page, block->order, false);
		buddy_free(block->page, block->order);
		block->page = NULL;
		return good;
	}
	block->order = rnd_below(max_order + 1);
	block->page = buddy_alloc(block->order);
	return !block->page || own(block->page, block->order, true);
}

static void free_all(void)
{
	int i;

	for (i = 0; i < BLOCKS; i++) {
		if (!blocks[i].page)
			continue;
		own(blocks[i].page, blocks[i].order, false);
		buddy_free(blocks[i].page, blocks[i].order);
		blocks[i].page = NULL;
	}
}

/* Gives the allocator all of memory, frame by frame. */
static void give_all(void)
{
	u32 pfn;

	buddy_init();
	for (pfn = 0; pfn < FRAMES; pfn++)
		if (!is_hole(pfn))
			buddy_free(&mem_map[pfn], 0);
}

static void test_random(unsigned max_order, const u32 *start)
{
	int step, bad = 0;
	unsigned order;

	for (step = 0; step < 4000 && !bad; step++) {
		bad = !step_once(max_order);
		if (step % 8 == 0)
			bad |= !memory_right();
	}
	ok(!bad, "orders up to %u: %d random steps", max_order, step);
	free_all();
	for (order = 0; order < MAX_ORDER; order++)
		bad |= free_blocks(order) != start[order];
	ok(!bad && memory_right(), "all joined to the blocks of the start");
}

static void test_exhaustion(void)
{
	u32 taken = 0;
	int bad = 0;
	struct page *page;

	while ((page = buddy_alloc(0))) {
		bad |= !own(page, 0, true);
		taken++;
	}
	is(taken, FRAMES - count_holes(), "every frame once, then NULL");
	ok(!bad && !buddy_alloc(0) && memory_right(), "none twice");
	for (u32 pfn = FRAMES; pfn-- > 0; )
		if (ours[pfn]) {
			own(&mem_map[pfn], 0, false);
			buddy_free(&mem_map[pfn], 0);
		}
	ok(memory_right(), "given back from the end");
}

int main(void)
{
	u32 start[MAX_ORDER];
	unsigned order;

	arena_init(FRAMES);
	give_all();
	ok(memory_right(), "memory given frame by frame");
	for (order = 0; order < MAX_ORDER; order++)
		start[order] = free_blocks(order);
	is(start[MAX_ORDER - 1], 1, "one block of 4 MB has no hole");
	test_random(0, start);
	test_random(4, start);
	test_random(MAX_ORDER - 1, start);
	test_exhaustion();
	ok(!buddy_alloc(MAX_ORDER), "no block larger than the largest");
	return done();
}
