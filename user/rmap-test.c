/*
 * rmap-test: the program of the reverse-mapping debate of April 2003.
 *
 * One file, n shared windows on it, t tasks that inherit all of them:
 *
 *	file   |  s pages  |gap|  s pages  |gap|  ...  |  s pages  |
 *	        window 0        window 1                window n-1
 *	          ^ ^ ... ^       every task has a PTE for every page it touched
 *
 * The parent maps each window, increments the first byte of each of its
 * pages and starts the writeback (MS_ASYNC); the tasks sleep for a second and
 * then increment the same bytes, in a pattern. Page gaps in the file keep
 * neighbouring windows from being merged into one VMA.
 *
 * A touch is one atomic instruction, so no increment is ever lost, on one
 * processor or many, and each byte has a known answer:
 *
 *	-l	1 + tasks * iterations
 *	-r	1 + how often the sequence of each task, replayed, hits the page
 *	-h	1 + (tasks - 1) * iterations, and in the first half of the
 *		windows also the rounds that task 0 says it made
 *
 * all modulo 256. The times printed last are taken before the answers are
 * checked, so they compare with those published for the original.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/lib_times.h"
#include "user/lib_util.h"
#include "user/rmap_test.h"

static int fd; /* of the file */
static pid_t *tasks; /* 0: not there, or reaped */

/* What parent and tasks tell each other, in shared memory. */
static struct {
	volatile uint32_t running; /* tasks not reaped yet */
	volatile uint32_t rounds;  /* of task 0 under -h */
} * shared;

/* What child t does with its life. */
static void run_task(uint32_t t)
{
	struct walk walk = start_walk(t);
	uint32_t i;

	sleep(1);
	if (pattern == HALF && t == 0) {
		do {
			touch_windows(0, half());
			shared->rounds++;
		} while (shared->running > 1);
		return;
	}
	for (i = 0; i < nr_iterations; i++) {
		if (verbose > 1 || (verbose && t == 0))
			printf("task %u: iteration %u of %u\n", t, i + 1,
			       nr_iterations);
		fflush(stdout);
		if (pattern == RANDOM)
			touch_random(&walk);
		else
			touch_windows(0, nr_windows);
	}
}

/* Kills and reaps the tasks that are still there. */
static void kill_tasks(void)
{
	uint32_t t;

	for (t = 0; t < nr_tasks; t++)
		if (tasks[t])
			kill(tasks[t], SIGKILL);
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/* Starts all tasks, or none: a failure ends the program. */
static void start_tasks(void)
{
	uint32_t t;

	fflush(stdout);
	shared->running = nr_tasks;
	for (t = 0; t < nr_tasks; t++) {
		pid_t pid = fork();

		if (pid == 0) {
			run_task(t);
			fflush(stdout);
			_exit(0);
		}
		if (pid < 0) {
			int err = errno;

			kill_tasks();
			errno = err;
			die_errno("cannot start task %u of %u", t + 1,
				  nr_tasks);
		}
		tasks[t] = pid;
	}
}

/* The number of the task with that process id. */
static uint32_t task_number(pid_t pid)
{
	uint32_t t = 0;

	while (t < nr_tasks && tasks[t] != pid)
		t++;
	return t;
}

/* Waits for all tasks. One that fails takes the others and us along. */
static void reap_tasks(void)
{
	while (shared->running) {
		int status;
		pid_t pid = wait(&status);
		uint32_t t;

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			die_errno("wait");
		t = task_number(pid);
		if (t == nr_tasks)
			continue;
		tasks[t] = 0;
		shared->running--;
		if (!status)
			continue;
		kill_tasks();
		if (WIFSIGNALED(status))
			die("task %u was killed by signal %d (%s)", t,
			    WTERMSIG(status), strsignal(WTERMSIG(status)));
		die("task %u failed", t);
	}
}

/*
 * A touch got no page: says which one and whether the disk was full.
 * Everything here is called from the faulting instruction, not at random.
 */
static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	uintptr_t addr = (uintptr_t)info->si_addr;
	unsigned long long page = 0;
	struct statvfs fs;
	uint32_t w;

	(void)sig, (void)context;
	for (w = 0; w < nr_windows && windows[w]; w++)
		if (addr - (uintptr_t)windows[w] <
		    (uintptr_t)window_pages * PAGE_SIZE)
			page = file_page(w) +
			       (addr - (uintptr_t)windows[w]) / PAGE_SIZE;
	if (fstatvfs(fd, &fs) == 0 && fs.f_bavail > 0)
		fprintf(stderr, "rmap-test: I/O error at page %llu\n", page);
	else
		fprintf(stderr, "rmap-test: disk full at page %llu\n", page);
	_exit(EXIT_WRONG);
}

/* Gives every page of the file a block by writing zeros. */
static void fill_file(uint64_t pages)
{
	static const char zeros[16 * PAGE_SIZE];
	uint64_t left = pages * PAGE_SIZE;

	if (verbose)
		printf("filling %s\n", filename);
	while (left) {
		size_t size = left < sizeof(zeros) ? left : sizeof(zeros);
		ssize_t n = write(fd, zeros, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == ENOSPC)
			die("disk full at page %llu",
			    (unsigned long long)(pages - (left + PAGE_SIZE -
							  1) / PAGE_SIZE));
		if (n < 0)
			die_errno("cannot write %s", filename);
		left -= n;
	}
}

/* Creates the file: n windows of s pages and a page between any two. */
static void make_file(void)
{
	uint64_t pages = file_page(nr_windows) - 1;

	fd = open(filename, O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		die_errno("cannot create %s", filename);
	if (ftruncate(fd, pages * PAGE_SIZE) < 0)
		die_errno("cannot make %s %llu pages long", filename,
			  (unsigned long long)pages);
	if (prefill)
		fill_file(pages);
}

/* Maps window w, touches its pages and starts writing them. */
static void make_window(uint32_t w)
{
	size_t size = (size_t)window_pages * PAGE_SIZE;
	void *start;

	start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		     file_page(w) * PAGE_SIZE);
	if (start == MAP_FAILED)
		die_errno("cannot map window %u of %u (%u pages each)", w + 1,
			  nr_windows, window_pages);
	windows[w] = start;
	touch_windows(w, w + 1);
	if (msync(start, size, MS_ASYNC) < 0)
		die_errno("msync of window %u", w);
	if (verbose > 1)
		printf("window %u of %u: %u pages\n", w + 1, nr_windows,
		       window_pages);
}

/* Everything up to the tasks: tables, file, windows. */
static void set_up(void)
{
	struct sigaction sa = {.sa_sigaction = on_sigbus,
			       .sa_flags = SA_SIGINFO};
	uint32_t w;

	windows = need(nr_windows, sizeof(*windows));
	tasks = need(nr_tasks, sizeof(*tasks));
	shared = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die_errno("cannot map a shared page");
	sigaction(SIGBUS, &sa, NULL);
	make_file();
	if (verbose)
		printf("mapping and touching %u windows of %u pages\n",
		       nr_windows, window_pages);
	for (w = 0; w < nr_windows; w++)
		make_window(w);
	if (verbose)
		printf("starting %u tasks\n", nr_tasks);
}

int main(int argc, char **argv)
{
	uint64_t start = now_ns();
	struct times used;
	int wrong;

	parse_options(argc, argv);
	set_up();
	start_tasks();
	reap_tasks();
	used = times_since(start);
	wrong = check_answers(shared->rounds) != 0;
	if (verbose)
		printf("%ld minor faults, %ld major faults\n", used.minor,
		       used.major);
	print_times(&used);
	return wrong ? EXIT_WRONG : 0;
}
