/*
 * What the host unit tests share: TAP output, a repeatable random sequence.
 *
 * A test program calls ok() and is() and ends with "return done();".  The plan
 * comes last, so a program that dies on the way fails under prove.
 */
#ifndef TESTS_HOST_TAP_H
#define TESTS_HOST_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/types.h"

static int tap_count, tap_failed;

/* Reports one test, named by the rest; returns whether it passed. */
static inline bool printf_like(2, 3) ok(bool passed, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", passed ? "" : "not ", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	tap_failed += !passed;
	return passed;
}

/* Reports whether two numbers are equal, and both if not. */
static inline bool is(long long found, long long expected, const char *name)
{
	if (!ok(found == expected, "%s", name))
		printf("# found %lld, expected %lld\n", found, expected);
	return found == expected;
}

/* Ends the program: the plan, and the exit status for main(). */
static inline int done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

static u64 tap_seed = 88172645463325252u;

/* The next of a fixed sequence of 32-bit numbers (xorshift). */
static inline u32 rnd(void)
{
	tap_seed ^= tap_seed << 13;
	tap_seed ^= tap_seed >> 7;
	tap_seed ^= tap_seed << 17;
	return (u32)(tap_seed >> 16);
}

/* A number of the sequence in 0..limit - 1. */
static inline u32 rnd_below(u32 limit)
{
	return rnd() % limit;
}

#endif
