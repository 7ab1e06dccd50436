/*
 * Files: open flags, seeking, reading and writing in all forms, holes, sizes
 * past 4 GB, and files that are removed while open. Names and directories
 * are t_dir.c's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

/* open(): which flags create, refuse, cut and append. */
static void test_open(void)
{
	int fd = open("new", O_RDWR | O_CREAT | O_EXCL, 0640), other;
	struct stat st;
	char buf[8];

	ok(fd >= 0, "O_CREAT makes a file");
	ok(fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		   (st.st_mode & 0777) == 0640 && st.st_nlink == 1 &&
		   st.st_size == 0,
	   "with mode, one link and no bytes");
	is_errno(open("new", O_RDWR | O_CREAT | O_EXCL, 0640), EEXIST,
		 "O_EXCL refuses it the second time");
	is(write(fd, "abc", 3), 3, "write");
	other = open("new", O_WRONLY | O_APPEND);
	is(write(other, "def", 3), 3, "O_APPEND");
	is_errno(read(other, buf, 3), EBADF, "read of a write-only one");
	is(pread(fd, buf, 8, 0), 6, "both wrote");
	ok(!memcmp(buf, "abcdef", 6), "one behind the other");
	lseek(other, 0, SEEK_SET);
	is(write(other, "g", 1), 1, "O_APPEND after a seek");
	is(file_size("new"), 7, "still appends");
	close(other);
	other = open("new", O_RDONLY | O_TRUNC);
	is(file_size("new"), 0, "O_TRUNC");
	is_errno(write(other, "x", 1), EBADF, "write to a read-only one");
	close(other);
	close(fd);
	is_errno(open("none", O_RDONLY), ENOENT, "no such file");
	is_errno(open("new/x", O_RDONLY), ENOTDIR, "a file as directory");
	is_errno(open(".", O_WRONLY), EISDIR, "write to a directory");
	is_errno(open("new", O_RDONLY | O_DIRECTORY), ENOTDIR, "O_DIRECTORY");
	symlink("new", "link");
	is_errno(open("link", O_RDONLY | O_NOFOLLOW), ELOOP, "O_NOFOLLOW");
}

/* Numbers of descriptors, dup, and what is shared between them. */
static void test_descriptors(void)
{
	int fd = make_file("fds", 0), copy = dup(fd), high;

	is(write(copy, "0123456789", 10), 10, "write through dup()");
	is(lseek(fd, 0, SEEK_CUR), 10, "the position is shared");
	is(dup2(fd, 50), 50, "dup2 to 50");
	high = fcntl(fd, F_DUPFD, 100);
	is(high, 100, "F_DUPFD from 100");
	close(fd);
	is_errno(lseek(fd, 0, SEEK_CUR), EBADF, "closed is closed");
	is(open("fds", O_RDONLY), fd, "the lowest number is used again");
	is(fcntl(50, F_GETFL) & O_ACCMODE, O_RDWR, "F_GETFL");
	fcntl(50, F_SETFL, O_APPEND);
	ok(fcntl(high, F_GETFL) & O_APPEND, "F_SETFL is shared");
	fcntl(50, F_SETFD, FD_CLOEXEC);
	ok(fcntl(50, F_GETFD) == FD_CLOEXEC && fcntl(high, F_GETFD) == 0,
	   "FD_CLOEXEC is not");
	is_errno(dup2(fd, 1 << 20), EBADF, "a number too large");
	is_errno(close(999), EBADF, "close what is not open");
	close(fd), close(copy), close(50), close(high);
}

