/*
 * Times and faults: they only grow, they are charged to who caused them, and
 * a parent gets those of the children it waited for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"
#include "user/lib_util.h"

/* Microseconds of a struct timeval. */
static long long us(struct timeval t)
{
	return t.tv_sec * 1000000ll + t.tv_usec;
}

/* What getrusage() says of who. */
static struct rusage usage(int who)
{
	struct rusage r;

	if (getrusage(who, &r) < 0)
		bail_out("getrusage: %s", strerror(errno));
	return r;
}

/* Computes until this task itself has used so much user time. */
static void burn_user(long long wanted)
{
	long long start = us(usage(RUSAGE_SELF).ru_utime);
	uint64_t give_up = now_ns() + 20000000000ull;
	volatile unsigned x = 1;
	int i;

	while (us(usage(RUSAGE_SELF).ru_utime) - start < wanted &&
	       now_ns() < give_up)
		for (i = 0; i < 200000; i++)
			x = x * 3 + 1;
}

/* Makes system calls until this task has used so much system time. */
static void burn_system(long long wanted)
{
	long long start = us(usage(RUSAGE_SELF).ru_stime);
	uint64_t give_up = now_ns() + 20000000000ull;
	char buf[512];
	int fd = open("/dev/zero", O_RDONLY), i;

	while (us(usage(RUSAGE_SELF).ru_stime) - start < wanted &&
	       now_ns() < give_up)
		for (i = 0; i < 1000; i++)
			read(fd, buf, sizeof(buf));
	close(fd);
}

/* Time goes to the side that spends it, and sleeping costs none. */
static void test_times(void)
{
	struct rusage a = usage(RUSAGE_SELF), b, c;
	uint64_t start = now_ns();
	long long elapsed;

	burn_user(100000);
	b = usage(RUSAGE_SELF);
	elapsed = (now_ns() - start) / 1000;
	ok(us(b.ru_utime) - us(a.ru_utime) >= 100000, "user time grows");
	ok(us(b.ru_utime) - us(a.ru_utime) <= elapsed + 20000,
	   "not faster than the clock");
	burn_system(50000);
	c = usage(RUSAGE_SELF);
	ok(us(c.ru_stime) - us(b.ru_stime) >= 50000, "system time grows");
	sleep_ms(200);
	a = usage(RUSAGE_SELF);
	ok(us(a.ru_utime) + us(a.ru_stime) - us(c.ru_utime) - us(c.ru_stime) <
		   100000,
	   "a sleep of 200 ms takes none");
}

/* Reading it often, neither time ever goes back. */
static void test_monotone(void)
{
	struct rusage old = usage(RUSAGE_SELF), new;
	uint64_t then = now_ns(), now;
	int i, back = 0;

	for (i = 0; i < 5000; i++) {
		new = usage(RUSAGE_SELF);
		now = now_ns();
		back += us(new.ru_utime) < us(old.ru_utime) ||
			us(new.ru_stime) < us(old.ru_stime) || now < then;
		old = new;
		then = now;
	}
	is(back, 0, "5000 readings never go back");
}

/* Touches 300 new pages. */
static int touch_pages(void *arg)
{
	char *p = map_anon(300 * PAGE, MAP_PRIVATE);
	int i;

	(void)arg;
	madvise(p, 300 * PAGE, MADV_NOHUGEPAGE);
	for (i = 0; i < 300; i++)
		p[i * PAGE] = 1;
	munmap(p, 300 * PAGE);
	return 0;
}

/* Minor faults: one for each new page. */
static void test_minor(void)
{
	struct rusage a, b, own;
	pid_t pid;

	a = usage(RUSAGE_SELF);
	touch_pages(NULL);
	b = usage(RUSAGE_SELF);
	ok(b.ru_minflt - a.ru_minflt >= 300 && b.ru_minflt - a.ru_minflt < 340,
	   "300 new pages are %ld minor faults", b.ru_minflt - a.ru_minflt);
	is(b.ru_majflt - a.ru_majflt, 0, "and no major one");
	a = usage(RUSAGE_CHILDREN);
	pid = start_child(touch_pages, NULL);
	wait4(pid, NULL, 0, &own);
	b = usage(RUSAGE_CHILDREN);
	ok(own.ru_minflt >= 300, "a child's, by wait4: %ld", own.ru_minflt);
	is(b.ru_minflt - a.ru_minflt, own.ru_minflt, "and by RUSAGE_CHILDREN");
}

/* A child whose own child used time. */
static int burn_below(void *arg)
{
	if (arg)
		return run_child(burn_below, NULL);
	burn_user(60000);
	return 0;
}

/* Times of children arrive when they are waited for, over generations. */
static void test_children(void)
{
	struct rusage a = usage(RUSAGE_CHILDREN), b;
	struct tms before, after;
	pid_t pid;

	times(&before);
	pid = start_child(burn_below, "below");
	sleep_ms(10);
	b = usage(RUSAGE_CHILDREN);
	is(us(b.ru_utime), us(a.ru_utime), "nothing before wait()");
	wait_status(pid);
	b = usage(RUSAGE_CHILDREN);
	times(&after);
	ok(us(b.ru_utime) - us(a.ru_utime) >= 60000,
	   "a grandchild's time: %lld us", us(b.ru_utime) - us(a.ru_utime));
	ok(after.tms_cutime - before.tms_cutime >= 5, "times() has it too");
}

/* Is no page of the mapping in memory? */
static int all_out(char *p, int n)
{
	unsigned char vec[64];

	return mincore(p, n * PAGE, vec) == 0 &&
	       count_bytes(vec, n, 0) == (size_t)n;
}

/* A major fault for a file page that has to be read from the disk. */
static void test_major(void)
{
	int fd = make_file("major", 0), i;
	char page[PAGE], *p;
	struct rusage a, b;

	memset(page, 'm', PAGE);
	for (i = 0; i < 64; i++)
		write(fd, page, PAGE);
	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	p = map(64 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (!all_out(p, 64)) {
		skip(2, "the file cannot be thrown out of memory");
	} else {
		a = usage(RUSAGE_SELF);
		is(count_bytes(p, 64 * PAGE, 'm'), 64 * PAGE, "read a file");
		b = usage(RUSAGE_SELF);
		ok(b.ru_majflt - a.ru_majflt >= 1, "%ld major faults",
		   b.ru_majflt - a.ru_majflt);
	}
	munmap(p, 64 * PAGE);
	close(fd);
}

int main(void)
{
	enter_test_dir("t_rusage");
	test_times();
	test_monotone();
	test_minor();
	test_children();
	test_major();
	return done();
}
