/*
 * 64-bit arithmetic with the instructions the machine has: a 64-bit number is
 * divided by a 32-bit one in two divl steps, without calling libgcc.
 */
#ifndef LIB_DIV64_H
#define LIB_DIV64_H

#include "lib/types.h"

#ifdef __i386__
/* Returns n / d and stores n % d; d must not be 0. */
static inline u64 div_u64_rem(u64 n, u32 d, u32 *rem)
{
	u32 high = (u32)(n >> 32), low = (u32)n;
	u32 quot_high = high / d, quot_low;

	high %= d;
	__asm__("divl %4"
		: "=a" (quot_low), "=d" (*rem)
		: "0" (low), "1" (high), "rm" (d)
		: "cc");
	return (u64)quot_high << 32 | quot_low;
}
#else
static inline u64 div_u64_rem(u64 n, u32 d, u32 *rem)
{
	*rem = (u32)(n % d);
	return n / d;
}
#endif

/* Returns n / d; d must not be 0. */
static inline u64 div_u64(u64 n, u32 d)
{
	u32 rem;

	return div_u64_rem(n, d, &rem);
}

/* Returns (a * mul) >> shift with a 96-bit product; shift <= 32. */
static inline u64 mul_u64_u32_shr(u64 a, u32 mul, unsigned shift)
{
	u64 low = (a & 0xFFFFFFFF) * mul;
	u64 high = (a >> 32) * mul;

	return (low >> shift) + (high << (32 - shift));
}

#endif
