/* host-test: lib/printf.c lib/string.c */
/*
 * lib/printf: ours under other names against the C library's, with every
 * combination of flags, width and precision on chosen values, and cut off at
 * every length.
 */
#include <stdio.h>
#include <string.h>

#define LIB_UNDER_TEST
#define vsnprintf	our_vsnprintf
#define snprintf	our_snprintf
#define vscnprintf	our_vscnprintf
#define scnprintf	our_scnprintf
#include "lib/printf.h"

int our_vsnprintf(char *buf, size_t size, const char *fmt, va_list ap);
int our_snprintf(char *buf, size_t size, const char *fmt, ...);

#include "lib/printf.c"
#undef vsnprintf
#undef snprintf
#undef vscnprintf
#undef scnprintf

#include "tests/host/tap.h"

#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wformat-truncation"
#endif

#define SIZE	128

static int failures;

/* Formats with both; counts, and prints the first few differences. */
#define COMPARE(size, fmt, ...) do { \
	char ours_[SIZE], theirs_[SIZE]; \
	int a_, b_; \
	memset(ours_, '~', SIZE); \
	memset(theirs_, '~', SIZE); \
	a_ = our_snprintf(ours_, size, fmt, __VA_ARGS__); \
	b_ = snprintf(theirs_, size, fmt, __VA_ARGS__); \
	if ((a_ != b_ || memcmp(ours_, theirs_, SIZE)) && failures++ < 5) \
		printf("# \"%s\": %d \"%.60s\", expected %d \"%.60s\"\n", \
		       fmt, a_, ours_, b_, theirs_); \
} while (0)

static const long long values[] = {
	0, 1, -1, 7, 8, 42, -42, 255, 256, 65535, 65536, 123456789,
	-123456789, 2147483647, -2147483648LL, 4294967295LL, 4294967296LL,
	1000000000000LL, 0x7FFFFFFFFFFFFFFFLL, -0x7FFFFFFFFFFFFFFFLL - 1,
};

static const char *const lengths[] = { "hh", "h", "", "l", "ll", "z" };

/* Formats all values with the given flags, width and precision. */
static void compare_numbers(const char *flags, const char *rest)
{
	const char *conversion;
	char fmt[40];
	size_t i, j;

	for (conversion = "diuxXo"; *conversion; conversion++)
	for (j = 0; j < ARRAY_SIZE(lengths); j++) {
		snprintf(fmt, sizeof(fmt), "<%%%s%s%s%c>", flags, rest,
			 lengths[j], *conversion);
		for (i = 0; i < ARRAY_SIZE(values); i++)
			if (j < 3)
				COMPARE(SIZE, fmt, (int)values[i]);
			else
				COMPARE(SIZE, fmt, values[i]);
	}
}

static void test_numbers(void)
{
	static const char *const rests[] = {
		"", "1", "5", "12", "25", ".0", ".1", ".5", ".22", "8.3",
		"3.8", "12.0", "20.20", ".",
	};
	char flags[6];
	int set, n;
	size_t i;

	for (set = 0; set < 32; set++) {
		for (n = 0, i = 0; i < 5; i++)
			if (set >> i & 1)
				flags[n++] = "-0+ #"[i];
		flags[n] = '\0';
		failures = 0;
		for (i = 0; i < ARRAY_SIZE(rests); i++)
			compare_numbers(flags, rests[i]);
		is(failures, 0, flags);
	}
}

static void test_strings(void)
{
	failures = 0;
	COMPARE(SIZE, "%s", "hello");
	COMPARE(SIZE, "%10s|%-10s|", "right", "left");
	COMPARE(SIZE, "%.3s|%.0s|%10.2s|", "cut", "none", "cut");
	COMPARE(SIZE, "%c%c%5c|%-5c|", 'a', 0, 'b', 'c');
	COMPARE(SIZE, "100%% of %d", 3);
	COMPARE(SIZE, "%*d|%-*d|%*d|", 6, 1, 6, 2, -6, 3);
	COMPARE(SIZE, "%.*s|%.*d|%.*d|", 2, "abc", 4, 7, -1, 7);
	COMPARE(SIZE, "%s %s %d", "", "x", 0);
	COMPARE(SIZE, "plain%s", "");
	is(failures, 0, "strings, characters, stars");
}

static void test_cut(void)
{
	size_t size;

	failures = 0;
	for (size = 0; size < 30; size++)
		COMPARE(size, "%d-%s-%#x-%5d", 12345, "abcdef", 255u, 42);
	is(failures, 0, "cut off at every length");
}

static void test_own(void)
{
	char buf[SIZE];
	char no_end[3] = { 'a', 'b', 'c' };
	char *null = NULL;

	our_snprintf(buf, SIZE, "%p", (void *)0x1234);
	ok(!strcmp(buf, "0x0000000000001234") || !strcmp(buf, "0x00001234"),
	   "%%p prints all digits");
	our_snprintf(buf, SIZE, "[%.3s]", no_end);
	ok(!strcmp(buf, "[abc]"), "%%.3s reads no more than three");
	our_snprintf(buf, SIZE, "[%s]", null);
	ok(!strcmp(buf, "[(null)]"), "%%s of NULL");
	our_snprintf(buf, SIZE, "[%y %5q]", 1);
	ok(!strcmp(buf, "[%y %5q]"), "unknown conversions stand");
	our_snprintf(buf, SIZE, "end %");
	ok(!strcmp(buf, "end %"), "a lone %% at the end");
	is(our_scnprintf(buf, 4, "%d", 123456), 3, "scnprintf: what is stored");
	is(our_scnprintf(buf, 9, "%d", 123456), 6, "scnprintf: all is stored");
	is(our_scnprintf(buf, 0, "%d", 1), 0, "scnprintf into nothing");
}

int main(void)
{
	test_numbers();
	test_strings();
	test_cut();
	test_own();
	return done();
}
