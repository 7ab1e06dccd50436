/*
 * A disk that cannot read: the error comes to whoever asked, and nowhere
 * else.
 *
 * Usage: t_ioerr FILE OFFSET. The block of FILE that holds byte OFFSET, a
 * multiple of 4096, cannot be read; all others can.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"
#include "user/lib_util.h"

/* read() over and over: an error is no data, however often one asks. */
static void test_read(int fd, off_t bad)
{
	char buf[PAGE];
	int i;

	for (i = 0; i < 3; i++)
		is_errno(pread(fd, buf, PAGE, bad), EIO, "read, attempt %d",
			 i + 1);
	is_errno(pread(fd, buf, 1, bad + 100), EIO, "read of one byte");
	is(pread(fd, buf, PAGE, bad + PAGE), PAGE, "the page behind");
	if (bad)
		is(pread(fd, buf, PAGE, bad - PAGE), PAGE, "the page before");
}

/* A read that begins before the bad page stops there. */
static void test_across(int fd, off_t bad)
{
	static char buf[4 * PAGE];

	if (bad < PAGE) {
		skip(1, "nothing before the bad page");
		return;
	}
	is(pread(fd, buf, sizeof(buf), bad - PAGE), PAGE,
	   "a read across it ends before it");
}

/* Mapped, the page is a SIGBUS; its neighbours are not. */
static void test_mapped(int fd, off_t bad)
{
	off_t start = bad ? bad - PAGE : 0;
	char *p = mmap(NULL, 3 * PAGE, PROT_READ, MAP_SHARED, fd, start);
	char *page = p + (bad - start);
	struct fault f;

	if (p == MAP_FAILED) {
		skip(3, "cannot be mapped");
		return;
	}
	f = try_read(page + 5);
	ok(f.sig == SIGBUS && f.addr == page + 5, "a mapped read is SIGBUS");
	is(try_read(page + 5).sig, SIGBUS, "the second time too");
	is(try_read(page + PAGE).sig, 0, "the page behind is not");
	munmap(p, 3 * PAGE);
}

/* A system call that is to read its argument from there. */
static void test_argument(int fd, off_t bad)
{
	char *p = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, bad);
	int out = make_file("out", 0);

	if (p == MAP_FAILED)
		skip(1, "cannot be mapped");
	else
		is_errno(write(out, p, 10), EFAULT, "write() from the page");
	close(out);
}

int main(int argc, char **argv)
{
	off_t bad;
	int fd;

	if (argc != 3) {
		skip(1, "only done as 't_ioerr FILE OFFSET'");
		return done();
	}
	bad = parse_number("OFFSET", argv[2], 0, INT64_MAX - PAGE) &
	      ~(off_t)(PAGE - 1);
	fd = open(argv[1], O_RDONLY);
	if (fd < 0)
		bail_out("cannot open %s", argv[1]);
	enter_test_dir("t_ioerr");
	test_read(fd, bad);
	test_across(fd, bad);
	test_mapped(fd, bad);
	test_argument(fd, bad);
	return done();
}
