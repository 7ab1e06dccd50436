/*
 * Memory and string functions.
 *
 * Copies and fills use the string instructions: rep movsl and rep stosl move a
 * word per step without loop overhead, which is the fastest way that needs no
 * SSE registers.  The direction flag is clear by the ABI.
 *
 * A host test that wants these and not the C library's renames them with
 * macros, defines LIB_UNDER_TEST and includes this file.
 */
#include "lib/errno.h"
#include "lib/string.h"

#if !defined(HOST_TEST) || defined(LIB_UNDER_TEST)

#ifndef LIB_UNDER_TEST
#undef memcpy
#undef memset
#undef memcmp
#undef strlen
#endif

#ifndef __clang__
/* Do not turn the loop in strlen() into a call of strlen(). */
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

/* Copies n bytes upwards, by words while there are four left. */
static inline void copy_up(void *dst, const void *src, size_t n)
{
#ifdef __i386__
	size_t words = n / 4;

	__asm__ volatile("rep movsl"
			 : "+D" (dst), "+S" (src), "+c" (words)
			 : : "memory");
	n %= 4;
	if (!n)
		return;
#endif
	__asm__ volatile("rep movsb"
			 : "+D" (dst), "+S" (src), "+c" (n)
			 : : "memory");
}

/* Copies n bytes; the areas must not overlap. */
void *memcpy(void *dst, const void *src, size_t n)
{
	copy_up(dst, src, n);
	return dst;
}

/* Copies n bytes; the areas may overlap. */
void *memmove(void *dst, const void *src, size_t n)
{
	u8 *to = dst;
	const u8 *from = src;

	if ((uptr)to - (uptr)from >= n) {
		copy_up(dst, src, n);
		return dst;
	}
	while (n--)
		to[n] = from[n];
	return dst;
}

/* Fills n bytes with c. */
void *memset(void *dst, int c, size_t n)
{
	void *at = dst;
#ifdef __i386__
	size_t words = n / 4;

	__asm__ volatile("rep stosl"
			 : "+D" (at), "+c" (words)
			 : "a" ((u8)c * 0x01010101u)
			 : "memory");
	n %= 4;
	if (!n)
		return dst;
#endif
	__asm__ volatile("rep stosb"
			 : "+D" (at), "+c" (n)
			 : "a" (c)
			 : "memory");
	return dst;
}

/* Compares n bytes, as unsigned numbers. */
int memcmp(const void *a, const void *b, size_t n)
{
	const u8 *x = a, *y = b;

	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

/* The first of n bytes that equals c, or NULL. */
void *memchr(const void *s, int c, size_t n)
{
	const u8 *at = s;

	for (; n; n--, at++)
		if (*at == (u8)c)
			return (void *)(uptr)at;
	return NULL;
}

/* The length of a string. */
size_t strlen(const char *s)
{
	const char *end = s;

	while (*end)
		end++;
	return (size_t)(end - s);
}

/* The length of a string of which at most max characters are looked at. */
size_t strnlen(const char *s, size_t max)
{
	size_t len = 0;

	while (len < max && s[len])
		len++;
	return len;
}

/* Compares two strings, by unsigned characters. */
int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (u8)*a - (u8)*b;
}

/* Compares at most n characters of two strings. */
int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (u8)*a - (u8)*b;
	return 0;
}

/* The first c in s (its end if c is 0), or NULL. */
char *strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)(uptr)s;
}

/* The last c in s (its end if c is 0), or NULL. */
char *strrchr(const char *s, int c)
{
	const char *last = NULL;

	for (;; s++) {
		if (*s == (char)c)
			last = s;
		if (!*s)
			return (char *)(uptr)last;
	}
}

/* The first place in s where part stands, or NULL. */
char *strstr(const char *s, const char *part)
{
	size_t len = strlen(part);

	for (; strncmp(s, part, len); s++)
		if (!*s)
			return NULL;
	return (char *)(uptr)s;
}

#endif

/* Copies a string into size bytes. */
size_t strlcpy(char *dst, const char *src, size_t size)
{
	size_t len = strlen(src), n;

	if (size) {
		n = min(len, size - 1);
		memcpy(dst, src, n);
		dst[n] = '\0';
	}
	return len;
}

/* Appends a string within size bytes; size if dst is not terminated there. */
size_t strlcat(char *dst, const char *src, size_t size)
{
	size_t used = strnlen(dst, size);

	return used + strlcpy(dst + used, src, size - used);
}
