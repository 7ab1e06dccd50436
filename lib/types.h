/*
 * The integer types and the few macros that everything uses.
 *
 * No state, no functions: safe to include from anywhere, also on the host.
 */
#ifndef LIB_TYPES_H
#define LIB_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#ifdef HOST_TEST		/* as in the host's own headers, which define */
typedef ptrdiff_t ssize_t;	/* too much else to be included here */
typedef u64 dev_t;
#else
typedef s32 ssize_t;
typedef u32 dev_t;
#endif
typedef s32 pid_t;
typedef u32 uid_t;
typedef u32 gid_t;
typedef u32 mode_t;
typedef s64 loff_t;	/* byte offset in a file */
typedef uintptr_t uptr;	/* an address as a number; 32 bits in the kernel */
typedef intptr_t sptr;	/* a pointer as a signed number, for ERR_PTR */
typedef u64 sector_t;	/* 512-byte sector number on a block device */

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); \
	a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); \
	a_ > b_ ? a_ : b_; })
#define round_up(x, a)		(((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define round_down(x, a)	((x) & ~((__typeof__(x))(a) - 1))
#define div_round_up(x, d)	(((x) + (d) - 1) / (d))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define noinline		__attribute__((noinline))
#define noreturn		__attribute__((noreturn))
#define packed			__attribute__((packed))
#define aligned(n)		__attribute__((aligned(n)))
#define printf_like(f, a)	__attribute__((format(printf, f, a)))
#define must_check		__attribute__((warn_unused_result))
#define unused_arg		__attribute__((unused))
#define barrier()		__asm__ volatile("" ::: "memory")

#endif
