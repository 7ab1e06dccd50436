/*
 * For test programs that run in the guest (and on any Linux): each check
 * prints a line of TAP; done() adds the kernel's own check of the memory
 * manager and the plan, and says what main() returns.
 *
 *	int main(void)
 *	{
 *		ok(pid > 0, "fork");
 *		is(status, 0, "the child's status");
 *		return done();
 *	}
 *
 * Only the process that began may call these; children use exit statuses.
 */
#ifndef TESTS_GUEST_TAP_H
#define TESTS_GUEST_TAP_H

#define tap_printf(f, a) __attribute__((format(printf, f, a)))

/* Announces n checks, the one in done() not counted; optional. */
void plan(unsigned n);

/* One check; returns whether it passed. */
int ok(int passed, const char *name, ...) tap_printf(2, 3);

/* Are two numbers, or two strings, equal?  Tells both when they are not. */
int is(long long found, long long expected, const char *name, ...)
	tap_printf(3, 4);
int is_str(const char *found, const char *expected, const char *name, ...)
	tap_printf(3, 4);

/* Did a call fail (result -1) with this errno?  Call it at once after. */
int is_errno(long result, int expected, const char *name, ...)
	tap_printf(3, 4);

/* Counts n checks as passed that cannot be made here. */
void skip(unsigned n, const char *why, ...) tap_printf(2, 3);

/* A comment. */
void diag(const char *text, ...) tap_printf(1, 2);

/* Prints what is missing for good, and exits with 1. */
void bail_out(const char *why, ...) tap_printf(1, 2)
	__attribute__((noreturn));

/* Ends the test: returns 0 if all passed and as many as planned, else 1. */
int done(void);

#endif
