/*
 * Threads: clone with everything shared, thread-local storage, futexes, and
 * what signals, stops, exec and exit mean for a process of several threads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define THREADS	8
#define ROUNDS	2000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int counter, turn;
static __thread int own = 42;

/* Adds to the counter under the lock, and to a variable of its own. */
static void *adder(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		counter++;
		if (i % 100 == 0)
			sched_yield();
		pthread_mutex_unlock(&lock);
		own++;
	}
	return (void *)(own == 42 + ROUNDS ? arg : NULL);
}

/* Many threads, one counter. */
static void test_mutex(void)
{
	pthread_t t[THREADS];
	int good = 0;
	void *ret;

	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, adder, (void *)(i + 1)))
			bail_out("pthread_create");
	for (long i = 0; i < THREADS; i++) {
		pthread_join(t[i], &ret);
		good += ret == (void *)(i + 1);
	}
	is(counter, THREADS * ROUNDS, "%d threads count", THREADS);
	is(good, THREADS, "each with its own thread-local storage");
	is(own, 42, "which is not the first thread's");
}

/* Takes turns with the main thread. */
static void *partner(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		while (turn == 0)
			pthread_cond_wait(&changed, &lock);
		turn = 0;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

/* A condition variable passes the turn to and fro. */
static void test_cond(void)
{
	pthread_t t;

	pthread_create(&t, NULL, partner, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		turn = 1;
		pthread_cond_signal(&changed);
		while (turn)
			pthread_cond_wait(&changed, &lock);
		pthread_mutex_unlock(&lock);
	}
	is(pthread_join(t, NULL), 0, "%d turns", ROUNDS);
}

/* Milliseconds from a to b. */
static long ms_between(struct timespec a, struct timespec b)
{
	return (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
}

/* Waiting for a lock has an end. */
static void test_timeout(void)
{
	struct timespec start, end, until;
	sem_t sem;

	sem_init(&sem, 0, 0);
	clock_gettime(CLOCK_MONOTONIC, &start);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 50000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	is_errno(sem_timedwait(&sem, &until), ETIMEDOUT, "sem_timedwait");
	clock_gettime(CLOCK_MONOTONIC, &end);
	ok(ms_between(start, end) >= 49, "after 50 ms (%ld)",
	   ms_between(start, end));
	is(syscall(SYS_futex, &counter, 0, counter + 1, NULL), -1,
	   "the word has another value");
	is(errno, EAGAIN, "EAGAIN");
	is_errno(syscall(SYS_futex, (char *)&counter + 1, 0, 0, NULL), EINVAL,
		 "a word that is not aligned");
	is_errno(syscall(SYS_futex, 0xc0000000, 0, 0, NULL), EFAULT,
		 "a word in the kernel");
}

/* Waits on a futex in shared memory until the parent has changed it. */
static int wait_shared(void *arg)
{
	volatile int *word = arg;

	word[1] = 1;
	while (word[0] == 0)
		syscall(SYS_futex, word, 0, 0, NULL);
	return word[0];
}

/* Two processes meet at a futex of a shared mapping. */
static void test_shared(void)
{
	volatile int *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = start_child(wait_shared, (void *)word);

	while (!word[1])
		usleep(1000);
	usleep(10000);
	word[0] = 7;
	is(syscall(SYS_futex, word, 1, 1), 1, "one process is woken");
	is(wait_status(pid), 7 << 8, "and saw the new value");
}

static volatile pid_t handler_tid;
static sem_t ready;

/* Notes which thread runs it. */
static void note_tid(int sig)
{
	(void)sig;
	handler_tid = syscall(SYS_gettid);
}

/* Says who it is, and sleeps until it is cancelled. */
static void *sleeper(void *arg)
{
	*(pid_t *)arg = syscall(SYS_gettid);
	sem_post(&ready);
	for (;;)
		pause();
	return NULL;
}

/* Signals to a thread, to a process, and cancellation. */
static void test_signals(void)
{
	pid_t tid = 0;
	sigset_t set;
	pthread_t t;
	void *ret;

	sem_init(&ready, 0, 0);
	signal(SIGUSR1, note_tid);
	pthread_create(&t, NULL, sleeper, &tid);
	sem_wait(&ready);
	ok(tid > 0 && tid != getpid(), "a thread has a number of its own");
	is(pthread_kill(t, SIGUSR1), 0, "a signal to it");
	for (int i = 0; i < 100 && !handler_tid; i++)
		usleep(1000);
	is(handler_tid, tid, "is handled by it");
	handler_tid = 0;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGUSR1);
	for (int i = 0; i < 100 && !handler_tid; i++)
		usleep(1000);
	is(handler_tid, tid, "a signal to the process finds who takes it");
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	pthread_cancel(t);
	pthread_join(t, &ret);
	ok(ret == PTHREAD_CANCELED, "it is cancelled");
	is_errno(syscall(SYS_tgkill, getpid(), tid, 0), ESRCH, "and gone");
}

/* Ends the process from a thread that is not the first. */
static void *ender(void *arg)
{
	usleep(200000);
	syscall(SYS_exit_group, *(int *)arg);
	return NULL;
}

/* A process whose second thread calls exit_group. */
static int end_by_thread(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, ender, arg);
	for (;;)
		pause();
	return 0;
}

