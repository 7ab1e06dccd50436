/*
 * /proc where it is hard: maps with 50,000 lines, tasks that come and go while
 * /proc is listed, files of tasks that have ended, threads, links to files
 * without a name, settings that must be refused, and who may look.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"
#include "user/lib_util.h"

/* Reads a file whole; the length, or -1 with errno. */
static int slurp(const char *name, char *buf, int size)
{
	int fd = open(name, O_RDONLY), n;

	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	buf[n > 0 ? n : 0] = '\0';
	close(fd);
	return n;
}

/* Writes text to a file; 0, or -1 with errno. */
static int put(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_TRUNC), error;
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	error = errno;
	close(fd);
	errno = error;
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

/* Counts the lines of maps between two addresses, read in pieces of `size`;
 * *order becomes 0 when an address is not above the one before. */
static int count_maps(unsigned long from, unsigned long to, int size,
		      int *order)
{
	static char buf[65536], line[512];
	int fd = open("/proc/self/maps", O_RDONLY), n, i, len = 0, lines = 0;
	unsigned long start, last = 0;

	*order = 1;
	while ((n = read(fd, buf, size)) > 0)
		for (i = 0; i < n; i++) {
			if (buf[i] != '\n') {
				line[len++] = buf[i];
				continue;
			}
			line[len] = '\0';
			len = 0;
			start = strtoul(line, NULL, 16);
			*order &= start > last || !last;
			last = start;
			lines += start >= from && start < to;
		}
	close(fd);
	return len ? -1 : lines;
}

