/* host-test: lib/sort.c */
/*
 * The small ones: lib/sort, lib/div64, lib/hash, lib/ringbuf, lib/errno.
 */
#include <string.h>

#include "lib/div64.h"
#include "lib/errno.h"
#include "lib/hash.h"
#include "lib/ringbuf.h"
#include "lib/sort.h"
#include "tests/host/tap.h"

struct record {			/* 7 bytes: no alignment to rely on */
	u8 key;
	char rest[6];
} packed;

static int by_number(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b)
{
	return ((const struct record *)a)->key -
	       ((const struct record *)b)->key;
}

static void test_sort(void)
{
	u32 ours[100], theirs[100], n, i;
	struct record records[50];
	int round, bad = 0;

	for (round = 0; round < 500; round++) {
		n = rnd_below(101);
		for (i = 0; i < n; i++)
			ours[i] = theirs[i] = rnd_below(round % 2 ? 10 : ~0u);
		sort(ours, n, sizeof(ours[0]), by_number);
		qsort(theirs, n, sizeof(theirs[0]), by_number);
		bad += memcmp(ours, theirs, n * sizeof(ours[0])) != 0;
	}
	is(bad, 0, "sort agrees with qsort");
	for (i = 0; i < 50; i++)
		memset(&records[i], (int)(i * 37 % 50), sizeof(records[i]));
	sort(records, 50, sizeof(records[0]), by_key);
	for (i = 0; i < 50; i++)
		bad += records[i].key != i || records[i].rest[5] != (char)i;
	is(bad, 0, "elements of an odd size move whole");
}

static void test_div64(void)
{
	int step, bad = 0;
	u32 rem, d, mul;
	u64 n;

	for (step = 0; step < 100000; step++) {
		n = ((u64)rnd() << 32 | rnd()) >> rnd_below(64);
		d = (rnd() >> rnd_below(32)) | 1;
		bad += div_u64_rem(n, d, &rem) != n / d || rem != n % d;
		bad += div_u64(n, d) != n / d;
	}
	ok(div_u64(~0ull, 1) == ~0ull && div_u64(~0ull, ~0u) == 0x100000001,
	   "div_u64 at the ends");
	is(bad, 0, "div_u64 agrees with /");
#ifdef __SIZEOF_INT128__
	for (step = 0; step < 100000; step++) {
		n = ((u64)rnd() << 32 | rnd()) >> rnd_below(32);
		mul = rnd();
		d = rnd_below(33);
		bad += mul_u64_u32_shr(n, mul, d) !=
		       (u64)((unsigned __int128)n * mul >> d);
	}
	is(bad, 0, "mul_u64_u32_shr agrees with 128 bits");
#endif
	mul = 1u << 31;
	ok(mul_u64_u32_shr(3000000000ull, mul, 31) == 3000000000ull,
	   "mul_u64_u32_shr by one");
}

static void test_hash(void)
{
	u32 buckets[64] = { 0 }, i, most = 0;

	for (i = 0; i < 6400; i++)
		buckets[hash_u32(i * 4096, 6)]++;
	for (i = 0; i < 64; i++)
		most = max(most, buckets[i]);
	ok(most < 200, "6400 page addresses: at most %u of 100 a bucket", most);
	ok(hash_u32(12345, 32) == 12345 * 0x9E3779B9u, "all 32 bits");
	ok(hash_string("name") == hash_bytes("name", 4), "string and bytes");
	ok(hash_string("") == hash_bytes("", 0), "the empty string");
	ok(hash_more(hash_bytes("na", 2), "me", 2) == hash_string("name"),
	   "hash_more continues");
	ok(hash_string("a") != hash_string("b"), "different names");
	ok(hash_ptr(&i, 10) < 1024, "hash_ptr stays in range");
}

static void test_ring_bytes(void)
{
	u8 storage[4];
	struct ringbuf ring = RINGBUF_INIT(storage);
	int i;

	is(ring_get(&ring), -1, "an empty ring has nothing");
	for (i = 0; i < 4; i++)
		ring_put(&ring, (u8)(250 + i));
	ok(ring_full(&ring) && !ring_put(&ring, 1), "a full ring refuses");
	is(ring_get(&ring), 250, "first in, first out");
	ok(ring_put(&ring, 9) && ring_used(&ring) == 4, "room for one more");
	ring_flush(&ring);
	ok(ring_empty(&ring) && ring_space(&ring) == 4, "flushed");
}

/* Writes and reads blocks of a counted sequence across the wrap of head. */
static void test_ring_blocks(void)
{
	u8 storage[64], block[80], next_in = 0, next_out = 0;
	struct ringbuf ring;
	int step, bad = 0;
	u32 n, i, room;

	ring_init(&ring, storage, sizeof(storage));
	ring.head = ring.tail = (u32)-1000;
	for (step = 0; step < 10000; step++) {
		n = rnd_below(sizeof(block) + 1);
		for (i = 0; i < n; i++)
			block[i] = (u8)(next_in + i);
		room = ring_space(&ring);
		bad += ring_write(&ring, block, n) != min(n, room);
		next_in = (u8)(next_in + min(n, room));
		n = ring_read(&ring, block, rnd_below(sizeof(block) + 1));
		for (i = 0; i < n; i++)
			bad += block[i] != next_out++;
		bad += ring_used(&ring) != (u8)(next_in - next_out);
	}
	is(bad, 0, "blocks come out as they went in");
}

static void test_errno(void)
{
	int x;

	ok(IS_ERR(ERR_PTR(-EIO)) && PTR_ERR(ERR_PTR(-EIO)) == -5,
	   "an error in a pointer");
	ok(!IS_ERR(&x) && !IS_ERR(NULL) && IS_ERR_OR_NULL(NULL),
	   "pointers that are none");
	ok(IS_ERR(ERR_PTR(-MAX_ERRNO)) && !IS_ERR(ERR_PTR(-MAX_ERRNO - 1)),
	   "the smallest error");
}

int main(void)
{
	test_sort();
	test_div64();
	test_hash();
	test_ring_bytes();
	test_ring_blocks();
	test_errno();
	return done();
}
