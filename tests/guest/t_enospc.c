/*
 * A full disk: write() says ENOSPC, a write fault into a hole is a SIGBUS,
 * and neither hurts what was there.
 *
 * Usage: t_enospc [DIRECTORY [MB]]. Fills the file system of DIRECTORY, but
 * never with more than MB (1024); by default a tmpfs of 2 MB of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"
#include "user/lib_util.h"

#define HOLES 128 /* pages of the sparse file */
#define CHUNK (64 * 1024)

static long long limit;
static int mounted; /* our own tmpfs: a read of a hole fills it */

/* Word i of the data that fills the disk is made from its place. */
static void make_chunk(unsigned *chunk, long long at)
{
	int i;

	for (i = 0; i < CHUNK / 4; i++)
		chunk[i] = at / 4 + i;
}

/*
 * Fills the disk with a file: first in large pieces, then to the last byte.
 * Its size, or -1 when the limit was reached.
 */
static long long fill_disk(int fd)
{
	static unsigned chunk[CHUNK / 4];
	long long at = 0;
	size_t size = CHUNK;

	while (size) {
		ssize_t n;

		make_chunk(chunk, at & ~3ll);
		n = write(fd, (char *)chunk + (at & 3), size);
		if (n > 0)
			at += n;
		else if (errno == ENOSPC)
			size = size == CHUNK ? PAGE - 4 : size / 2;
		else
			break;
		if (at > limit)
			return -1;
	}
	is(errno, ENOSPC, "the disk is full after %lld KB", at / 1024);
	return at;
}

/* Does the file hold what fill_disk() wrote? */
static int fill_is_right(int fd, long long size)
{
	static unsigned want[CHUNK / 4], found[CHUNK / 4];
	long long at;
	ssize_t n;

	for (at = 0; at < size; at += n) {
		n = pread(fd, found, CHUNK, at);
		if (n <= 0)
			return 0;
		make_chunk(want, at);
		if (memcmp(want, found, n))
			return 0;
	}
	return pread(fd, found, 1, size) == 0;
}

/* Writes to each page of a hole; how many are refused with SIGBUS. */
static int write_holes(char *holes)
{
	int i, refused = 0;

	for (i = 0; i < HOLES; i++) {
		struct fault f = try_write(holes + i * PAGE + 1);

		if (f.sig == SIGBUS && f.addr == holes + i * PAGE + 1)
			refused++;
		else if (f.sig)
			diag("page %d: signal %d at %p", i, f.sig, f.addr);
	}
	return refused;
}

/* While the disk is full. */
static void test_full(int fd, long long size, char *holes, char *kept)
{
	char *copy = map(PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	int refused, other;

	is_errno(pwrite(fd, "x", 1, size + (1 << 20)), ENOSPC,
		 "write far behind the end");
	is(file_size("fill"), size, "leaves the size alone");
	refused = write_holes(holes);
	ok(refused > HOLES / 2, "%d of %d write faults in a hole are SIGBUS",
	   refused, HOLES);
	if (!mounted)
		is(try_read(holes + (HOLES - 1) * PAGE).sig, 0,
		   "a read is not");
	is(try_write(kept).sig, 0, "nor a write to a page that has its block");
	is(try_write(copy).sig, 0, "nor one that is private");
	other = open("one-more", O_CREAT | O_WRONLY, 0644);
	if (other >= 0) {
		is_errno(write(other, "x", 1), ENOSPC, "another file");
		close(other);
		unlink("one-more");
	} else {
		is(errno, ENOSPC, "another name");
	}
	munmap(copy, PAGE);
}

/* Once there is space again. */
static void test_after(int fd, long long size, char *holes)
{
	ok(fill_is_right(fd, size), "all %lld KB are as written", size / 1024);
	is(ftruncate(fd, size / 2), 0, "cut the large file");
	is(write_holes(holes), 0, "now no write fault is refused");
	is(msync(holes, HOLES * PAGE, MS_SYNC), 0, "msync");
	is(count_bytes(holes, HOLES * PAGE, 0x5a), HOLES, "all are there");
	ok(fill_is_right(fd, size / 2), "half of the large file is right");
	is(fsync(fd), 0, "fsync: nothing was lost");
}

/* The whole story in the present directory. */
static void test_disk(void)
{
	int fd = make_file("fill", 0), sparse = make_file("sparse", 0);
	int kept_fd = make_file("kept", PAGE);
	char *holes, *kept;
	long long size;

	ftruncate(sparse, HOLES * PAGE);
	pwrite(kept_fd, "kept", 4, 0);
	holes = map(HOLES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, sparse,
		    0);
	kept = map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, kept_fd, 0);
	kept[9] = 'k';
	size = fill_disk(fd);
	if (size < 0) {
		skip(1, "the disk takes more than %lld MB", limit >> 20);
		return;
	}
	test_full(fd, size, holes, kept);
	test_after(fd, size, holes);
	ok(!memcmp(kept + 1, "ept", 3) && kept[9] == 'k',
	   "the small file is right");
	munmap(holes, HOLES * PAGE);
	munmap(kept, PAGE);
	close(fd), close(sparse), close(kept_fd);
}

int main(int argc, char **argv)
{
	limit = (long long)(argc > 2 ? parse_number("MB", argv[2], 1, 1 << 20)
				     : 1024)
		<< 20;
	if (argc > 1 && chdir(argv[1]) < 0)
		bail_out("%s: %s", argv[1], strerror(errno));
	enter_test_dir("t_enospc");
	mkdir("small", 0755);
	if (argc == 1) {
		mounted = mount("small", "small", "tmpfs", 0, "size=2m") == 0;
		if (!ok(mounted && chdir("small") == 0, "a tmpfs of 2 MB"))
			return done();
	}
	test_disk();
	if (mounted) {
		is(chdir(".."), 0, "leave it");
		is(umount("small"), 0, "unmount it");
	}
	return done();
}
