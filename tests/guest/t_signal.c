/*
 * Signals that are sent: masks, handlers, interrupted calls, timers, groups,
 * and what a signal does by default. t_trap.c has the faults.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

static volatile sig_atomic_t caught, last_sig, last_pid;
static volatile int depth, deepest;

/* Counts, and notes who sent it. */
static void count(int sig, siginfo_t *info, void *context)
{
	(void)context;
	last_sig = sig;
	last_pid = info->si_pid;
	caught++;
}

/* Installs count() for a signal. */
static void catch (int sig, int flags)
{
	struct sigaction sa = {.sa_sigaction = count,
			       .sa_flags = SA_SIGINFO | flags};

	sigaction(sig, &sa, NULL);
	caught = 0;
}

/* kill() to oneself, its siginfo, and mistakes. */
static void test_kill(void)
{
	catch (SIGUSR1, 0);
	is(kill(getpid(), SIGUSR1), 0, "kill myself");
	ok(caught == 1 && last_sig == SIGUSR1 && last_pid == getpid(),
	   "the handler ran and knows who sent it");
	is(raise(SIGUSR1), 0, "raise");
	is(caught, 2, "it ran again");
	is(kill(getpid(), 0), 0, "signal 0");
	is_errno(kill(getpid(), 65), EINVAL, "signal 65");
	is_errno(kill(1 << 22, SIGUSR1), ESRCH, "no such process");
	signal(SIGUSR1, SIG_IGN);
	raise(SIGUSR1);
	is(caught, 2, "an ignored signal does nothing");
	is_errno((long)signal(SIGKILL, SIG_IGN), EINVAL, "SIGKILL stays");
}

/* Blocked signals wait, once each; pending and suspend. */
static void test_mask(void)
{
	sigset_t block, old, pending;

	catch (SIGUSR1, 0);
	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	sigprocmask(SIG_BLOCK, &block, &old);
	raise(SIGUSR1);
	raise(SIGUSR1);
	is(caught, 0, "a blocked signal waits");
	sigpending(&pending);
	ok(sigismember(&pending, SIGUSR1) == 1 &&
		   sigismember(&pending, SIGUSR2) == 0,
	   "sigpending knows");
	is_errno(sigsuspend(&old), EINTR, "sigsuspend lets it in");
	is(caught, 1, "once, though it was sent twice");
	raise(SIGUSR1);
	is(caught, 1, "sigsuspend has put the mask back");
	sigprocmask(SIG_SETMASK, &old, NULL);
	is(caught, 2, "unblocked, it comes");
}

/* Raises its own signal again from inside. */
static void nest(int sig)
{
	if (++depth > deepest)
		deepest = depth;
	if (caught++ < 5)
		raise(sig);
	depth--;
}

/* Handlers inside handlers, and the mask that keeps them apart. */
static void test_nesting(void)
{
	struct sigaction sa = {.sa_handler = nest};

	caught = deepest = 0;
	sigaction(SIGUSR2, &sa, NULL);
	raise(SIGUSR2);
	ok(caught == 6 && deepest == 1, "a signal is blocked in its handler");
	sa.sa_flags = SA_NODEFER;
	sigaction(SIGUSR2, &sa, NULL);
	caught = deepest = 0;
	raise(SIGUSR2);
	ok(caught == 6 && deepest == 6, "and not so with SA_NODEFER");
	sa.sa_flags = SA_RESETHAND;
	sigaction(SIGUSR2, &sa, NULL);
	caught = 5;
	raise(SIGUSR2);
	sigaction(SIGUSR2, NULL, &sa);
	ok(sa.sa_handler == SIG_DFL, "SA_RESETHAND");
}

/* Sends SIGUSR1 to the parent after a while, then a byte to the pipe. */
static int signal_then_write(void *arg)
{
	int *ends = arg;

	sleep_ms(50);
	kill(getppid(), SIGUSR1);
	sleep_ms(50);
	say_ready(ends[1]);
	return 0;
}