/* 50,000 lines, whatever the pieces, and from the middle. */
static void test_many_maps(void)
{
	const int vmas = 50000;
	char *p = mmap(NULL, (size_t)vmas * PAGE, PROT_READ,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	unsigned long at = (unsigned long)p;
	char first[100], again[100];
	int i, fd, order;

	if (!ok(p != MAP_FAILED, "map 200 MB"))
		return;
	for (i = 1; i < vmas; i += 2)
		if (mprotect(p + (size_t)i * PAGE, PAGE, PROT_NONE))
			break;
	ok(i >= vmas, "%d mappings", i);
	is(count_maps(at, at + (size_t)vmas * PAGE, 65536, &order), vmas,
	   "maps has a line for each");
	ok(order, "in order");
	is(count_maps(at, at + (size_t)vmas * PAGE, 777, &order), vmas,
	   "also read in pieces of 777 bytes");
	fd = open("/proc/self/maps", O_RDONLY);
	is(pread(fd, first, 100, 1234567), 100, "pread far into it");
	is(pread(fd, again, 100, 10), 100, "and back");
	is(pread(fd, again, 100, 1234567), 100, "and there again");
	ok(!memcmp(first, again, 100), "which gives the same");
	close(fd);
	munmap(p, (size_t)vmas * PAGE);
	is(count_maps(at, at + (size_t)vmas * PAGE, 4096, &order), 0,
	   "none after munmap");
}

/* Waits to be killed. */
static int sleep_child(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return 0;
}

/* Files of a task that has ended. */
static void test_ended(void)
{
	pid_t pid = start_child(sleep_child, NULL);
	char name[64], buf[256];
	int stat, maps, dir;
	siginfo_t info;

	snprintf(name, sizeof(name), "/proc/%d", pid);
	dir = open(name, O_RDONLY | O_DIRECTORY);
	stat = openat(dir, "stat", O_RDONLY);
	maps = openat(dir, "maps", O_RDONLY);
	ok(dir >= 0 && stat >= 0 && maps >= 0, "open a child's files");
	kill(pid, SIGKILL);
	waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	ok(slurp(name, buf, sizeof(buf)) > 0 && strstr(buf, ") Z "),
	   "a zombie: %.30s...", buf);
	snprintf(name, sizeof(name), "/proc/%d/cmdline", pid);
	is(slurp(name, buf, sizeof(buf)), 0, "without a command line");
	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	is_errno(readlink(name, buf, sizeof(buf)), ENOENT, "without exe");
	wait_status(pid);
	is_errno(read(stat, buf, sizeof(buf)), ESRCH, "stat of no task");
	is_errno(read(maps, buf, sizeof(buf)), ESRCH, "maps of no task");
	is_errno(openat(dir, "stat", O_RDONLY), ENOENT, "its directory");
	is_errno(access(name, F_OK), ENOENT, "its name");
	close(stat);
	close(maps);
	close(dir);
}

/* Forks and reaps children until killed. */
static int churn(void *arg)
{
	pid_t pid;

	(void)arg;
	for (;;) {
		pid = fork();
		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	return 0;
}

/* Tasks that stay are listed once each, in order, while others come and go. */
static void test_listing(void)
{
	pid_t busy = start_child(churn, NULL), stay[20];
	int i, k, n, seen = 0, bad = 0;
	char buf[256];
	int fd;

	for (i = 0; i < 20; i++)
		stay[i] = start_child(sleep_child, NULL);
	for (k = 0; k < 20; k++) {
		int last = 0;

		fd = open("/proc", O_RDONLY | O_DIRECTORY);
		while ((n = syscall(SYS_getdents64, fd, buf, 200)) > 0)
			for (i = 0; i < n; i += *(unsigned short *)(buf + i +
								    16)) {
				int pid = atoi(buf + i + 19), j;

				if (!pid)
					continue;
				bad += pid <= last;
				last = pid;
				for (j = 0; j < 20; j++)
					seen += pid == stay[j];
			}
		close(fd);
		sched_yield();
	}
	is(seen, 400, "20 tasks in 20 listings while others come and go");
	is(bad, 0, "in the order of pids");
	for (i = 0; i < 20; i++) {
		kill(stay[i], SIGKILL);
		wait_status(stay[i]);
	}
	kill(busy, SIGKILL);
	wait_status(busy);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static volatile pid_t thread_id;

/* A thread with a name of its own. */
static void *named_thread(void *arg)
{
	(void)arg;
	put("/proc/thread-self/comm", "other name\n");
	thread_id = syscall(SYS_gettid);
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return NULL;
}

/* task/ has the threads. */
static void test_threads(void)
{
	char name[64], buf[1024];
	struct dirent *de;
	pthread_t thread;
	int n = 0, mine = 0;
	DIR *dir;

	pthread_mutex_lock(&gate);
	pthread_create(&thread, NULL, named_thread, NULL);
	while (!thread_id)
		sleep_ms(1);
	dir = opendir("/proc/self/task");
	while (dir && (de = readdir(dir)))
		if (de->d_name[0] != '.') {
			n++;
			mine += atoi(de->d_name) == thread_id;
		}
	if (dir)
		closedir(dir);
	ok(n == 2 && mine == 1, "task lists both threads");
	is(proc_value("/proc/self/status", "Threads"), 2, "status: Threads");
	snprintf(name, sizeof(name), "/proc/self/task/%d/comm", thread_id);
	slurp(name, buf, sizeof(buf));
	is_str(buf, "other name\n", "comm of the other");
	slurp("/proc/self/comm", buf, sizeof(buf));
	is_str(buf, "t_proc_task\n", "and mine");
	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", thread_id);
	ok(slurp(name, buf, sizeof(buf)) > 0 && atoi(buf) == thread_id,
	   "its stat");
	snprintf(name, sizeof(name), "/proc/self/task/%d", 1);
	is_errno(access(name, F_OK), ENOENT, "no thread of mine");
	pthread_mutex_unlock(&gate);
	pthread_join(thread, NULL);
	snprintf(name, sizeof(name), "/proc/self/task/%d", thread_id);
	is_errno(access(name, F_OK), ENOENT, "it is gone when it ended");
}

/* Links to what is open, with a name or without. */
static void test_links(void)
{
	char name[64], buf[256];
	int fd = make_file("gone", PAGE), again, pipes[2], n;

	unlink("gone");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, buf, sizeof(buf) - 1);
	buf[n > 0 ? n : 0] = '\0';
	ok(strstr(buf, "/gone (deleted)") != NULL, "a removed file: %s", buf);
	again = open(name, O_RDWR);
	ok(again >= 0 && write(again, "x", 1) == 1 &&
	   pread(fd, buf, 1, 0) == 1 && *buf == 'x', "opened through its link");
	close(again);
	close(fd);
	is_errno(readlink(name, buf, sizeof(buf)), ENOENT, "after close");
	is(pipe(pipes), 0, "a pipe");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", pipes[0]);
	n = readlink(name, buf, sizeof(buf) - 1);
	buf[n > 0 ? n : 0] = '\0';
	ok(!strncmp(buf, "pipe:[", 6), "its link: %s", buf);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", pipes[1]);
	again = open(name, O_WRONLY);
	ok(again >= 0 && write(again, "y", 1) == 1 &&
	   read(pipes[0], buf, 1) == 1 && *buf == 'y', "written through it");
	close(again);
	close(pipes[1]);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", pipes[0]);
	again = open(name, O_RDONLY);
	is(read(again, buf, 1), 0, "opened again when no writer is left");
	close(again);
	close(pipes[0]);
}

/* Settings: what is refused leaves the value. */
static void test_settings(void)
{
	const char *file = "/proc/sys/vm/swappiness";
	char old[32], buf[8192];

	slurp(file, old, sizeof(old));
	is(put(file, "37\n"), 0, "write a number with a newline");
	is(put(file, "38"), 0, "and without");
	is_errno(put(file, "101\n"), EINVAL, "a number too large");
	is_errno(put(file, "-1\n"), EINVAL, "a negative one");
	is_errno(put(file, "abc\n"), EINVAL, "no number");
	is_errno(put(file, "\n"), EINVAL, "nothing");
	is_errno(put(file, "99999999999999999999\n"), EINVAL, "a huge one");
	memset(buf, '1', sizeof(buf));
	buf[sizeof(buf) - 1] = '\0';
	is_errno(put(file, buf), EINVAL, "two pages");
	slurp(file, buf, sizeof(buf));
	is_str(buf, "38\n", "the last good value");
	is(put(file, old), 0, "restore it");
	is_errno(open("/proc/sys/vm/none", O_RDONLY), ENOENT, "no such name");
	is_errno(put("/proc/sys/kernel/osrelease", "7"), EACCES, "a constant");
	is_errno(put("/proc/sys/vm/drop_caches", "4"), EINVAL, "drop_caches");
	is(put("/proc/sys/kernel/hostname", "other\n"), 0, "set the hostname");
	gethostname(buf, sizeof(buf));
	is_str(buf, "other", "which uname(2) shows");
	put("/proc/sys/kernel/hostname", "pagelab");
}

/* drop_caches empties the page cache as far as it is clean. */
static void test_drop_caches(void)
{
	static char block[1 << 20];
	int fd = make_file("cached", 0), i;
	long long before, after;

	for (i = 0; i < 8; i++)
		if (write(fd, block, sizeof(block)) != sizeof(block))
			bail_out("cannot write: %s", strerror(errno));
	fsync(fd);
	close(fd);
	before = proc_value("/proc/meminfo", "Cached");
	is(put("/proc/sys/vm/drop_caches", "3"), 0, "write to drop_caches");
	after = proc_value("/proc/meminfo", "Cached");
	ok(before - after > 6000, "Cached: %lld kB, then %lld kB", before,
	   after);
	is(file_size("cached"), 8 << 20, "the file is still there");
	unlink("cached");
}

/* As another user: own files yes, those of others no. */
static int other_user(void *arg)
{
	char buf[64];
	int bad = 0;

	(void)arg;
	if (setgid(1000) || setuid(1000))
		return 100;
	bad |= open("/proc/self/environ", O_RDONLY) < 0;
	bad |= (open("/proc/self/maps", O_RDONLY) < 0) << 1;
	bad |= (open("/proc/1/environ", O_RDONLY) >= 0) << 2;
	bad |= (open("/proc/1/maps", O_RDONLY) >= 0) << 3;
	bad |= (open("/proc/1/stat", O_RDONLY) < 0) << 4;
	bad |= (readlink("/proc/1/exe", buf, sizeof(buf)) >= 0) << 5;
	bad |= (open("/proc/sys/vm/swappiness", O_WRONLY) >= 0) << 6;
	bad |= (put("/proc/self/oom_score_adj", "-5") == 0) << 7;
	return bad;
}

/* Who may look, and the OOM killer's setting. */
static void test_permissions(void)
{
	char buf[64];

	is(run_child(other_user, NULL), 0, "what another user may see");
	is(put("/proc/self/oom_score_adj", "500\n"), 0, "oom_score_adj");
	slurp("/proc/self/oom_score_adj", buf, sizeof(buf));
	is_str(buf, "500\n", "reads back");
	ok(slurp("/proc/self/oom_score", buf, sizeof(buf)) > 0 &&
	   atoi(buf) >= 499, "oom_score follows: %d", atoi(buf));
	is(put("/proc/self/oom_score_adj", "0"), 0, "back to 0");
	is_errno(put("/proc/self/oom_score_adj", "1001"), EINVAL, "too much");
	is_errno(put("/proc/self/oom_score_adj", "x"), EINVAL, "no number");
}

/* kmsg gives each message once and can be polled. */
static void test_kmsg(void)
{
	int fd = open("/proc/kmsg", O_RDONLY | O_NONBLOCK);
	struct pollfd p = { fd, POLLIN, 0 };
	static char buf[1 << 17];

	is(poll(&p, 1, 0), 1, "kmsg has messages");
	ok(read(fd, buf, sizeof(buf)) > 0 && *buf == '<', "with a level");
	is(poll(&p, 1, 0), 0, "and then no more");
	is_errno(read(fd, buf, sizeof(buf)), EAGAIN, "nor would it block");
	close(fd);
}

/* Details of single files. */
static void test_details(void)
{
	char buf[4096];
	unsigned *auxv = (unsigned *)buf;
	int n = slurp("/proc/self/auxv", buf, sizeof(buf)), pagesz = 0, i;
	struct stat st;

	for (i = 0; i + 8 <= n; i += 8)
		if (auxv[i / 4] == 6)
			pagesz = auxv[i / 4 + 1];
	is(pagesz, PAGE, "auxv has AT_PAGESZ");
	setenv("unused", "1", 1);
	n = slurp("/proc/self/environ", buf, sizeof(buf));
	ok(n > 0 && buf[n - 1] == '\0' && strchr(buf, '='), "environ: %s",
	   buf);
	n = slurp("/proc/self/stat", buf, sizeof(buf));
	for (i = 1; n > 0 && buf[n - 1] != ')'; n--)
		i += buf[n - 1] == ' ';
	is(i + 1, 52, "stat has 52 fields");
	is(stat("/proc/self/", &st), 0, "stat of a task's directory");
	ok(S_ISDIR(st.st_mode) && st.st_uid == getuid(), "it is mine");
	ok(slurp("/proc/self/limits", buf, sizeof(buf)) > 0 &&
	   strstr(buf, "Max open files"), "limits");
	is_errno(unlink("/proc/version"), EPERM, "unlink");
	is_errno(open("/proc/new", O_CREAT | O_RDWR, 0644), ENOENT, "create");
}

int main(void)
{
	enter_test_dir("t_proc_task");
	test_many_maps();
	test_ended();
	test_listing();
	test_threads();
	test_links();
	test_settings();
	test_drop_caches();
	test_permissions();
	test_kmsg();
	test_details();
	return done();
}
