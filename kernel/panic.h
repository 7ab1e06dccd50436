/* The end: a broken invariant is reported as fully as possible. */
#ifndef KERNEL_PANIC_H
#define KERNEL_PANIC_H

#include "lib/types.h"

struct trap_frame;

/* panic() with the registers of a trap. */
void die(const struct trap_frame *tf, const char *fmt, ...)
	printf_like(2, 3) noreturn;

/* Prints what looks like return addresses on the stack from `sp` up to its
 * end, with symbols. */
void print_trace(const u32 *sp);

#endif
