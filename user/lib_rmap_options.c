/* The options of rmap-test: what they are, and which are refused. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "user/lib_util.h"
#include "user/rmap_test.h"

#define MAX_PAGES ((uint64_t)INT64_MAX / PAGE_SIZE)

/* The command line. */
const char *filename;
enum pattern pattern = LINEAR;
uint32_t nr_windows = 100;
uint32_t window_pages = 1048576;
uint32_t nr_tasks = 100;
uint32_t nr_iterations;
uint32_t nr_to_do; /* -V, in windows; 0: all */
int prefill;
int verbose;

static const char usage[] =
	"Usage: rmap-test [-hlprv] [-iN] [-nN] [-sN] [-tN] [-VN] filename\n"
	"N tasks increment bytes of N shared mappings of one file, then the "
	"bytes\n"
	"are checked.\n"
	"  -h   Pattern: half of memory is busy\n"
	"  -l   Pattern: linear (default)\n"
	"  -r   Pattern: random\n"
	"  -iN  Number of iterations (0)\n"
	"  -nN  Number of VMAs (100)\n"
	"  -sN  VMA size in pages (1048576)\n"
	"  -tN  Run N tasks (100)\n"
	"  -VN  Number of VMAs to process: with -r, N times the VMA size is "
	"the\n"
	"       number of touches a task makes in an iteration (all VMAs)\n"
	"  -p   Write the whole file first, so that no touch has to fill a "
	"hole\n"
	"  -v   Verbose; -vv: also each window and task\n"
	"Exit status: 0, 1 when something failed or a byte is wrong, 2 "
	"usage.\n";

/* The value of a numeric option, at least min. */
static uint32_t number(int letter, uint32_t min)
{
	char name[] = {'-', letter, 0};

	return parse_number(name, optarg, min, INT32_MAX);
}

/* Applies one option; false when there is no such. */
static int option(int letter)
{
	switch (letter) {
	case 'h':
		pattern = HALF;
		break;
	case 'l':
		pattern = LINEAR;
		break;
	case 'r':
		pattern = RANDOM;
		break;
	case 'i':
		nr_iterations = number(letter, 0);
		break;
	case 'n':
		nr_windows = number(letter, 1);
		break;
	case 's':
		window_pages = number(letter, 1);
		break;
	case 't':
		nr_tasks = number(letter, 1);
		break;
	case 'V':
		nr_to_do = number(letter, 1);
		break;
	case 'p':
		prefill = 1;
		break;
	case 'v':
		verbose++;
		break;
	default:
		return 0;
	}
	return 1;
}

/* Refuses sizes that no file or no address space can have. */
static void check_sizes(void)
{
	uint64_t pages = (uint64_t)nr_windows * window_pages;

	if (file_page(nr_windows) > MAX_PAGES)
		die_usage("-n %u windows of -s %u pages: the file would be "
			  "too large",
			  nr_windows, window_pages);
	if (pages > SIZE_MAX / PAGE_SIZE)
		die_usage("-n %u windows of -s %u pages are %llu MB, more "
			  "than addresses reach",
			  nr_windows, window_pages,
			  (unsigned long long)(pages / 256));
}

/* Reads the command line; a mistake in it ends the program. */
void parse_options(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"help", no_argument, NULL, 'H'},
		{"prefill", no_argument, NULL, 'p'},
		{}};
	int letter;

	while ((letter = getopt_long(argc, argv, "hlrvpi:n:s:t:V:",
				     long_options, NULL)) != -1) {
		if (letter == 'H') {
			fputs(usage, stdout);
			exit(0);
		}
		if (!option(letter)) {
			fputs(usage, stderr);
			exit(EXIT_USAGE);
		}
	}
	if (optind != argc - 1) {
		fputs(usage, stderr);
		exit(EXIT_USAGE);
	}
	filename = argv[optind];
	check_sizes();
}
