/* host-test: lib/parse.c */
/*
 * lib/parse.c: good numbers, bad numbers, and numbers one too large.
 */
#include "lib/errno.h"
#include "lib/string.h"
#include "tests/host/tap.h"

struct example {
	const char *text;
	unsigned base;
	int error;
	u64 value;
};

static const struct example examples32[] = {
	{ "0", 10, 0, 0 },
	{ "42", 10, 0, 42 },
	{ "42\n", 10, 0, 42 },
	{ "0042", 10, 0, 42 },
	{ "0042", 0, 0, 34 },
	{ "0x1F", 0, 0, 31 },
	{ "0x1f", 16, 0, 31 },
	{ "1f", 16, 0, 31 },
	{ "101", 2, 0, 5 },
	{ "4294967295", 10, 0, 4294967295u },
	{ "0xffffffff", 0, 0, 4294967295u },
	{ "4294967296", 10, -ERANGE, 0 },
	{ "99999999999999999999999", 10, -ERANGE, 0 },
	{ "", 10, -EINVAL, 0 },
	{ "\n", 10, -EINVAL, 0 },
	{ "-1", 10, -EINVAL, 0 },
	{ "+1", 10, -EINVAL, 0 },
	{ " 1", 10, -EINVAL, 0 },
	{ "1 ", 10, -EINVAL, 0 },
	{ "1\n\n", 10, -EINVAL, 0 },
	{ "12a", 10, -EINVAL, 0 },
	{ "0x", 0, -EINVAL, 0 },
	{ "0xg", 0, -EINVAL, 0 },
	{ "0x10", 10, -EINVAL, 0 },
	{ "08", 0, -EINVAL, 0 },
	{ "2", 2, -EINVAL, 0 },
	{ "fg", 16, -EINVAL, 0 },
};

static const struct example examples64[] = {
	{ "18446744073709551615", 10, 0, ~0ull },
	{ "0xffffffffffffffff", 0, 0, ~0ull },
	{ "01777777777777777777777", 0, 0, ~0ull },
	{ "18446744073709551616", 10, -ERANGE, 0 },
	{ "18446744073709551619", 10, -ERANGE, 0 },
	{ "0x10000000000000000", 0, -ERANGE, 0 },
	{ "184467440737095516150", 10, -ERANGE, 0 },
};

static const struct example sizes[] = {
	{ "64M", 0, 0, 64u << 20 },
	{ "64m\n", 0, 0, 64u << 20 },
	{ "8k", 0, 0, 8192 },
	{ "3G", 0, 0, 3ull << 30 },
	{ "0x100", 0, 0, 256 },
	{ "0x10K", 0, 0, 16384 },
	{ "17179869183G", 0, 0, 17179869183ull << 30 },
	{ "17179869184G", 0, -ERANGE, 0 },
	{ "64MB", 0, -EINVAL, 0 },
	{ "M", 0, -EINVAL, 0 },
	{ "64T", 0, -EINVAL, 0 },
	{ "", 0, -EINVAL, 0 },
};

/* Reports one example; an error must leave the result alone. */
static void check(const struct example *ex, const char *what, int error,
		  u64 value)
{
	u64 expected = ex->error ? 77 : ex->value;

	if (!ok(error == ex->error && value == expected, "%s %.*s base %u",
		what, (int)strcspn(ex->text, "\n"), ex->text, ex->base))
		printf("# %d, %llu\n", error, (unsigned long long)value);
}

int main(void)
{
	u32 value32;
	u64 value;
	size_t i;
	int error;

	for (i = 0; i < ARRAY_SIZE(examples32); i++) {
		value32 = 77;
		error = kstrtou32(examples32[i].text, examples32[i].base,
				  &value32);
		check(&examples32[i], "kstrtou32", error, value32);
	}
	for (i = 0; i < ARRAY_SIZE(examples64); i++) {
		value = 77;
		error = kstrtou64(examples64[i].text, examples64[i].base,
				  &value);
		check(&examples64[i], "kstrtou64", error, value);
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		value = 77;
		error = parse_size(sizes[i].text, &value);
		check(&sizes[i], "parse_size", error, value);
	}
	return done();
}
