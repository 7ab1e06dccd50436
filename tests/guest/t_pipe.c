/*
 * Pipes: order, atomic writes, blocking, ends that are closed, poll.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

/* A new pipe, or the end of the test. */
static void make_pipe(int *ends, int flags)
{
	if (pipe2(ends, flags) < 0)
		bail_out("pipe: %s", strerror(errno));
}

/* Closes both ends. */
static void close_pipe(int *ends)
{
	close(ends[0]);
	close(ends[1]);
}

/* A pipe is a FIFO of bytes. */
static void test_basics(void)
{
	char buf[100];
	struct stat st;
	int ends[2];

	make_pipe(ends, 0);
	ok(fstat(ends[0], &st) == 0 && S_ISFIFO(st.st_mode), "a FIFO");
	is(write(ends[1], "hello", 5), 5, "write");
	is(write(ends[1], " world", 6), 6, "and again");
	is(read(ends[0], buf, 3), 3, "read a part");
	is(read(ends[0], buf + 3, 90), 8, "and the rest");
	ok(!memcmp(buf, "hello world", 11), "in order");
	is_errno(write(ends[0], "x", 1), EBADF, "write to the reading end");
	is_errno(read(ends[1], buf, 1), EBADF, "read from the writing end");
	is(write(ends[1], "z", 1), 1, "one byte more");
	close(ends[1]);
	is(read(ends[0], buf, 9), 1, "is read after the writer has gone");
	is(read(ends[0], buf, 9), 0, "then the end");
	close(ends[0]);
	make_pipe(ends, O_CLOEXEC | O_NONBLOCK);
	ok(fcntl(ends[0], F_GETFD) == FD_CLOEXEC &&
		   fcntl(ends[1], F_GETFL) & O_NONBLOCK,
	   "the flags of pipe2");
	close_pipe(ends);
	is_errno(pipe2(ends, O_APPEND), EINVAL, "other flags");
}

static volatile sig_atomic_t got_sigpipe;

/* Notes SIGPIPE. */
static void on_sigpipe(int sig)
{
	(void)sig;
	got_sigpipe = 1;
}

/* Writes into a pipe nobody reads. */
static int write_to_nobody(void *arg)
{
	int *ends = arg;

	signal(SIGPIPE, SIG_DFL);
	close(ends[0]);
	write(ends[1], "x", 1);
	return 0;
}

/* Without readers a write fails, and sends SIGPIPE. */
static void test_no_reader(void)
{
	int ends[2];

	make_pipe(ends, 0);
	signal(SIGPIPE, on_sigpipe);
	close(ends[0]);
	is_errno(write(ends[1], "x", 1), EPIPE, "write without a reader");
	is(got_sigpipe, 1, "SIGPIPE came");
	signal(SIGPIPE, SIG_IGN);
	is_errno(write(ends[1], "x", 1), EPIPE, "SIGPIPE ignored");
	is(run_child(write_to_nobody, ends), -SIGPIPE, "not ignored it kills");
	close(ends[1]);
}

/* What a pipe holds when nobody reads. */
static void test_full(void)
{
	static char buf[PIPE_BUF];
	int ends[2], n = 0;

	make_pipe(ends, O_NONBLOCK);
	is_errno(read(ends[0], buf, 1), EAGAIN, "read of an empty one");
	while (write(ends[1], buf, PIPE_BUF) == PIPE_BUF)
		n++;
	is_errno(write(ends[1], buf, PIPE_BUF), EAGAIN,
		 "full after %d times PIPE_BUF", n);
	ok(n >= 1, "it held at least one");
	is(read(ends[0], buf, 100), 100, "take 100 bytes");
	is_errno(write(ends[1], buf, PIPE_BUF), EAGAIN,
		 "PIPE_BUF bytes go whole or not at all");
	while (n-- > 0)
		read(ends[0], buf, PIPE_BUF);
	is_errno(read(ends[0], buf, 1), EAGAIN, "empty again");
	close_pipe(ends);
}

/* Sends records of PIPE_BUF bytes, all of the same letter. */
static int send_records(void *arg)
{
	struct {
		int fd;
		char letter;
	} *a = arg;
	char buf[PIPE_BUF];
	int i;

	memset(buf, a->letter, sizeof(buf));
	for (i = 0; i < 50; i++)
		if (write(a->fd, buf, sizeof(buf)) != sizeof(buf))
			return 1;
	return 0;
}

