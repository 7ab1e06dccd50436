/*
 * Memory and string functions.  The standard names do what C says; on the
 * host (HOST_TEST) the C library provides them and only the others are ours.
 */
#ifndef LIB_STRING_H
#define LIB_STRING_H

#include "lib/types.h"

#ifdef HOST_TEST
#include <string.h>
#else
void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *s, int c, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strstr(const char *s, const char *part);

/* Let the compiler open-code what is short and of constant size. */
#define memcpy	__builtin_memcpy
#define memset	__builtin_memset
#define memcmp	__builtin_memcmp
#define strlen	__builtin_strlen
#endif

/*
 * Copies (appends) as much of src as fits in size bytes, always terminated
 * when size > 0; returns the length it wanted, so >= size means "cut".
 */
size_t strlcpy(char *dst, const char *src, size_t size);
size_t strlcat(char *dst, const char *src, size_t size);

/*
 * Parses a whole string (one trailing newline allowed, no sign, no spaces) as
 * a number in base 2..16, or in C's notation if base is 0.  0 and the value in
 * *result, else -EINVAL (not a number) or -ERANGE, and *result is untouched.
 */
must_check int kstrtou32(const char *s, unsigned base, u32 *result);
must_check int kstrtou64(const char *s, unsigned base, u64 *result);

/* Parses a size such as 64M or 0x1000 (suffixes k, m, g); errors as above. */
must_check int parse_size(const char *s, u64 *result);

#endif
