/*
 * The command line of rmap-test, shared by the program and the parser of its
 * options (lib_rmap_options.c).  Set once, by parse_options().
 */
#ifndef USER_RMAP_TEST_H
#define USER_RMAP_TEST_H

#include <stdint.h>

enum pattern { LINEAR, RANDOM, HALF };

extern const char *filename;
extern enum pattern pattern;
extern uint32_t nr_windows;
extern uint32_t window_pages;
extern uint32_t nr_tasks;
extern uint32_t nr_iterations;
extern uint32_t nr_to_do; /* -V, in windows; 0: all */
extern int prefill;
extern int verbose;

/* Reads the command line; a mistake in it ends the program. */
void parse_options(int argc, char **argv);

/* The page of the file that a window starts at; one page is left between. */
static inline uint64_t file_page(uint32_t window)
{
	return (uint64_t)window * (window_pages + 1ull);
}

#endif
