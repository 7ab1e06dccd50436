/*
 * fork, wait4 and copy-on-write: what is private stays private, what is
 * shared stays shared, and every status comes back to the right parent.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"
#include "user/lib_hog.h"

#define NR_CHILDREN 50

static int data = 1;
static int bss;

/* Changes data, bss, stack and heap where only the child may see it. */
static int change_everything(void *arg)
{
	int **vars = arg, i, before = 0;

	for (i = 0; i < 4; i++) {
		before += *vars[i];
		*vars[i] += 100;
	}
	return before == 10 && *vars[0] == 101 ? 0 : 1;
}

/* Writes of the child do not show in the parent. */
static void test_isolation(void)
{
	int stack = 4, *heap = malloc(sizeof(*heap));
	int *vars[] = {&data, &bss, heap, &stack};

	bss = 2;
	*heap = 3;
	is(run_child(change_everything, vars), 0,
	   "the child sees the parent's values and can change them");
	is(data, 1, "data of the parent");
	is(bss, 2, "bss of the parent");
	is(*heap, 3, "heap of the parent");
	is(stack, 4, "stack of the parent");
	free(heap);
}

/* Waits until the parent has written, then looks for the old values. */
static int sees_old_pages(void *arg)
{
	struct {
		int pipe;
		struct hog *hog;
	} *a = arg;

	wait_until_ready(a->pipe);
	return hog_check(a->hog) != 0;
}

/* Writes of the parent after the fork do not show in the child. */
static void test_parent_writes(void)
{
	struct {
		int pipe;
		struct hog *hog;
	} arg;
	struct hog hog;
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0 || hog_create(&hog, 2000, MAP_PRIVATE) < 0)
		bail_out("no memory: %s", strerror(errno));
	hog_fill(&hog);
	arg.pipe = ends[0];
	arg.hog = &hog;
	pid = start_child(sees_old_pages, &arg);
	hog_fill(&hog);
	is(hog_check(&hog), 0, "2000 pages written again by the parent");
	say_ready(ends[1]);
	is(wait_status(pid), 0, "the child still has the 2000 old pages");
	hog_fill(&hog);
	is(hog_check(&hog), 0, "and the parent can write on alone");
	hog_destroy(&hog);
	close(ends[0]);
	close(ends[1]);
}

/* Adds one to each int of a page. */
static int increment_page(void *page)
{
	int *p = page, i;

	for (i = 0; i < PAGE / 4; i++)
		__atomic_fetch_add(&p[i], 1, __ATOMIC_RELAXED);
	return 0;
}

/* Counts the ints of a page that have the value. */
static int count_ints(const int *page, int value)
{
	int i, n = 0;

	for (i = 0; i < PAGE / 4; i++)
		n += page[i] == value;
	return n;
}

/* Shared memory stays one memory for all. */
static void test_shared(void)
{
	int *page = map_anon(PAGE, MAP_SHARED), i;
	pid_t pids[NR_CHILDREN];

	is(run_child(increment_page, page), 0,
	   "a child touches a shared page before the parent did");
	is(count_ints(page, 1), PAGE / 4, "its parent sees that");
	for (i = 0; i < NR_CHILDREN; i++)
		pids[i] = start_child(increment_page, page);
	for (i = 0; i < NR_CHILDREN; i++)
		wait_status(pids[i]);
	is(count_ints(page, 1 + NR_CHILDREN), PAGE / 4,
	   "%d children increment a shared page", NR_CHILDREN);
	munmap(page, PAGE);
}

/* A child, its child, and so on, each with a page of its own at the end. */
static int chain(void *arg)
{
	unsigned char *left = arg;
	int below;

	if (!*left)
		return 0;
	--*left;
	below = run_child(chain, left);
	return below < 0 ? 255 : below + 1;
}

/* Many levels share the same page. */
static void test_generations(void)
{
	unsigned char *page = map_anon(PAGE, MAP_PRIVATE);

	*page = 20;
	is(run_child(chain, page), 20, "20 generations count down a page");
	is(*page, 20, "which the first of them never wrote");
	munmap(page, PAGE);
}

/* Returns the number given. */
static int return_number(void *arg)
{
	return (int)(long)arg;
}

/* Many children at once, each with its own status. */
static void test_statuses(void)
{
	pid_t pids[NR_CHILDREN], pid;
	int i, k, right = 0, status;

	for (i = 0; i < NR_CHILDREN; i++)
		pids[i] = start_child(return_number, (void *)(long)i);
	for (i = 0; i < NR_CHILDREN; i++) {
		pid = wait(&status);
		for (k = 0; k < NR_CHILDREN && pids[k] != pid; k++)
			;
		right += k < NR_CHILDREN && status == k << 8;
	}
	is(right, NR_CHILDREN, "%d children, %d statuses", NR_CHILDREN,
	   NR_CHILDREN);
	is_errno(wait(&status), ECHILD, "wait without a child");
	is_errno(waitpid(1 << 22, &status, 0), ECHILD, "wait for a stranger");
}