/* lseek in all directions. */
static void test_seek(void)
{
	int fd = make_file("seek", 100), ends[2];
	char c = 'x';

	is(lseek(fd, 10, SEEK_SET), 10, "SEEK_SET");
	is(lseek(fd, 5, SEEK_CUR), 15, "SEEK_CUR");
	is(lseek(fd, -1, SEEK_END), 99, "SEEK_END");
	is(read(fd, &c, 1), 1, "the last byte");
	is(read(fd, &c, 1), 0, "then the end");
	is(lseek(fd, 1000, SEEK_SET), 1000, "behind the end");
	is(read(fd, &c, 1), 0, "is nothing to read");
	is(file_size("seek"), 100, "and changes no size");
	is_errno(lseek(fd, -1, SEEK_SET), EINVAL, "before the start");
	is_errno(lseek(fd, 0, 77), EINVAL, "no such direction");
	if (pipe(ends) == 0)
		is_errno(lseek(ends[0], 0, SEEK_SET), ESPIPE, "a pipe");
	close(ends[0]), close(ends[1]), close(fd);
}

/* Blocks written far apart; what is between reads as zeros. */
static void test_holes(void)
{
	enum { STEP = 300 * 1024 };
	int fd = make_file("holes", 0), i, right = 0;
	static char buf[STEP];
	struct stat st;

	for (i = 0; i < 10; i++)
		right += pwrite(fd, "data", 4, (off_t)i * STEP) == 4;
	is(right, 10, "ten pieces with holes between");
	is(file_size("holes"), 9 * STEP + 4, "the size");
	for (i = right = 0; i < 9; i++)
		right += pread(fd, buf, STEP, (off_t)i * STEP) == STEP &&
			 !memcmp(buf, "data", 4) &&
			 count_bytes(buf + 4, STEP - 4, 0) == STEP - 4;
	is(right, 9, "holes read as zeros");
	fsync(fd);
	fstat(fd, &st);
	ok(st.st_blocks * 512ll < 9 * STEP / 2, "they take no space (%lld)",
	   (long long)st.st_blocks);
	is(pwrite(fd, "mid", 3, STEP / 2), 3, "a write into a hole");
	pread(fd, buf, STEP, 0);
	ok(!memcmp(buf + STEP / 2, "mid", 3) &&
		   count_bytes(buf, STEP, 0) == STEP - 7,
	   "touches nothing else");
	close(fd);
}

/* Positions that do not fit into 32 bits. */
static void test_large(void)
{
	off_t at = 5ll << 30;
	int fd = open("large", O_RDWR | O_CREAT | O_TRUNC, 0644);
	char buf[16] = {0};

	if (pwrite(fd, "end", 3, at) != 3) {
		skip(5, "no files of 5 GB here: %s", strerror(errno));
		close(fd);
		return;
	}
	is(file_size("large"), at + 3, "a file of 5 GB");
	is(lseek(fd, at, SEEK_SET), at, "seek to its end");
	is(read(fd, buf, 16), 3, "and read");
	ok(!strcmp(buf, "end"), "what was written");
	is(pread(fd, buf, 16, at - (4ll << 30)), 16, "a hole 4 GB before");
	is(count_bytes(buf, 16, 0), 16, "is zero");
	ftruncate(fd, 0);
	close(fd);
}

/* readv, writev, pread, pwrite and their mistakes. */
static void test_vectors(void)
{
	int fd = make_file("vectors", 0);
	char a[4], b[5], c[10];
	struct iovec out[] = {{"abc", 3}, {NULL, 0}, {"defgh", 5}},
		     in[] = {{a, 4}, {b, 2}, {c, 10}};

	is(writev(fd, out, 3), 8, "writev");
	lseek(fd, 0, SEEK_SET);
	is(readv(fd, in, 3), 8, "readv");
	ok(!memcmp(a, "abcd", 4) && !memcmp(b, "ef", 2) && !memcmp(c, "gh", 2),
	   "the pieces");
	is(lseek(fd, 0, SEEK_CUR), 8, "the position moved");
	is(pwrite(fd, "X", 1, 2), 1, "pwrite");
	is(pread(fd, a, 4, 1), 4, "pread");
	ok(!memcmp(a, "bXde", 4), "at their place");
	is(lseek(fd, 0, SEEK_CUR), 8, "the position did not move");
	is_errno(readv(fd, in, -1), EINVAL, "a negative number of pieces");
	is_errno(pread(fd, a, 1, -1), EINVAL, "a negative position");
	out[1].iov_base = (void *)16;
	out[1].iov_len = 5;
	is(writev(fd, out, 1), 3, "a vector's good pieces");
	out[0].iov_len = (size_t)-1;
	is_errno(writev(fd, out, 1), EINVAL, "a length below zero");
	is(write(fd, "", 0), 0, "write nothing");
	close(fd);
}

