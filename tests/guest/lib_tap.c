/*
 * TAP, as tap.h promises it. Every line is flushed at once, so that a fork
 * finds nothing in the buffer and a crash loses nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/guest/tap.h"

#define VM_CHECK	"/proc/sys/vm/check"

static unsigned count, failed, planned;

/* Prints the verdict of the next check. */
static int verdict(int passed, const char *name, va_list args)
{
	printf("%sok %u - ", passed ? "" : "not ", ++count);
	vprintf(name, args);
	printf("\n");
	fflush(stdout);
	failed += !passed;
	return passed;
}

void plan(unsigned n)
{
	planned = n + 1;
	printf("1..%u\n", planned);
	fflush(stdout);
}

int ok(int passed, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	verdict(!!passed, name, args);
	va_end(args);
	return !!passed;
}

int is(long long found, long long expected, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	verdict(found == expected, name, args);
	va_end(args);
	if (found != expected)
		diag("found %lld (%#llx), expected %lld (%#llx)", found, found,
		     expected, expected);
	return found == expected;
}

int is_str(const char *found, const char *expected, const char *name, ...)
{
	int same = found && !strcmp(found, expected);
	va_list args;

	va_start(args, name);
	verdict(same, name, args);
	va_end(args);
	if (!same)
		diag("found \"%s\", expected \"%s\"", found ? found : "(null)",
		     expected);
	return same;
}

int is_errno(long result, int expected, const char *name, ...)
{
	int found = errno;
	int same = result == -1 && found == expected;
	va_list args;

	va_start(args, name);
	verdict(same, name, args);
	va_end(args);
	if (!same)
		diag("result %ld, errno %d (%s); expected -1, errno %d (%s)",
		     result, found, strerror(found), expected,
		     strerror(expected));
	return same;
}

void skip(unsigned n, const char *why, ...)
{
	va_list args;

	while (n--) {
		printf("ok %u # SKIP ", ++count);
		va_start(args, why);
		vprintf(why, args);
		va_end(args);
		printf("\n");
	}
	fflush(stdout);
}

void diag(const char *text, ...)
{
	va_list args;

	printf("# ");
	va_start(args, text);
	vprintf(text, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

void bail_out(const char *why, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, why);
	vprintf(why, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	exit(1);
}

/* Has the kernel prove its invariants, and prints the violations. */
static void check_vm(void)
{
	int fd = open(VM_CHECK, O_RDWR);
	char line[160];
	FILE *report;

	if (fd < 0) {
		skip(1, "no " VM_CHECK);
		return;
	}
	if (write(fd, "1", 1) != 1 || lseek(fd, 0, SEEK_SET) != 0 ||
	    !(report = fdopen(fd, "r"))) {
		ok(0, "ask " VM_CHECK ": %s", strerror(errno));
		close(fd);
		return;
	}
	if (!fgets(line, sizeof(line), report))
		strcpy(line, "nothing\n");
	if (!ok(!strcmp(line, "ok\n"), "no violation in " VM_CHECK))
		do
			diag("%.*s", (int)strcspn(line, "\n"), line);
		while (fgets(line, sizeof(line), report));
	fclose(report);
}

int done(void)
{
	check_vm();
	if (!planned)
		printf("1..%u\n", count);
	else if (count != planned)
		diag("planned %u checks, made %u", planned, count);
	fflush(stdout);
	return failed || (planned && count != planned);
}
