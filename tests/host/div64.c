/* host-test: */
/*
 * lib/div64.c: the divisions the compiler calls on i386, against the host's.
 */
#define __udivmoddi4	our_udivmod
#define __udivdi3	our_udiv
#define __umoddi3	our_umod
#define __divdi3	our_div
#define __moddi3	our_mod
#include "lib/div64.c"
#include "tests/host/tap.h"

/* A number of random length, often at the edge of one. */
static u64 number(void)
{
	u64 x = (u64)rnd() << 32 | rnd();

	x >>= rnd_below(64);
	if (rnd_below(8) == 0)
		x = ~(u64)0 >> rnd_below(64);
	return x;
}

int main(void)
{
	bool right = true, signs = true;
	int i;

	for (i = 0; i < 1000000; i++) {
		u64 n = number(), d = number() | 1, rem;
		s64 a = n, b = d;

		right &= our_udivmod(n, d, &rem) == n / d && rem == n % d;
		right &= our_udiv(n, d) == n / d && our_umod(n, d) == n % d;
		if (a == INT64_MIN && b == -1)
			continue;
		signs &= our_div(a, b) == a / b && our_mod(a, b) == a % b;
	}
	ok(right, "unsigned quotients and remainders");
	ok(signs, "signed quotients and remainders");
	is(our_udiv(~0ull, ~0ull), 1, "the largest by itself");
	is(our_udiv(~0ull, 1ull << 32), 0xffffffff, "by 2^32");
	is(our_mod(INT64_MIN, 3), INT64_MIN % 3, "the smallest number");
	return done();
}
