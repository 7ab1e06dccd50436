/*
 * Running out of memory half-way: each operation is tried with its first,
 * second, ... allocation failing (vm.fail_nth), until it no longer fails.
 * Every failure must be an errno or a signal, and afterwards the census must
 * be what it was: no frame, slab object or reference left behind.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define MOST	400		/* allocations an operation may need */
#define CACHES	64

/* Objects in use of each slab cache, and frames in use by kind. */
struct census {
	int caches;
	char name[CACHES][32];
	long used[CACHES];
};

/* Writes a number to a file of /proc/sys/vm. */
static void set_vm(const char *name, int value)
{
	char path[64], text[16];
	int fd, n;

	snprintf(path, sizeof(path), "/proc/sys/vm/%s", name);
	n = snprintf(text, sizeof(text), "%d\n", value);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, n) != n)
		bail_out("%s: %s", path, strerror(errno));
	close(fd);
}

/* Adds the lines "name number" of a file whose names are wanted. */
static void count_lines(struct census *c, const char *path,
			const char *const *wanted)
{
	FILE *f = fopen(path, "r");
	char line[128];

	while (f && fgets(line, sizeof(line), f) && c->caches < CACHES) {
		int i = 0;

		if (sscanf(line, "%31s %ld", c->name[c->caches],
			   &c->used[c->caches]) != 2)
			continue;
		while (wanted && wanted[i] &&
		       strcmp(wanted[i], c->name[c->caches]))
			i++;
		if (!wanted || wanted[i])
			c->caches++;
	}
	if (f)
		fclose(f);
}

/* What is in use once everything that can be dropped has been. */
static struct census take_census(void)
{
	static const char *const gauges[] = {
		"nr_page_table_pages", "nr_kernel_stack", "nr_anon_pages",
		"nr_shmem", NULL,
	};
	struct census c = { 0 };

	sync();
	set_vm("drop_caches", 3);
	set_vm("drop_caches", 3);
	count_lines(&c, "/proc/slabinfo", NULL);
	count_lines(&c, "/proc/vmstat", gauges);
	return c;
}

/* May this cache differ, since it follows what happens to be cached? */
static int is_cache_of_files(const char *name)
{
	static const char *const loose[] = {
		"inode", "dentry", "radix_tree_node", "ext2_inode", "bio",
		"size-64", "size-32", "size-16", "pte_chain", NULL,
	};

	for (int i = 0; loose[i]; i++)
		if (!strcmp(loose[i], name))
			return 1;
	return 0;
}

/* Compares two censuses; lines that grew by more than the slack. */
static int leaks(const struct census *before, const struct census *after)
{
	int bad = 0;

	for (int i = 0; i < after->caches && i < before->caches; i++) {
		long grown = after->used[i] - before->used[i];
		long slack = is_cache_of_files(after->name[i]) ? 40 : 0;

		if (grown <= slack)
			continue;
		diag("%s: %ld before, %ld after", after->name[i],
		     before->used[i], after->used[i]);
		bad++;
	}
	return bad;
}

/* ---- the operations; 0, or -1 with errno ---- */

static int op_fork(void)
{
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return 0;
}

