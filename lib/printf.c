/*
 * vsnprintf(): a format string is a row of directives
 *
 *	% flags width .precision length conversion
 *
 * each parsed into a struct spec and printed with its next argument.  Output
 * that does not fit is counted, not stored.
 *
 * As in lib/string.c, a host test renames the standard names, defines
 * LIB_UNDER_TEST and includes this file.
 */
#include "lib/div64.h"
#include "lib/printf.h"
#include "lib/string.h"

#if !defined(HOST_TEST) || defined(LIB_UNDER_TEST)

/* Where the output goes. */
struct sink {
	char *buf;
	size_t size;
	size_t len;		/* of all output, stored or not */
};

/* A parsed directive. */
struct spec {
	bool left, zero, plus, space, alt;
	int width;		/* 0 if not given */
	int precision;		/* -1 if not given */
	int longs;		/* h -1, hh -2, l 1, ll 2 */
	char conversion;
};

/* Stores a character if there is room. */
static void put(struct sink *out, char c)
{
	if (out->len + 1 < out->size)
		out->buf[out->len] = c;
	out->len++;
}

/* Stores n times c; nothing if n is negative. */
static void put_many(struct sink *out, char c, int n)
{
	while (n-- > 0)
		put(out, c);
}

/* Stores n characters. */
static void put_bytes(struct sink *out, const char *s, int n)
{
	while (n-- > 0)
		put(out, *s++);
}

/* Stores n characters in a field of the spec's width. */
static void put_padded(struct sink *out, const struct spec *spec,
		       const char *s, int n)
{
	int pad = spec->width - n;

	if (!spec->left)
		put_many(out, ' ', pad);
	put_bytes(out, s, n);
	if (spec->left)
		put_many(out, ' ', pad);
}

/* Parses flags and returns what follows. */
static const char *parse_flags(const char *fmt, struct spec *spec)
{
	for (;; fmt++) {
		switch (*fmt) {
		case '-': spec->left = true; break;
		case '0': spec->zero = true; break;
		case '+': spec->plus = true; break;
		case ' ': spec->space = true; break;
		case '#': spec->alt = true; break;
		default: return fmt;
		}
	}
}

/* Parses a number or takes it from the arguments for *. */
static const char *parse_number(const char *fmt, int *number, va_list *ap)
{
	*number = 0;
	if (*fmt == '*') {
		*number = va_arg(*ap, int);
		return fmt + 1;
	}
	for (; *fmt >= '0' && *fmt <= '9'; fmt++)
		*number = *number * 10 + (*fmt - '0');
	return fmt;
}

/* Parses h, l, z, t, j and returns what follows. */
static const char *parse_length(const char *fmt, struct spec *spec)
{
	for (;; fmt++) {
		switch (*fmt) {
		case 'h': spec->longs--; break;
		case 'l': case 'z': case 't': spec->longs++; break;
		case 'j': spec->longs = 2; break;
		default: return fmt;
		}
	}
}

/* Parses the directive after a % and returns what follows. */
static const char *parse_spec(const char *fmt, struct spec *spec, va_list *ap)
{
	*spec = (struct spec){ .precision = -1 };
	fmt = parse_flags(fmt, spec);
	fmt = parse_number(fmt, &spec->width, ap);
	if (spec->width < 0) {
		spec->left = true;
		spec->width = -spec->width;
	}
	if (*fmt == '.') {
		fmt = parse_number(fmt + 1, &spec->precision, ap);
		if (spec->precision < 0)
			spec->precision = -1;
	}
	fmt = parse_length(fmt, spec);
	spec->conversion = *fmt;
	return *fmt ? fmt + 1 : fmt;
}

/* Takes an unsigned argument of the spec's length. */
static u64 arg_unsigned(const struct spec *spec, va_list *ap)
{
	switch (spec->longs) {
	case -2: return (unsigned char)va_arg(*ap, unsigned);
	case -1: return (unsigned short)va_arg(*ap, unsigned);
	case 0: return va_arg(*ap, unsigned);
	case 1: return va_arg(*ap, unsigned long);
	default: return va_arg(*ap, unsigned long long);
	}
}

/* Takes a signed argument of the spec's length. */
static s64 arg_signed(const struct spec *spec, va_list *ap)
{
	switch (spec->longs) {
	case -2: return (signed char)va_arg(*ap, int);
	case -1: return (short)va_arg(*ap, int);
	case 0: return va_arg(*ap, int);
	case 1: return va_arg(*ap, long);
	default: return va_arg(*ap, long long);
	}
}

/* Writes digits backwards from end and returns the first; none for 0. */
static char *write_digits(char *end, u64 value, unsigned base, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	u32 small, digit;

	while (value >> 32) {
		value = div_u64_rem(value, base, &digit);
		*--end = digits[digit];
	}
	for (small = (u32)value; small; small /= base)
		*--end = digits[small % base];
	return end;
}

/*
 * Prints prefix (a sign, 0x or nothing) and digits: spaces, prefix, zeros up
 * to the precision, or to the width with flag 0 and no precision, digits.
 */
