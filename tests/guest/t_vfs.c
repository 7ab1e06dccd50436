/*
 * What the other tests of files leave out: permissions of users who are not
 * root, mounting, locks, select and poll, FIFOs, sendfile, descriptors, and
 * the attributes of files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define NOBODY 65534

/* A call that is expected to fail, as an exit status: 0, or its errno. */
static int fails(long result)
{
	return result < 0 ? errno : 0;
}

/* Becomes nobody; what follows is done without root's rights. */
static void drop_root(void)
{
	setgid(NOBODY);
	setuid(NOBODY);
}

/* What a user may not do; the number of the first check that was wrong. */
static int as_nobody(void *arg)
{
	(void)arg;
	drop_root();
	if (fails(open("secret", O_RDONLY)) != EACCES)
		return 1;
	if (fails(open("readable", O_WRONLY)) != EACCES)
		return 2;
	if (fails(open("readable", O_RDONLY)) != 0)
		return 3;
	if (fails(open("closed/file", O_RDONLY)) != EACCES)
		return 4;
	if (fails(open("new", O_CREAT | O_RDWR, 0600)) != EACCES)
		return 5;
	if (fails(open("sticky/mine", O_CREAT | O_RDWR, 0600)) != 0)
		return 6;
	if (fails(unlink("sticky/roots")) != EPERM)
		return 7;
	if (fails(unlink("sticky/mine")) != 0)
		return 8;
	if (fails(chmod("readable", 0666)) != EPERM)
		return 9;
	if (fails(chown("readable", NOBODY, NOBODY)) != EPERM)
		return 10;
	if (fails(utimensat(AT_FDCWD, "readable", NULL, 0)) != EACCES)
		return 11;
	if (fails(access("secret", R_OK)) != EACCES)
		return 12;
	if (fails(mknod("sticky/dev", S_IFCHR | 0666, 0x103)) != EPERM)
		return 13;
	if (fails(mount("none", "sticky", "tmpfs", 0, NULL)) != EPERM)
		return 14;
	if (fails(chroot("sticky")) != EPERM)
		return 15;
	return 0;
}

/* Permissions, sticky directories and what only root may do. */
static void test_permissions(void)
{
	umask(0);
	chmod(".", 0755);
	close(open("secret", O_CREAT | O_RDWR, 0600));
	close(open("readable", O_CREAT | O_RDWR, 0644));
	mkdir("closed", 0700);
	close(open("closed/file", O_CREAT | O_RDWR, 0666));
	mkdir("sticky", 01777);
	close(open("sticky/roots", O_CREAT | O_RDWR, 0666));
	is(run_child(as_nobody, NULL), 0, "a user's rights");
	umask(022);
}

/* tmpfs: limits, busy, read-only; and mounts that cannot be. */
static void test_mount(void)
{
	struct statfs fs;
	char page[4096] = { 0 };
	int fd, i;

	mkdir("m", 0755);
	is_errno(mount("none", "m", "nosuchfs", 0, NULL), ENODEV,
		 "an unknown file system");
	is_errno(mount("none", "none", "tmpfs", 0, NULL), ENOENT,
		 "a mount point not there");
	is_errno(mount("readable", "m", "ext2", 0, NULL), ENOTBLK,
		 "a device that is none");
	is(mount("none", "m", "tmpfs", 0, "size=64k,nr_inodes=8"), 0,
	   "mount a tmpfs");
	is(statfs("m", &fs), 0, "statfs");
	is(fs.f_blocks, 16, "its size");
	fd = open("m/f", O_CREAT | O_RDWR, 0644);
	for (i = 0; i < 16; i++)
		pwrite(fd, page, sizeof(page), i * 4096);
	is_errno(pwrite(fd, page, sizeof(page), 16 * 4096), ENOSPC, "full");
	is_errno(rmdir("m"), EBUSY, "rmdir of a mount point");
	is_errno(rename("m/f", "f"), EXDEV, "rename across file systems");
	is_errno(umount("m"), EBUSY, "umount with a file open");
	is_errno(mount("none", "m", "tmpfs", MS_REMOUNT | MS_RDONLY, NULL),
		 EBUSY, "read-only with a file open for writing");
	close(fd);
	is(mount("none", "m", "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0,
	   "read-only");
	is_errno(open("m/f", O_RDWR), EROFS, "open for writing");
	is_errno(mkdir("m/d", 0755), EROFS, "mkdir");
	is_errno(unlink("m/f"), EROFS, "unlink");
	is_errno(chmod("m/f", 0600), EROFS, "chmod");
	is_errno(truncate("m/f", 0), EROFS, "truncate");
	is(umount("m"), 0, "umount");
	is_errno(umount("m"), EINVAL, "a second time");
	is(rmdir("m"), 0, "the mount point is an empty directory again");
}

/* Takes a record lock; 0, or the errno. */
static int record_lock(int fd, int cmd, short type, off_t start, off_t len)
{
	struct flock fl = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = start,
		.l_len = len,
	};

	return fails(fcntl(fd, cmd, &fl));
}

