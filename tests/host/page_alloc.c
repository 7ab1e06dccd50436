/* host-test: mm/page_alloc.c mm/buddy.c */
/*
 * mm/page_alloc.c: the count of free frames against a look at all of them, who
 * may go how deep below the watermarks, what waiting for memory does, and the
 * mistakes it must catch.
 */
#include "mm/buddy.h"
#include "mm/vmscan.h"
#include "tests/host/arena.h"

#define FRAMES	3000u
#define MIN	40u

static struct page *taken[FRAMES];
static u32 nr_taken;
static int wakeups, waits, reclaims, barren;

/* ---- what page_alloc.c calls ---- */
void wakeup_kswapd(void)
{
	wakeups++;
}

void blk_congestion_wait(long ticks unused_arg)
{
	waits++;
}

void cond_resched(void)
{
}

/* Fails `barren` times, then frees 40 of the frames that the test took. */
bool try_to_free_pages(unsigned gfp unused_arg, unsigned order unused_arg)
{
	u32 n;

	reclaims++;
	if (barren && barren--)
		return false;
	for (n = 0; n < 40 && nr_taken; n++)
		free_pages(taken[--nr_taken], 0);
	return n;
}

/* ---- the oracle ---- */
static bool count_right(void)
{
	u32 pfn, free = 0;

	for (pfn = 0; pfn < FRAMES; pfn++)
		free += mem_map[pfn].type == PAGE_FREE;
	return free == nr_free_pages;
}

/* Takes one frame as a caller that may wait; false if there was none. */
static bool take_one(unsigned gfp)
{
	struct page *page = alloc_page(gfp);

	if (page)
		taken[nr_taken++] = page;
	return page;
}

/* Takes single frames until there are none for such a caller. */
static void take_all(unsigned gfp)
{
	while (take_one(gfp | __GFP_NOWARN))
		;
}

static void free_all(void)
{
	while (nr_taken)
		free_pages(taken[--nr_taken], 0);
}

static void give_all(void)
{
	u32 pfn;

	buddy_init();
	for (pfn = 1; pfn < FRAMES; pfn++) {
		mem_map[pfn].type = PAGE_KERNEL;
		free_pages(&mem_map[pfn], 0);
	}
	total_pages = FRAMES - 1;
	set_watermarks(MIN);
}

static void test_random(void)
{
	struct page *page[200] = { NULL };
	unsigned order[200];
	int step, bad = 0;

	for (step = 0; step < 20000 && !bad; step++) {
		u32 i = rnd_below(200);

		if (page[i]) {
			bad |= *(u32 *)page_address(page[i]) != i;
			free_pages(page[i], order[i]);
			page[i] = NULL;
		} else {
			order[i] = rnd_below(4) ? 0 : rnd_below(5);
			page[i] = alloc_pages(0, order[i]);
			bad |= !page[i] || page[i]->count != 1 ||
			       page[i]->type != PAGE_KERNEL;
			*(u32 *)page_address(page[i]) = i;
		}
		if (step % 50 == 0)
			bad |= !count_right();
	}
	ok(!bad, "%d random steps", step);
	for (u32 i = 0; i < 200; i++)
		if (page[i])
			free_pages(page[i], order[i]);
	is(nr_free_pages, total_pages, "all frames came back");
}

static void test_watermarks(void)
{
	is(pages_low, 2 * MIN, "low is twice min");
	is(pages_high, 3 * MIN, "high is three times min");
	wakeups = 0;
	while (nr_free_pages > pages_low)
		take_one(0);
	is(wakeups, 0, "down to low without waking kswapd");
	take_one(0);
	is(wakeups, 1, "below low kswapd is woken");
	take_all(0);
	is(nr_free_pages, MIN, "an ordinary caller leaves min");
	take_all(GFP_ATOMIC);
	is(nr_free_pages, MIN / 4, "an atomic one leaves a quarter of it");
	current->flags = PF_MEMALLOC;
	take_all(GFP_KERNEL);
	is(nr_free_pages, 0, "reclaim takes the last");
	is(reclaims, 0, "and does not reclaim for that");
	ok(count_right(), "the count is right");
	current->flags = 0;
	free_all();
	is(nr_free_pages, total_pages, "all frames came back");
}

