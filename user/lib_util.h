/*
 * What the programs of user/ and tests/guest/ share: messages that end the
 * program, numbers from the command line, values from /proc, and pages filled
 * with patterns that can be checked later. Linked into every program.
 */
#ifndef USER_LIB_UTIL_H
#define USER_LIB_UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PAGE_SIZE 4096u

/* Exit statuses of all the programs. */
enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };

void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void die_errno(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
void die_usage(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
uint64_t parse_number(const char *what, const char *text, uint64_t min,
		      uint64_t max);
void *need(size_t n, size_t size);
uint64_t now_ns(void);
uint64_t read_tsc(void);
int exit_code(int status);
void run_program(char *const argv[]) __attribute__((noreturn));
int64_t proc_value(const char *file, const char *name);
int swap_device(char *name, size_t size);
void fill_page(void *page, uint32_t seed);
int bad_word(const void *page, uint32_t seed);
uint32_t next_random(uint32_t *state);

#endif
