/*
 * Every system call that takes a pointer gets all kinds of bad ones and must
 * answer EFAULT; every one that takes a descriptor gets bad ones and must
 * answer EBADF; numbers without a call answer ENOSYS. Nothing else happens.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

/* Arguments in the table that stand for something found at run time. */
enum {
	P = 0x70000001, /* the pointer under test */
	PATH,           /* the name of a file that is there */
	NEW,            /* a name that is not */
	FD,             /* a descriptor of a file with data */
	DIR_FD,         /* a descriptor of a directory */
	BUF,            /* a good buffer */
};

/* What is special about a call. */
enum {
	OUT = 1,     /* the kernel writes there */
	NULL_OK = 2, /* NULL means "none" */
	PART = 4,    /* what lies on the good page counts as success */
};

/* A call, and which way the pointer goes. */
static const struct call {
	const char *name;
	int nr, flags;
	long args[6];
} calls[] = {
	{"access", SYS_access, 0, {P, 0}},
	{"chdir", SYS_chdir, 0, {P}},
	{"chmod", SYS_chmod, 0, {P, 0644}},
	{"chown32", SYS_chown32, 0, {P, 0, 0}},
	{"clock_gettime", SYS_clock_gettime32, OUT, {1, P}},
	{"clock_gettime64", SYS_clock_gettime64, OUT, {1, P}},
	{"clock_nanosleep", SYS_clock_nanosleep_time32, 0, {1, 0, P, 0}},
	{"execve", SYS_execve, 0, {P, 0, 0}},
	{"fstat64", SYS_fstat64, OUT, {FD, P}},
	{"fstatat64", SYS_fstatat64, OUT, {AT_FDCWD, PATH, P, 0}},
	{"fstatat64", SYS_fstatat64, 0, {AT_FDCWD, P, BUF, 0}},
	{"fstatfs64", SYS_fstatfs64, OUT, {FD, 84, P}},
	{"getcwd", SYS_getcwd, OUT, {P, 4096}},
	{"getdents64", SYS_getdents64, OUT, {DIR_FD, P, 1024}},
	{"getitimer", SYS_getitimer, OUT, {0, P}},
	{"getrandom", SYS_getrandom, OUT | PART, {P, 16, 0}},
	{"getrusage", SYS_getrusage, OUT, {0, P}},
	{"gettimeofday", SYS_gettimeofday_time32, OUT | NULL_OK, {P, 0}},
	{"link", SYS_link, 0, {P, NEW}},
	{"link", SYS_link, 0, {PATH, P}},
	{"_llseek", SYS__llseek, OUT, {FD, 0, 0, P, 0}},
	{"lstat64", SYS_lstat64, OUT, {PATH, P}},
	{"mincore", SYS_mincore, OUT, {BUF, 4096 * 2, P}},
	{"mkdir", SYS_mkdir, 0, {P, 0755}},
	{"mount", SYS_mount, 0, {PATH, P, PATH, 0, 0}},
	{"nanosleep", SYS_nanosleep, 0, {P, 0}},
	{"open", SYS_open, 0, {P, 0}},
	{"openat", SYS_openat, 0, {AT_FDCWD, P, 0}},
	{"pipe", SYS_pipe, OUT, {P}},
	{"pipe2", SYS_pipe2, OUT, {P, 0}},
	{"poll", SYS_poll, 0, {P, 2, 0}},
	{"pread64", SYS_pread64, OUT | PART, {FD, P, 100, 0, 0}},
	{"prlimit64", SYS_prlimit64, OUT | NULL_OK, {0, 3, 0, P}},
	{"pwrite64", SYS_pwrite64, PART, {FD, P, 100, 0, 0}},
	{"read", SYS_read, OUT | PART, {FD, P, 100}},
	{"readlink", SYS_readlink, 0, {P, BUF, 100}},
	{"readv", SYS_readv, 0, {FD, P, 2}},
	{"rename", SYS_rename, 0, {P, NEW}},
	{"rename", SYS_rename, 0, {PATH, P}},
	{"rmdir", SYS_rmdir, 0, {P}},
	{"rt_sigaction", SYS_rt_sigaction, NULL_OK, {10, P, 0, 8}},
	{"rt_sigaction", SYS_rt_sigaction, OUT | NULL_OK, {10, 0, P, 8}},
	{"rt_sigpending", SYS_rt_sigpending, OUT, {P, 8}},
	{"rt_sigprocmask", SYS_rt_sigprocmask, NULL_OK, {0, P, 0, 8}},
	{"rt_sigprocmask", SYS_rt_sigprocmask, OUT | NULL_OK, {0, 0, P, 8}},
	{"rt_sigsuspend", SYS_rt_sigsuspend, 0, {P, 8}},
	{"sched_getaffinity", SYS_sched_getaffinity, OUT, {0, 128, P}},
	{"_newselect", SYS__newselect, OUT | NULL_OK, {1, P, 0, 0, BUF}},
	{"set_thread_area", SYS_set_thread_area, 0, {P}},
	{"sigaltstack", SYS_sigaltstack, NULL_OK, {P, 0}},
	{"sigaltstack", SYS_sigaltstack, OUT | NULL_OK, {0, P}},
	{"stat64", SYS_stat64, OUT, {PATH, P}},
	{"stat64", SYS_stat64, 0, {P, BUF}},
	{"statfs64", SYS_statfs64, OUT, {PATH, 84, P}},
	{"statfs64", SYS_statfs64, 0, {P, 84, BUF}},
	{"statx", SYS_statx, OUT, {AT_FDCWD, PATH, 0, 0x7ff, P}},
	{"swapoff", SYS_swapoff, 0, {P}},
	{"swapon", SYS_swapon, 0, {P, 0}},
	{"symlink", SYS_symlink, 0, {P, NEW}},
	{"symlink", SYS_symlink, 0, {PATH, P}},
	{"sysinfo", SYS_sysinfo, OUT, {P}},
	{"times", SYS_times, OUT | NULL_OK, {P}},
	{"truncate64", SYS_truncate64, 0, {P, 0, 0}},
	{"ugetrlimit", SYS_ugetrlimit, OUT, {3, P}},
	{"umount2", SYS_umount2, 0, {P, 0}},
	{"uname", SYS_uname, OUT, {P}},
	{"unlink", SYS_unlink, 0, {P}},
	{"utimensat", SYS_utimensat, NULL_OK, {AT_FDCWD, PATH, P, 0}},
	{"write", SYS_write, PART, {FD, P, 100}},
	{"writev", SYS_writev, 0, {FD, P, 2}},
};

