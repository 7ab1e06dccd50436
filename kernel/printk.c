/*
 * Kernel messages: a ring of the last 64 KB, and the consoles.
 *
 *	...<6>one line\n<4>another\n	position: bytes ever logged
 *	   ^klog_first()              ^klog_end()
 *
 * Lines are stored with their level in front, as syslog(2) hands them out.  A
 * console that registers late first gets what the ring holds, so nothing
 * printed early is lost.
 */
#include <stdarg.h>

#include "kernel/console.h"
#include "kernel/cpu.h"
#include "kernel/param.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "lib/printf.h"
#include "lib/string.h"

#define LINE_SIZE	320		/* longer messages are cut */
#define DEFAULT_LEVEL	6		/* KERN_INFO */
#define QUIET_LEVEL	4

int console_loglevel = 7;
static char log_buf[LOG_SIZE];
static u32 log_end;			/* position after the last byte */
static bool line_open;			/* the last message had no newline */
static int open_level;			/* level of the line being continued */
static LIST_HEAD(consoles);
static char selected[4][16];		/* console= in the order given */
static unsigned nr_selected;
struct wait_queue klog_wait = WAIT_QUEUE_INIT(klog_wait);

/* Appends bytes to the ring, over the oldest. */
static void log_append(const char *s, size_t len)
{
	while (len--)
		log_buf[log_end++ % LOG_SIZE] = *s++;
}

/* Stores one message, with its level before each line. */
static void log_message(int level, const char *s)
{
	char prefix[3] = { '<', '0' + level, '>' };
	u32 flags = irq_save();
	size_t len;

	while (*s) {
		const char *newline = strchr(s, '\n');

		if (!line_open)
			log_append(prefix, sizeof(prefix));
		len = newline ? (size_t)(newline + 1 - s) : strlen(s);
		log_append(s, len);
		line_open = !newline;
		s += len;
	}
	irq_restore(flags);
}

/* Prints on every console that is in use. */
static void write_consoles(const char *s)
{
	struct console *c;

	list_for_each_entry(c, &consoles, node)
		if (!c->disabled)
			c->write(s, strlen(s));
}

/* Logs and prints a message; see the header. */
void printk(const char *fmt, ...)
{
	int level = line_open ? open_level : DEFAULT_LEVEL;
	char line[LINE_SIZE];
	va_list ap;

	if (fmt[0] == '\001') {
		level = fmt[1] - '0';
		fmt += 2;
	}
	va_start(ap, fmt);
	vscnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	open_level = level;
	log_message(level, line);
	if (level < console_loglevel)
		write_consoles(line);
	if (!list_empty(&klog_wait.waiters))
		raise_softirq(SOFTIRQ_TTY);
}

/* First position of the log that is still kept. */
u32 klog_first(void)
{
	return log_end > LOG_SIZE ? log_end - LOG_SIZE : 0;
}

/* Position of the next byte to be logged. */
u32 klog_end(void)
{
	return log_end;
}

/* Copies from position *pos on and advances it; see the header. */
size_t klog_read(u32 *pos, char *buf, size_t size)
{
	size_t n;

	if (*pos > log_end || *pos < klog_first())
		*pos = klog_first();
	for (n = 0; n < size && *pos < log_end; n++)
		buf[n] = log_buf[(*pos)++ % LOG_SIZE];
	return n;
}

/* Prints the log so far on a new console, without the level marks. */
static void replay(struct console *c)
{
	bool line_start = true, shown = false;
	u32 pos;

	for (pos = klog_first(); pos < log_end; pos++) {
		char ch = log_buf[pos % LOG_SIZE];

		if (line_start && ch == '<' && log_end - pos > 3) {
			ch = log_buf[(pos + 1) % LOG_SIZE];
			shown = ch - '0' < console_loglevel;
			pos += 2;
			line_start = false;
			continue;
		}
		line_start = ch == '\n';
		if (shown)
			c->write(&ch, 1);
	}
}

/* Adds a console, which first gets what the log holds. */
void register_console(struct console *c)
{
	list_add_tail(&c->node, &consoles);
	replay(c);
}

/* The registered console of a name, or NULL. */
static struct console *find_console(const char *name)
{
	struct console *c;

	list_for_each_entry(c, &consoles, node)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/* The terminal /dev/console stands for; 0 when there is no console. */
dev_t console_device(void)
{
	struct console *c;
	unsigned i;

	for (i = nr_selected; i-- > 0;)
		if ((c = find_console(selected[i])))
			return c->dev;
	c = find_console("tty0");
	if (!c)
		c = find_console("ttyS0");
	return c ? c->dev : 0;
}

/* Keeps only the consoles named by console=; all, when none of those exists. */
void console_select(void)
{
	struct console *c;
	bool any = false;
	unsigned i;

	for (i = 0; i < nr_selected; i++)
		any |= find_console(selected[i]) != NULL;
	if (nr_selected && !any)
		printk(KERN_ERR "console=%s: no such device, using all\n",
		       selected[nr_selected - 1]);
	if (!any)
		return;
	list_for_each_entry(c, &consoles, node) {
		c->disabled = true;
		for (i = 0; i < nr_selected; i++)
			if (!strcmp(c->name, selected[i]))
				c->disabled = false;
	}
}

/* console=ttyS0[,SPEED] or tty0; the speed is always 115200. */
static int set_console(const char *value)
{
	char name[16];
	char *comma;

	strlcpy(name, value, sizeof(name));
	comma = strchr(name, ',');
	if (comma)
		*comma = '\0';
	if (strcmp(name, "ttyS0") && strcmp(name, "tty0"))
		return -1;
	if (nr_selected < ARRAY_SIZE(selected))
		strlcpy(selected[nr_selected++], name, sizeof(name));
	return 0;
}
BOOT_PARAM(console, "console", "ttyS0[,115200], tty0; may be repeated",
	   set_console);

/* quiet: only errors on the consoles. */
static int set_quiet(unused_arg const char *value)
{
	console_loglevel = QUIET_LEVEL;
	return 0;
}
BOOT_PARAM(quiet, "quiet", "no value", set_quiet);

/* loglevel=N: messages below level N on the consoles. */
static int set_loglevel(const char *value)
{
	u32 level;

	if (kstrtou32(value, 10, &level) || level > 8)
		return -1;
	console_loglevel = level;
	return 0;
}
BOOT_PARAM(loglevel, "loglevel", "0 (nothing) to 8 (everything)",
	   set_loglevel);
