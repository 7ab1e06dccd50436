/* host-test: mm/page_init.c */
/*
 * mm/page_init.c: random maps of memory and reserved ranges; a frame must be
 * given to the allocator exactly if it is RAM, mapped, and in nobody's use,
 * the map of frames itself included.
 */
#define ARENA_WITHOUT_MAP
#include "kernel/e820.h"
#include "mm/buddy.h"
#include "tests/host/arena.h"

#define MB	(1ull << 20)
#define LIMIT	(MAX_DIRECT >> PAGE_SHIFT)

struct mem_range ram_ranges[E820_MAX], boot_reserved[16];
unsigned nr_ram_ranges, nr_boot_reserved;
u32 total_pages;
static u32 watermark, given_twice;
static bool given[LIMIT];

/* ---- what page_init.c calls ---- */
void buddy_init(void)
{
}

void set_watermarks(u32 min_pages)
{
	watermark = min_pages;
}

/* Notes that a frame was given to the allocator. */
void free_pages(struct page *page, unsigned order)
{
	given_twice += given[page_to_pfn(page)] || order ||
		       page->type != PAGE_KERNEL;
	given[page_to_pfn(page)] = true;
}

static bool overlaps(const struct mem_range *r, u64 start, u64 end)
{
	return r->start < end && start < r->end;
}

/* True if all of [start, end) is RAM. */
static bool is_ram(u64 start, u64 end)
{
	unsigned i;

	for (i = 0; i < nr_ram_ranges; i++)
		if (ram_ranges[i].start <= start && end <= ram_ranges[i].end)
			return true;
	return false;
}

/* True if something of [start, end) is reserved. */
static bool is_reserved(u64 start, u64 end)
{
	unsigned i;

	for (i = 0; i < nr_boot_reserved; i++)
		if (overlaps(&boot_reserved[i], start, end))
			return true;
	return false;
}

/* Where the map of frames lies. */
static struct mem_range map_place(void)
{
	u64 start = virt_to_phys(mem_map);

	return (struct mem_range){
		start, start + (u64)max_pfn * sizeof(struct page),
	};
}

/* Frames given that should not have been, and the other way round. */
static u32 wrong_frames(void)
{
	struct mem_range map = map_place();
	u32 pfn, wrong = 0, total = 0;

	for (pfn = 0; pfn < max_pfn; pfn++) {
		u64 start = (u64)pfn << PAGE_SHIFT, end = start + PAGE_SIZE;

		wrong += given[pfn] != (is_ram(start, end) &&
					!is_reserved(start, end) &&
					!overlaps(&map, start, end));
		total += given[pfn];
	}
	return wrong + (total != total_pages);
}

/* True if memory was set up as it should be for the ranges there are. */
static bool init_right(void)
{
	struct mem_range map;

	memset(given, 0, sizeof(given));
	given_twice = total_pages = max_pfn = 0;
	page_alloc_init();
	map = map_place();
	return is_ram(map.start, map.end) && !wrong_frames() &&
	       !is_reserved(map.start, map.end) && !given_twice;
}

static void add_ram(u64 start, u64 end)
{
	ram_ranges[nr_ram_ranges++] = (struct mem_range){ start, end };
}

static void reserve(u64 start, u64 end)
{
	boot_reserved[nr_boot_reserved++] = (struct mem_range){ start, end };
}

/* A PC: low memory, a hole, and the rest with holes of whole pages. */
static void random_machine(void)
{
	u64 at = MB, end;
	unsigned i;

	nr_ram_ranges = nr_boot_reserved = 0;
	add_ram(0, 0x9F000);
	while (at < 24 * MB) {
		end = at + (1 + rnd_below(2000)) * PAGE_SIZE;
		add_ram(at, end);
		at = end + rnd_below(50) * PAGE_SIZE;
	}
	reserve(0, PAGE_SIZE);
	reserve(MB, MB + rnd_below(MB));
	for (i = 0; i < 10; i++) {
		at = rnd_below(24 * MB);
		reserve(at, at + 1 + rnd_below(rnd() & 1 ? 100 : 300000));
	}
}

static void test_random(void)
{
	int round, bad = 0;

	for (round = 0; round < 200 && !bad; round++) {
		random_machine();
		bad = !init_right();
	}
	ok(!bad, "%d random machines", round);
}

static void test_large(void)
{
	nr_ram_ranges = nr_boot_reserved = 0;
	add_ram(0, MB);
	add_ram(2 * MB, 40 * MB);
	add_ram(894 * MB, 3000 * MB);
	reserve(0, 3 * MB);
	ok(init_right(), "a machine of 3 GB");
	is(max_pfn, LIMIT, "only the direct-mapped part has frames");
	is(watermark, max(min(total_pages / 128, 255u), 20u), "watermark");
}

static void test_small(void)
{
	nr_ram_ranges = nr_boot_reserved = 0;
	add_ram(0, MB);
	reserve(0, MB - 2 * PAGE_SIZE);
	ok(PANICS(page_alloc_init()), "no room for the map is said");
	printf("# %s\n", panic_message);
	reserve(MB - PAGE_SIZE, MB);
	ok(PANICS(page_alloc_init()), "and when all is reserved");
}

int main(void)
{
	arena_map(LIMIT);
	test_random();
	test_large();
	test_small();
	return done();
}
