/*
 * How the tasks of rmap-test walk over its windows, see rmap_test.h. A random
 * walk is the same each time it is started, so that it can be replayed.
 */
#include "user/lib_util.h"
#include "user/rmap_test.h"

unsigned char **windows;

/* One touch of a page: a single instruction, so that no update is lost. */
static inline void touch(unsigned char *page)
{
	__atomic_fetch_add(page, 1, __ATOMIC_RELAXED);
}

/* Touches windows from first up to, not including, end in order. */
void touch_windows(uint32_t first, uint32_t end)
{
	uint32_t w, p;

	for (w = first; w < end; w++)
		for (p = 0; p < window_pages; p++)
			touch(windows[w] + (size_t)p * PAGE_SIZE);
}

/* How many windows task 0 keeps busy under -h. */
uint32_t half(void)
{
	return (nr_windows + 1) / 2;
}

/* The walk of task t before its first step. */
struct walk start_walk(uint32_t t)
{
	return (struct walk){(t + 1) * 2654435761u | 1};
}

/* The window and page of the next touch. */
void step(struct walk *walk, uint32_t *window, uint32_t *page)
{
	*window = next_random(&walk->random) % nr_windows;
	*page = next_random(&walk->random) % window_pages;
}

/* The touches of one task in one iteration under -r. */
uint64_t touches(void)
{
	return (uint64_t)(nr_to_do ? nr_to_do : nr_windows) * window_pages;
}

/* One iteration under -r. */
void touch_random(struct walk *walk)
{
	uint64_t left;
	uint32_t w, p;

	for (left = touches(); left; left--) {
		step(walk, &w, &p);
		touch(windows[w] + (size_t)p * PAGE_SIZE);
	}
}
