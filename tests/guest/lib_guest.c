/* Helpers of the test programs; see lib_guest.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

static char test_dir[64];
static pid_t test_pid;

/* Removes one file or directory of the test's. */
static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

/* Removes the test's directory when the test itself, not a child, ends. */
static void leave_test_dir(void)
{
	if (getpid() == test_pid && chdir("..") == 0)
		nftw(test_dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Goes to a new directory below this one; it is removed at exit. */
void enter_test_dir(const char *name)
{
	snprintf(test_dir, sizeof(test_dir), "%s.dir", name);
	nftw(test_dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	if (mkdir(test_dir, 0755) < 0 || chdir(test_dir) < 0)
		bail_out("cannot make %s: %s", test_dir, strerror(errno));
	test_pid = getpid();
	atexit(leave_test_dir);
}

/* A new file of that size, all hole, open for both; bails out if refused. */
int make_file(const char *name, off_t size)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || ftruncate(fd, size) < 0)
		bail_out("cannot make %s: %s", name, strerror(errno));
	return fd;
}

/* A new file that holds data. */
void fill_file(const char *name, const void *data, size_t size)
{
	int fd = make_file(name, 0);

	if (write(fd, data, size) != (ssize_t)size)
		bail_out("cannot write %s: %s", name, strerror(errno));
	close(fd);
}

/* The size that stat() gives, or -1. */
off_t file_size(const char *name)
{
	struct stat st;

	return stat(name, &st) < 0 ? -1 : st.st_size;
}

/* Starts a child that ends with what fn returns; bails out if refused. */
pid_t start_child(child_fn *fn, void *arg)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(fn(arg));
	if (pid < 0)
		bail_out("fork: %s", strerror(errno));
	return pid;
}

/* Waits for a child; its wait status, or -1. */
int wait_status(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Runs fn in a child; the exit status, or -signal if one killed it. */
int run_child(child_fn *fn, void *arg)
{
	int status = wait_status(start_child(fn, arg));

	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* The signal that a wait status speaks of, or 0. */
int killed_by(int status)
{
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Waits for say_ready() on the other end of a pipe. */
void wait_until_ready(int fd)
{
	char c;

	while (read(fd, &c, 1) < 0 && errno == EINTR)
		;
}

/* Lets one wait_until_ready() go on. */
void say_ready(int fd)
{
	if (write(fd, "", 1) != 1)
		_exit(99);
}

/* Sleeps so long, whatever signals come. */
void sleep_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}

/*
 * The first address that no user memory can have. A 64-bit kernel leaves a
 * 32-bit program nearly all of its 4 GB.
 */
unsigned long kernel_start(void)
{
	struct utsname name;

	if (uname(&name) == 0 && !strcmp(name.machine, "x86_64"))
		return 0xffffe000;
	return 0xc0000000;
}

/* mmap() that bails out when it is refused. */
void *map(size_t size, int prot, int flags, int fd, off_t offset)
{
	void *p = mmap(NULL, size, prot, flags, fd, offset);

	if (p == MAP_FAILED)
		bail_out("mmap of %zu bytes: %s", size, strerror(errno));
	return p;
}

/* Readable and writable anonymous memory, MAP_PRIVATE or MAP_SHARED. */
void *map_anon(size_t size, int flags)
{
	return map(size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
}

static sigjmp_buf fault_return;
static volatile struct fault last_fault;

/* Notes what happened and leaves the faulting access. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	last_fault.sig = sig;
	last_fault.code = info->si_code;
	last_fault.addr = info->si_addr;
	siglongjmp(fault_return, 1);
}

/* Calls fn(arg); the synchronous signal that it ended with, if any. */
struct fault try_call(void (*fn)(void *), void *arg)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
	struct sigaction sa = {.sa_sigaction = on_fault,
			       .sa_flags = SA_SIGINFO};
	struct sigaction old[4];
	struct fault result;
	int i;

	for (i = 0; i < 4; i++)
		sigaction(signals[i], &sa, &old[i]);
	last_fault = (struct fault){0};
	if (!sigsetjmp(fault_return, 1))
		fn(arg);
	for (i = 0; i < 4; i++)
		sigaction(signals[i], &old[i], NULL);
	result = last_fault;
	return result;
}

/* Reads a byte. */
static void read_byte(void *addr)
{
	*(const volatile char *)addr;
}

/* Writes a byte. */
static void write_byte(void *addr)
{
	*(volatile char *)addr = 0x5a;
}

/* Reads the byte at addr; the fault that caused, if any. */
struct fault try_read(const volatile void *addr)
{
	return try_call(read_byte, (void *)addr);
}

/* Writes 0x5a to addr; the fault that caused, if any. */
struct fault try_write(volatile void *addr)
{
	return try_call(write_byte, (void *)addr);
}

/* How many of the bytes have that value. */
size_t count_bytes(const void *mem, size_t size, unsigned char value)
{
	const unsigned char *p = mem;
	size_t n = 0;

	while (size--)
		n += *p++ == value;
	return n;
}
