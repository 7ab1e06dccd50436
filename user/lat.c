/*
 * lat: what the fast paths of the kernel cost, in ticks of the time-stamp
 * counter per operation. Under QEMU's -icount shift=0 a tick is one
 * instruction, and the figures repeat exactly.
 *
 * Beside each stand the figure of Linux 6.1 for i386, measured the same way in
 * the same emulator, and the bound that this kernel is meant to keep (-c makes
 * a figure above it an error).
 *
 * A figure includes the user side of the operation: the loop, the call through
 * the C library, and for forks the whole life of the child up to wait().
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/lib_util.h"

#define DATA_FILE "lat.dat"
#define NR_PAGES  4096 /* 16 MB */
#define SIZE      ((size_t)NR_PAGES * PAGE_SIZE)

enum { CHILD_EXITS, CHILD_EXECS };

/* What a test found: ticks for all of its operations. */
struct result {
	uint64_t ticks;
	long ops;
};

static int data_fd = -1; /* 16 MB, all of it in the page cache */
static char self[256];   /* the path of this program */

/* Maps 16 MB of the data file, or anonymous memory with fd -1. */
static char *map_pages(int prot, int flags, int fd)
{
	void *p = mmap(NULL, SIZE, prot, flags, fd, 0);

	if (p == MAP_FAILED)
		die_errno("cannot map %zu MB", SIZE >> 20);
	return p;
}

/* Writes to each page; the ticks that took. */
static uint64_t write_pages(char *p)
{
	uint64_t start = read_tsc();
	long i;

	for (i = 0; i < NR_PAGES; i++)
		p[i * PAGE_SIZE]++;
	return read_tsc() - start;
}

/* Creates the data file and has every page of it cached. */
static void make_data_file(void)
{
	char *p;

	data_fd = open(DATA_FILE, O_RDWR | O_CREAT, 0644);
	if (data_fd < 0 || ftruncate(data_fd, SIZE) < 0)
		die_errno("cannot create %s", DATA_FILE);
	p = map_pages(PROT_READ | PROT_WRITE, MAP_SHARED, data_fd);
	write_pages(p);
	munmap(p, SIZE);
}

/* A system call that does next to nothing. */
static struct result null_call(void)
{
	struct result r = {.ops = 100000};
	uint64_t start = read_tsc();
	long i;

	for (i = 0; i < r.ops; i++)
		syscall(SYS_getppid);
	r.ticks = read_tsc() - start;
	return r;
}

/* The first write to a page of anonymous memory. */
static struct result anonymous_fault(void)
{
	struct result r = {.ops = NR_PAGES};
	char *p = map_pages(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1);
	uint64_t start = read_tsc();
	long i;

	for (i = 0; i < NR_PAGES; i++)
		p[i * PAGE_SIZE] = 1;
	r.ticks = read_tsc() - start;
	munmap(p, SIZE);
	return r;
}

/* The first read-and-write of a cached page through a shared mapping. */
static struct result shared_write_fault(void)
{
	struct result r = {.ops = NR_PAGES};
	char *p = map_pages(PROT_READ | PROT_WRITE, MAP_SHARED, data_fd);

	r.ticks = write_pages(p);
	munmap(p, SIZE);
	return r;
}

/* The first read of a cached page through a shared mapping. */
static struct result shared_read_fault(void)
{
	struct result r = {.ops = NR_PAGES};
	volatile char *p = map_pages(PROT_READ, MAP_SHARED, data_fd);
	uint64_t start = read_tsc();
	long i;

	for (i = 0; i < NR_PAGES; i++)
		p[i * PAGE_SIZE];
	r.ticks = read_tsc() - start;
	munmap((void *)p, SIZE);
	return r;
}

/* Forks a child that exits, or becomes a program that does, and waits. */
static uint64_t fork_children(long n, int what)
{
	uint64_t start = read_tsc();
	int status;
	long i;

	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			if (what == CHILD_EXECS)
				execl(self, "lat", "exit", (char *)NULL);
			_exit(what == CHILD_EXECS);
		}
		if (pid < 0)
			die_errno("fork");
		wait(&status);
		if (status)
			die("cannot run %s", self);
	}
	return read_tsc() - start;
}

/* A fork of this small program, up to wait(). */
static struct result small_fork(void)
{
	return (struct result){fork_children(50, CHILD_EXITS), 50};
}

/* The same with 16 MB of shared and 16 MB of private memory in use. */
static struct result big_fork(void)
{
	struct result r = {.ops = 20};
	char *file = map_pages(PROT_READ | PROT_WRITE, MAP_SHARED, data_fd);
	char *anon = map_pages(PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1);

	write_pages(file);
	write_pages(anon);
	r.ticks = fork_children(r.ops, CHILD_EXITS);
	munmap(file, SIZE);
	munmap(anon, SIZE);
	return r;
}

/* fork, execve of this program, exit, wait. */
static struct result fork_exec(void)
{
	return (struct result){fork_children(30, CHILD_EXECS), 30};
}

/* Mapping a page of a file and unmapping it untouched. */
static struct result map_unmap(void)
{
	struct result r = {.ops = 5000};
	uint64_t start = read_tsc();
	long i;

	for (i = 0; i < r.ops; i++) {
		void *p = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE,
			       MAP_SHARED, data_fd, 0);

