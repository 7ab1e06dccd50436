/*
 * User memory from the kernel.
 *
 * The CPU checks the mapping; we check that the range lies below TASK_SIZE.
 * An access that faults for good lands at the address the exception table
 * names for the instruction; for the string instructions ecx then says how
 * much was left.
 */
#include "kernel/uaccess.h"

#include "lib/errno.h"
#include "lib/types.h"
#include "mm/page.h"

struct ex_entry {
	u32 fault, fixup;
};

extern const struct ex_entry __start___ex_table[], __stop___ex_table[];

unsigned pagefault_disabled;

/* Where to go on after a fault at `eip`, or 0.  The table has some twenty
 * entries and is searched only when something went wrong. */
u32 search_exception_table(u32 eip)
{
	const struct ex_entry *e;

	for (e = __start___ex_table; e < __stop___ex_table; e++)
		if (e->fault == eip)
			return e->fixup;
	return 0;
}

/* Copies between user and kernel memory; the bytes that were not copied. */
static inline size_t raw_copy(void *to, const void *from, size_t len)
{
	size_t left;

	__asm__ volatile("	movl %%ecx, %%eax\n"
			 "	shrl $2, %%ecx\n"
			 "1:	rep movsl\n"
			 "	movl %%eax, %%ecx\n"
			 "	andl $3, %%ecx\n"
			 "	jz 3f\n"
			 "2:	rep movsb\n"
			 "	jmp 3f\n"
			 "4:	andl $3, %%eax\n"
			 "	leal (%%eax,%%ecx,4), %%ecx\n"
			 "3:\n"
			 EX_TABLE("1b", "4b") EX_TABLE("2b", "3b")
			 : "=c" (left), "+D" (to), "+S" (from)
			 : "0" (len)
			 : "eax", "memory", "cc");
	return left;
}

/* Writes zeros; the bytes that were not written. */
static size_t raw_clear(void *to, size_t len)
{
	size_t left, tail = len & 3;

	__asm__ volatile("1:	rep stosl\n"
			 "	movl %3, %%ecx\n"
			 "2:	rep stosb\n"
			 "	jmp 3f\n"
			 "4:	leal (%3,%%ecx,4), %%ecx\n"
			 "3:\n"
			 EX_TABLE("1b", "4b") EX_TABLE("2b", "3b")
			 : "=c" (left), "+D" (to)
			 : "a" (0), "r" (tail), "0" (len / 4)
			 : "memory");
	return left;
}

/* 0 or -EFAULT; part may have been copied.  May sleep. */
int copy_to_user_any(void *to, const void *from, size_t len)
{
	if (!access_ok(to, len) || raw_copy(to, from, len))
		return -EFAULT;
	return 0;
}

/* 0 or -EFAULT; part may have been copied.  May sleep. */
int copy_from_user_any(void *to, const void *from, size_t len)
{
	if (!access_ok(from, len) || raw_copy(to, from, len))
		return -EFAULT;
	return 0;
}

/* Fills user memory with zeros.  0 or -EFAULT.  May sleep. */
int clear_user(void *to, size_t len)
{
	if (!access_ok(to, len) || raw_clear(to, len))
		return -EFAULT;
	return 0;
}

/* Copies as much as possible; the bytes NOT copied.  May sleep. */
size_t copy_to_user_partial(void *to, const void *from, size_t len)
{
	return access_ok(to, len) ? raw_copy(to, from, len) : len;
}

/* Copies as much as possible; the bytes NOT copied.  May sleep. */
size_t copy_from_user_partial(void *to, const void *from, size_t len)
{
	return access_ok(from, len) ? raw_copy(to, from, len) : len;
}

/* Copies what is present; the bytes NOT copied.  Never sleeps. */
size_t copy_to_user_atomic(void *to, const void *from, size_t len)
{
	size_t left;

	pagefault_disabled++;
	left = copy_to_user_partial(to, from, len);
	pagefault_disabled--;
	return left;
}

/* Copies what is present; the bytes NOT copied.  Never sleeps. */
size_t copy_from_user_atomic(void *to, const void *from, size_t len)
{
	size_t left;

	pagefault_disabled++;
	left = copy_from_user_partial(to, from, len);
	pagefault_disabled--;
	return left;
}

/* Reads a byte of user memory, or writes it back to where it is in one
 * instruction.  0 or -EFAULT.  May sleep. */
static int touch(const u8 *p, bool write)
{
	int error = 0;
	u8 value;

	if (!write)
		return get_user(value, p);
	__asm__ volatile("1:	orb $0, %1\n"
			 "	jmp 3f\n"
			 "2:	movl $-14, %0\n"
			 "3:\n"
			 EX_TABLE("1b", "2b")
			 : "+r" (error), "+m" (*(u8 *)p) : : "cc");
	return error;
}

/* Touches each page of a range.  0 or -EFAULT.  May sleep. */
int fault_in_pages(const void *p, size_t len, bool write)
{
	const u8 *at = p, *last = at + len - 1;

	if (len == 0)
		return 0;
	if (!access_ok(p, len))
		return -EFAULT;
	for (; at <= last; at += PAGE_SIZE)
		if (touch(at, write))
			return -EFAULT;
	return touch(last, write);
}

/* Copies bytes up to and with a NUL; how many were copied before it, or -1
 * after a fault, or `len` when there was none. */
static ssize_t raw_strncpy(char *to, const char *from, size_t len)
{
	ssize_t done = 0;

	__asm__ volatile("	testl %3, %3\n"
			 "	jz 3f\n"
			 "1:	movb (%2,%0), %%al\n"
			 "	movb %%al, (%1,%0)\n"
			 "	testb %%al, %%al\n"
			 "	jz 3f\n"
			 "	incl %0\n"
			 "	cmpl %3, %0\n"
			 "	jne 1b\n"
			 "	jmp 3f\n"
			 "2:	movl $-1, %0\n"
			 "3:\n"
			 EX_TABLE("1b", "2b")
			 : "+r" (done)
			 : "r" (to), "r" (from), "r" (len)
			 : "eax", "memory", "cc");
	return done;
}

/* Copies a string with its NUL; its length, -EFAULT, or -ENAMETOOLONG when
 * `size` bytes were copied without meeting a NUL.  May sleep. */
ssize_t strncpy_from_user(char *to, const char *from, size_t size)
{
	size_t limit = size;
	ssize_t n;

	if ((uptr)from >= TASK_SIZE)
		return -EFAULT;
	if (limit > TASK_SIZE - (uptr)from)
		limit = TASK_SIZE - (uptr)from;
	n = raw_strncpy(to, from, limit);
	if (n < 0)
		return -EFAULT;
	if ((size_t)n < limit)
		return n;
	return limit == size ? -ENAMETOOLONG : -EFAULT;
}