#define NR_CALLS (sizeof(calls) / sizeof(*calls))

static long fd, dir_fd;
static char buf[2 * PAGE] __attribute__((aligned(PAGE)));

/* Replaces a placeholder of the table by what it stands for. */
static long argument(long arg, const void *pointer)
{
	switch (arg) {
	case P:
		return (long)pointer;
	case PATH:
		return (long)"file";
	case NEW:
		return (long)"new";
	case FD:
		return fd;
	case DIR_FD:
		return dir_fd;
	case BUF:
		return (long)buf;
	default:
		return arg;
	}
}

/* Makes the call with that pointer; -1 and errno, or its result. */
static long make_call(const struct call *c, const void *pointer)
{
	long a[6];
	int i;

	for (i = 0; i < 6; i++)
		a[i] = argument(c->args[i], pointer);
	lseek(fd, 0, SEEK_SET);
	lseek(dir_fd, 0, SEEK_SET);
	return syscall(c->nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Makes the call; false, with a comment, unless it says EFAULT. */
static int refuses(const struct call *c, const void *pointer, const char *kind)
{
	long result = make_call(c, pointer);
	int err = errno;

	if (result == -1 && err == EFAULT)
		return 1;
	if ((c->flags & PART) && result > 0 && result < 100 &&
	    (uintptr_t)pointer % PAGE)
		return 1;
	diag("%s, %s (%p): result %ld, errno %d (%s); expected EFAULT", c->name,
	     kind, pointer, result, err, strerror(err));
	return 0;
}

/* The bad pointers that are the same for all calls. */
static const struct {
	uintptr_t value;
	const char *kind;
} bad[] = {
	{16, "the page at 0"},
	{0xc0000000, "the start of the kernel"},
	{0xc0100000, "the kernel's text"},
	{0xfffff000, "the last page"},
	{0xffffffff, "the last byte"},
};

/*
 * All pointers for one call; page is followed by nothing. Where a part may
 * be transferred it is a large one: Linux 6.1 for i386 tries for ever to
 * write() what has less than a cache line on its first page.
 */
static void test_call(const struct call *c, char *page)
{
	char *hole = page + PAGE;
	int good = 1;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		good &= refuses(c, (void *)bad[i].value, bad[i].kind);
	if (!(c->flags & NULL_OK))
		good &= refuses(c, NULL, "NULL");
	good &= refuses(c, hole, "a page that is not mapped");
	good &= refuses(c, hole - (c->flags & PART ? 80 : 1),
			"over the end of a mapping");
	mprotect(page, PAGE, PROT_NONE);
	good &= refuses(c, page, "a page without access");
	if (c->flags & OUT) {
		mprotect(page, PAGE, PROT_READ);
		good &= refuses(c, page, "a read-only page");
	}
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
	memset(page, 'x', PAGE);
	ok(good, "%s: pointer for %s", c->name,
	   c->flags & OUT ? "output" : "input");
}

/* EFAULT, by the table. */
static void test_pointers(void)
{
	char *page = map_anon(2 * PAGE, MAP_PRIVATE);
	int before, after;
	size_t i;

	munmap(page + PAGE, PAGE);
	memset(page, 'x', PAGE);
	before = dup(0);
	close(before);
	for (i = 0; i < NR_CALLS; i++)
		test_call(&calls[i], page);
	after = dup(0);
	close(after);
	is(after, before, "no call has left a descriptor open");
	munmap(page, PAGE);
}

/* wait4's two pointers need a child that has ended. */
static void test_wait(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(5);
	sleep_ms(20);
	is_errno(syscall(SYS_wait4, pid, 0xc0000000, 0, 0), EFAULT,
		 "wait4: status in the kernel");
	is_errno(syscall(SYS_wait4, -1, 0, 0, 0), ECHILD,
		 "which has reaped it all the same");
}

/* writev and readv whose pieces, not the vector, are bad. */
static void test_vectors(void)
{
	struct {
		void *base;
		size_t len;
	} v[2] = {{(void *)0xc0000000, 10}, {buf, 10}};

	lseek(fd, 0, SEEK_SET);
	is_errno(syscall(SYS_writev, fd, v, 2), EFAULT, "writev: a bad piece");
	is_errno(syscall(SYS_readv, fd, v, 2), EFAULT, "readv: a bad piece");
	is_errno(syscall(SYS_writev, fd, v, 100000), EINVAL,
		 "writev: 100000 pieces");
}

/* Calls whose first argument is a descriptor. */
static void test_descriptors(void)
{
	static const struct {
		const char *name;
		int nr;
	} by_fd[] = {
		{"read", SYS_read},
		{"write", SYS_write},
		{"close", SYS_close},
		{"fstat64", SYS_fstat64},
		{"getdents64", SYS_getdents64},
		{"dup", SYS_dup},
		{"_llseek", SYS__llseek},
		{"ioctl", SYS_ioctl},
		{"fcntl64", SYS_fcntl64},
		{"fsync", SYS_fsync},
		{"ftruncate64", SYS_ftruncate64},
		{"readv", SYS_readv},
		{"writev", SYS_writev},
		{"pread64", SYS_pread64},
		{"pwrite64", SYS_pwrite64},
		{"fchdir", SYS_fchdir},
		{"fdatasync", SYS_fdatasync},
	};
	static const long numbers[] = {-1, 99, 9999, 0x7fffffff, 0x80000000};
	size_t i, k;

	for (i = 0; i < sizeof(by_fd) / sizeof(*by_fd); i++) {
		int right = 0;

		for (k = 0; k < 5; k++)
			right += syscall(by_fd[i].nr, numbers[k], buf, 1, buf,
					 0) == -1 &&
				 errno == EBADF;
		is(right, 5, "%s: descriptors that are not open",
		   by_fd[i].name);
	}
}

/* Numbers that are no call. */
static void test_numbers(void)
{
	static const long numbers[] = {-1,   17,    31,         999,
				       4095, 65536, 0x7fffffff, 0x80000000};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		is_errno(syscall(numbers[i], 0, 0, 0, 0, 0, 0), ENOSYS,
			 "system call %ld", numbers[i]);
}

int main(void)
{
	enter_test_dir("t_syscall");
	signal(SIGPIPE, SIG_IGN);
	memset(buf, 'y', PAGE);
	fill_file("file", buf, PAGE);
	fd = open("file", O_RDWR);
	dir_fd = open(".", O_RDONLY | O_DIRECTORY);
	memset(buf, 0, sizeof(buf));
	test_pointers();
	test_wait();
	test_vectors();
	test_descriptors();
	test_numbers();
	return done();
}
