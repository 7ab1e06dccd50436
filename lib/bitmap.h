/*
 * Bitmaps of any length: bit nr is bit nr % 32 of word nr / 32.  On a
 * little-endian machine that is also bit nr % 8 of byte nr / 8, which is how
 * ext2 stores its bitmaps, so a disk block is one of these as it stands.
 *
 * A map starts on a multiple of four bytes and is readable up to the next one
 * after its last bit.  Positions and lengths are in bits.  Searches return
 * size when they find nothing.  Nothing here is atomic.
 */
#ifndef LIB_BITMAP_H
#define LIB_BITMAP_H

#include "lib/types.h"

#define BITMAP_WORDS(bits)	(((bits) + 31) / 32)
#define DECLARE_BITMAP(name, bits)	u32 name[BITMAP_WORDS(bits)]

/* True if bit nr is set. */
static inline bool test_bit(u32 nr, const void *map)
{
	return ((const u32 *)map)[nr / 32] >> (nr % 32) & 1;
}

/* Sets bit nr. */
static inline void set_bit(u32 nr, void *map)
{
	((u32 *)map)[nr / 32] |= (u32)1 << (nr % 32);
}

/* Clears bit nr. */
static inline void clear_bit(u32 nr, void *map)
{
	((u32 *)map)[nr / 32] &= ~((u32)1 << (nr % 32));
}

/* Sets bit nr and returns what it was. */
static inline bool test_and_set_bit(u32 nr, void *map)
{
	bool old = test_bit(nr, map);

	set_bit(nr, map);
	return old;
}

/* Clears bit nr and returns what it was. */
static inline bool test_and_clear_bit(u32 nr, void *map)
{
	bool old = test_bit(nr, map);

	clear_bit(nr, map);
	return old;
}

/* The first set bit at or after start, or size. */
u32 find_next_bit(const void *map, u32 size, u32 start);

/* The first clear bit at or after start, or size. */
u32 find_next_zero_bit(const void *map, u32 size, u32 start);

/* Where the first run of len > 0 clear bits at or after start begins. */
u32 bitmap_find_zero_run(const void *map, u32 size, u32 start, u32 len);

/* Sets or clears len bits from start on. */
void bitmap_set(void *map, u32 start, u32 len);
void bitmap_clear(void *map, u32 start, u32 len);

/* How many of the first size bits are set. */
u32 bitmap_weight(const void *map, u32 size);

/* The index of the lowest and of the highest set bit of word, not 0. */
static inline unsigned ffs32(u32 word)
{
	return (unsigned)__builtin_ctz(word);
}

static inline unsigned fls32(u32 word)
{
	return 31 - (unsigned)__builtin_clz(word);
}

#endif