		munmap(p, PAGE_SIZE);
	}
	r.ticks = read_tsc() - start;
	return r;
}

/* Sends n bytes out, each answered by one; the first end starts. */
static void play(long n, int in, int out, int starts)
{
	char c = 0;
	long i;

	for (i = 0; i < n; i++) {
		if (starts && write(out, &c, 1) != 1)
			die_errno("pipe");
		if (read(in, &c, 1) != 1)
			die_errno("pipe");
		if (!starts && write(out, &c, 1) != 1)
			die_errno("pipe");
	}
}

/* A byte to another task and back: two switches. */
static struct result pipe_round_trip(void)
{
	struct result r = {.ops = 2000};
	int there[2], back[2];
	uint64_t start;
	pid_t pid;

	if (pipe(there) < 0 || pipe(back) < 0)
		die_errno("pipe");
	pid = fork();
	if (pid == 0) {
		play(r.ops, there[0], back[1], 0);
		_exit(0);
	}
	if (pid < 0)
		die_errno("fork");
	start = read_tsc();
	play(r.ops, back[0], there[1], 1);
	r.ticks = read_tsc() - start;
	wait(NULL);
	close(there[0]), close(there[1]);
	close(back[0]), close(back[1]);
	return r;
}

/* A page of a read() of 64 KB that the page cache serves. */
static struct result cached_read(void)
{
	static char buf[64 * 1024];
	struct result r = {0};
	uint64_t start = read_tsc();
	long round, n;

	for (round = 0; round < 8; round++) {
		lseek(data_fd, 0, SEEK_SET);
		while ((n = read(data_fd, buf, sizeof(buf))) > 0)
			r.ops += n / PAGE_SIZE;
	}
	r.ticks = read_tsc() - start;
	return r;
}

static const struct test {
	const char *name;
	struct result (*run)(void);
	unsigned linux_6_1, bound;
	const char *what;
} tests[] = {
	{"null", null_call, 402, 120, "null system call"},
	{"fault_anon", anonymous_fault, 3868, 1700, "anonymous write fault"},
	{"fault_shared_w", shared_write_fault, 2939, 600,
	 "cached shared write fault"},
	{"fault_shared_r", shared_read_fault, 651, 500,
	 "cached shared read fault"},
	{"fork", small_fork, 139590, 40000, "fork+exit+wait, small task"},
	{"fork_32MB", big_fork, 1607888, 900000,
	 "fork+exit+wait, 16 MB shared and 16 MB private"},
	{"exec", fork_exec, 397991, 120000, "fork+exec+exit+wait"},
	{"mmap", map_unmap, 15655, 3000, "mmap+munmap of a shared page"},
	{"pipe", pipe_round_trip, 14766, 4000, "pipe round trip"},
	{"read", cached_read, 1534, 1300, "cached read, per page"},
};

#define NR_TESTS (sizeof(tests) / sizeof(*tests))

/* Prints how to call this. */
static void print_usage(FILE *to)
{
	size_t i;

	fprintf(to, "Usage: lat [-c] [TEST]...\n"
		    "Prints the cost of kernel operations in ticks of the TSC "
		    "(all tests by default).\n"
		    "  -c      exit status 1 if a cost is above its bound\n"
		    "  --help  this text\nTests:\n");
	for (i = 0; i < NR_TESTS; i++)
		fprintf(to, "  %-15s %s\n", tests[i].name, tests[i].what);
}

/* Runs one test and prints its line; true if it kept the bound. */
static int run_test(const struct test *t)
{
	struct result r = t->run();
	uint64_t cost = r.ticks / (r.ops ? r.ops : 1);

	printf("lat %-15s %10llu %10u %10u  %s\n", t->name,
	       (unsigned long long)cost, t->linux_6_1, t->bound,
	       cost > t->bound ? "above" : "ok");
	fflush(stdout);
	return cost <= t->bound;
}

/* The test of that name; a wrong name ends the program. */
static const struct test *find_test(const char *name)
{
	size_t i;

	for (i = 0; i < NR_TESTS; i++)
		if (!strcmp(tests[i].name, name))
			return &tests[i];
	die_usage("no test '%s'", name);
}

/* Marks the tests named on the command line, all if none is. */
static int parse_args(int argc, char **argv, char *wanted)
{
	int check = 0, named = 0, i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			print_usage(stdout);
			exit(0);
		}
		if (!strcmp(argv[i], "-c")) {
			check = 1;
		} else if (argv[i][0] == '-') {
			die_usage("no option '%s'", argv[i]);
		} else {
			wanted[find_test(argv[i]) - tests] = 1;
			named = 1;
		}
	}
	if (!named)
		memset(wanted, 1, NR_TESTS);
	return check;
}

int main(int argc, char **argv)
{
	char wanted[NR_TESTS] = {0};
	int check, kept = 1;
	size_t i;

	if (argc > 1 && !strcmp(argv[1], "exit"))
		return 0;
	check = parse_args(argc, argv, wanted);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		strcpy(self, "/bin/lat");
	make_data_file();
	printf("%-19s %10s %10s %10s\n", "# ticks per op", "here", "Linux 6.1",
	       "bound");
	for (i = 0; i < NR_TESTS; i++)
		if (wanted[i])
			kept &= run_test(&tests[i]);
	unlink(DATA_FILE);
	return check && !kept ? EXIT_WRONG : 0;
}
