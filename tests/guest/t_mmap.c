/*
 * Mappings of files and of nothing: what they show, who sees a write, and
 * which accesses fault. t_vma.c has the calls that change mappings.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define RW (PROT_READ | PROT_WRITE)

/* Anonymous memory is zero, the zero page is not written through. */
static void test_anonymous(void)
{
	char *p = map_anon(8 * PAGE, MAP_PRIVATE);
	char *q = map_anon(PAGE, MAP_PRIVATE);

	is(count_bytes(p, 8 * PAGE, 0), 8 * PAGE, "new memory is zero");
	p[PAGE] = 1;
	is(p[0] + p[2 * PAGE] + q[0], 0, "a write changes no other zero page");
	is(p[PAGE], 1, "and is there");
	munmap(p, 8 * PAGE);
	is(try_read(p + PAGE).sig, SIGSEGV, "it is gone after munmap");
	munmap(q, PAGE);
}

/* A private mapping shows the file; a write stays in the mapping. */
static void test_private_file(void)
{
	int fd = make_file("private", 0);
	char page[PAGE], *p;

	memset(page, 'f', PAGE);
	ok(write(fd, page, PAGE) == PAGE && write(fd, page, 10) == 10,
	   "a file of 4106 bytes");
	p = map(2 * PAGE, RW, MAP_PRIVATE, fd, 0);
	is(count_bytes(p, 2 * PAGE, 'f'), PAGE + 10, "is seen mapped");
	is(count_bytes(p + PAGE + 10, PAGE - 10, 0), PAGE - 10,
	   "zeros behind its end");
	p[5] = 'p';
	pread(fd, page, PAGE, 0);
	is(page[5], 'f', "a private write is not seen by read()");
	pwrite(fd, "w", 1, PAGE);
	is(p[PAGE], 'w', "write() is seen in a page not copied yet");
	pwrite(fd, "w", 1, 5);
	is(p[5], 'p', "and not in one that was");
	close(fd);
	is(p[0], 'f', "the mapping survives close()");
	munmap(p, 2 * PAGE);
}

