/* host-test: boot/e820_map.c lib/sort.c */
/*
 * Memory maps: a real machine's, hostile ones, and random ones against a
 * bitmap of pages.
 */
#include <string.h>

#include "boot/e820_map.h"
#include "tests/host/tap.h"

#define MB		(1ull << 20)
#define PAGES		256		/* of the random maps */

static struct mem_range out[E820_MAX];

/* Cleans a map without a limit. */
static unsigned clean(const struct e820_entry *map, unsigned n)
{
	return e820_usable(map, n, UINT64_MAX, out, E820_MAX);
}

static void qemu_map(void)
{
	const struct e820_entry map[] = {
		{ 0, 0x9fc00, 1 }, { 0x9fc00, 0x400, 2 },
		{ 0xf0000, 0x10000, 2 }, { 0x100000, 0xfee0000, 1 },
		{ 0xffe0000, 0x20000, 2 }, { 0xfffc0000, 0x40000, 2 },
	};

	is(clean(map, ARRAY_SIZE(map)), 2, "QEMU's map has two ranges");
	is(out[0].end, 0x9f000, "the low one ends at a page");
	is(out[1].start, MB, "the high one starts at 1 MB");
	is(out[1].end, 0xffe0000, "and ends below the ACPI tables");
}

static void disorder(void)
{
	const struct e820_entry map[] = {
		{ 8 * MB, 8 * MB, 1 }, { 4 * MB, 1 * MB, 2 },
		{ 0, 8 * MB, 1 }, { 12 * MB, 2 * MB, 3 },
		{ 6 * MB, 3 * MB, 1 }, { 20 * MB + 100, 4096, 1 },
	};

	is(clean(map, ARRAY_SIZE(map)), 3, "unsorted, overlapping entries");
	is(out[0].end, 4 * MB, "a reserved piece is cut out");
	is(out[1].start, 5 * MB, "what follows it is kept");
	is(out[1].end, 12 * MB, "touching ranges become one");
	is(out[2].start, 14 * MB, "after the ACPI tables");
	is(out[2].end, 16 * MB, "a range without a whole page is dropped");
}

static void limits(void)
{
	const struct e820_entry map[] = {
		{ MB, 8ull << 30, 1 }, { 6ull << 30, UINT64_MAX, 2 },
	};

	is(clean(map, 2), 1, "8 GB of memory");
	is(out[0].end, 1ull << 32, "is cut at 4 GB");
	is(e820_usable(map, 2, 64 * MB + 5, out, E820_MAX), 1, "mem=");
	is(out[0].end, 64 * MB, "is a limit in whole pages");
	is(e820_usable(map, 2, 0, out, E820_MAX), 0, "a limit of 0");
	is(clean(map, 0), 0, "an empty map");
	is(clean(map + 1, 1), 0, "a map without memory");
}

static void too_many(void)
{
	struct e820_entry map[E820_MAX];
	unsigned i;

	for (i = 0; i < E820_MAX; i++)
		map[i] = (struct e820_entry){ i * 2 * MB, MB, 1 };
	is(e820_usable(map, E820_MAX, UINT64_MAX, out, 3), 3,
	   "no more ranges than there is room for");
	is(out[2].start, 4 * MB, "the lowest are kept");
}

/* Is a page usable by the definition: only RAM on all of its bytes? */
static bool page_usable(const struct e820_entry *map, unsigned n, u64 page)
{
	u64 byte;
	unsigned i;

	for (byte = page * 4096; byte < (page + 1) * 4096; byte += 512) {
		bool ram = false;

		for (i = 0; i < n; i++) {
			if (byte < map[i].base ||
			    byte >= map[i].base + map[i].length)
				continue;
			if (map[i].type != E820_RAM)
				return false;
			ram = true;
		}
		if (!ram)
			return false;
	}
	return true;
}

static bool random_map(void)
{
	struct e820_entry map[20];
	unsigned n = rnd_below(ARRAY_SIZE(map)), i, found;
	bool usable[PAGES] = { false };
	u64 page;

	for (i = 0; i < n; i++)
		map[i] = (struct e820_entry){
			.base = rnd_below(PAGES * 8) * 512,
			.length = rnd_below(40 * 8) * 512,
			.type = rnd_below(3) ? E820_RAM : 2,
		};
	found = e820_usable(map, n, PAGES * 4096, out, E820_MAX);
	for (i = 0; i < found; i++)
		for (page = out[i].start / 4096; page < out[i].end / 4096;
		     page++)
			usable[page] = true;
	for (page = 0; page < PAGES; page++)
		if (usable[page] != page_usable(map, n, page))
			return false;
	return true;
}

int main(void)
{
	bool right = true;
	int i;

	qemu_map();
	disorder();
	limits();
	too_many();
	for (i = 0; i < 5000; i++)
		right &= random_map();
	ok(right, "5000 random maps agree with a map of pages");
	return done();
}
