/* host-test: lib/string.c */
/*
 * lib/string: ours under other names against the C library's, on every
 * length, alignment and overlap that matters.
 */
#include <string.h>

#define LIB_UNDER_TEST
#define memcpy		our_memcpy
#define memmove		our_memmove
#define memset		our_memset
#define memcmp		our_memcmp
#define memchr		our_memchr
#define strlen		our_strlen
#define strnlen		our_strnlen
#define strcmp		our_strcmp
#define strncmp		our_strncmp
#define strlcpy		our_strlcpy
#define strlcat		our_strlcat
#define strchr		our_strchr
#define strrchr		our_strrchr
#define strstr		our_strstr
#include "lib/string.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef memchr
#undef strlen
#undef strnlen
#undef strcmp
#undef strncmp
#undef strchr
#undef strrchr
#undef strstr

#include "tests/host/tap.h"

#define LEN	64

static u8 ours[LEN], theirs[LEN], source[LEN];

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

/* Fills the buffers with the same random bytes out of a few values. */
static void refill(u32 values)
{
	int i;

	for (i = 0; i < LEN; i++) {
		source[i] = (u8)(rnd_below(values) * 255 / values);
		ours[i] = theirs[i] = (u8)rnd();
	}
}

static void test_memory(void)
{
	int copy = 0, move = 0, set = 0, compare = 0, find = 0, step;

	for (step = 0; step < 50000; step++) {
		u32 a = rnd_below(LEN), b = rnd_below(LEN);
		u32 n = rnd_below(LEN - max(a, b) + 1);

		refill(3);
		compare += sign(our_memcmp(source + a, source + b, n)) !=
			   sign(memcmp(source + a, source + b, n));
		find += our_memchr(source + a, (int)b * 4 + 512, n) !=
			memchr(source + a, (int)b * 4 + 512, n);
		copy += our_memcpy(ours + a, source + b, n) != ours + a;
		memcpy(theirs + a, source + b, n);
		copy += memcmp(ours, theirs, LEN) != 0;
		move += our_memmove(ours + a, ours + b, n) != ours + a;
		memmove(theirs + a, theirs + b, n);
		move += memcmp(ours, theirs, LEN) != 0;
		set += our_memset(ours + a, (int)b + 250, n) != ours + a;
		memset(theirs + a, (int)b + 250, n);
		set += memcmp(ours, theirs, LEN) != 0;
	}
	is(copy, 0, "memcpy");
	is(move, 0, "memmove");
	is(set, 0, "memset");
	is(compare, 0, "memcmp");
	is(find, 0, "memchr");
}

/* Writes a random string of a, b and \xff, shorter than size. */
static char *random_string(char *buf, u32 size)
{
	u32 len = rnd_below(size), i;

	for (i = 0; i < len; i++)
		buf[i] = "ab\xff"[rnd_below(3)];
	buf[len] = '\0';
	return buf;
}

static void test_strings(void)
{
	int length = 0, compare = 0, find = 0, step;
	char a[12], b[5];

	for (step = 0; step < 50000; step++) {
		size_t n = rnd_below(14);
		int c = "ab\xff\0c"[rnd_below(5)];

		random_string(a, sizeof(a));
		random_string(b, sizeof(b));
		length += our_strlen(a) != strlen(a);
		length += our_strnlen(a, min(n, 12ul)) !=
			  strnlen(a, min(n, 12ul));
		compare += sign(our_strcmp(a, b)) != sign(strcmp(a, b));
		compare += sign(our_strncmp(a, b, n)) !=
			   sign(strncmp(a, b, n));
		find += our_strchr(a, c) != strchr(a, c);
		find += our_strrchr(a, c) != strrchr(a, c);
		find += our_strstr(a, b) != strstr(a, b);
	}
	is(length, 0, "strlen and strnlen");
	is(compare, 0, "strcmp and strncmp");
	is(find, 0, "strchr, strrchr and strstr");
}

static void test_bounded(void)
{
	char buf[6] = "xxxxx";

	is((long)our_strlcpy(buf, "abc", sizeof(buf)), 3, "strlcpy fits");
	ok(!strcmp(buf, "abc"), "strlcpy copies");
	is((long)our_strlcat(buf, "de", sizeof(buf)), 5, "strlcat fits");
	ok(!strcmp(buf, "abcde"), "strlcat appends");
	is((long)our_strlcat(buf, "fg", sizeof(buf)), 7, "strlcat cuts");
	ok(!strcmp(buf, "abcde"), "strlcat terminates");
	is((long)our_strlcpy(buf, "1234567", sizeof(buf)), 7, "strlcpy cuts");
	ok(!strcmp(buf, "12345"), "strlcpy terminates");
	is((long)our_strlcpy(buf, "ab", 0), 2, "strlcpy into nothing");
	ok(!strcmp(buf, "12345"), "strlcpy into nothing writes nothing");
	is((long)our_strlcpy(buf, "ab", 1), 2, "strlcpy into one byte");
	ok(!buf[0], "strlcpy into one byte terminates");
	memset(buf, 'x', sizeof(buf));
	is((long)our_strlcat(buf, "ab", 6), 8, "strlcat to no terminator");
	ok(buf[5] == 'x', "strlcat to no terminator writes nothing");
}

int main(void)
{
	test_memory();
	test_strings();
	test_bounded();
	return done();
}
