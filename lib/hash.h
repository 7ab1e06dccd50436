/*
 * Hashes for in-memory tables: cheap, well spread, not for hostile keys.
 */
#ifndef LIB_HASH_H
#define LIB_HASH_H

#include "lib/types.h"

/* Hashes a number to 1..32 bits: the top bits of a multiply by 2^32 / phi. */
static inline u32 hash_u32(u32 value, unsigned bits)
{
	return (value * 0x9E3779B9u) >> (32 - bits);
}

/* Hashes a pointer to 1..32 bits. */
static inline u32 hash_ptr(const void *ptr, unsigned bits)
{
	u64 value = (uptr)ptr;

	return hash_u32((u32)(value ^ value >> 32), bits);
}

/* Hashes len bytes to 32 bits (FNV-1a); continue from an earlier hash. */
static inline u32 hash_more(u32 hash, const void *data, size_t len)
{
	const u8 *byte = data;

	while (len--)
		hash = (hash ^ *byte++) * 0x01000193u;
	return hash;
}

/* Hashes len bytes, such as a file name, to 32 bits. */
static inline u32 hash_bytes(const void *data, size_t len)
{
	return hash_more(0x811C9DC5u, data, len);
}

/* Hashes a terminated string to 32 bits. */
static inline u32 hash_string(const char *s)
{
	u32 hash = 0x811C9DC5u;

	while (*s)
		hash = hash_more(hash, s++, 1);
	return hash;
}

#endif