/* In a child: which of two ranges of the parent's are locked? */
static int try_locks(void *arg)
{
	int fd = *(int *)arg, result = 0;

	if (record_lock(fd, F_SETLK, F_WRLCK, 0, 10) == EAGAIN)
		result |= 1;
	if (record_lock(fd, F_SETLK, F_WRLCK, 40, 10) == EAGAIN)
		result |= 2;
	if (record_lock(fd, F_SETLK, F_RDLCK, 90, 10) == EAGAIN)
		result |= 4;
	return result;
}

/* In a child: waits for the parent's lock. */
static int wait_for_lock(void *arg)
{
	return record_lock(*(int *)arg, F_SETLKW, F_WRLCK, 0, 1);
}

/* Record locks split, are seen by others, and end with close. */
static void test_record_locks(void)
{
	int fd = open("locked", O_CREAT | O_RDWR, 0644);
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	pid_t child;

	is(record_lock(fd, F_SETLK, F_WRLCK, 0, 100), 0, "lock 0-99");
	is(record_lock(fd, F_SETLK, F_UNLCK, 40, 20), 0, "unlock 40-59");
	is(record_lock(fd, F_SETLK, F_RDLCK, 80, 20), 0, "share 80-99");
	is(run_child(try_locks, &fd), 1, "what a child finds");
	is(fcntl(fd, F_GETLK, &fl), 0, "F_GETLK");
	is(fl.l_type, F_UNLCK, "one's own lock is not in the way");
	child = start_child(wait_for_lock, &fd);
	sleep_ms(50);
	close(open("locked", O_RDONLY));
	is(WEXITSTATUS(wait_status(child)), 0, "any close ends them");
	is(record_lock(fd, F_SETLK, 7, 0, 1), EINVAL, "a wrong type");
	close(fd);
}

/* Whole-file locks belong to the open file. */
static void test_flock(void)
{
	int a = open("locked", O_RDWR), b = open("locked", O_RDWR);

	is(flock(a, LOCK_SH), 0, "flock: shared");
	is(flock(b, LOCK_SH | LOCK_NB), 0, "shared twice");
	is_errno(flock(a, LOCK_EX | LOCK_NB), EWOULDBLOCK, "exclusive");
	close(b);
	is(flock(a, LOCK_EX | LOCK_NB), 0, "once the other is closed");
	close(a);
}

static volatile sig_atomic_t alarms;

/* SIGALRM. */
static void on_alarm(int sig)
{
	(void)sig;
	alarms++;
}

/* Milliseconds since some moment. */
static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* In a child: writes a byte after a while. */
static int write_late(void *arg)
{
	sleep_ms(50);
	return write(*(int *)arg, "x", 1) != 1;
}

