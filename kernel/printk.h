/* Kernel messages, panics, and the invariants that stay on in every build. */
#ifndef KERNEL_PRINTK_H
#define KERNEL_PRINTK_H

#include "lib/types.h"

/* Formats a message into the log ring (dmesg) and onto the consoles.  A level
 * prefix KERN_* is optional; "quiet" on the command line keeps all but
 * KERN_ERR and worse off the consoles.  Never sleeps; callable anywhere. */
#define KERN_ERR	"\0013"
#define KERN_WARNING	"\0014"
#define KERN_INFO	"\0016"
void printk(const char *fmt, ...) printf_like(1, 2);

/* A broken invariant: prints "Kernel panic: " and the message, registers, the
 * symbolised call trace and the current task, and stops (or leaves QEMU). */
void panic(const char *fmt, ...) printf_like(1, 2) noreturn;

/* Prints the symbolised return addresses of the current stack. */
void dump_stack(void);

#define BUG_ON(cond) do { \
	if (unlikely(cond)) \
		panic("%s:%d: %s", __FILE__, __LINE__, #cond); \
} while (0)
#define WARN_ON(cond) ({ \
	bool w_ = !!(cond); \
	if (unlikely(w_)) \
		printk(KERN_WARNING "%s:%d: %s\n", __FILE__, __LINE__, #cond); \
	w_; \
})

#endif
