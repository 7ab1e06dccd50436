/*
 * Cleaning the firmware's memory map.
 *
 *	RAM       |===============|   |========|
 *	reserved        |====|      |====|
 *	edges     ^     ^    ^    ^ ^ ^  ^     ^
 *	usable    |=====|    |====|      |=====|	then cut to whole pages
 *
 * All starts and ends are sorted; between two neighbouring edges nothing
 * changes, so one look at the map tells whether that piece is usable.
 */
#include "boot/e820_map.h"
#include "lib/sort.h"

#define PAGE		4096ull

/* The end of an entry, without running over. */
static u64 entry_end(const struct e820_entry *e)
{
	return e->length > UINT64_MAX - e->base ? UINT64_MAX
						: e->base + e->length;
}

/* Is the piece from `start` on RAM, and nothing but RAM? */
static bool usable_at(const struct e820_entry *map, unsigned n, u64 start)
{
	bool ram = false;
	unsigned i;

	for (i = 0; i < n; i++) {
		if (start < map[i].base || start >= entry_end(&map[i]))
			continue;
		if (map[i].type != E820_RAM)
			return false;
		ram = true;
	}
	return ram;
}

/* Orders edges for sort(). */
static int compare_edges(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Collects and sorts the edges below the limit, and the limit. */
static unsigned collect_edges(const struct e820_entry *map, unsigned n,
			      u64 limit, u64 *edges)
{
	unsigned i, count = 0;

	for (i = 0; i < n; i++) {
		edges[count++] = min(map[i].base, limit);
		edges[count++] = min(entry_end(&map[i]), limit);
	}
	sort(edges, count, sizeof(*edges), compare_edges);
	return count;
}

/* Appends a piece, or lengthens the last range that it touches. */
static unsigned add_piece(struct mem_range *out, unsigned n, unsigned max,
			  u64 start, u64 end)
{
	if (n && out[n - 1].end == start)
		out[n - 1].end = end;
	else if (n < max)
		out[n++] = (struct mem_range){ start, end };
	return n;
}

/* Cuts each range to whole pages and drops what is left empty. */
static unsigned align_ranges(struct mem_range *out, unsigned n)
{
	unsigned i, kept = 0;

	for (i = 0; i < n; i++) {
		u64 start = (out[i].start + PAGE - 1) & ~(PAGE - 1);
		u64 end = out[i].end & ~(PAGE - 1);

		if (start < end)
			out[kept++] = (struct mem_range){ start, end };
	}
	return kept;
}

/* The usable ranges of a map; see the header. */
unsigned e820_usable(const struct e820_entry *map, unsigned n, u64 limit,
		     struct mem_range *out, unsigned max)
{
	u64 edges[2 * E820_MAX];
	unsigned i, count, found = 0;

	limit = min(limit, 1ull << 32);
	n = min(n, (unsigned)E820_MAX);
	count = collect_edges(map, n, limit, edges);
	for (i = 0; i + 1 < count; i++)
		if (edges[i] < edges[i + 1] && usable_at(map, n, edges[i]))
			found = add_piece(out, found, max, edges[i],
					  edges[i + 1]);
	return align_ranges(out, found);
}
