/*
 * User memory from the kernel.  Every access is checked against TASK_SIZE and
 * may fault; a fault that cannot be resolved lands in the exception table and
 * becomes -EFAULT.  All of these may sleep (the fault may read from disk).
 */
#ifndef KERNEL_UACCESS_H
#define KERNEL_UACCESS_H

#include "lib/errno.h"
#include "lib/types.h"

#define TASK_SIZE	0xC0000000u	/* user addresses are below */
#define __user

static inline bool access_ok(const void __user *p, size_t len)
{
	return len <= TASK_SIZE && (uptr)p <= TASK_SIZE - len;
}

/* In inline assembly: after a fault at label `fault`, go on at `fixup`. */
#define EX_TABLE(fault, fixup) \
	".pushsection __ex_table,\"a\"\n" \
	"	.long " fault ", " fixup "\n" \
	".popsection\n"

/* One move to or from user memory; `error` becomes -EFAULT if it faults. */
#define USER_MOVE(insn, error, output, input) \
	__asm__ volatile("1:	" insn " %2, %1\n" \
			 "2:\n" \
			 ".pushsection .text.fixup,\"ax\"\n" \
			 "3:	movl $-14, %0\n" \
			 "	jmp 2b\n" \
			 ".popsection\n" \
			 EX_TABLE("1b", "3b") \
			 : "+r" (error), output : input)

int copy_to_user_any(void __user *to, const void *from, size_t len);
int copy_from_user_any(void *to, const void __user *from, size_t len);

/* 0, or -EFAULT (part may have been copied).  A copy of a few bytes whose
 * number the compiler knows is a move or two; get_user() and put_user() are
 * that. */
static inline must_check int copy_to_user(void __user *to, const void *from,
					  size_t len)
{
	const u32 *word = from;
	u32 *out = to;
	int error = 0;

	if (!__builtin_constant_p(len) ||
	    (len != 1 && len != 2 && len != 4 && len != 8))
		return copy_to_user_any(to, from, len);
	if (!access_ok(to, len))
		return -EFAULT;
	if (len == 1)
		USER_MOVE("movb", error, "=m" (*(u8 *)to),
			  "q" (*(const u8 *)from));
	if (len == 2)
		USER_MOVE("movw", error, "=m" (*(u16 *)to),
			  "r" (*(const u16 *)from));
	if (len == 4 || len == 8)
		USER_MOVE("movl", error, "=m" (out[0]), "r" (word[0]));
	if (len == 8)
		USER_MOVE("movl", error, "=m" (out[1]), "r" (word[1]));
	return error;
}

static inline must_check int copy_from_user(void *to, const void __user *from,
					    size_t len)
{
	const u32 *word = from;
	u32 *out = to, low = 0, high = 0;
	int error = 0;

	if (!__builtin_constant_p(len) ||
	    (len != 1 && len != 2 && len != 4 && len != 8))
		return copy_from_user_any(to, from, len);
	if (!access_ok(from, len))
		return -EFAULT;
	if (len == 1)
		USER_MOVE("movzbl", error, "=r" (low),
			  "m" (*(const u8 *)from));
	if (len == 2)
		USER_MOVE("movzwl", error, "=r" (low),
			  "m" (*(const u16 *)from));
	if (len == 4 || len == 8)
		USER_MOVE("movl", error, "=r" (low), "m" (word[0]));
	if (len == 8)
		USER_MOVE("movl", error, "=r" (high), "m" (word[1]));
	if (len == 1)
		*(u8 *)to = low;
	if (len == 2)
		*(u16 *)to = low;
	if (len == 4 || len == 8)
		out[0] = low;
	if (len == 8)
		out[1] = high;
	return error;
}

int clear_user(void __user *to, size_t len) must_check;

/* Copy as much as possible; return the number of bytes NOT copied. */
size_t copy_to_user_partial(void __user *to, const void *from, size_t len);
size_t copy_from_user_partial(void *to, const void __user *from, size_t len);

/* As above with page faults disabled: a page that is not present counts as
 * not copied.  For copying while a page lock is held.  Never sleep. */
size_t copy_to_user_atomic(void __user *to, const void *from, size_t len);
size_t copy_from_user_atomic(void *to, const void __user *from, size_t len);

/* Touches the first and last byte of each page so that it is present (and
 * writable if `write`) unless it is evicted again at once.  0 or -EFAULT. */
int fault_in_pages(const void __user *p, size_t len, bool write);

/* Copies a string with its NUL into `to`; its length without the NUL, -EFAULT,
 * or -ENAMETOOLONG when it does not fit in `size` bytes. */
ssize_t strncpy_from_user(char *to, const char __user *from, size_t size);

#define get_user(x, ptr)	copy_from_user(&(x), (ptr), sizeof(x))
#define put_user(x, ptr) ({ \
	__typeof__(*(ptr)) v_ = (x); \
	copy_to_user((ptr), &v_, sizeof(v_)); \
})

/* Page faults in the kernel on user addresses fail at once while non-zero. */
extern unsigned pagefault_disabled;

/* If `eip` is in the exception table, the address to go on at; else 0. */
u32 search_exception_table(u32 eip);

#endif