/* The first thread goes; the second ends later, with another status. */
static int leader_first(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, ender, arg);
	syscall(SYS_exit, 1);
	return 2;
}

/* Executes a program from a thread. */
static void *executor(void *arg)
{
	char *argv[] = { "sh", "-c", "exit $(($$ == $0))", arg, NULL };

	usleep(10000);
	execv("/bin/sh", argv);
	return NULL;
}

/* A process whose second thread execs: the pid stays. */
static int exec_by_thread(void *arg)
{
	char pid[16];
	pthread_t t;

	(void)arg;
	snprintf(pid, sizeof(pid), "%d", getpid());
	pthread_create(&t, NULL, executor, pid);
	for (;;)
		pause();
	return 0;
}

/* The ends of processes with threads. */
static void test_ends(void)
{
	int status = 5;
	pid_t pid;

	is(wait_status(start_child(end_by_thread, &status)), 5 << 8,
	   "exit_group by a thread");
	pid = start_child(leader_first, &status);
	usleep(1000);
	is(waitpid(pid, &status, WNOHANG), 0,
	   "without its first thread a process is not over");
	is(wait_status(pid), 5 << 8, "but later");
	is(wait_status(start_child(exec_by_thread, NULL)), 1 << 8,
	   "exec by a thread keeps the pid");
}

static volatile long spins;

/* Counts as fast as it can. */
static void *spinner(void *arg)
{
	for (;;)
		spins++;
	return arg;
}

/* A process with two busy threads, killed from outside. */
static int spin_twice(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, spinner, arg);
	spinner(arg);
	return 0;
}

/* Stop, continue and kill act on all threads. */
static void test_stop(void)
{
	pid_t pid = start_child(spin_twice, NULL);
	int status;

	usleep(20000);
	kill(pid, SIGSTOP);
	is(waitpid(pid, &status, WUNTRACED), pid, "a process stops");
	ok(WIFSTOPPED(status), "all of it");
	kill(pid, SIGCONT);
	is(waitpid(pid, &status, WCONTINUED), pid, "goes on");
	kill(pid, SIGSTOP);
	waitpid(pid, &status, WUNTRACED);
	kill(pid, SIGKILL);
	is(wait_status(pid), SIGKILL, "and dies, though stopped");
}

/* Calculates with x87 numbers while others do. */
static void *calculate(void *arg)
{
	volatile double x = (long)arg, sum = 0;

	for (int i = 0; i < 200000; i++) {
		sum += x / 3;
		if (i % 5000 == 0)
			sched_yield();
	}
	return (void *)(long)(sum * 3 / x + 0.5);
}

/* Each thread's FPU state is its own, also in signal handlers. */
static void test_fpu(void)
{
	pthread_t t[4];
	int good = 0;
	void *ret;

	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, calculate, (void *)(i + 1));
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], &ret);
		good += (long)ret == 200000;
	}
	is(good, 4, "four threads calculate");
}

int main(void)
{
	test_mutex();
	test_cond();
	test_timeout();
	test_shared();
	test_signals();
	test_ends();
	test_stop();
	test_fpu();
	return done();
}