/* Reads exactly size bytes; false at the end. */
static int read_all(int fd, char *buf, size_t size)
{
	while (size) {
		ssize_t n = read(fd, buf, size);

		if (n <= 0)
			return 0;
		buf += n;
		size -= n;
	}
	return 1;
}

/* Several writers of PIPE_BUF bytes do not mix. */
static void test_atomic(void)
{
	struct {
		int fd;
		char letter;
	} arg;
	int ends[2], i, records = 0, mixed = 0;
	char buf[PIPE_BUF];
	pid_t pids[3];

	make_pipe(ends, 0);
	arg.fd = ends[1];
	for (i = 0; i < 3; i++) {
		arg.letter = 'a' + i;
		pids[i] = start_child(send_records, &arg);
	}
	close(ends[1]);
	while (read_all(ends[0], buf, sizeof(buf))) {
		records++;
		mixed += count_bytes(buf, sizeof(buf), buf[0]) != sizeof(buf);
	}
	for (i = 0; i < 3; i++)
		is(wait_status(pids[i]), 0, "writer %d", i);
	is(records, 150, "150 records of three writers");
	is(mixed, 0, "none is mixed");
	close(ends[0]);
}

/* Writes 300 KB of a sequence in pieces of odd sizes. */
static int send_sequence(void *arg)
{
	int *fd = arg, at = 0, size = 1, i;
	char buf[9000];

	while (at < 300000) {
		for (i = 0; i < size; i++)
			buf[i] = (at + i) % 251;
		if (write(*fd, buf, size) != size)
			return 1;
		at += size;
		size = size * 7 % 8999 + 1;
	}
	return 0;
}

/* Much data, through writes larger than the pipe and reads of odd sizes. */
static void test_stream(void)
{
	int ends[2], at = 0, wrong = 0, i;
	unsigned char buf[777];
	ssize_t n;
	pid_t pid;

	make_pipe(ends, 0);
	pid = start_child(send_sequence, &ends[1]);
	close(ends[1]);
	while ((n = read(ends[0], buf, sizeof(buf))) > 0)
		for (i = 0; i < n; i++)
			wrong += buf[i] != at++ % 251;
	is(wait_status(pid), 0, "a writer of odd pieces");
	ok(at >= 300000, "%d bytes arrive", at);
	is(wrong, 0, "each right");
	close(ends[0]);
}

/* Writes one byte late. */
static int write_later(void *arg)
{
	sleep_ms(30);
	return write(*(int *)arg, "x", 1) != 1;
}

/* poll on both ends. */
static void test_poll(void)
{
	struct pollfd p[2];
	int ends[2], n = 0;
	pid_t pid;

	make_pipe(ends, O_NONBLOCK);
	p[0] = (struct pollfd){.fd = ends[0], .events = POLLIN};
	p[1] = (struct pollfd){.fd = ends[1], .events = POLLOUT};
	is(poll(p, 2, 0), 1, "an empty pipe: one end is ready");
	ok(!p[0].revents && p[1].revents == POLLOUT, "the one to write to");
	is(poll(p, 1, 20), 0, "time runs out");
	pid = start_child(write_later, &ends[1]);
	is(poll(p, 1, 5000), 1, "wait for a writer");
	is(p[0].revents, POLLIN, "POLLIN");
	wait_status(pid);
	if (ioctl(ends[0], FIONREAD, &n) == 0)
		is(n, 1, "FIONREAD");
	else
		skip(1, "no FIONREAD");
	close(ends[1]);
	poll(p, 1, 0);
	ok(p[0].revents & POLLHUP, "POLLHUP when the writer is gone");
	p[1].fd = 999;
	is(poll(p + 1, 1, 0), 1, "a descriptor that is not open");
	is(p[1].revents, POLLNVAL, "POLLNVAL");
	p[1].fd = -1;
	is(poll(p + 1, 1, 0), 0, "a negative one is passed over");
	close(ends[0]);
}

int main(void)
{
	test_basics();
	test_no_reader();
	test_full();
	test_atomic();
	test_stream();
	test_poll();
	return done();
}
