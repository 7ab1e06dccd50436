/*
 * A sparse file that reaches through every level of an ext2 inode's block
 * tree: data lies over each border between direct, indirect, doubly and
 * triply indirect blocks, is read back, mapped, and cut off level by level.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define CHUNK     3000 /* bytes over each border */
#define NR_PLACES 6

static off_t places[NR_PLACES];
static int nr_places;

/* Computes where the borders are from the block size of this directory. */
static long find_places(void)
{
	struct statfs fs;
	off_t block, n;

	if (statfs(".", &fs) < 0)
		bail_out("statfs: %s", strerror(errno));
	block = fs.f_bsize < 1024 || fs.f_bsize > 4096 ? 4096 : fs.f_bsize;
	n = block / 4;
	places[nr_places++] = 0;
	places[nr_places++] = 12 * block - CHUNK / 2;
	places[nr_places++] = (12 + n) * block - CHUNK / 2;
	places[nr_places++] = (12 + 2 * n) * block - CHUNK / 2;
	places[nr_places++] = (12 + n + n * n) * block - CHUNK / 2;
	places[nr_places++] = (12 + n + n * n + 5 * n + 3) * block;
	return block;
}

/* The bytes of place i. */
static void fill(char *buf, int i)
{
	int k;

	for (k = 0; k < CHUNK; k++)
		buf[k] = 'A' + (i * 31 + k) % 57;
}

/* Does the file hold place i, and zeros before it? */
static int right_at(int fd, int i)
{
	char want[CHUNK], found[CHUNK];

	fill(want, i);
	if (pread(fd, found, CHUNK, places[i]) != CHUNK ||
	    memcmp(want, found, CHUNK))
		return 0;
	if (!places[i])
		return 1;
	return pread(fd, found, CHUNK, places[i] - CHUNK) == CHUNK &&
	       count_bytes(found, CHUNK, 0) == CHUNK;
}

/* Writes all places, the last first. */
static int write_places(int fd)
{
	char buf[CHUNK];
	int i;

	for (i = nr_places - 1; i >= 0; i--) {
		fill(buf, i);
		if (pwrite(fd, buf, CHUNK, places[i]) != CHUNK)
			return -1;
	}
	return 0;
}

/* The blocks of 512 bytes that the file takes. */
static long long blocks(int fd)
{
	struct stat st;

	fsync(fd);
	return fstat(fd, &st) < 0 ? -1 : st.st_blocks;
}

/* The pieces, from the cache and after it was written. */
static void test_write(int *fd, long block)
{
	off_t end = places[nr_places - 1] + CHUNK;
	int i;

	is(write_places(*fd), 0, "write %d places", nr_places);
	is(file_size("big"), end, "%lld MB long, blocks of %ld bytes",
	   (long long)end >> 20, block);
	for (i = 0; i < nr_places; i++)
		ok(right_at(*fd, i), "data at %lld, zeros before it",
		   (long long)places[i]);
	ok(blocks(*fd) < 400, "it takes few blocks");
	posix_fadvise(*fd, 0, 0, POSIX_FADV_DONTNEED);
	close(*fd);
	*fd = open("big", O_RDWR);
	for (i = 0; i < nr_places; i++)
		ok(right_at(*fd, i), "opened again: data at %lld",
		   (long long)places[i]);
}

/* The last piece through a mapping, which also fills a hole. */
static void test_map(int fd)
{
	off_t at = places[nr_places - 1] & ~(off_t)(PAGE - 1);
	off_t hole = at - 64 * PAGE;
	char *p = map(2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
	char want[CHUNK], c = 0;

	fill(want, nr_places - 1);
	ok(!memcmp(p + (places[nr_places - 1] - at), want, 1000),
	   "the last place, mapped");
	munmap(p, 2 * PAGE);
	p = map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, hole);
	p[9] = 'h';
	is(msync(p, PAGE, MS_SYNC), 0, "a mapped write into a hole");
	munmap(p, PAGE);
	pread(fd, &c, 1, hole + 9);
	is(c, 'h', "is in the file");
}

/* Cuts the file at each border, from the end. */
static void test_cut(int fd)
{
	long long before = blocks(fd), now;
	char buf[CHUNK];
	int i;

	for (i = nr_places - 1; i > 0; i--) {
		is(ftruncate(fd, places[i]), 0, "cut at %lld",
		   (long long)places[i]);
		now = blocks(fd);
		ok(now < before, "frees blocks (%lld, were %lld)", now, before);
		before = now;
		ok(right_at(fd, i - 1), "the place before is kept");
		is(pread(fd, buf, 1, places[i]), 0, "nothing behind the end");
	}
	is(ftruncate(fd, 0), 0, "cut all");
	ok(blocks(fd) <= 8, "it takes no blocks (%lld)", blocks(fd));
	is(write_places(fd), 0, "all once more");
	ok(right_at(fd, nr_places - 1), "the last place is right");
}

/* Offsets that no file can have. */
static void test_too_large(int fd)
{
	char c = 0;

	is_errno(pwrite(fd, &c, 1, 0x7ffffffffffff000ll), EFBIG,
		 "a byte near 2^63");
	is_errno(ftruncate(fd, 0x7fffffffffffffffll), EFBIG,
		 "a size of 2^63 - 1");
}

int main(void)
{
	long block;
	int fd;

	enter_test_dir("t_bigfile");
	block = find_places();
	fd = make_file("big", 0);
	test_write(&fd, block);
	test_map(fd);
	test_cut(fd);
	test_too_large(fd);
	close(fd);
	return done();
}
