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
 * its list; such findings are doubts.  A doubt is believed only if the same
 * finding is made again in every one of several runs, further and further
 * apart.
 */
#include "mm/mmcheck.h"

#include <stdarg.h>

#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "lib/hash.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/vmstat.h"

#define REPORT_SIZE	4096
#define RUNS		6		/* before a doubt is believed */
#define FIRST_PAUSE	(HZ / 20)	/* doubled from run to run */
#define MAX_DOUBTS	256

static char report[REPORT_SIZE] = "ok\n";
static size_t report_len;
static int violations;

/* The doubts of this run and of the one before, as hashes of their lines. */
static u32 doubts[MAX_DOUBTS], old_doubts[MAX_DOUBTS];
static int nr_doubts, nr_old_doubts;
static bool first_run;

/* Adds a line to the report; cut when the report is full. */
static void add_line(const char *line)
{
	report_len += snprintf(report + report_len,
			       sizeof(report) - report_len, "%s\n", line);
	report_len = min(report_len, sizeof(report) - 1);
}

/* An invariant does not hold. */
void violation(const char *fmt, ...)
{
	char line[128];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	add_line(line);
	violations++;
}

/* Was this doubt there in the run before? */
static bool doubted_before(u32 hash)
{
	for (int i = 0; i < nr_old_doubts; i++)
		if (old_doubts[i] == hash)
			return true;
	return first_run;
}

/* An invariant does not hold, or a transfer is in progress. */
void doubt(const char *fmt, ...)
{
	char line[128];
	va_list args;
	u32 hash;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	hash = hash_string(line);
	if (nr_doubts == MAX_DOUBTS || !doubted_before(hash))
		return;
	doubts[nr_doubts++] = hash;
	add_line(line);
}

/* Checks everything once, without sleeping. */
static void check_once(void)
{
	memcpy(old_doubts, doubts, sizeof(doubts));
	nr_old_doubts = nr_doubts;
	nr_doubts = 0;
	report_len = 0;
	report[0] = '\0';
	violations = 0;
	atomic_begin();
	check_address_spaces();
	check_file_index();
	check_reverse_map();
	check_pages();
	check_swap();
	atomic_end();
}

/* Lets other tasks finish what they are doing. */
static void pause(long ticks)
{
	current->state = TASK_UNINTERRUPTIBLE;
	schedule_timeout(ticks);
}

/* Runs the checker; the violations found.  May sleep between runs. */
int mmcheck_run(void)
{
	long ticks = FIRST_PAUSE;

	first_run = true;
	check_once();
	first_run = false;
	for (int run = 1; nr_doubts && !violations && run < RUNS; run++) {
		pause(ticks);
		ticks *= 2;
		check_once();
	}
	violations += nr_doubts;
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
