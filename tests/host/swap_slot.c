/* host-test: mm/swap_slot.c */
/*
 * mm/swap_slot.c: slots taken, shared and given back at random in areas of
 * different priority, against a count for each slot; clusters, turns, a full
 * swap, bad slots, bad entries.
 */
#include "mm/fault.h"
#include "mm/swap.h"
#include "tests/host/arena.h"

#define AREAS	3
#define SLOTS	2000u

static u16 maps[AREAS][SLOTS];
static u16 model[AREAS][SLOTS];		/* expected counts */
static const u32 sizes[AREAS] = { 700, 1100, 400 };
static const int prios[AREAS] = { 1, 1, 0 };

/* A slot that the area's header calls unusable. */
static bool is_bad(u32 area, u32 offset)
{
	return area == 1 && (offset == 300 || offset == 700);
}

/* Turns the areas on, empty. */
static void swap_on(void)
{
	u32 i, offset;

	nr_swap_pages = total_swap_pages = 0;
	memset(maps, 0, sizeof(maps));
	memset(model, 0, sizeof(model));
	for (i = 0; i < AREAS; i++) {
		struct swap_area *a = &swap_areas[i];

		*a = (struct swap_area){
			.used = true, .active = true, .prio = prios[i],
			.map = maps[i], .max = sizes[i],
			.pages = sizes[i] - 1, .lowest = 1,
			.highest = sizes[i] - 1,
		};
		maps[i][0] = SWAP_MAP_BAD;
		for (offset = 1; offset < sizes[i]; offset++)
			if (is_bad(i, offset)) {
				maps[i][offset] = SWAP_MAP_BAD;
				a->pages--;
			}
		nr_swap_pages += a->pages;
	}
	total_swap_pages = nr_swap_pages;
}

/* True if counts, sums and bounds are what the model says. */
static bool areas_right(void)
{
	u32 i, offset, free = 0;

	for (i = 0; i < AREAS; i++) {
		const struct swap_area *a = &swap_areas[i];
		u32 inuse = 0;

		for (offset = 1; offset < a->max; offset++) {
			if (is_bad(i, offset))
				continue;
			if (swap_count(swp_entry(i, offset)) !=
			    model[i][offset])
				return false;
			inuse += model[i][offset] != 0;
			free += !model[i][offset];
			if (!model[i][offset] && (offset < a->lowest ||
						  offset > a->highest))
				return false;
		}
		if (inuse != a->inuse)
			return false;
	}
	return free == nr_swap_pages;
}

/* True if an area of higher priority has room. */
static bool better_than(u32 area)
{
	u32 i;

	for (i = 0; i < AREAS; i++)
		if (prios[i] > prios[area] && swap_areas[i].used &&
		    swap_areas[i].inuse < swap_areas[i].pages)
			return true;
	return false;
}

/*
 * Takes a slot; false if it was in use or bad, or if more than a cluster in a
 * row came from an area while a better one had room.
 */
static bool take(swp_entry_t *entry)
{
	static u32 worse;
	u32 area, offset;

	*entry = get_swap_page();
	if (!entry->val)
		return nr_swap_pages == 0;
	area = swp_type(*entry);
	offset = swp_offset(*entry);
	if (area >= AREAS || !offset || offset >= sizes[area] ||
	    is_bad(area, offset) || model[area][offset]++)
		return false;
	worse = better_than(area) ? worse + 1 : 0;
	return worse <= 256;
}

/* Drops a reference in area and model. */
static void drop(swp_entry_t entry)
{
	swap_free(entry);
	model[swp_type(entry)][swp_offset(entry)]--;
}

/* Takes all that is left, then gives all back; true if both were right. */
static bool fill_and_empty(void)
{
	u32 i, offset;
	swp_entry_t entry;
	bool good = true;

	do
		good = take(&entry) && good;
	while (entry.val);
	good = good && areas_right();
	for (i = 0; i < AREAS; i++)
		for (offset = 1; offset < sizes[i]; offset++)
			while (model[i][offset])
				drop(swp_entry(i, offset));
	return good && areas_right() && nr_swap_pages == total_swap_pages;
}

static void test_random(void)
{
	int step, bad = 0;
	swp_entry_t entry;

	for (step = 0; step < 60000 && !bad; step++) {
		u32 area = rnd_below(AREAS), offset;

		offset = 1 + rnd_below(sizes[area] - 1);
		entry = swp_entry(area, offset);
		if (step / 6000 % 2 == 0 && rnd_below(4) == 0)
			bad |= !take(&entry);
		else if (model[area][offset] && rnd() & 1)
			drop(entry);
		else if (model[area][offset]) {
			bad |= !swap_duplicate(entry);
			model[area][offset]++;
		}
		if (step % 100 == 0)
			bad |= !areas_right();
	}
	ok(!bad, "%d random steps", step);
	ok(fill_and_empty(), "filled, and emptied");
	ok(fill_and_empty(), "and once more");
}

/* From empty areas: runs of a cluster, and areas of one priority by turns. */
static void test_clusters(void)
{
	u32 i, breaks = 0, switches = 0, low = 0;
	swp_entry_t entry, before = { 0 };

	for (i = 0; i < 1024; i++) {
		if (!take(&entry))
			break;
		switches += swp_type(entry) != swp_type(before);
		breaks += entry.val != before.val + 1;
		low += prios[swp_type(entry)] == 0;
		before = entry;
	}
	is(i, 1024, "1024 slots");
	ok(breaks <= 8, "in few runs (%u)", breaks);
	ok(switches >= 3, "areas of one priority take turns (%u)", switches);
	is(low, 0, "the lower priority waits");
	ok(fill_and_empty(), "emptied");
}

static void test_limits(void)
{
	swp_entry_t entry, none = swp_entry(5, 1), header = swp_entry(0, 0);
	swp_entry_t beyond = swp_entry(0, sizes[0]);
	swp_entry_t bad = swp_entry(1, 300), high = swp_entry(31, 1);

	take(&entry);
	maps[swp_type(entry)][swp_offset(entry)] = SWAP_MAP_MAX;
	ok(!swap_duplicate(entry), "a count does not overflow");
	maps[swp_type(entry)][swp_offset(entry)] = 1;
	drop(entry);
	ok(!swap_duplicate(entry), "a free slot cannot be shared");
	ok(PANICS(swap_free(entry)), "nor given back");
	ok(!swap_duplicate(none) && !swap_count(none), "no such area");
	ok(!swap_duplicate(high) && !swap_count(high), "no such area number");
	ok(!swap_duplicate(header) && !swap_count(header), "the header");
	ok(!swap_duplicate(beyond) && !swap_count(beyond), "behind the end");
	ok(!swap_duplicate(bad) && !swap_count(bad), "a bad slot");
	ok(PANICS(swap_free(bad)), "a bad slot is not given back");
}

static void test_full(void)
{
	swp_entry_t entry;
	u32 n = 0;

	ok(!vm_swap_full(), "an empty swap is not full");
	while (n++ < total_swap_pages / 2)
		take(&entry);
	ok(!vm_swap_full(), "half is not full");
	take(&entry);
	take(&entry);
	ok(vm_swap_full(), "more than half is");
	ok(fill_and_empty(), "emptied");
	swap_areas[0].used = swap_areas[1].used = false;
	take(&entry);
	is(swp_type(entry), 2, "an area that is being left gets no new slots");
	drop(entry);
	swap_areas[2].used = false;
	is(get_swap_page().val, 0, "no area: no slot");
}

int main(void)
{
	swap_on();
	ok(areas_right(), "empty areas");
	test_clusters();
	test_random();
	test_limits();
	test_full();
	return done();
}
