/*
 * Formatted output into memory: %d %i %u %x %X %o %c %s %p %% with the flags
 * 0 - + # space, width and precision (numbers or *), and hh h l ll z t.
 * An unknown conversion is printed as it stands.  %p prints 0x and 8 digits
 * (16 on the host).  A NULL %s prints (null).
 */
#ifndef LIB_PRINTF_H
#define LIB_PRINTF_H

#include <stdarg.h>

#include "lib/types.h"

#ifdef HOST_TEST
#include <stdio.h>
#else
/*
 * Format into buf, at most size bytes with the terminator (which is always
 * there when size > 0); return the length without limit, so >= size means
 * "cut".  Neither sleeps nor fails.
 */
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap)
	printf_like(3, 0);
int snprintf(char *buf, size_t size, const char *fmt, ...) printf_like(3, 4);
#endif

/* As vsnprintf() and snprintf(), but return the length that was stored. */
int vscnprintf(char *buf, size_t size, const char *fmt, va_list ap)
	printf_like(3, 0);
int scnprintf(char *buf, size_t size, const char *fmt, ...) printf_like(3, 4);

#endif
