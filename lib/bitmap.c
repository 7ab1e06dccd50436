/*
 * Bitmap searches and ranges, a 32-bit word at a time.
 */
#include "lib/bitmap.h"

/*
 * The first bit that differs from those of flip (0 or all ones), at or after
 * start, or size.
 */
static u32 find_next(const u32 *map, u32 size, u32 start, u32 flip)
{
	u32 at = start & ~31u, word;

	if (start >= size)
		return size;
	word = (map[at / 32] ^ flip) & (~0u << (start % 32));
	while (!word) {
		if (size - at <= 32)
			return size;
		at += 32;
		word = map[at / 32] ^ flip;
	}
	return min(at + ffs32(word), size);
}

/* The first set bit. */
u32 find_next_bit(const void *map, u32 size, u32 start)
{
	return find_next(map, size, start, 0);
}

/* The first clear bit. */
u32 find_next_zero_bit(const void *map, u32 size, u32 start)
{
	return find_next(map, size, start, ~0u);
}

/* The first run of len clear bits: from clear bit to set bit and on. */
u32 bitmap_find_zero_run(const void *map, u32 size, u32 start, u32 len)
{
	u32 end;

	for (;;) {
		start = find_next_zero_bit(map, size, start);
		if (start >= size || size - start < len)
			return size;
		end = find_next_bit(map, start + len, start);
		if (end == start + len)
			return start;
		start = end;
	}
}

/* The bits of word at / 32 that belong to [at, end). */
static u32 word_mask(u32 at, u32 end)
{
	u32 first = ~0u << (at % 32);
	u32 beyond = end - (at & ~31u);

	return beyond < 32 ? first & ~(~0u << beyond) : first;
}

/* Sets len bits. */
void bitmap_set(void *map, u32 start, u32 len)
{
	u32 end = start + len, at;

	for (at = start; at < end; at = (at & ~31u) + 32)
		((u32 *)map)[at / 32] |= word_mask(at, end);
}

/* Clears len bits. */
void bitmap_clear(void *map, u32 start, u32 len)
{
	u32 end = start + len, at;

	for (at = start; at < end; at = (at & ~31u) + 32)
		((u32 *)map)[at / 32] &= ~word_mask(at, end);
}

/* The number of ones in a word: sums of 2, 4, 8 bits, then of the bytes. */
static u32 word_weight(u32 word)
{
	word -= word >> 1 & 0x55555555;
	word = (word & 0x33333333) + (word >> 2 & 0x33333333);
	word = (word + (word >> 4)) & 0x0F0F0F0F;
	return (word * 0x01010101) >> 24;
}

/* Counts the set bits. */
u32 bitmap_weight(const void *map, u32 size)
{
	const u32 *word = map;
	u32 at, weight = 0;

	for (at = 0; at + 32 <= size; at += 32)
		weight += word_weight(*word++);
	if (at < size)
		weight += word_weight(*word & word_mask(at, size));
	return weight;
}
