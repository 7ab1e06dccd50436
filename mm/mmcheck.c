/*
 * mmcheck: recomputes the invariants of the memory manager from scratch.
 *
 *	echo 1 > /proc/sys/vm/check; cat /proc/sys/vm/check
 *
 * prints "ok", or a line per violation that names the invariant's number in
 * docs/ (1 reverse map, 2 counts, 3 lists, 4 swap map, 5 file index, 6 address
 * spaces).  It is never compiled away; every test ends with it.
 *
 * The check runs without sleeping, so it sees one moment.  At that moment some
 * task may be in the middle of a transfer, holding a reference or a page off
 * its list; such findings are doubts.  They are reported only if they are
 * still there after several runs some ticks apart.
 */
#include "mm/mmcheck.h"

#include <stdarg.h>

#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/vmstat.h"

#define REPORT_SIZE	4096
#define RUNS		6		/* before a doubt is believed */
#define PAUSE		(HZ / 10)

static char report[REPORT_SIZE] = "ok\n";
static size_t report_len;
static int violations, doubts;

/* Adds a formatted line to the report; cut when the report is full. */
static void add_line(const char *fmt, va_list args)
{
	size_t left = sizeof(report) - report_len;

	report_len += vsnprintf(report + report_len, left, fmt, args);
	if (report_len < sizeof(report) - 1)
		report_len += strlcpy(report + report_len, "\n",
				      sizeof(report) - report_len);
	report_len = min(report_len, sizeof(report) - 1);
}

/* An invariant does not hold. */
void violation(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_line(fmt, args);
	va_end(args);
	violations++;
}

/* An invariant does not hold, or a transfer is in progress. */
void doubt(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_line(fmt, args);
	va_end(args);
	doubts++;
}

/* Checks everything once, without sleeping. */
static void check_once(void)
{
	report_len = 0;
	report[0] = '\0';
	violations = doubts = 0;
	atomic_begin();
	check_address_spaces();
	check_file_index();
	check_reverse_map();
	check_pages();
	check_swap();
	atomic_end();
}

/* Lets other tasks finish what they are doing. */
static void pause(void)
{
	current->state = TASK_UNINTERRUPTIBLE;
	schedule_timeout(PAUSE);
}

/* Runs the checker; the violations found.  May sleep between runs. */
int mmcheck_run(void)
{
	check_once();
	for (unsigned run = 1; doubts && !violations && run < RUNS; run++) {
		pause();
		check_once();
	}
	violations += doubts;
	if (violations)
		printk(KERN_ERR "mmcheck: %d violations\n%s", violations,
		       report);
	else
		strlcpy(report, "ok\n", sizeof(report));
	return violations;
}

/* The last report. */
int mmcheck_show(char *buf, size_t size)
{
	return min((int)strlcpy(buf, report, size), (int)size);
}