/* A child that another program takes over; failing there is its affair. */
static int op_exec(void)
{
	pid_t pid = vfork();

	if (pid < 0)
		return -1;
	if (!pid) {
		execl("/bin/busybox", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	return 0;
}

static int op_mmap(void)
{
	char *p = mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	mprotect(p + PAGE, PAGE, PROT_READ);
	munmap(p + 8 * PAGE, PAGE);
	p[0] = p[40 * PAGE] = 1;
	munmap(p, 64 * PAGE);
	return 0;
}

static int op_shared(void)
{
	char *p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	p[0] = p[15 * PAGE] = 1;
	munmap(p, 16 * PAGE);
	return 0;
}

static int op_mremap(void)
{
	char *p = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *q;

	if (p == MAP_FAILED)
		return -1;
	memset(p, 7, 8 * PAGE);
	q = mremap(p, 8 * PAGE, 600 * PAGE, MREMAP_MAYMOVE);
	if (q != MAP_FAILED)
		munmap(q, 600 * PAGE);
	else
		munmap(p, 8 * PAGE);
	return q == MAP_FAILED ? -1 : 0;
}

static int op_file(void)
{
	char data[3 * PAGE] = "x";
	int fd = open("file", O_RDWR | O_CREAT, 0600), error = 0;

	if (fd < 0)
		return -1;
	if (write(fd, data, sizeof(data)) < 0 || ftruncate(fd, PAGE) < 0)
		error = errno;
	close(fd);
	unlink("file");
	errno = error;
	return error ? -1 : 0;
}

static int op_directory(void)
{
	int error = 0;

	if (mkdir("dir", 0700) < 0)
		return -1;
	if (symlink("target", "dir/link") < 0 || mkfifo("dir/fifo", 0600) < 0)
		error = errno;
	unlink("dir/link");
	unlink("dir/fifo");
	rmdir("dir");
	errno = error;
	return error ? -1 : 0;
}

static int op_pipe(void)
{
	int ends[2], error = 0;

	if (pipe(ends) < 0)
		return -1;
	if (write(ends[1], "x", 1) < 0)
		error = errno;
	close(ends[0]);
	close(ends[1]);
	errno = error;
	return error ? -1 : 0;
}

static int op_proc(void)
{
	char text[4096];
	int fd = open("/proc/self/status", O_RDONLY), n;

	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text));
	close(fd);
	return n < 0 ? -1 : 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} operations[] = {
	{ "fork", op_fork },	    { "exec", op_exec },
	{ "mmap", op_mmap },	    { "a shared mapping", op_shared },
	{ "mremap", op_mremap },    { "a file", op_file },
	{ "a directory", op_directory }, { "a pipe", op_pipe },
	{ "/proc", op_proc },
};

/* Runs one operation in a child with its n-th allocation failing; 1 if some
 * allocation did fail. */
static int run_failing(int (*run)(void), int n, int *odd)
{
	int fd = open("/proc/sys/vm/fail_nth", O_RDWR), status, got;
	pid_t pid = fork();
	char text[16];

	if (pid < 0 || fd < 0)
		bail_out("fork: %s", strerror(errno));
	if (!pid) {
		int length = snprintf(text, sizeof(text), "%d\n", n);

		if (write(fd, text, length) != length)
			_exit(99);
		_exit(run() < 0 && errno != ENOMEM && errno != EAGAIN);
	}
	waitpid(pid, &status, 0);
	lseek(fd, 0, SEEK_SET);
	got = read(fd, text, sizeof(text) - 1);
	text[got > 0 ? got : 0] = '\0';
	close(fd);
	set_vm("fail_nth", 0);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		++*odd;
	return got > 0 && atoi(text) == 0;
}

/* Fails one allocation after the other of an operation. */
static void test_operation(const char *name, int (*run)(void))
{
	struct census before, after;
	int n = 1, odd = 0;

	run();
	run();
	before = take_census();
	while (n < MOST && run_failing(run, n, &odd))
		n++;
	after = take_census();
	is(leaks(&before, &after), 0, "%s: nothing is lost in %d failures",
	   name, n - 1);
	is(odd, 0, "%s: each is ENOMEM, EAGAIN or a signal", name);
	ok(n > 1 && n < MOST, "%s: it was made to fail and came through", name);
}

int main(void)
{
	if (access("/proc/sys/vm/fail_nth", W_OK) < 0) {
		skip(1, "no /proc/sys/vm/fail_nth");
		return done();
	}
	enter_test_dir("t_fail.dir");
	for (unsigned i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		test_operation(operations[i].name, operations[i].run);
	return done();
}
