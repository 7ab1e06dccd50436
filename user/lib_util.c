/*
 * Helpers linked into every program; see lib_util.h. They keep no state and
 * build for any Linux, 32 or 64 bits.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user/lib_util.h"

/* Prints "program: message" on stderr, then ": reason" unless err is 0. */
static void complain(const char *fmt, va_list args, int err)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, fmt, args);
	fprintf(stderr, err ? ": %s\n" : "\n", strerror(err));
}

/* Says what went wrong and ends the program with status 1. */
void die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	complain(fmt, args, 0);
	exit(EXIT_WRONG);
}

/* Like die(), with the meaning of errno behind the message. */
void die_errno(const char *fmt, ...)
{
	int err = errno;
	va_list args;

	va_start(args, fmt);
	complain(fmt, args, err);
	exit(EXIT_WRONG);
}

/* Says what is wrong with the command line and ends with status 2. */
void die_usage(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	complain(fmt, args, 0);
	fprintf(stderr, "Try '%s --help'.\n", program_invocation_short_name);
	exit(EXIT_USAGE);
}

/*
 * The decimal number in text. Ends the program with status 2 and a message
 * about `what` when it is none, or outside min..max.
 */
uint64_t parse_number(const char *what, const char *text, uint64_t min,
		      uint64_t max)
{
	unsigned long long n;
	char *end;

	if (*text < '0' || *text > '9')
		die_usage("%s: '%s' is not a number", what, text);
	errno = 0;
	n = strtoull(text, &end, 10);
	if (*end)
		die_usage("%s: '%s' is not a number", what, text);
	if (errno || n < min || n > max)
		die_usage("%s: %s is not between %llu and %llu", what, text,
			  (unsigned long long)min, (unsigned long long)max);
	return n;
}

/* Zeroed memory for n objects; never NULL, as the program ends without it. */
void *need(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		die("no memory for %zu objects", n);
	return p;
}

/* Nanoseconds of the clock that only moves forward. */
uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* The time-stamp counter; an instruction counter under -icount shift=0. */
uint64_t read_tsc(void)
{
	return __builtin_ia32_rdtsc();
}

/* A wait status as a shell says it: the exit code, or 128 + signal. */
int exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* Becomes the command argv; ends with a shell's 127 or 126 when it cannot. */
void run_program(char *const argv[])
{
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, argv[0],
		strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/*
 * The number behind name in a /proc file made of lines "name value" or
 * "name: value kB", such as vmstat and meminfo. -1 when there is none.
 */
int64_t proc_value(const char *file, const char *name)
{
	size_t len = strlen(name);
	int64_t value = -1;
	char line[256];
	FILE *f = fopen(file, "r");

	while (f && value < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, len) && strchr(": \t", line[len]))
			value = strtoll(line + len + 1, NULL, 10);
	if (f)
		fclose(f);
	return value;
}

/* Copies the first device of /proc/swaps to name; 0, or -1 without one. */
int swap_device(char *name, size_t size)
{
	char line[256];
	int found = -1;
	FILE *f = fopen("/proc/swaps", "r");

	if (f && fgets(line, sizeof(line), f) && fgets(line, sizeof(line), f)) {
		line[strcspn(line, " \t\n")] = '\0';
		if (strlen(line) < size) {
			strcpy(name, line);
			found = 0;
		}
	}
	if (f)
		fclose(f);
	return found;
}

/* The word at place i of the pattern that belongs to seed. */
static uint32_t pattern(uint32_t seed, uint32_t i)
{
	return (seed + 1) * 2654435761u ^ i * 40503u;
}

/* Fills the page with the pattern of seed: no two seeds share a word 0. */
void fill_page(void *page, uint32_t seed)
{
	uint32_t *word = page, i;

	for (i = 0; i < PAGE_SIZE / 4; i++)
		word[i] = pattern(seed, i);
}

/* The first word of the page that fill_page(seed) did not leave, or -1. */
int bad_word(const void *page, uint32_t seed)
{
	const uint32_t *word = page;
	uint32_t i;

	for (i = 0; i < PAGE_SIZE / 4; i++)
		if (word[i] != pattern(seed, i))
			return i;
	return -1;
}

/* The next number of a sequence; *state is its seed first, never 0. */
uint32_t next_random(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return *state = x;
}
