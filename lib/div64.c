/*
 * The 64-bit divisions that the compiler calls by name on a 32-bit machine.
 *
 * They are here, and not taken from libgcc, because the kernel passes
 * arguments in registers (-mregparm=3) and libgcc does not expect them there.
 *
 * A divisor of 32 bits takes two divl.  A larger one leaves a quotient of 32
 * bits: dividing by its leading 32 bits, rounded up, estimates that quotient
 * from below, and at most a few corrections are left to make.
 */
#include "lib/div64.h"

u64 __udivmoddi4(u64 n, u64 d, u64 *rem);
u64 __udivdi3(u64 n, u64 d);
u64 __umoddi3(u64 n, u64 d);
s64 __divdi3(s64 n, s64 d);
s64 __moddi3(s64 n, s64 d);

/* n / d, and n % d in *rem unless that is NULL; d must not be 0. */
u64 __udivmoddi4(u64 n, u64 d, u64 *rem)
{
	u64 quotient = 0;
	u32 rest;

	if (d >> 32) {
		unsigned shift = 32 - __builtin_clz((u32)(d >> 32));
		u64 leading = (d >> shift) + 1;

		if (leading >> 32)	/* d is all ones: 2^32 stands for it */
			quotient = (n >> shift) >> 32;
		else
			quotient = div_u64(n >> shift, (u32)leading);
		n -= quotient * d;
		while (n >= d) {
			n -= d;
			quotient++;
		}
	} else {
		quotient = div_u64_rem(n, (u32)d, &rest);
		n = rest;
	}
	if (rem)
		*rem = n;
	return quotient;
}

/* Unsigned n / d. */
u64 __udivdi3(u64 n, u64 d)
{
	return __udivmoddi4(n, d, NULL);
}

/* Unsigned n % d. */
u64 __umoddi3(u64 n, u64 d)
{
	u64 rem;

	__udivmoddi4(n, d, &rem);
	return rem;
}

/* The absolute value, also of the smallest number. */
static u64 magnitude(s64 x)
{
	return x < 0 ? -(u64)x : (u64)x;
}

/* Signed n / d, rounded towards zero. */
s64 __divdi3(s64 n, s64 d)
{
	u64 quotient = __udivmoddi4(magnitude(n), magnitude(d), NULL);

	return (n < 0) != (d < 0) ? -quotient : quotient;
}

/* Signed n % d, with the sign of n. */
s64 __moddi3(s64 n, s64 d)
{
	u64 rem;

	__udivmoddi4(magnitude(n), magnitude(d), &rem);
	return n < 0 ? -rem : rem;
}
