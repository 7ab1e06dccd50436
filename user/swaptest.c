/*
 * swaptest: proves that what is swapped out comes back as it was.
 *
 *	write more than the memory there is     pages go out
 *	check all of it                         and come in again
 *	fork; parent and child both change      swap slots are shared, copied
 *	  half of it; both check all of it
 *	keep what fits into memory, swapoff     every page has to come in
 *	check, swapon, check again
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/lib_hog.h"
#include "user/lib_util.h"

static const char usage[] =
	"Usage: swaptest [MB]\n"
	"Uses MB of memory (by default all of it and a quarter of the swap "
	"space),\n"
	"with fork and with swapoff and swapon of the first swap device "
	"between.\n"
	"Exit status: 0, 1 when a page is wrong or a call fails, 2 usage.\n";

/* A value of /proc/meminfo in pages; ends the program if it is not there. */
static size_t meminfo_pages(const char *name)
{
	int64_t kb = proc_value("/proc/meminfo", name);

	if (kb < 0)
		die("/proc/meminfo has no %s", name);
	return kb / 4;
}

/* Checks every page and says so; a wrong one ends the program. */
static void check(struct hog *hog, const char *when)
{
	size_t wrong = hog_check(hog);

	if (wrong)
		die("%s: %zu of %zu pages are wrong, the first is %zu", when,
		    wrong, hog->pages, hog->wrong_page);
	printf("swaptest: %s: %zu pages right, %zu pages of swap in use\n",
	       when, hog->pages,
	       meminfo_pages("SwapTotal") - meminfo_pages("SwapFree"));
	fflush(stdout);
}

/* Changes every other page, beginning with the first or the second. */
static void change_half(struct hog *hog, size_t first)
{
	size_t i;

	for (i = first; i < hog->pages; i += 2)
		hog_write(hog, i);
}

/* Lets a child and the parent change a quarter of the memory each. */
static void share_and_change(struct hog *hog)
{
	size_t all = hog->pages;
	pid_t pid;
	int status;

	hog->pages = all / 4;
	pid = fork();
	if (pid < 0)
		die_errno("fork");
	change_half(hog, pid == 0);
	hog->pages = all;
	check(hog, pid ? "parent after fork" : "child after fork");
	if (pid == 0)
		_exit(0);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die_errno("wait");
	if (status)
		die("the child ended with status %d", exit_code(status));
}

/* Takes the device away with pages on it, and gives it back. */
static void cycle_device(struct hog *hog, const char *device)
{
	size_t fits = meminfo_pages("MemTotal") / 2;

	if (fits < hog->pages && hog_shrink(hog, fits) < 0)
		die_errno("munmap");
	if (swapoff(device) < 0)
		die_errno("swapoff %s", device);
	check(hog, "after swapoff");
	if (swapon(device, 0) < 0)
		die_errno("swapon %s", device);
	check(hog, "after swapon");
}

int main(int argc, char **argv)
{
	char device[128];
	struct hog hog;
	size_t pages;

	if (argc > 2 || (argc == 2 && !strcmp(argv[1], "--help"))) {
		fputs(usage, argc > 2 ? stderr : stdout);
		return argc > 2 ? EXIT_USAGE : 0;
	}
	pages = meminfo_pages("MemTotal") + meminfo_pages("SwapTotal") / 4;
	if (argc == 2)
		pages = parse_number("MB", argv[1], 1, SIZE_MAX >> 20) << 8;
	if (swap_device(device, sizeof(device)) < 0)
		die("no swap device is in use; see swapon");
	if (pages > SIZE_MAX / PAGE_SIZE ||
	    hog_create(&hog, pages, MAP_PRIVATE) < 0)
		die("cannot map %zu pages", pages);
	hog_fill(&hog);
	check(&hog, "after writing");
	share_and_change(&hog);
	check(&hog, "after the child");
	cycle_device(&hog, device);
	return 0;
}
