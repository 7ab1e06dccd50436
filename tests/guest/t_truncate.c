/*
 * truncate against mappings: exactly the pages behind the end fault, the
 * rest of the last page is zero, copies of what is cut off go too, and a file
 * made longer again shows zeros.
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

#define RW (PROT_READ | PROT_WRITE)

/* A file of n pages filled with c, mapped. */
static char *filled(const char *name, int n, char c, int flags, int *fd)
{
	char page[PAGE], *p;
	int i;

	*fd = make_file(name, 0);
	memset(page, c, PAGE);
	for (i = 0; i < n; i++)
		if (write(*fd, page, PAGE) != PAGE)
			bail_out("cannot write: %s", strerror(errno));
	p = map(n * PAGE, RW, flags, *fd, 0);
	return p;
}

/* Do exactly the pages from first on fault with SIGBUS, up to end? */
static int bus_from(const char *p, int first, int end)
{
	int i, right = 0;

	for (i = 0; i < end; i++) {
		struct fault f = try_read(p + i * PAGE + 7);

		right += i < first ? f.sig == 0
				   : f.sig == SIGBUS &&
					     f.addr == p + i * PAGE + 7;
	}
	return right == end;
}

/* Where the end is, seen through a mapping longer than the file. */
static void test_end(void)
{
	static const int sizes[] = {0,        1,        PAGE - 1,      PAGE,
				    PAGE + 1, 5 * PAGE, 5 * PAGE + 100};
	int fd = make_file("end", 0), pages;
	char *p = map(8 * PAGE, RW, MAP_SHARED, fd, 0);
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		ftruncate(fd, sizes[i]);
		pages = (sizes[i] + PAGE - 1) / PAGE;
		ok(bus_from(p, pages, 8), "%d bytes: SIGBUS from page %d on",
		   sizes[i], pages);
	}
	munmap(p, 8 * PAGE);
	close(fd);
}

/* The last page, partly in the file. */
static void test_last_page(void)
{
	int fd;
	char *p = filled("last", 2, 'a', MAP_SHARED, &fd), buf[2 * PAGE];

	is(ftruncate(fd, PAGE + 100), 0, "cut inside a page");
	is(count_bytes(p, PAGE + 100, 'a'), PAGE + 100, "what is kept");
	is(count_bytes(p + PAGE + 100, PAGE - 100, 0), PAGE - 100,
	   "the rest of the page is zero");
	memset(p + PAGE, 'b', PAGE);
	is(file_size("last"), PAGE + 100,
	   "a mapped write leaves the size alone");
	is(msync(p, 2 * PAGE, MS_SYNC), 0, "written back");
	is(ftruncate(fd, 2 * PAGE), 0, "extend");
	is(pread(fd, buf, 2 * PAGE, 0), 2 * PAGE, "read all");
	is(count_bytes(buf + PAGE, 100, 'b'), 100, "what was inside is kept");
	is(count_bytes(buf + PAGE + 100, PAGE - 100, 0), PAGE - 100,
	   "what was written behind the end is not");
	munmap(p, 2 * PAGE);
	close(fd);
}

/* The other task: sees six pages first, and two once told to go on. */
static int sees_only_two(void *arg)
{
	struct {
		char *map;
		int go, done;
	} *a = arg;
	int before = bus_from(a->map, 6, 6);

	say_ready(a->done);
	wait_until_ready(a->go);
	return before && bus_from(a->map, 2, 6) ? 0 : 1;
}

/* Shared pages go at once, in every task that maps them. */
static void test_shared(void)
{
	struct {
		char *map;
		int go, done;
	} arg;
	int fd, there[2], back[2];
	pid_t pid;

	if (pipe(there) < 0 || pipe(back) < 0)
		bail_out("pipe: %s", strerror(errno));
	arg.map = filled("shared", 6, 's', MAP_SHARED, &fd);
	arg.go = there[0];
	arg.done = back[1];
	pid = start_child(sees_only_two, &arg);
	wait_until_ready(back[0]);
	is(ftruncate(fd, 2 * PAGE), 0, "cut under two tasks");
	ok(bus_from(arg.map, 2, 6), "this one sees it");
	say_ready(there[1]);
	is(wait_status(pid), 0, "the other too");
	is(ftruncate(fd, 6 * PAGE), 0, "extend");
	is(count_bytes(arg.map, 6 * PAGE, 's'), 2 * PAGE, "kept pages");
	is(count_bytes(arg.map + 2 * PAGE, 4 * PAGE, 0), 4 * PAGE,
	   "new pages are zero");
	munmap(arg.map, 6 * PAGE);
	close(fd), close(there[0]), close(there[1]);
	close(back[0]), close(back[1]);
}