/* poll: what is ready, time-outs, wake-ups, signals. */
static void test_poll(void)
{
	int p[2], q[2];
	long start;
	pid_t child;

	if (pipe(p) || pipe(q))
		bail_out("no pipes");
	struct pollfd fds[] = {
		{ p[0], POLLIN, 0 }, { q[1], POLLOUT, 0 }, { -1, POLLIN, 0 },
		{ 999, POLLIN, 0 },
	};
	is(poll(fds, 4, 0), 2, "poll: two of four");
	is(fds[1].revents, POLLOUT, "writable");
	is(fds[3].revents, POLLNVAL, "not open");
	start = now_ms();
	is(poll(fds, 1, 60), 0, "time-out");
	ok(now_ms() - start >= 55, "which takes its time");
	child = start_child(write_late, &p[1]);
	is(poll(fds, 1, 5000), 1, "woken by a writer");
	is(wait_status(child), 0, "the writer");
	signal(SIGALRM, on_alarm);
	alarm(1);
	read(p[0], &start, 1);
	is_errno(poll(fds, 1, 5000), EINTR, "a signal");
	is(alarms, 1, "the handler ran");
	close(p[1]);
	is(poll(fds, 1, -1), 1, "the other end is closed");
	is(fds[0].revents, POLLHUP, "POLLHUP");
	close(p[0]);
	close(q[0]);
	is(poll(fds + 1, 1, 0), 1, "nobody reads");
	ok(fds[1].revents & POLLERR, "POLLERR");
	close(q[1]);
}

/* select: sets in, sets out. */
static void test_select(void)
{
	struct timeval tv = { 0, 50000 };
	fd_set in, out;
	int p[2];

	if (pipe(p))
		bail_out("no pipe");
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(p[0], &in);
	FD_SET(p[1], &out);
	is(select(p[1] + 1, &in, &out, NULL, NULL), 1, "select");
	ok(!FD_ISSET(p[0], &in) && FD_ISSET(p[1], &out), "its sets");
	FD_SET(p[0], &in);
	is(select(p[1] + 1, &in, NULL, NULL, &tv), 0, "time-out");
	ok(!FD_ISSET(p[0], &in), "the set is empty");
	write(p[1], "x", 1);
	FD_SET(p[0], &in);
	is(select(p[1] + 1, &in, NULL, NULL, NULL), 1, "readable");
	close(p[0]);
	FD_SET(p[0], &in);
	is_errno(select(p[1] + 1, &in, NULL, NULL, NULL), EBADF,
		 "a descriptor that is closed");
	close(p[1]);
}

/* In a child: writes into the FIFO. */
static int write_fifo(void *arg)
{
	int fd = open(arg, O_WRONLY);

	return write(fd, "through", 7) != 7;
}

/* FIFOs: opening waits for the other end. */
static void test_fifo(void)
{
	char buf[16] = "";
	pid_t child;
	int fd;

	is(mkfifo("fifo", 0600), 0, "mkfifo");
	is_errno(open("fifo", O_WRONLY | O_NONBLOCK), ENXIO,
		 "nobody reads it");
	child = start_child(write_fifo, "fifo");
	fd = open("fifo", O_RDONLY);
	is(read(fd, buf, sizeof(buf)), 7, "read");
	is_str(buf, "through", "what was written");
	is(read(fd, buf, sizeof(buf)), 0, "end of file");
	is(wait_status(child), 0, "the writer");
	is_errno(lseek(fd, 0, SEEK_SET), ESPIPE, "lseek");
	close(fd);
	unlink("fifo");
}

/* sendfile: into a file and into a pipe. */
static void test_sendfile(void)
{
	char buf[32] = "";
	off_t off = 2;
	int in, out, p[2];

	fill_file("source", "0123456789", 10);
	in = open("source", O_RDONLY);
	out = open("target", O_CREAT | O_RDWR | O_TRUNC, 0644);
	is(sendfile(out, in, &off, 5), 5, "sendfile to a file");
	is(off, 7, "the offset moved");
	is(lseek(in, 0, SEEK_CUR), 0, "the position did not");
	is(sendfile(out, in, NULL, 100), 10, "up to the end");
	pread(out, buf, sizeof(buf), 0);
	is_str(buf, "234560123456789", "the contents");
	if (pipe(p))
		bail_out("no pipe");
	off = 8;
	is(sendfile(p[1], in, &off, 100), 2, "to a pipe");
	is(read(p[0], buf, sizeof(buf)), 2, "which has them");
	is_errno(sendfile(out, p[0], NULL, 1), EINVAL, "from a pipe");
	close(p[0]);
	close(p[1]);
	close(in);
	close(out);
}

