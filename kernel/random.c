/*
 * Random bytes: a ChaCha20 key stream whose key is replaced by a part of its
 * own output, so that what was given out cannot be computed later.
 *
 * The only entropy is the time-stamp counter at each refill.  That is enough
 * for stack canaries in a laboratory and NOT for keys anybody should trust.
 */
#include "kernel/random.h"

#include "kernel/cpu.h"
#include "kernel/sched.h"
#include "kernel/syscalls.h"
#include "kernel/time.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"

static u32 key[8], counter;
static u8 pool[64];
static unsigned pool_left;		/* bytes at the end of pool not used */

/* Rotates a word to the left. */
static inline u32 rotate(u32 x, int n)
{
	return x << n | x >> (32 - n);
}

/* ChaCha's quarter round on four words of the state. */
static inline void quarter(u32 *x, int a, int b, int c, int d)
{
	x[a] += x[b];
	x[d] = rotate(x[d] ^ x[a], 16);
	x[c] += x[d];
	x[b] = rotate(x[b] ^ x[c], 12);
	x[a] += x[b];
	x[d] = rotate(x[d] ^ x[a], 8);
	x[c] += x[d];
	x[b] = rotate(x[b] ^ x[c], 7);
}

/* One block of key stream. */
static void chacha_block(u32 out[16], const u32 in[16])
{
	memcpy(out, in, 64);
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 4; i++)
			quarter(out, i, i + 4, i + 8, i + 12);
		for (int i = 0; i < 4; i++)
			quarter(out, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8,
				(i + 3) % 4 + 12);
	}
	for (int i = 0; i < 16; i++)
		out[i] += in[i];
}

/* Fills the pool; the first half of the block becomes the next key. */
static void refill(void)
{
	u64 now = cpu_features & CPU_TSC ? rdtsc() : jiffies;
	u32 in[16] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };
	u32 out[16];

	memcpy(in + 4, key, sizeof(key));
	in[12] = ++counter;
	in[13] = (u32)now;
	in[14] = (u32)(now >> 32);
	in[15] = (u32)realtime_ns();
	chacha_block(out, in);
	memcpy(key, out, sizeof(key));
	memcpy(pool + 32, out + 8, 32);
	pool_left = 32;
}

/* Fills `buf` with random bytes.  Never sleeps. */
void get_random_bytes(void *buf, size_t len)
{
	u8 *to = buf;

	while (len) {
		size_t n;

		if (!pool_left)
			refill();
		n = min(len, (size_t)pool_left);
		memcpy(to, pool + sizeof(pool) - pool_left, n);
		memset(pool + sizeof(pool) - pool_left, 0, n);
		pool_left -= n;
		to += n;
		len -= n;
	}
}

/* getrandom(2); the flags make no difference here. */
asmlinkage long sys_getrandom(u8 *ubuf, size_t len, u32 flags)
{
	u8 chunk[64];
	size_t done = 0;

	if (flags & ~7u)
		return -EINVAL;
	len = min(len, (size_t)0x1ffffff);
	while (done < len) {
		size_t n = min(len - done, sizeof(chunk));

		get_random_bytes(chunk, n);
		if (copy_to_user(ubuf + done, chunk, n))
			return done ? (long)done : -EFAULT;
		done += n;
		cond_resched();
		if (signal_pending())
			break;
	}
	return done || !len ? (long)done : -EINTR;
}
