/*
 * memhog: takes memory, uses it and proves that it keeps what is written.
 *
 *	write every page -> re-write pages at random (-r) -> children that
 *	share all of it copy-on-write and re-write half of it each (-f) ->
 *	check every page, as often as -p says
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/lib_hog.h"
#include "user/lib_times.h"
#include "user/lib_util.h"

static const char usage[] =
	"Usage: memhog [-fN] [-pN] [-rN] [-s] MB\n"
	"Takes so many MB of memory, writes and checks all of it.\n"
	"  -fN  fork N children that share it and change half of it (0)\n"
	"  -pN  check it N times, page by page (1)\n"
	"  -rN  check and re-write N pages at random (0)\n"
	"  -s   shared memory instead of private; not with -f\n"
	"Exit status: 0, 1 when a page is wrong or memory is refused, 2 "
	"usage.\n";

static unsigned nr_children, nr_checks = 1, nr_random;
static int map_flags = MAP_PRIVATE;

/* Checks every page; a wrong one ends the program. */
static void check(struct hog *hog, const char *when)
{
	size_t wrong = hog_check(hog);

	if (wrong)
		die("%s: %zu of %zu pages are wrong, the first is %zu", when,
		    wrong, hog->pages, hog->wrong_page);
}

/* Checks and re-writes pages of a sequence that looks random. */
static void use_at_random(struct hog *hog)
{
	uint32_t state = 2463534242u;
	unsigned i;

	for (i = 0; i < nr_random; i++) {
		size_t page = next_random(&state) % hog->pages;

		if (!hog_check_page(hog, page))
			die("random use: page %zu is wrong", page);
		hog_write(hog, page);
	}
}

/* What child number n does: it changes every other page of its copy. */
static void run_child(struct hog *hog, unsigned n)
{
	size_t i;

	check(hog, "in a child, as inherited");
	for (i = n % 2; i < hog->pages; i += 2)
		hog_write(hog, i);
	check(hog, "in a child, after its writes");
}

/* Starts the children, waits for them; one that fails is our failure. */
static void use_in_children(struct hog *hog)
{
	unsigned i, failed = 0;
	int status;

	fflush(stdout);
	for (i = 0; i < nr_children; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			run_child(hog, i);
			_exit(0);
		}
		if (pid < 0) {
			fprintf(stderr, "memhog: only %u children fit\n", i);
			failed++;
			break;
		}
	}
	while (wait(&status) > 0 || errno == EINTR)
		failed += status != 0;
	if (failed)
		die("%u of %u children failed", failed, nr_children);
}

/* The value of a numeric option. */
static unsigned number(const char *name)
{
	return parse_number(name, optarg, 0, 1000000000);
}

/* Reads the command line; the size in MB. */
static unsigned parse_options(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"help", no_argument, NULL, 'H'}, {}};
	int letter;

	while ((letter = getopt_long(argc, argv, "f:p:r:s", long_options,
				     NULL)) != -1)
		switch (letter) {
		case 'f':
			nr_children = number("-f");
			break;
		case 'p':
			nr_checks = number("-p");
			break;
		case 'r':
			nr_random = number("-r");
			break;
		case 's':
			map_flags = MAP_SHARED;
			break;
		case 'H':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs(usage, stderr);
			exit(EXIT_USAGE);
		}
	if (optind != argc - 1) {
		fputs(usage, stderr);
		exit(EXIT_USAGE);
	}
	if (nr_children && map_flags == MAP_SHARED)
		die_usage("-f and -s exclude each other");
	return parse_number("MB", argv[optind], 1, SIZE_MAX >> 20);
}

int main(int argc, char **argv)
{
	unsigned mb = parse_options(argc, argv), i;
	uint64_t start = now_ns();
	struct times used;
	struct hog hog;

	if (hog_create(&hog, (size_t)mb << 8, map_flags) < 0)
		die_errno("cannot map %u MB", mb);
	hog_fill(&hog);
	use_at_random(&hog);
	use_in_children(&hog);
	for (i = 0; i < nr_checks; i++)
		check(&hog, "at the end");
	used = times_since(start);
	printf("%u MB are right; %ld minor faults, %ld major faults\n", mb,
	       used.minor, used.major);
	print_times(&used);
	return 0;
}
