/*
 * Swap: more memory in use than there is, private and shared, over forks;
 * swapoff brings everything back; and what swapon and swapoff refuse.
 *
 * Usage: t_swap [MB]. By default it uses all memory and a quarter of the
 * swap space. Needs a swap device in /proc/swaps.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/swap.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"
#include "user/lib_hog.h"
#include "user/lib_util.h"

static char device[128];

/* A value of /proc/meminfo, in pages. */
static size_t meminfo(const char *name)
{
	return proc_value("/proc/meminfo", name) / 4;
}

/* One check that all pages are right. */
static void right(struct hog *hog, const char *when)
{
	size_t wrong = hog_check(hog);

	if (!is(wrong, 0, "%s: %zu pages are right", when, hog->pages))
		diag("the first wrong one is %zu", hog->wrong_page);
}

/* A hog or the end of the test. */
static void make(struct hog *hog, size_t pages, int flags)
{
	if (hog_create(hog, pages, flags) < 0)
		bail_out("cannot map %zu pages: %s", pages, strerror(errno));
}

/* Sequential and random use of more than there is. */
static void test_overcommit(struct hog *hog)
{
	long long out = proc_value("/proc/vmstat", "pswpout"), in;
	uint32_t state = 12345;
	size_t i, bad = 0;

	hog_fill(hog);
	out = proc_value("/proc/vmstat", "pswpout") - out;
	ok(out > 0, "%lld pages went out", out);
	in = proc_value("/proc/vmstat", "pswpin");
	right(hog, "written and read in order");
	in = proc_value("/proc/vmstat", "pswpin") - in;
	ok(in > 0, "%lld pages came in", in);
	for (i = 0; i < hog->pages / 8; i++) {
		size_t page = next_random(&state) % hog->pages;

		bad += !hog_check_page(hog, page);
		hog_write(hog, page);
	}
	is(bad, 0, "%zu pages used at random", hog->pages / 8);
}

/* In a child: the parent's pages, then its own over half of them. */
static int change_half(void *arg)
{
	struct hog *hog = arg;
	size_t i, all = hog->pages;

	hog->pages = all / 8;
	if (hog_check(hog))
		return 1;
	for (i = 0; i < hog->pages; i += 2)
		hog_write(hog, i);
	hog->pages = all / 4;
	return hog_check(hog) != 0;
}

/* Children share swapped pages and copy them. */
static void test_fork(struct hog *hog)
{
	pid_t pids[2];
	int i;

	for (i = 0; i < 2; i++)
		pids[i] = start_child(change_half, hog);
	for (i = 1; (size_t)i < hog->pages / 8; i += 2)
		hog_write(hog, i);
	for (i = 0; i < 2; i++)
		is(wait_status(pids[i]), 0, "child %d of a swapped task", i);
	right(hog, "the parent");
}

/* In a child: writes every page of shared memory anew. */
static int rewrite(void *arg)
{
	struct hog *hog = arg;

	if (hog_check(hog))
		return 1;
	hog_fill(hog);
	return 0;
}

/* Shared anonymous memory that is swapped stays shared. */
static void test_shared(struct hog *pressure)
{
	struct hog hog;

	make(&hog, meminfo("MemTotal") / 4, MAP_SHARED);
	hog_fill(&hog);
	right(pressure, "private memory beside shared");
	is(run_child(rewrite, &hog), 0, "a child rewrites shared memory");
	right(pressure, "private memory once more");
	right(&hog, "shared memory as the child left it");
	hog_destroy(&hog);
}

/* swapoff under half of memory, swapon, and use again. */
static void test_cycle(struct hog *hog)
{
	size_t fits = meminfo("MemTotal") / 2;

	if (fits < hog->pages)
		hog_shrink(hog, fits);
	is(swapoff(device), 0, "swapoff %s", device);
	is(meminfo("SwapTotal"), 0, "there is no swap now");
	right(hog, "after swapoff");
	is_errno(swapoff(device), EINVAL, "swapoff a second time");
	is(swapon(device, 0), 0, "swapon %s", device);
	ok(meminfo("SwapTotal") > 0, "there is swap again");
	is_errno(swapon(device, 0), EBUSY, "swapon a second time");
	right(hog, "after swapon");
}

/* When the memory is given back, its swap space is too. */
static void test_release(struct hog *hog)
{
	size_t used = meminfo("SwapTotal") - meminfo("SwapFree");

	hog_destroy(hog);
	used = meminfo("SwapTotal") - meminfo("SwapFree");
	ok(used < 2000, "munmap frees the swap space (%zu pages left)", used);
}

/* What is no swap device. */
static void test_refusals(void)
{
	make_file("zeros", 64 * PAGE);
	is_errno(swapon("zeros", 0), EINVAL, "swapon without a header");
	is_errno(swapon("none", 0), ENOENT, "swapon of nothing");
	is_errno(swapon("/dev/null", 0), EINVAL, "swapon of /dev/null");
	is_errno(swapoff("zeros"), EINVAL, "swapoff of what is none");
}

int main(int argc, char **argv)
{
	size_t pages = meminfo("MemTotal") + meminfo("SwapTotal") / 4;
	struct hog hog;

	if (argc > 1)
		pages = parse_number("MB", argv[1], 1, SIZE_MAX >> 20) << 8;
	enter_test_dir("t_swap");
	test_refusals();
	if (swap_device(device, sizeof(device)) < 0) {
		skip(1, "no swap device is in use");
		return done();
	}
	if (pages > SIZE_MAX / PAGE_SIZE) {
		skip(1, "more memory than one task can map; give a size");
		return done();
	}
	make(&hog, pages, MAP_PRIVATE);
	test_overcommit(&hog);
	test_fork(&hog);
	test_shared(&hog);
	test_cycle(&hog);
	test_release(&hog);
	return done();
}
