/*
 * Out of memory: the task that takes everything is killed, nobody else, and
 * all of it comes back.
 *
 * Usage: t_oom now. Without the word nothing is done, as this is for a
 * machine of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"
#include "user/lib_hog.h"
#include "user/lib_util.h"

/* Takes memory until it is killed; 1 if it is refused any. */
static int take_everything(void *arg)
{
	size_t size = 16 << 20;

	(void)arg;
	for (;;) {
		char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			       0);

		if (p == MAP_FAILED)
			return 1;
		memset(p, 'x', size);
	}
}

/* A small task that works all the while; its status is 0 if it was left. */
static int work(void *arg)
{
	int *stop = arg;
	struct hog hog;

	fcntl(*stop, F_SETFL, O_NONBLOCK);
	if (hog_create(&hog, 256, MAP_PRIVATE) < 0)
		return 1;
	for (;;) {
		char c;

		hog_fill(&hog);
		if (hog_check(&hog))
			return 2;
		if (read(*stop, &c, 1) == 1)
			return 0;
		sleep_ms(5);
	}
}

/* One task takes all, another works, this one looks on. */
static void test_kill(void)
{
	int ends[2];
	long long kills = proc_value("/proc/vmstat", "oom_kill");
	struct hog mine;
	pid_t worker;

	if (pipe(ends) < 0 || hog_create(&mine, 512, MAP_PRIVATE) < 0)
		bail_out("no memory: %s", strerror(errno));
	hog_fill(&mine);
	worker = start_child(work, &ends[0]);
	is(run_child(take_everything, NULL), -SIGKILL,
	   "the task that takes everything is killed by SIGKILL");
	is(run_child(take_everything, NULL), -SIGKILL, "another one too");
	say_ready(ends[1]);
	is(wait_status(worker), 0, "a task that works is left alone");
	is(hog_check(&mine), 0, "and our own pages are right");
	if (kills >= 0)
		is(proc_value("/proc/vmstat", "oom_kill") - kills, 2,
		   "oom_kill counts both");
	else
		skip(1, "no counter oom_kill");
	hog_destroy(&mine);
}

/* What was taken can be had again. */
static void test_again(void)
{
	size_t pages = proc_value("/proc/meminfo", "MemTotal") / 4 / 2;
	struct hog hog;

	ok(proc_value("/proc/meminfo", "MemFree") / 4 > (long long)pages / 2,
	   "memory is free again");
	if (!ok(hog_create(&hog, pages, MAP_PRIVATE) == 0, "map half of it"))
		return;
	hog_fill(&hog);
	is(hog_check(&hog), 0, "half of the memory, written and checked");
	hog_destroy(&hog);
}

int main(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "now")) {
		skip(1, "only done as 't_oom now'");
		return done();
	}
	test_kill();
	test_again();
	return done();
}
