/*
 * What the parts of rmap-test share:
 *
 *	rmap-test.c		the file, its windows, the tasks
 *	lib_rmap_options.c	the command line
 *	lib_rmap_walk.c		how a task walks over the windows
 *	lib_rmap_answers.c	what the walks have to leave behind
 */
#ifndef USER_RMAP_TEST_H
#define USER_RMAP_TEST_H

#include <stdint.h>

enum pattern { LINEAR, RANDOM, HALF };

/* The command line. Set once, by parse_options(). */
extern const char *filename;
extern enum pattern pattern;
extern uint32_t nr_windows;
extern uint32_t window_pages;
extern uint32_t nr_tasks;
extern uint32_t nr_iterations;
extern uint32_t nr_to_do; /* -V, in windows; 0: all */
extern int prefill;
extern int verbose;

/* Where each window is mapped; NULL until it is. */
extern unsigned char **windows;

/* The sequence of a task under -r. */
struct walk {
	uint32_t random;
};

void parse_options(int argc, char **argv);

void touch_windows(uint32_t first, uint32_t end);
uint32_t half(void);
struct walk start_walk(uint32_t t);
void step(struct walk *walk, uint32_t *window, uint32_t *page);
uint64_t touches(void);
void touch_random(struct walk *walk);

uint64_t check_answers(uint32_t rounds);

/* The page of the file that a window starts at; one page is left between. */
static inline uint64_t file_page(uint32_t window)
{
	return (uint64_t)window * (window_pages + 1ull);
}

#endif
