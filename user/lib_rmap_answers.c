/*
 * The known answers of rmap-test: what the first byte of each page has to be
 * once all tasks have ended. The head of rmap-test.c says why.
 */
#include <stdio.h>
#include <stdlib.h>

#include "user/lib_util.h"
#include "user/rmap_test.h"

#define REPORTED 10 /* wrong pages named, at most */

/* Adds to expect[] what all tasks did under -r. */
static void replay_random(unsigned char *expect)
{
	uint32_t t, w, p;

	for (t = 0; t < nr_tasks; t++) {
		struct walk walk = start_walk(t);
		uint64_t left;

		for (left = touches() * nr_iterations; left; left--) {
			step(&walk, &w, &p);
			expect[(size_t)w * window_pages + p]++;
		}
	}
}

/* What the first byte of each page of window w has to be, except with -r. */
static unsigned char answer(uint32_t w, uint32_t rounds)
{
	uint32_t everyone = nr_tasks - (pattern == HALF);
	uint32_t n = 1 + everyone * nr_iterations;

	if (pattern == HALF && w < half())
		n += rounds;
	return n;
}

/* Names a wrong page, unless enough were named already. */
static void report(uint64_t wrong, uint32_t w, uint32_t p, unsigned char want,
		   unsigned char got)
{
	if (wrong <= REPORTED)
		fprintf(stderr,
			"rmap-test: window %u page %u: expected %u, "
			"found %u\n",
			w, p, want, got);
}

/*
 * Checks every page; returns how many are wrong. Under -h task 0 says that it
 * made so many rounds.
 */
uint64_t check_answers(uint32_t rounds)
{
	unsigned char *expect = NULL;
	uint64_t wrong = 0;
	uint32_t w, p;

	if (pattern == RANDOM) {
		expect = need((size_t)nr_windows * window_pages, 1);
		replay_random(expect);
	}
	for (w = 0; w < nr_windows; w++)
		for (p = 0; p < window_pages; p++) {
			unsigned char want = answer(w, rounds), got;

			if (expect)
				want = 1 + expect[(size_t)w * window_pages + p];
			got = windows[w][(size_t)p * PAGE_SIZE];
			if (got != want)
				report(++wrong, w, p, want, got);
		}
	free(expect);
	if (wrong)
		fprintf(stderr, "rmap-test: %llu pages are wrong\n",
			(unsigned long long)wrong);
	else if (verbose)
		printf("all %llu pages hold the right answer\n",
		       (unsigned long long)nr_windows * window_pages);
	return wrong;
}