static void test_waiting(void)
{
	take_all(0);
	waits = reclaims = 0;
	ok(take_one(GFP_KERNEL), "a caller that waits gets one");
	is(reclaims, 1, "after one reclaim");
	is(waits, 0, "without waiting for the disk");
	take_all(0);
	barren = 5;
	reclaims = 0;
	ok(take_one(GFP_KERNEL), "also when reclaim fails five times");
	is(reclaims, 6, "it asks again each time");
	is(waits, 5, "and waits between");
	take_all(0);
	barren = 1;
	ok(!alloc_pages(GFP_KERNEL | __GFP_NOWARN, 4),
	   "a large block fails rather than loop");
	barren = 1;
	current->flags = PF_OOM_VICTIM;
	take_all(GFP_KERNEL);
	is(nr_free_pages, 0, "the OOM killer's choice takes the reserve");
	ok(!alloc_page(GFP_KERNEL | __GFP_NOWARN), "and then gets NULL");
	current->flags = 0;
	barren = 0;
	free_all();
}

/* Single frames kept on the hot list must not stand in a block's way. */
static void test_joining(void)
{
	struct page *block, *inside = &mem_map[1500];
	u32 i;

	current->flags = PF_MEMALLOC;
	take_all(0);
	current->flags = 0;
	for (i = 0; taken[i] != inside; i++)
		;
	taken[i] = taken[0];
	taken[0] = inside;		/* freed last: kept on the hot list */
	free_all();
	is(free_blocks(MAX_ORDER - 1), 0, "one frame is missing in a block");
	block = alloc_pages(GFP_ATOMIC, MAX_ORDER - 1);
	ok(block && page_to_pfn(block) % 1024 == 0, "a block of 4 MB");
	if (block)
		free_pages(block, MAX_ORDER - 1);
	ok(!alloc_pages(GFP_ATOMIC | __GFP_NOWARN, MAX_ORDER),
	   "none of 8 MB");
}

static void test_contents(void)
{
	struct page *page = alloc_pages(__GFP_ZERO, 2);
	u8 *at = page_address(page);
	u32 i, sum = 0;

	memset(at, 0xFF, 4 * PAGE_SIZE);
	free_pages(page, 2);
	page = alloc_pages(__GFP_ZERO, 2);
	at = page_address(page);
	for (i = 0; i < 4 * PAGE_SIZE; i++)
		sum += at[i];
	is(sum, 0, "__GFP_ZERO gives zeros");
	free_pages_at(at, 2);
	at = get_free_pages(0, 0);
	ok((uptr)at % PAGE_SIZE == 0 && virt_to_page(at)->count == 1,
	   "get_free_pages");
	free_pages_at(at, 0);
	ok(count_right(), "the count is right");
}

static void test_mistakes(void)
{
	struct page *page = alloc_page(0);
	u32 *word = page_address(page);

	page->count = 2;
	ok(PANICS(free_pages(page, 0)), "freed while somebody holds it");
	page->count = 1;
	page->rmap.mapcount = 1;
	ok(PANICS(free_pages(page, 0)), "freed while mapped");
	page->rmap.mapcount = 0;
	page->flags = PG_LRU;
	ok(PANICS(free_pages(page, 0)), "freed while on the LRU");
	page->flags = 0;
	ok(PANICS(free_pages(&mem_map[0], 0)), "a reserved frame freed");
	free_pages(page, 0);
	ok(PANICS(free_pages(page, 0)), "freed twice");
	word[1] = 1;
	ok(PANICS(alloc_page(0)), "written after free");
	printf("# %s\n", panic_message);
}

int main(void)
{
	arena_init(FRAMES);
	give_all();
	ok(count_right() && nr_free_pages == total_pages, "all frames given");
	test_random();
	test_watermarks();
	test_waiting();
	test_joining();
	test_contents();
	test_mistakes();
	return done();
}