/* Descriptors: the lowest free one, duplicates, flags, limits. */
static void test_descriptors(void)
{
	int fd = open("source", O_RDONLY), copy = dup(fd);

	is(copy, fd + 1, "dup: the lowest free one");
	is(lseek(fd, 4, SEEK_SET), 4, "one position");
	is(lseek(copy, 0, SEEK_CUR), 4, "for both");
	is(fcntl(fd, F_DUPFD, 50), 50, "F_DUPFD");
	is(fcntl(50, F_GETFD), 0, "not close-on-exec");
	is(fcntl(fd, F_DUPFD_CLOEXEC, 50), 51, "F_DUPFD_CLOEXEC");
	is(fcntl(51, F_GETFD), FD_CLOEXEC, "close-on-exec");
	is(dup2(fd, 200), 200, "dup2");
	is(dup2(fd, fd), fd, "dup2 onto itself");
	is_errno(dup3(fd, fd, 0), EINVAL, "dup3 onto itself");
	is_errno(dup2(fd, 1 << 20), EBADF, "dup2 beyond the limit");
	is_errno(dup2(999, 5), EBADF, "dup2 of none");
	is(fcntl(fd, F_SETFL, O_NONBLOCK), 0, "F_SETFL");
	ok(fcntl(copy, F_GETFL) & O_NONBLOCK, "for both");
	close(50);
	close(51);
	close(200);
	close(copy);
	is_errno(read(copy, &fd, 1), EBADF, "closed");
	close(fd);
}

/* Times, and what stat says of them. */
static void test_attributes(void)
{
	struct timespec times[2] = { { 1000, 5 }, { 2000, 6 } };
	struct timespec one[2] = { { 0, UTIME_OMIT }, { 3000, 0 } };
	struct stat st;

	fill_file("attr", "abc", 3);
	is(utimensat(AT_FDCWD, "attr", times, 0), 0, "utimensat");
	stat("attr", &st);
	is(st.st_atime, 1000, "atime");
	is(st.st_mtime, 2000, "mtime");
	is(utimensat(AT_FDCWD, "attr", one, 0), 0, "only one");
	stat("attr", &st);
	is(st.st_atime, 1000, "the other is kept");
	is(st.st_mtime, 3000, "the one is set");
	times[0].tv_nsec = 1000000000;
	is_errno(utimensat(AT_FDCWD, "attr", times, 0), EINVAL,
		 "nanoseconds out of range");
	is(chmod("attr", 06751), 0, "chmod");
	stat("attr", &st);
	is(st.st_mode, S_IFREG | 06751, "the mode");
	is(chown("attr", 5, 6), 0, "chown");
	stat("attr", &st);
	is(st.st_uid * 10 + st.st_gid, 56, "owner and group");
	is(st.st_mode & 06000, 0, "the set-id bits are gone");
	is(chown("attr", -1, 7), 0, "the group alone");
	stat("attr", &st);
	is(st.st_uid * 10 + st.st_gid, 57, "the owner is kept");
	is_errno(fsync(-1), EBADF, "fsync of none");
	unlink("attr");
}

/* Devices that need no hardware. */
static void test_devices(void)
{
	int fd = open("/dev/full", O_RDWR);
	char buf[8];

	is_errno(write(fd, "x", 1), ENOSPC, "/dev/full");
	close(fd);
	fd = open("/dev/null", O_RDWR);
	is(write(fd, buf, sizeof(buf)), sizeof(buf), "/dev/null takes all");
	is(read(fd, buf, sizeof(buf)), 0, "and has nothing");
	close(fd);
	fd = open("/dev/zero", O_RDWR);
	memset(buf, 1, sizeof(buf));
	is(read(fd, buf, sizeof(buf)), sizeof(buf), "/dev/zero");
	is(count_bytes(buf, sizeof(buf), 0), sizeof(buf), "is zeros");
	close(fd);
	mknod("nodev", S_IFCHR | 0600, 250 << 8);
	is_errno(open("nodev", O_RDWR), ENXIO, "a device that is not there");
	unlink("nodev");
}

int main(void)
{
	enter_test_dir("t_vfs");
	if (geteuid()) {
		skip(22, "only root can test permissions and mounts");
	} else {
		test_permissions();
		test_mount();
	}
	test_record_locks();
	test_flock();
	test_poll();
	test_select();
	test_fifo();
	test_sendfile();
	test_descriptors();
	test_attributes();
	test_devices();
	return done();
}