static void print_number(struct sink *out, const struct spec *spec,
			 const char *prefix, const char *digits, int n)
{
	int prefix_len = (int)strlen(prefix);
	int zeros = max(spec->precision, 1) - n, pad;

	if (spec->precision == 0)
		zeros = 0;
	else if (spec->precision < 0 && spec->zero && !spec->left)
		zeros = max(zeros, spec->width - prefix_len - n);
	zeros = max(zeros, 0);
	pad = spec->width - prefix_len - zeros - n;
	if (!spec->left)
		put_many(out, ' ', pad);
	put_bytes(out, prefix, prefix_len);
	put_many(out, '0', zeros);
	put_bytes(out, digits, n);
	if (spec->left)
		put_many(out, ' ', pad);
}

#define MAX_DIGITS	24		/* 2^64 has 22 octal digits, one 0 */

/* Prints %d and %i. */
static void print_signed(struct sink *out, const struct spec *spec, s64 value)
{
	char buf[MAX_DIGITS], *end = buf + sizeof(buf), *first;
	u64 size = value < 0 ? -(u64)value : (u64)value;
	const char *sign = "";

	if (value < 0)
		sign = "-";
	else if (spec->plus)
		sign = "+";
	else if (spec->space)
		sign = " ";
	first = write_digits(end, size, 10, false);
	print_number(out, spec, sign, first, (int)(end - first));
}

/* Prints %u, %x, %X and %o. */
static void print_unsigned(struct sink *out, const struct spec *spec,
			   u64 value)
{
	char buf[MAX_DIGITS], *end = buf + sizeof(buf), *first;
	bool upper = spec->conversion == 'X';
	const char *prefix = "";
	unsigned base = 10;

	if (spec->conversion == 'o')
		base = 8;
	else if (spec->conversion != 'u')
		base = 16;
	first = write_digits(end, value, base, upper);
	if (spec->alt && base == 16 && value)
		prefix = upper ? "0X" : "0x";
	if (spec->alt && base == 8 && spec->precision <= end - first &&
	    (value || spec->precision == 0))
		*--first = '0';
	print_number(out, spec, prefix, first, (int)(end - first));
}

/* Prints %p: 0x and all digits of an address. */
static void print_pointer(struct sink *out, const struct spec *spec,
			  const void *ptr)
{
	char buf[MAX_DIGITS], *end = buf + sizeof(buf), *first;
	struct spec all = *spec;

	all.precision = 2 * sizeof(ptr);
	first = write_digits(end, (uptr)ptr, 16, false);
	print_number(out, &all, "0x", first, (int)(end - first));
}

/* Prints %s, of which no more than the precision is looked at. */
static void print_string(struct sink *out, const struct spec *spec,
			 const char *s)
{
	size_t limit = spec->precision < 0 ? 0x7FFFFFFF
					   : (size_t)spec->precision;

	if (!s)
		s = "(null)";
	put_padded(out, spec, s, (int)strnlen(s, limit));
}

/* Prints one directive, which stands from start to end in the format. */
static void print_spec(struct sink *out, const struct spec *spec,
		       const char *start, const char *end, va_list *ap)
{
	char c;

	switch (spec->conversion) {
	case 'd': case 'i':
		print_signed(out, spec, arg_signed(spec, ap));
		break;
	case 'u': case 'x': case 'X': case 'o':
		print_unsigned(out, spec, arg_unsigned(spec, ap));
		break;
	case 'c':
		c = (char)va_arg(*ap, int);
		put_padded(out, spec, &c, 1);
		break;
	case 's':
		print_string(out, spec, va_arg(*ap, const char *));
		break;
	case 'p':
		print_pointer(out, spec, va_arg(*ap, const void *));
		break;
	case '%':
		put(out, '%');
		break;
	default:
		put_bytes(out, start, (int)(end - start));
	}
}

/* Formats into a buffer. */
int vsnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	struct sink out = { buf, size, 0 };
	struct spec spec;
	const char *start;
	va_list ap;

	va_copy(ap, args);
	while (*fmt) {
		start = fmt;
		if (*fmt++ != '%') {
			put(&out, *start);
			continue;
		}
		fmt = parse_spec(fmt, &spec, &ap);
		print_spec(&out, &spec, start, fmt, &ap);
	}
	va_end(ap);
	if (size)
		buf[min(out.len, size - 1)] = '\0';
	return (int)out.len;
}

/* Formats into a buffer. */
int snprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	return len;
}

#endif

/* Formats into a buffer and returns what was stored. */
int vscnprintf(char *buf, size_t size, const char *fmt, va_list ap)
{
	int len = vsnprintf(buf, size, fmt, ap);

	if ((size_t)len < size)
		return len;
	return size ? (int)size - 1 : 0;
}

/* Formats into a buffer and returns what was stored. */
int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vscnprintf(buf, size, fmt, ap);
	va_end(ap);
	return len;
}
