/*
 * What a process can ask and be told beside fork and exec: queued signals,
 * alternate stacks, timers, clocks, limits, ids, and waitid.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

static volatile int hits, last_value, on_stack;
static char *alt_stack;

/* Blocks one signal. */
static sigset_t block(int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return set;
}

/* Real-time signals are queued, each with its value, in order. */
static void test_queue(void)
{
	struct timespec moment = { 0, 20000000 };
	sigset_t set = block(SIGRTMIN + 1);
	union sigval value;
	siginfo_t info;
	int order = 0;

	for (value.sival_int = 1; value.sival_int <= 5; value.sival_int++)
		if (sigqueue(getpid(), SIGRTMIN + 1, value))
			bail_out("sigqueue: errno %d", errno);
	for (int i = 1; i <= 5; i++) {
		is(sigtimedwait(&set, &info, &moment), SIGRTMIN + 1,
		   "queued signal %d", i);
		order += info.si_value.sival_int == i &&
			 info.si_code == SI_QUEUE &&
			 info.si_pid == getpid();
	}
	is(order, 5, "in order, each with its value");
	is_errno(sigtimedwait(&set, &info, &moment), EAGAIN,
		 "there is no sixth");
	set = block(SIGCHLD);
	if (!fork())
		_exit(3);
	moment.tv_sec = 5;
	is(sigtimedwait(&set, &info, &moment), SIGCHLD,
	   "SIGCHLD, ignored by default, can be waited for");
	is(info.si_code, CLD_EXITED, "CLD_EXITED");
	is(info.si_status, 3, "with the status");
	wait(NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Where does the handler run? */
static void note_stack(int sig)
{
	char here;

	(void)sig;
	hits++;
	on_stack = &here >= alt_stack && &here < alt_stack + 16384;
}

/* sigaltstack, and what it tells. */
static void test_altstack(void)
{
	struct sigaction sa = {
		.sa_handler = note_stack, .sa_flags = SA_ONSTACK,
	};
	stack_t ss, old;

	alt_stack = malloc(16384);
	ss = (stack_t){ .ss_sp = alt_stack, .ss_size = 16384 };
	is(sigaltstack(&ss, NULL), 0, "an alternate stack");
	sigaction(SIGUSR1, &sa, NULL);
	hits = 0;
	raise(SIGUSR1);
	is(hits, 1, "the handler runs");
	ok(on_stack, "on that stack");
	sa.sa_flags = 0;
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	ok(!on_stack, "without SA_ONSTACK on the usual one");
	sigaltstack(NULL, &old);
	ok(old.ss_sp == alt_stack && old.ss_size == 16384 && !old.ss_flags,
	   "it can be asked for");
	ss.ss_size = 100;
	is_errno(sigaltstack(&ss, NULL), ENOMEM, "one that is too small");
	ss = (stack_t){ .ss_flags = SS_DISABLE };
	is(sigaltstack(&ss, NULL), 0, "and given up");
}

/* Uses up so much processor time. */
static void burn_ms(long ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		for (volatile int i = 0; i < 10000; i++)
			;
}

/* Counts a signal. */
static void count(int sig)
{
	last_value = sig;
	hits++;
}

/* Timers of processor time, and its limit. */
static void test_itimer(void)
{
	struct itimerval it = { { 0, 20000 }, { 0, 20000 } }, old;

	signal(SIGVTALRM, count);
	signal(SIGPROF, count);
	hits = 0;
	is(setitimer(ITIMER_PROF, &it, NULL), 0, "ITIMER_PROF");
	burn_ms(200);
	it.it_value.tv_usec = 0;
	setitimer(ITIMER_PROF, &it, &old);
	ok(hits >= 3, "it ticks (%d)", hits);
	is(last_value, SIGPROF, "with SIGPROF");
	is(old.it_interval.tv_usec, 20000, "its interval can be read");
	it.it_value.tv_usec = 20000;
	hits = 0;
	setitimer(ITIMER_VIRTUAL, &it, NULL);
	burn_ms(300);
	it.it_value.tv_usec = 0;
	setitimer(ITIMER_VIRTUAL, &it, NULL);
	ok(hits >= 1, "ITIMER_VIRTUAL ticks (%d)", hits);
}

/* Uses more processor time than it may. */
static int run_into_limit(void *arg)
{
	struct rlimit limit = { 1, 3 };

	setrlimit(RLIMIT_CPU, &limit);
	burn_ms(10000);
	return arg != NULL;
}

/* Milliseconds on a clock. */
static long now_ms(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		return -1;
	return ts.tv_sec % 1000000 * 1000 + ts.tv_nsec / 1000000;
}

/* Clocks and sleeping. */
static void test_clocks(void)
{
	struct timespec ts;
	struct tms tms;
	long start, cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID);

	ok(cpu >= 0, "processor time %ld ms", cpu);
	start = now_ms(CLOCK_MONOTONIC);
	burn_ms(50);
	ok(now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu >= 49, "it passes");
	ok(now_ms(CLOCK_MONOTONIC) - start >= 49, "and so does the day");
	ok(times(&tms) != (clock_t)-1 && tms.tms_utime > 0, "times");
	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_sec++;
	start = now_ms(CLOCK_MONOTONIC);
	is(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL), 0,
	   "sleep until a moment");
	ok(now_ms(CLOCK_MONOTONIC) - start >= 999, "it came after a second");
	ts = (struct timespec){ 0, 1000000000 };
	is_errno(nanosleep(&ts, NULL), EINVAL, "a time that is none");
	is_errno(clock_gettime(99, &ts), EINVAL, "a clock that is none");
	ok(time(NULL) > 1000000000, "we are in the third millennium");
}