/* Says that it runs, and waits for a signal for ever. */
static int wait_for_ever(void *arg)
{
	say_ready(((int *)arg)[1]);
	while (pause() < 0)
		;
	return 0;
}

/* WNOHANG, kill, stop and continue, as wait4 tells them. */
static void test_wait_options(void)
{
	struct rusage used;
	int status = -1, ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		bail_out("pipe: %s", strerror(errno));
	pid = start_child(wait_for_ever, ends);
	wait_until_ready(ends[0]);
	is(waitpid(pid, &status, WNOHANG), 0, "WNOHANG on a living child");
	kill(pid, SIGSTOP);
	is(waitpid(pid, &status, WUNTRACED), pid, "wait for a stop");
	ok(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP,
	   "SIGSTOP is the reason");
	kill(pid, SIGCONT);
	is(waitpid(pid, &status, WCONTINUED), pid, "wait for it to go on");
	ok(WIFCONTINUED(status), "it was continued");
	kill(pid, SIGKILL);
	is(wait4(pid, &status, 0, &used), pid, "wait4 with a rusage");
	is(killed_by(status), SIGKILL, "killed by SIGKILL");
	ok(used.ru_minflt > 0, "the child had faults");
	is_errno(waitpid(pid, &status, 0), ECHILD, "it is reaped only once");
	close(ends[0]);
	close(ends[1]);
}

/* Has a child of its own that outlives it; tells who inherits that. */
static int leave_orphan(void *arg)
{
	int *ends = arg;
	pid_t me = getpid();

	if (fork() == 0) {
		while (getppid() == me)
			sleep_ms(5);
		say_ready(ends[1]);
		_exit(7);
	}
	return 0;
}

/* An orphan goes to the next ancestor that reaps, here ourselves. */
static void test_orphan(void)
{
	int ends[2], status = 0;

	if (pipe(ends) < 0)
		bail_out("pipe: %s", strerror(errno));
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
		is(run_child(leave_orphan, ends), 0, "a parent ends first");
		wait_until_ready(ends[0]);
		ok(1, "its child found a new parent, process 1");
		return;
	}
	is(run_child(leave_orphan, ends), 0, "a parent ends first");
	wait_until_ready(ends[0]);
	ok(wait(&status) > 0 && status == 7 << 8,
	   "its child is left to the subreaper");
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* Everything of a big private mapping is there in each of a few children. */
static int check_hog(void *arg)
{
	struct hog *hog = arg;
	size_t i;

	if (hog_check(hog))
		return 1;
	for (i = getpid() % 2; i < hog->pages; i += 2)
		hog_write(hog, i);
	return hog_check(hog) != 0;
}

/* fork from a task with many pages, several children at once. */
static void test_big(void)
{
	struct hog hog;
	pid_t pids[4];
	int i;

	if (hog_create(&hog, 1500, MAP_PRIVATE) < 0)
		bail_out("no memory for 1500 pages");
	hog_fill(&hog);
	for (i = 0; i < 4; i++)
		pids[i] = start_child(check_hog, &hog);
	for (i = 0; i < 4; i++)
		is(wait_status(pids[i]), 0, "child %d of a big parent", i);
	is(hog_check(&hog), 0, "its 1500 pages are as before");
	hog_destroy(&hog);
}

/* fork and exit, over and over, leak nothing that would stop it. */
static void test_many(void)
{
	int i, right = 0;

	for (i = 0; i < 300; i++)
		right += run_child(return_number, (void *)(long)(i & 63)) ==
			 (i & 63);
	is(right, 300, "300 children one after the other");
}

/* vfork keeps the parent waiting until the child is gone. */
static void test_vfork(void)
{
	volatile char *page = map_anon(PAGE, MAP_SHARED);
	pid_t pid = vfork();

	if (pid == 0) {
		usleep(30000);
		*page = 1;
		_exit(3);
	}
	is(*page, 1, "vfork returns after the child's end");
	is(wait_status(pid), 3 << 8, "with its status");
	munmap((void *)page, PAGE);
}

int main(void)
{
	test_isolation();
	test_parent_writes();
	test_shared();
	test_generations();
	test_statuses();
	test_wait_options();
	test_orphan();
	test_big();
	test_many();
	test_vfork();
	return done();
}