/* Calls that sleep, with and without SA_RESTART. */
static void test_interrupted(void)
{
	struct timespec second = {1, 0}, left = {0};
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends) < 0)
		bail_out("pipe: %s", strerror(errno));
	catch (SIGUSR1, 0);
	pid = start_child(signal_then_write, ends);
	is_errno(read(ends[0], &c, 1), EINTR, "read without SA_RESTART");
	is(read(ends[0], &c, 1), 1, "and once more");
	wait_status(pid);
	catch (SIGUSR1, SA_RESTART);
	pid = start_child(signal_then_write, ends);
	is(read(ends[0], &c, 1), 1, "read with SA_RESTART goes on");
	is(caught, 1, "after the handler");
	wait_status(pid);
	pid = start_child(signal_then_write, ends);
	is_errno(nanosleep(&second, &left), EINTR, "nanosleep");
	ok(left.tv_sec == 0 && left.tv_nsec > 500000000, "tells the rest");
	wait_status(pid);
	pid = start_child(signal_then_write, ends);
	is_errno(poll(NULL, 0, 1000), EINTR, "poll");
	wait_status(pid);
	close(ends[0]), close(ends[1]);
}

/* alarm() and interval timers. */
static void test_timers(void)
{
	struct itimerval it = {{0, 10000}, {0, 10000}}, old;
	struct timeval start, end;
	long us;

	catch (SIGALRM, 0);
	gettimeofday(&start, NULL);
	is(setitimer(ITIMER_REAL, &it, NULL), 0, "a timer of 10 ms");
	while (caught < 5)
		pause();
	gettimeofday(&end, NULL);
	us = (end.tv_sec - start.tv_sec) * 1000000l + end.tv_usec -
	     start.tv_usec;
	ok(us >= 40000 && us < 1000000, "ticks five times in %ld ms",
	   us / 1000);
	memset(&it, 0, sizeof(it));
	setitimer(ITIMER_REAL, &it, &old);
	is(old.it_interval.tv_usec, 10000, "it can be read and stopped");
	alarm(100);
	is(alarm(0), 100, "alarm tells what was left");
	is_errno(setitimer(99, &it, NULL), EINVAL, "no such timer");
	signal(SIGALRM, SIG_DFL);
}

/* Ends by the signal that arg points to. */
static int die_by(void *arg)
{
	int *sig = arg;

	raise(*sig);
	return 0;
}

/* What each signal does when nobody asked for anything else. */
static void test_defaults(void)
{
	static const int deadly[] = {
		SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT,
		SIGBUS,  SIGFPE,  SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2,
		SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, 40};
	static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH};
	int sig, right = 0;
	size_t i;

	signal(SIGUSR1, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	for (i = 0; i < sizeof(deadly) / sizeof(*deadly); i++) {
		sig = deadly[i];
		if (!is(run_child(die_by, &sig), -sig, "signal %d kills", sig))
			diag("%s", strsignal(sig));
	}
	for (i = 0; i < sizeof(harmless) / sizeof(*harmless); i++) {
		sig = harmless[i];
		right += run_child(die_by, &sig) == 0;
	}
	is(right, 4, "SIGCHLD, SIGCONT, SIGURG, SIGWINCH do nothing");
}

/* Ends at the signal that the terminal or kill() of the group sends. */
static int in_new_group(void *arg)
{
	int *ends = arg;

	setpgid(0, 0);
	if (fork() == 0) {
		say_ready(ends[1]);
		pause();
		_exit(0);
	}
	pause();
	return 0;
}

/* kill() of a process group. */
static void test_group(void)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		bail_out("pipe: %s", strerror(errno));
	pid = start_child(in_new_group, ends);
	wait_until_ready(ends[0]);
	is(kill(-pid, SIGINT), 0, "SIGINT to a group of two");
	is(killed_by(wait_status(pid)), SIGINT, "kills the first");
	close(ends[1]);
	is(read(ends[0], &pid, 1), 0, "and the other");
	close(ends[0]);
}

int main(void)
{
	test_kill();
	test_mask();
	test_nesting();
	test_interrupted();
	test_timers();
	test_defaults();
	test_group();
	return done();
}