/* waitid, WNOWAIT, and who is a child. */
static void test_waitid(void)
{
	pid_t pid = fork();
	siginfo_t info;

	if (pid == 0)
		_exit(9);
	is(waitid(P_PID, pid, &info, WEXITED | WNOWAIT), 0, "waitid");
	ok(info.si_pid == pid && info.si_code == CLD_EXITED &&
	   info.si_status == 9, "tells pid, cause and status");
	is(waitid(P_ALL, 0, &info, WEXITED), 0, "after WNOWAIT once more");
	is_errno(waitid(P_ALL, 0, &info, WEXITED), ECHILD, "and then not");
	is_errno(waitid(P_ALL, 0, &info, WNOHANG), EINVAL,
		 "nothing to wait for");
	signal(SIGCHLD, SIG_IGN);
	if (!fork())
		_exit(1);
	is_errno(wait(NULL), ECHILD, "SIGCHLD ignored: no zombie is left");
	signal(SIGCHLD, SIG_DFL);
}

/* As a user without rights: 0 if all is as it should be. */
static int without_rights(void *arg)
{
	struct rlimit limit;

	(void)arg;
	if (setgid(100) || setuid(1000))
		return 1;
	if (getuid() != 1000 || geteuid() != 1000 || getegid() != 100)
		return 2;
	if (setuid(0) == 0 || errno != EPERM)
		return 3;
	if (kill(1, SIGTERM) == 0 || errno != EPERM)
		return 4;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_max++;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0 || errno != EPERM)
		return 5;
	errno = 0;
	if (nice(-1) != -1 || errno != EPERM)
		return 6;
	limit.rlim_cur = limit.rlim_max = 0;
	setrlimit(RLIMIT_NPROC, &limit);
	if (fork() != -1 || errno != EAGAIN)
		return 7;
	return 0;
}

/* Leaves the session. */
static int new_session(void *arg)
{
	(void)arg;
	if (setsid() != getpid() || getpgrp() != getpid() ||
	    getsid(0) != getpid())
		return 1;
	if (setsid() != -1 || errno != EPERM)
		return 2;
	return setpgid(0, 0) != -1 || errno != EPERM ? 3 : 0;
}

/* Who the process is. */
static void test_ids(void)
{
	if (getuid() == 0)
		is(run_child(without_rights, NULL), 0, "an ordinary user");
	else
		skip(1, "not started by root");
	is(run_child(new_session, NULL), 0, "setsid");
	is_errno(setpgid(0, 1 << 20), EPERM, "a group that is none");
	is_errno(getsid(1 << 20), ESRCH, "a process that is none");
}

/* The rest. */
static void test_system(void)
{
	struct utsname names;
	struct sysinfo info;
	cpu_set_t cpus;
	char name[16] = "", random[2][16];

	is(uname(&names), 0, "uname");
	is_str(names.sysname, "Linux", "a kernel that programs know");
	is(sysinfo(&info), 0, "sysinfo");
	ok(info.totalram > info.freeram && info.procs > 0,
	   "memory in use, %d processes", info.procs);
	ok(sched_getaffinity(0, sizeof(cpus), &cpus) == 0 &&
	   CPU_COUNT(&cpus) > 0, "there is a CPU");
	prctl(PR_SET_NAME, "a name that is too long");
	prctl(PR_GET_NAME, name);
	is_str(name, "a name that is ", "PR_SET_NAME keeps 15 characters");
	getrandom(random[0], 16, 0);
	is(getrandom(random[1], 16, 0), 16, "getrandom");
	ok(memcmp(random[0], random[1], 16), "and not twice the same");
	is(nice(5), 5, "nice");
	is(getpriority(PRIO_PROCESS, 0), 5, "getpriority");
}

int main(void)
{
	test_queue();
	test_altstack();
	test_itimer();
	is(run_child(run_into_limit, NULL), -SIGXCPU, "RLIMIT_CPU");
	test_clocks();
	test_waitid();
	test_ids();
	test_system();
	return done();
}
