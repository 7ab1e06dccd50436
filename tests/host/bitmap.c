/* host-test: lib/bitmap.c */
/*
 * lib/bitmap: searches, ranges and weights against a bool for each bit, on
 * maps of every length around a word's, and ext2's byte order.
 */
#include <string.h>

#include "lib/bitmap.h"
#include "tests/host/tap.h"

#define MAX_BITS	200

static bool model[MAX_BITS];
static u32 *map;		/* exactly as long as it must be */

static u32 model_next(u32 size, u32 start, bool value)
{
	while (start < size && model[start] != value)
		start++;
	return start < size ? start : size;
}

static u32 model_run(u32 size, u32 start, u32 len)
{
	u32 end;

	for (; start + len <= size; start++) {
		for (end = start; end < start + len && !model[end]; end++)
			;
		if (end == start + len)
			return start;
	}
	return size;
}

/* True if all searches from start agree with the model. */
static bool searches_right(u32 size, u32 start)
{
	u32 len = 1 + rnd_below(8), weight = 0, i;

	for (i = 0; i < size; i++)
		weight += model[i];
	return find_next_bit(map, size, start) ==
	       model_next(size, start, true) &&
	       find_next_zero_bit(map, size, start) ==
	       model_next(size, start, false) &&
	       bitmap_find_zero_run(map, size, start, len) ==
	       model_run(size, start, len) &&
	       bitmap_weight(map, size) == weight;
}

/* Changes one bit or a range, in map and model. */
static bool change(u32 size)
{
	u32 nr = rnd_below(size), len = rnd_below(size - nr + 1), i;
	bool value = rnd() & 1, old = model[nr];

	if (rnd_below(4)) {
		len = 1;
		if ((value ? test_and_set_bit(nr, map)
			   : test_and_clear_bit(nr, map)) != old)
			return false;
	} else if (value) {
		bitmap_set(map, nr, len);
	} else {
		bitmap_clear(map, nr, len);
	}
	for (i = nr; i < nr + len; i++)
		model[i] = value;
	return true;
}

/* True if map and model agree on each bit. */
static bool bits_right(u32 size)
{
	u32 i;

	for (i = 0; i < size; i++)
		if (test_bit(i, map) != model[i])
			return false;
	return true;
}

static void test_random(u32 size)
{
	int step, bad = 0;

	map = calloc(BITMAP_WORDS(size), 4);
	memset(model, 0, sizeof(model));
	for (step = 0; step < 5000 && !bad; step++) {
		bad = !change(size);
		bad |= !bits_right(size);
		bad |= !searches_right(size, rnd_below(size + 2));
	}
	ok(!bad, "%u bits: %d random steps", size, step);
	bitmap_set(map, 0, size);
	ok(find_next_zero_bit(map, size, 0) == size &&
	   bitmap_find_zero_run(map, size, 0, 1) == size &&
	   bitmap_weight(map, size) == size, "%u bits: full", size);
	bitmap_clear(map, 0, size);
	ok(find_next_bit(map, size, 0) == size &&
	   bitmap_find_zero_run(map, size, 0, size) == 0 &&
	   bitmap_find_zero_run(map, size, 0, size + 1) == size &&
	   bitmap_weight(map, size) == 0, "%u bits: empty", size);
	free(map);
}

static void test_layout(void)
{
	DECLARE_BITMAP(words, 64) = { 0, 0 };
	u8 *bytes = (u8 *)words;

	set_bit(9, words);
	set_bit(63, words);
	ok(bytes[1] == 2 && bytes[7] == 0x80, "bytes are laid out as ext2's");
	clear_bit(9, words);
	ok(bytes[1] == 0, "clear_bit");
	is(sizeof(words), 8, "64 bits take 8 bytes");
	is(ffs32(0x80000000), 31, "ffs32");
	is(ffs32(6), 1, "ffs32 of two bits");
	is(fls32(6), 2, "fls32 of two bits");
	is(find_next_bit(words, 0, 0), 0, "a map of no bits");
}

int main(void)
{
	static const u32 sizes[] = { 1, 31, 32, 33, 63, 64, 65, 200 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		test_random(sizes[i]);
	test_layout();
	return done();
}
