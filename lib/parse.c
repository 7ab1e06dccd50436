/*
 * Strings to numbers, refusing whatever is not one.
 */
#include "lib/div64.h"
#include "lib/errno.h"
#include "lib/string.h"

/* The value of a digit in any base up to 16; 16 for another character. */
static unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a' + 10);
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A' + 10);
	return 16;
}

/* Skips 0x, and chooses the base by C's prefixes if it is 0. */
static const char *parse_prefix(const char *s, unsigned *base)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') &&
		   digit_value(s[2]) < 16;

	if (*base == 0)
		*base = hex ? 16 : s[0] == '0' ? 8 : 10;
	return hex && *base == 16 ? s + 2 : s;
}

/* Parses the digits at *s and moves *s behind them; at least one must be. */
static int parse_digits(const char **s, unsigned base, u64 *result)
{
	const char *at = parse_prefix(*s, &base);
	u64 value = 0;
	unsigned digit;

	if (digit_value(*at) >= base)
		return -EINVAL;
	for (; (digit = digit_value(*at)) < base; at++) {
		if (value > div_u64(~(u64)0 - digit, base))
			return -ERANGE;
		value = value * base + digit;
	}
	*s = at;
	*result = value;
	return 0;
}

/* True at the end of a number: nothing follows, or one newline. */
static bool at_end(const char *s)
{
	return !s[0] || (s[0] == '\n' && !s[1]);
}

/* Parses all of s as a number. */
int kstrtou64(const char *s, unsigned base, u64 *result)
{
	u64 value;
	int error = parse_digits(&s, base, &value);

	if (error)
		return error;
	if (!at_end(s))
		return -EINVAL;
	*result = value;
	return 0;
}

/* Parses all of s as a number that fits 32 bits. */
int kstrtou32(const char *s, unsigned base, u32 *result)
{
	u64 value;
	int error = kstrtou64(s, base, &value);

	if (error)
		return error;
	if (value > 0xFFFFFFFF)
		return -ERANGE;
	*result = (u32)value;
	return 0;
}

/* The shift that a size suffix stands for, 0 for another character. */
static unsigned suffix_shift(char c)
{
	switch (c) {
	case 'k': case 'K':
		return 10;
	case 'm': case 'M':
		return 20;
	case 'g': case 'G':
		return 30;
	default:
		return 0;
	}
}

/* Parses all of s as a number with an optional suffix. */
int parse_size(const char *s, u64 *result)
{
	unsigned shift;
	u64 value;
	int error = parse_digits(&s, 0, &value);

	if (error)
		return error;
	shift = suffix_shift(*s);
	if (shift)
		s++;
	if (!at_end(s))
		return -EINVAL;
	if (value > ~(u64)0 >> shift)
		return -ERANGE;
	*result = value << shift;
	return 0;
}