/* Copies that a private mapping made go with the file's pages. */
static void test_private(void)
{
	int fd;
	char *p = filled("private", 4, 'f', MAP_PRIVATE, &fd);

	p[0] = p[PAGE] = p[3 * PAGE] = 'p';
	is(ftruncate(fd, PAGE), 0, "cut under a private mapping");
	ok(bus_from(p, 1, 4), "copied pages behind the end are gone");
	is(p[0], 'p', "one before it stays");
	is(ftruncate(fd, 4 * PAGE), 0, "extend");
	is(count_bytes(p + PAGE, 3 * PAGE, 0), 3 * PAGE, "zeros there");
	p[PAGE] = 'q';
	ok(p[PAGE] == 'q' && p[0] == 'p', "and it can be written again");
	munmap(p, 4 * PAGE);
	close(fd);
}

/* A page that lost its file behind the back of a dirty mapping. */
static void test_dirty(void)
{
	int fd, i, right = 0;
	char *p = filled("dirty", 8, 'd', MAP_SHARED, &fd), buf[PAGE];

	for (i = 0; i < 20; i++) {
		memset(p, 'x', 8 * PAGE);
		if (i % 3 == 0)
			msync(p, 8 * PAGE, MS_ASYNC);
		if (i % 3 == 1)
			msync(p, 8 * PAGE, MS_SYNC);
		ftruncate(fd, PAGE / 2);
		ftruncate(fd, 8 * PAGE);
		right += count_bytes(p, 8 * PAGE, 'x') == PAGE / 2 &&
			 count_bytes(p, 8 * PAGE, 0) == 8 * PAGE - PAGE / 2;
	}
	is(right, 20, "dirty, cut, extended: zeros each time");
	fsync(fd);
	is(pread(fd, buf, PAGE, 0), PAGE, "read");
	is(count_bytes(buf, PAGE, 'x'), PAGE / 2, "the file agrees");
	munmap(p, 8 * PAGE);
	close(fd);
}

/* Two windows on different parts, and one not touched by the cut. */
static void test_windows(void)
{
	int fd;
	char *p = filled("windows", 10, 'w', MAP_SHARED, &fd);
	char *q = map(4 * PAGE, PROT_READ, MAP_SHARED, fd, 4 * PAGE);
	char *r = map(2 * PAGE, PROT_READ, MAP_PRIVATE, fd, 8 * PAGE);

	ok(bus_from(q, 4, 4) && bus_from(r, 2, 2), "all windows are there");
	ftruncate(fd, 5 * PAGE + 1);
	ok(bus_from(p, 6, 10), "the whole");
	ok(bus_from(q, 2, 4), "a window over the end");
	ok(bus_from(r, 0, 2), "a window behind it");
	munmap(p, 10 * PAGE), munmap(q, 4 * PAGE), munmap(r, 2 * PAGE);
	close(fd);
}

/* Touches pages in order as fast as it can, until told to end. */
static int keep_touching(void *arg)
{
	struct {
		char *map;
		volatile int *stop;
	} *a = arg;
	unsigned long n = 0;

	while (!*a->stop) {
		struct fault f = try_write(a->map + n++ % 16 * PAGE);

		if (f.sig && f.sig != SIGBUS)
			return 1;
	}
	return 0;
}

/* Up and down while others fault on the same pages. */
static void test_race(void)
{
	struct {
		char *map;
		volatile int *stop;
	} arg;
	int fd, i, wrong = 0;
	pid_t pids[3];
	char buf[PAGE];

	arg.map = filled("race", 16, 'r', MAP_SHARED, &fd);
	arg.stop = map_anon(PAGE, MAP_SHARED);
	for (i = 0; i < 3; i++)
		pids[i] = start_child(keep_touching, &arg);
	for (i = 0; i < 300; i++) {
		ftruncate(fd, i % 16 * PAGE + i);
		ftruncate(fd, 16 * PAGE);
		pread(fd, buf, PAGE, 15 * PAGE);
		wrong += count_bytes(buf + 1, PAGE - 1, 0) != PAGE - 1;
		if (i % 50 == 0)
			sleep_ms(2);
	}
	*arg.stop = 1;
	for (i = 0; i < 3; i++)
		is(wait_status(pids[i]), 0, "task %d saw only SIGBUS", i);
	is(wrong, 0, "600 truncates under three tasks that fault");
	munmap(arg.map, 16 * PAGE);
	close(fd);
}

/* A buffer in a mapping whose file ends: EFAULT, not SIGBUS. */
static void test_buffer(void)
{
	int fd, other = make_file("other", 2 * PAGE);
	char *p = filled("buffer", 2, 'b', MAP_SHARED, &fd);

	ftruncate(fd, PAGE);
	is_errno(read(other, p + PAGE, 10), EFAULT, "read() into it");
	is_errno(write(other, p + PAGE, 10), EFAULT, "write() from it");
	munmap(p, 2 * PAGE);
	close(fd), close(other);
}

int main(void)
{
	enter_test_dir("t_truncate");
	test_end();
	test_last_page();
	test_shared();
	test_private();
	test_dirty();
	test_windows();
	test_race();
	test_buffer();
	return done();
}
