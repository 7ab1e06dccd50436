/*
 * The calls that change mappings: MAP_FIXED, munmap, mprotect, mremap, brk,
 * msync, mincore, madvise. Where /proc/self/maps is there it is used to see
 * whether neighbours were split and merged.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define RW (PROT_READ | PROT_WRITE)

/* How many mappings touch start..end; -1 without /proc/self/maps. */
static int count_vmas(const void *start, size_t size)
{
	unsigned long from = (unsigned long)start, to = from + size, a, b;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[256];
	int n = 0;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx", &a, &b) == 2)
			n += a < to && b > from;
	fclose(f);
	return n;
}

/* Is the range made of n mappings?  Right anyway where nobody can tell. */
static void vmas_are(const void *start, size_t size, int n, const char *when)
{
	int found = count_vmas(start, size);

	if (found < 0)
		skip(1, "no /proc/self/maps");
	else
		is(found, n, "%s: %d mappings", when, n);
}

/* Ten pages whose first bytes are 0..9, unmapped around. */
static char *ten_pages(void)
{
	char *p = map(12 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	munmap(p, PAGE);
	munmap(p + 11 * PAGE, PAGE);
	p += PAGE;
	mprotect(p, 10 * PAGE, RW);
	for (i = 0; i < 10; i++)
		p[i * PAGE] = i;
	return p;
}

/* Do the pages first..last-1 of ten_pages() hold what they should? */
static int pages_right(const char *p, int first, int end)
{
	int i, right = 0;

	for (i = first; i < end; i++)
		right += p[i * PAGE] == i;
	return right == end - first;
}

/* munmap: at the front, the back, the middle, twice, of nothing. */
static void test_munmap(void)
{
	char *p = ten_pages();

	is(munmap(p + 4 * PAGE, 2 * PAGE), 0, "munmap a hole");
	vmas_are(p, 10 * PAGE, 2, "around a hole");
	ok(try_read(p + 4 * PAGE).sig == SIGSEGV &&
		   try_read(p + 6 * PAGE - 1).sig == SIGSEGV,
	   "the hole faults");
	ok(pages_right(p, 0, 4) && pages_right(p, 6, 10), "the rest is kept");
	is(munmap(p + 3 * PAGE, 4 * PAGE), 0, "munmap across the hole");
	is(munmap(p + 3 * PAGE, 4 * PAGE), 0, "munmap where nothing is left");
	ok(pages_right(p, 0, 3) && pages_right(p, 7, 10), "the rest is kept");
	is_errno(munmap(p + 1, PAGE), EINVAL, "an address inside a page");
	is_errno(munmap(p, 0), EINVAL, "no length");
	is_errno(munmap((void *)(kernel_start() - PAGE), 2 * PAGE), EINVAL,
		 "a range that reaches the kernel");
	munmap(p, 10 * PAGE);
}

/* MAP_FIXED replaces what it covers. */
static void test_fixed(void)
{
	char *p = ten_pages(), *q;
	int fd = make_file("fixed", 4 * PAGE);

	pwrite(fd, "F", 1, 2 * PAGE);
	q = mmap(p + 3 * PAGE, 2 * PAGE, RW, MAP_SHARED | MAP_FIXED, fd, PAGE);
	ok(q == p + 3 * PAGE, "MAP_FIXED in the middle");
	vmas_are(p, 10 * PAGE, 3, "with a file inside");
	ok(q[0] == 0 && q[PAGE] == 'F', "shows the file");
	ok(pages_right(p, 0, 3) && pages_right(p, 5, 10), "the rest is kept");
	q = mmap(p + 2 * PAGE, 4 * PAGE, RW,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	ok(q == p + 2 * PAGE, "MAP_FIXED over the borders of three");
	is(count_bytes(q, 4 * PAGE, 0), 4 * PAGE, "is zero");
	is_errno((long)mmap(p + 1, PAGE, RW,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
		 EINVAL, "MAP_FIXED inside a page");
	q = (void *)(kernel_start() - PAGE);
	is_errno((long)mmap(q, 2 * PAGE, RW,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
		 ENOMEM, "MAP_FIXED into the kernel");
	munmap(p, 10 * PAGE);
	close(fd);
}

/* mprotect: split, merge, effect. */
static void test_mprotect(void)
{
	char *p = ten_pages();

	is(mprotect(p + 2 * PAGE, 3 * PAGE, PROT_READ), 0, "make some r/o");
	vmas_are(p, 10 * PAGE, 3, "after mprotect");
	is(try_write(p + 2 * PAGE + 1).sig, SIGSEGV, "the first is r/o");
	is(try_write(p + 5 * PAGE - 1).sig, SIGSEGV, "the last byte is r/o");
	is(try_write(p + 5 * PAGE + 1).sig, 0, "the page behind is not");
	is(try_write(p + 2 * PAGE - 1).sig, 0, "nor the byte before");
	ok(pages_right(p, 0, 10), "all can be read");
	is(mprotect(p + 2 * PAGE, 3 * PAGE, RW), 0, "make them writable");
	vmas_are(p, 10 * PAGE, 1, "merged again");
	is(try_write(p + 3 * PAGE + 1).sig, 0, "a write works again");
	is(mprotect(p, 10 * PAGE, PROT_NONE), 0, "take all away");
	is(try_read(p + 4 * PAGE).sig, SIGSEGV, "not even reads");
	is(mprotect(p, 10 * PAGE, PROT_READ), 0, "give it back r/o");
	ok(pages_right(p, 0, 10), "nothing was lost");
	munmap(p + 5 * PAGE, PAGE);
	is_errno(mprotect(p, 10 * PAGE, RW), ENOMEM, "across a hole");
	is(try_write(p + PAGE).sig, 0, "what is before the hole was done");
	munmap(p, 10 * PAGE);
	is_errno(syscall(SYS_mprotect, p + 1, PAGE, RW), EINVAL,
		 "inside a page");
}

/* mprotect may not give what the file was not opened for. */
static void test_mprotect_file(void)
{
	int fd = make_file("mprotect", PAGE), ro = open("mprotect", O_RDONLY);
	char *p = map(PAGE, PROT_READ, MAP_SHARED, ro, 0);
	char *q = map(PAGE, PROT_READ, MAP_PRIVATE, ro, 0);
	char c = 1;

	is_errno(mprotect(p, PAGE, RW), EACCES, "shared, of a r/o descriptor");
	is(mprotect(q, PAGE, RW), 0, "private, of a r/o descriptor");
	q[0] = 'q';
	pread(fd, &c, 1, 0);
	ok(c == 0 && p[0] == 0, "the private write is private");
	munmap(p, PAGE);
	munmap(q, PAGE);
	close(fd), close(ro);
}

/* mremap: in place, moved, shrunk, to a fixed place. */
static void test_mremap(void)
{
	char *p = ten_pages(), *q, *to = map_anon(20 * PAGE, MAP_PRIVATE);

	q = mremap(p, 10 * PAGE, 6 * PAGE, 0);
	ok(q == p && try_read(p + 6 * PAGE).sig == SIGSEGV, "shrink");
	q = mremap(p, 6 * PAGE, 8 * PAGE, 0);
	ok(q == p && pages_right(p, 0, 6) && p[7 * PAGE] == 0, "grow in place");
	mmap(p + 8 * PAGE, PAGE, PROT_READ,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	is_errno((long)mremap(p, 8 * PAGE, 12 * PAGE, 0), ENOMEM,
		 "grow where something is in the way");
	q = mremap(p, 8 * PAGE, 12 * PAGE, MREMAP_MAYMOVE);
	ok(q != MAP_FAILED && q != p && pages_right(q, 0, 6) &&
		   q[11 * PAGE] == 0,
	   "grow and move");
	is(try_read(p).sig, SIGSEGV, "the old place is empty");
	p = mremap(q, 12 * PAGE, 12 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
		   to + 4 * PAGE);
	ok(p == to + 4 * PAGE && pages_right(p, 0, 6), "to a fixed place");
	p = mremap(p + 2 * PAGE, 2 * PAGE, 2 * PAGE,
		   MREMAP_MAYMOVE | MREMAP_FIXED, to);
	ok(p == to && p[0] == 2 && p[PAGE] == 3, "two pages out of it");
	is(try_read(to + 6 * PAGE).sig, SIGSEGV, "leave a hole");
	is_errno((long)mremap(to + 6 * PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE),
		 EFAULT, "the hole itself");
	is_errno((long)mremap(to, PAGE, 0, 0), EINVAL, "to no length");
	munmap(to, 20 * PAGE);
}

/* mremap of a shared file mapping goes on showing the file. */
static void test_mremap_file(void)
{
	int fd = make_file("mremap", 8 * PAGE);
	char *p = map(2 * PAGE, RW, MAP_SHARED, fd, 0), *q, c = 0;

	p[PAGE] = 'a';
	pwrite(fd, "z", 1, 7 * PAGE);
	q = mremap(p, 2 * PAGE, 8 * PAGE, MREMAP_MAYMOVE);
	ok(q != MAP_FAILED && q[PAGE] == 'a' && q[7 * PAGE] == 'z',
	   "a file mapping grows over the file");
	q[2 * PAGE] = 'b';
	pread(fd, &c, 1, 2 * PAGE);
	is(c, 'b', "and is still shared");
	munmap(q, 8 * PAGE);
	close(fd);
}

/* The break by the system call itself, as C libraries hide it. */
static void test_brk(void)
{
	char *start = (char *)syscall(SYS_brk, 0), *end;

	end = (char *)syscall(SYS_brk, start + 5 * PAGE + 100);
	ok(end == start + 5 * PAGE + 100, "the break moves to the byte");
	is(try_write(end - 1).sig, 0, "memory below it");
	memset(start, 7, 5 * PAGE);
	is(syscall(SYS_brk, start + PAGE), (long)(start + PAGE), "back");
	is(try_read(start + 3 * PAGE).sig, SIGSEGV, "what is above is gone");
	syscall(SYS_brk, start + 5 * PAGE);
	is(count_bytes(start + 2 * PAGE, 3 * PAGE, 0), 3 * PAGE,
	   "and comes back as zeros");
	is(syscall(SYS_brk, kernel_start() - PAGE), (long)(start + 5 * PAGE),
	   "a break behind the stack is refused");
	is(syscall(SYS_brk, 16), (long)(start + 5 * PAGE),
	   "one below the program too");
	syscall(SYS_brk, start);
}

/* msync: its arguments, a range with a hole, and what it writes. */
static void test_msync(void)
{
	int fd = make_file("msync", 8 * PAGE);
	char *p = map(8 * PAGE, RW, MAP_SHARED, fd, 0);

	memset(p, 's', 8 * PAGE);
	is(msync(p, 8 * PAGE, MS_SYNC), 0, "MS_SYNC");
	is(msync(p, 8 * PAGE, MS_ASYNC), 0, "MS_ASYNC");
	is(msync(p, 8 * PAGE, MS_INVALIDATE), 0, "MS_INVALIDATE");
	is_errno(msync(p, PAGE, MS_SYNC | MS_ASYNC), EINVAL, "both at once");
	is_errno(msync(p + 1, PAGE, MS_SYNC), EINVAL, "inside a page");
	munmap(p + 3 * PAGE, PAGE);
	memset(p + 4 * PAGE, 't', PAGE);
	is_errno(msync(p, 8 * PAGE, MS_SYNC), ENOMEM, "over a hole");
	is(count_bytes(p, PAGE, 's') + count_bytes(p + 4 * PAGE, PAGE, 't'),
	   2 * PAGE, "the data is as it was");
	is(fsync(fd), 0, "fsync");
	munmap(p, 8 * PAGE);
	is_errno(msync(p, PAGE, MS_SYNC), ENOMEM, "of nothing");
	close(fd);
}

/* mincore of memory that was touched and that was not. */
static void test_mincore(void)
{
	char *p = map_anon(4 * PAGE, MAP_PRIVATE);
	unsigned char vec[4] = {9, 9, 9, 9};

	p[PAGE] = 1;
	is(mincore(p, 4 * PAGE, vec), 0, "mincore");
	ok(!(vec[0] & 1) && (vec[1] & 1) && !(vec[3] & 1),
	   "tells the page that was touched");
	is_errno(mincore(p + 1, PAGE, vec), EINVAL, "inside a page");
	munmap(p + 2 * PAGE, PAGE);
	is_errno(mincore(p, 4 * PAGE, vec), ENOMEM, "over a hole");
	is_errno(mincore(p, PAGE, (void *)16), EFAULT, "a bad vector");
	munmap(p, 4 * PAGE);
}

/* MADV_DONTNEED drops what is private and re-reads what is the file's. */
static void test_madvise(void)
{
	int fd = make_file("madvise", 2 * PAGE);
	char *p = map_anon(4 * PAGE, MAP_PRIVATE), *q;

	memset(p, 1, 4 * PAGE);
	is(madvise(p + PAGE, 2 * PAGE, MADV_DONTNEED), 0, "MADV_DONTNEED");
	is(count_bytes(p, 4 * PAGE, 0), 2 * PAGE, "two pages are zero again");
	pwrite(fd, "f", 1, 0);
	q = map(2 * PAGE, RW, MAP_PRIVATE, fd, 0);
	q[0] = 'p';
	is(madvise(q, PAGE, MADV_DONTNEED), 0, "of a private file page");
	is(q[0], 'f', "the file shows again");
	munmap(q, 2 * PAGE);
	q = map(2 * PAGE, RW, MAP_SHARED, fd, 0);
	q[PAGE] = 's';
	is(madvise(q, 2 * PAGE, MADV_DONTNEED), 0, "of a shared file page");
	is(q[PAGE], 's', "loses nothing");
	is(madvise(p, 4 * PAGE, MADV_WILLNEED), 0, "MADV_WILLNEED");
	is_errno(madvise(p, PAGE, 9999), EINVAL, "no such advice");
	munmap(p, 4 * PAGE);
	munmap(q, 2 * PAGE);
	close(fd);
}

/* Many small mappings that cannot be merged, unmapped in another order. */
static void test_many(void)
{
	enum { N = 1000 };
	int fd = make_file("many", 2 * N * PAGE), i, right = 0;
	char *at[N];

	for (i = 0; i < N; i++) {
		at[i] = map(PAGE, RW, MAP_SHARED, fd, 2 * i * PAGE);
		at[i][0] = i % 251;
	}
	for (i = 0; i < N; i++)
		right += (unsigned char)at[i][0] == i % 251;
	is(right, N, "%d windows of one file", N);
	for (i = 0; i < N; i++)
		munmap(at[i * 7 % N], PAGE);
	for (i = right = 0; i < N; i += 50)
		right += try_read(at[i]).sig == SIGSEGV;
	is(right, N / 50, "all unmapped");
	close(fd);
}

int main(void)
{
	enter_test_dir("t_vma");
	test_munmap();
	test_fixed();
	test_mprotect();
	test_mprotect_file();
	test_mremap();
	test_mremap_file();
	test_brk();
	test_msync();
	test_mincore();
	test_madvise();
	test_many();
	return done();
}