/* A shared mapping, read() and write() are the same bytes. */
static void test_shared_file(void)
{
	int fd = make_file("shared", 3 * PAGE);
	char *p = map(3 * PAGE, RW, MAP_SHARED, fd, 0);
	char *q = map(PAGE, PROT_READ, MAP_SHARED, fd, PAGE);
	char c = 0;

	p[PAGE + 7] = 'm';
	pread(fd, &c, 1, PAGE + 7);
	is(c, 'm', "read() sees a mapped write");
	is(q[7], 'm', "another mapping at another offset sees it");
	pwrite(fd, "w", 1, PAGE + 8);
	is(p[PAGE + 8], 'w', "the mapping sees write()");
	pwrite(fd, "x", 1, 2 * PAGE);
	is(p[2 * PAGE], 'x', "also in a page first touched afterwards");
	is(try_write(q).sig, SIGSEGV, "a read-only mapping refuses writes");
	munmap(p, 3 * PAGE);
	munmap(q, PAGE);
	p = map(3 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	ok(p[PAGE + 7] == 'm' && p[2 * PAGE] == 'x', "it is all kept");
	munmap(p, 3 * PAGE);
	close(fd);
}

/* read() and write() whose buffer is a mapping of the same file page. */
static void test_overlap(void)
{
	int fd = make_file("overlap", 2 * PAGE);
	char *p = map(2 * PAGE, RW, MAP_SHARED, fd, 0);

	memset(p, 'a', PAGE);
	is(pread(fd, p + PAGE, PAGE, 0), PAGE, "read a page into the next");
	is(count_bytes(p + PAGE, PAGE, 'a'), PAGE, "which now is its copy");
	memset(p + 10, 'b', 10);
	is(pwrite(fd, p, 100, PAGE), 100, "write from the mapping itself");
	is(count_bytes(p + PAGE, 100, 'b'), 10, "carries what it held");
	is(pwrite(fd, p, PAGE, 0), PAGE, "write a page onto itself");
	is(count_bytes(p, PAGE, 'b'), 10, "changes nothing");
	munmap(p, 2 * PAGE);
	close(fd);
}

/* Increments each int of the pages many times. */
static int increment(void *arg)
{
	int *p = arg, round, i;

	for (round = 0; round < 200; round++)
		for (i = 0; i < 64; i++)
			__atomic_fetch_add(&p[i * 16], 1, __ATOMIC_RELAXED);
	return 0;
}

/* Two tasks write one shared page of a file; none of it is lost. */
static void test_two_writers(void)
{
	int fd = make_file("writers", PAGE), right = 0, i;
	int *p = map(PAGE, RW, MAP_SHARED, fd, 0), buf[PAGE / 4];
	pid_t a = start_child(increment, p), b = start_child(increment, p);

	is(wait_status(a) | wait_status(b), 0, "two writers end well");
	for (i = 0; i < 64; i++)
		right += p[i * 16] == 400;
	is(right, 64, "no increment is lost");
	munmap(p, PAGE);
	is(pread(fd, buf, PAGE, 0), PAGE, "the file is read");
	is(buf[63 * 16], 400, "and holds the sums");
	close(fd);
}

/* Waits for the start, then writes one byte into each page. */
static int write_each_page(void *arg)
{
	struct {
		int go;
		char *map;
		int who;
	} *a = arg;
	int i;

	wait_until_ready(a->go);
	for (i = 0; i < 64; i++)
		a->map[i * PAGE + a->who] = 1 + a->who;
	return 0;
}

/* Several tasks fault on the same pages at once. */
static void test_same_fault(void)
{
	struct {
		int go;
		char *map;
		int who;
	} arg;
	int fd = make_file("fault", 64 * PAGE), ends[2], i, k, right = 0;
	pid_t pids[4];

	if (pipe(ends) < 0)
		bail_out("pipe: %s", strerror(errno));
	arg.go = ends[0];
	arg.map = map(64 * PAGE, RW, MAP_SHARED, fd, 0);
	for (arg.who = 0; arg.who < 4; arg.who++)
		pids[arg.who] = start_child(write_each_page, &arg);
	for (i = 0; i < 4; i++)
		say_ready(ends[1]);
	for (i = 0; i < 4; i++)
		wait_status(pids[i]);
	for (i = 0; i < 64; i++)
		for (k = 0; k < 4; k++)
			right += arg.map[i * PAGE + k] == 1 + k;
	is(right, 256, "four tasks fault on the same 64 pages");
	munmap(arg.map, 64 * PAGE);
	close(ends[0]), close(ends[1]), close(fd);
}

/* What mmap() itself refuses. */
static void test_refusals(void)
{
	int fd = make_file("ro", PAGE), ro = open("ro", O_RDONLY);
	int wo = open("ro", O_WRONLY), ends[2];
	char *p;

#define REFUSED(size, prot, flags, fd, off) \
	((long)mmap(NULL, size, prot, flags, fd, off))
	is_errno(REFUSED(0, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EINVAL,
		 "no length");
	is_errno(REFUSED(PAGE, RW, MAP_PRIVATE, 999, 0), EBADF, "no file");
	is_errno(REFUSED(PAGE, RW, MAP_SHARED, ro, 0), EACCES,
		 "shared and writable, of a file open for reading");
	is_errno(REFUSED(PAGE, PROT_READ, MAP_PRIVATE, wo, 0), EACCES,
		 "of a file open for writing only");
	is_errno(REFUSED(PAGE, RW, MAP_ANONYMOUS, -1, 0), EINVAL,
		 "neither shared nor private");
	is_errno(REFUSED(PAGE, RW, MAP_PRIVATE, fd, 100), EINVAL,
		 "an offset inside a page");
	is_errno(REFUSED(0xc0000000ul, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		 ENOMEM, "three gigabytes");
	is_errno(REFUSED(0xfffff001ul, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		 ENOMEM, "a length that wraps around");
	if (pipe(ends) == 0)
		is_errno(REFUSED(PAGE, RW, MAP_PRIVATE, ends[0], 0), ENODEV,
			 "a pipe");
#undef REFUSED
	p = map(PAGE, RW, MAP_PRIVATE, ro, 0);
	is(try_write(p).sig, 0, "private and writable is allowed");
	munmap(p, PAGE);
	close(fd), close(ro), close(wo), close(ends[0]), close(ends[1]);
}

/* PROT_NONE and the codes that come with SIGSEGV. */
static void test_faults(void)
{
	char *p = map(3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct fault f = try_read(p + 3);

	ok(f.sig == SIGSEGV && f.code == SEGV_ACCERR && f.addr == p + 3,
	   "PROT_NONE refuses reads, si_code SEGV_ACCERR");
	munmap(p + PAGE, PAGE);
	f = try_write(p + PAGE + 9);
	ok(f.sig == SIGSEGV && f.code == SEGV_MAPERR && f.addr == p + PAGE + 9,
	   "an address without mapping, si_code SEGV_MAPERR");
	f = try_read((void *)16);
	ok(f.sig == SIGSEGV && f.code == SEGV_MAPERR && f.addr == (void *)16,
	   "address 16");
	f = try_read((void *)0xc0100000);
	is(f.sig, SIGSEGV, "an address of the kernel");
	f = try_write((void *)0xfffffffful);
	is(f.sig, SIGSEGV, "the last address");
	munmap(p, 3 * PAGE);
}

/* What the child does to shared memory. */
static int write_shared(void *arg)
{
	char *p = arg;

	p[0] = 'c';
	p[5 * PAGE] = 'c';
	return p[PAGE] == 'p' ? 0 : 1;
}

/* Shared anonymous memory is one memory for parent and child. */
static void test_shared_anonymous(void)
{
	char *p = map_anon(6 * PAGE, MAP_SHARED);

	p[PAGE] = 'p';
	is(run_child(write_shared, p), 0, "the child sees the parent's write");
	ok(p[0] == 'c' && p[5 * PAGE] == 'c', "and the parent the child's");
	is(p[2 * PAGE], 0, "what nobody wrote is zero");
	munmap(p, 6 * PAGE);
}

/* /dev/zero, mapped either way. */
static void test_dev_zero(void)
{
	int fd = open("/dev/zero", O_RDWR);
	char *p = mmap(NULL, 2 * PAGE, RW, MAP_PRIVATE, fd, 0);

	if (!ok(p != MAP_FAILED, "map /dev/zero"))
		return;
	is(count_bytes(p, 2 * PAGE, 0), 2 * PAGE, "it is zero");
	p[PAGE] = 1;
	is(p[PAGE], 1, "and can be written");
	munmap(p, 2 * PAGE);
	close(fd);
}

/* A file of some size mapped read-only by several, removed meanwhile. */
static void test_unlinked(void)
{
	int fd = make_file("unlinked", 16 * PAGE);
	char *p = map(16 * PAGE, RW, MAP_SHARED, fd, 0);

	unlink("unlinked");
	close(fd);
	memset(p, 'u', 16 * PAGE);
	is(count_bytes(p, 16 * PAGE, 'u'), 16 * PAGE,
	   "a mapping keeps a removed file alive");
	munmap(p, 16 * PAGE);
}

int main(void)
{
	enter_test_dir("t_mmap");
	test_anonymous();
	test_private_file();
	test_shared_file();
	test_overlap();
	test_two_writers();
	test_same_fault();
	test_refusals();
	test_faults();
	test_shared_anonymous();
	test_dev_zero();
	test_unlinked();
	return done();
}
