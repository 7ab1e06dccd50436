/* Where kernel messages appear, and the log ring they are kept in. */
#ifndef KERNEL_CONSOLE_H
#define KERNEL_CONSOLE_H

#include "lib/list.h"
#include "lib/types.h"

struct console {
	const char *name;		/* "ttyS0", "tty0": console=NAME */
	dev_t dev;			/* its terminal device */
	/* Prints; newlines come bare.  Never sleeps, waits are bounded. */
	void (*write)(const char *s, size_t len);
	bool disabled;			/* not named by console= */
	struct list_head node;
};

/* Adds a console, which first gets what the log holds.  Never sleeps. */
void register_console(struct console *c);

/* The terminal /dev/console stands for: the last console= named, else the
 * screen, else the serial line; 0 when there is no console at all. */
dev_t console_device(void);

/* After the boot parameters: keeps only the consoles that were named. */
void console_select(void);

/* ---- the log, for syslog(2) and /dev/kmsg ---- */
#define LOG_SIZE	65536u		/* bytes kept */

/* Copies messages from position *pos (advanced; lifted to the oldest kept) as
 * "<level>text\n" into buf; the bytes, 0 at the end.  Never sleeps. */
size_t klog_read(u32 *pos, char *buf, size_t size);
/* First and next position of the log. */
u32 klog_first(void);
u32 klog_end(void);
extern struct wait_queue klog_wait;	/* woken when the log grows */
/* Messages of a level below this go to the consoles. */
extern int console_loglevel;

#endif