/* A file whose last name is gone lives until the last close. */
static void test_unlinked(void)
{
	int fd = make_file("gone", 0);
	struct stat st;
	char buf[4] = {0};

	is(unlink("gone"), 0, "unlink an open file");
	is_errno(access("gone", F_OK), ENOENT, "the name is gone");
	is(write(fd, "abc", 3), 3, "it can be written");
	is(pread(fd, buf, 3, 0), 3, "and read");
	fstat(fd, &st);
	is(st.st_nlink, 0, "it has no links");
	is(fsync(fd), 0, "fsync");
	close(fd);
}

/* truncate() up and down. */
static void test_truncate(void)
{
	char buf[100];
	int fd = make_file("trunc", 0), ro;

	memset(buf, 'x', 100);
	write(fd, buf, 100);
	is(truncate("trunc", 50), 0, "truncate");
	is(ftruncate(fd, 80), 0, "and extend");
	is(pread(fd, buf, 100, 0), 80, "the size");
	ok(count_bytes(buf, 50, 'x') == 50 &&
		   count_bytes(buf + 50, 30, 0) == 30,
	   "what was cut off is zero");
	is_errno(truncate("trunc", -1), EINVAL, "a negative size");
	is_errno(truncate(".", 0), EISDIR, "a directory");
	is_errno(truncate("none", 0), ENOENT, "no such file");
	ro = open("trunc", O_RDONLY);
	is_errno(ftruncate(ro, 0), EINVAL, "a read-only descriptor");
	close(ro);
	close(fd);
}

/* chmod, utimes and what stat() says of them. */
static void test_attributes(void)
{
	struct timeval times[2] = {{1000000000, 0}, {1050000000, 0}};
	struct stat st;
	int fd = make_file("attr", 10);

	is(chmod("attr", 04711), 0, "chmod");
	is(utimes("attr", times), 0, "utimes");
	stat("attr", &st);
	is(st.st_mode, S_IFREG | 04711, "the mode");
	is(st.st_atime, 1000000000, "the time of access");
	is(st.st_mtime, 1050000000, "the time of change");
	is(write(fd, "x", 1), 1, "a write");
	fstat(fd, &st);
	ok(st.st_mtime > 1050000000, "brings the present time");
	is(umask(027), 022, "umask tells the old one");
	close(open("masked", O_CREAT | O_WRONLY, 0666));
	stat("masked", &st);
	is(st.st_mode & 0777, 0640, "umask takes bits away");
	umask(022);
	is(access("attr", R_OK | W_OK | X_OK), 0, "root may do all");
	close(fd);
}

/* statfs, and space that comes back. */
static void test_statfs(void)
{
	struct statfs before, used, after;
	static char buf[64 * 1024];
	int fd, i;

	sync();
	is(statfs(".", &before), 0, "statfs");
	ok(before.f_bsize >= 512 && before.f_bfree <= before.f_blocks &&
		   before.f_namelen >= 14,
	   "makes sense");
	fd = make_file("space", 0);
	memset(buf, 1, sizeof(buf));
	for (i = 0; i < 32; i++)
		write(fd, buf, sizeof(buf));
	fsync(fd);
	fstatfs(fd, &used);
	ok((before.f_bfree - used.f_bfree) * before.f_bsize >= 1 << 20,
	   "2 MB take space");
	close(fd);
	unlink("space");
	sync();
	statfs(".", &after);
	ok(after.f_bfree + 64 >= before.f_bfree, "which comes back");
}

int main(void)
{
	umask(022);
	enter_test_dir("t_file");
	test_open();
	test_descriptors();
	test_seek();
	test_holes();
	test_large();
	test_vectors();
	test_unlinked();
	test_truncate();
	test_attributes();
	test_statfs();
	return done();
}
