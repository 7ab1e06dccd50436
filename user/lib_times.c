/* Times used and how they are printed; see lib_times.h. */
#include <stdio.h>
#include <sys/resource.h>

#include "user/lib_times.h"
#include "user/lib_util.h"

/* Adds what getrusage() says about who. */
static void add_usage(struct times *times, int who)
{
	struct rusage r;

	if (getrusage(who, &r) < 0)
		die_errno("getrusage");
	times->user += r.ru_utime.tv_sec + r.ru_utime.tv_usec / 1e6;
	times->system += r.ru_stime.tv_sec + r.ru_stime.tv_usec / 1e6;
	times->minor += r.ru_minflt;
	times->major += r.ru_majflt;
}

/*
 * What this program and the children it reaped have used altogether, and the
 * time since start_ns, a value of now_ns().
 */
struct times times_since(uint64_t start_ns)
{
	struct times times = {.elapsed_ns = now_ns() - start_ns};

	add_usage(&times, RUSAGE_SELF);
	add_usage(&times, RUSAGE_CHILDREN);
	return times;
}

/* Prints the line. */
void print_times(const struct times *times)
{
	double seconds = times->elapsed_ns / 1e9;
	double busy = times->user + times->system;
	uint64_t cs = times->elapsed_ns / 10000000;
	unsigned hours = cs / 360000, minutes = cs / 6000 % 60;

	printf("%.2fs user %.2fs system %d%% cpu ", times->user, times->system,
	       seconds > 0 ? (int)(busy * 100 / seconds) : 0);
	if (hours)
		printf("%u:%02u:", hours, minutes);
	else
		printf("%u:", minutes);
	printf("%02u.%02u total\n", (unsigned)(cs / 100 % 60),
	       (unsigned)(cs % 100));
}
