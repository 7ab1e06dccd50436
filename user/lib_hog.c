/* Memory that knows what it should hold; see lib_hog.h. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "user/lib_hog.h"
#include "user/lib_util.h"

/* Maps memory as the hog's flags say; NULL when there is none. */
static void *map(size_t size, int flags)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_ANONYMOUS | flags, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/*
 * Makes a hog of so many pages, none of them written yet. map_flags is
 * MAP_PRIVATE or MAP_SHARED. 0, or -1 with errno set.
 */
int hog_create(struct hog *hog, size_t pages, int map_flags)
{
	hog->pages = pages;
	hog->wrong_page = 0;
	hog->version = map(pages, map_flags);
	hog->mem = map(pages * PAGE_SIZE, map_flags);
	if (hog->mem && hog->version)
		return 0;
	if (hog->version)
		munmap(hog->version, pages);
	return -1;
}

/* Unmaps all of it. */
void hog_destroy(struct hog *hog)
{
	munmap(hog->mem, hog->pages * PAGE_SIZE);
	munmap(hog->version, hog->pages);
}

/* Unmaps all but the first pages; 0, or -1 with errno set. */
int hog_shrink(struct hog *hog, size_t pages)
{
	size_t rest = hog->pages - pages;

	hog->pages = pages;
	return munmap(hog->mem + pages * PAGE_SIZE, rest * PAGE_SIZE);
}

/* The pattern a page is to hold now. */
static uint32_t seed(const struct hog *hog, size_t page)
{
	return page << 8 | hog->version[page];
}

/* Writes a page anew; after 255 times the versions start over. */
void hog_write(struct hog *hog, size_t page)
{
	if (!++hog->version[page])
		hog->version[page] = 1;
	fill_page(hog->mem + page * PAGE_SIZE, seed(hog, page));
}

/* Writes every page, in order. */
void hog_fill(struct hog *hog)
{
	size_t i;

	for (i = 0; i < hog->pages; i++)
		hog_write(hog, i);
}

/* True if the page holds what was written last, or zeros if nothing was. */
int hog_check_page(struct hog *hog, size_t page)
{
	const unsigned char *mem = hog->mem + page * PAGE_SIZE;

	if (hog->version[page])
		return bad_word(mem, seed(hog, page)) < 0;
	return mem[0] == 0 && mem[PAGE_SIZE - 1] == 0;
}

/* Checks every page, in order; the number of wrong ones. */
size_t hog_check(struct hog *hog)
{
	size_t i, wrong = 0;

	for (i = 0; i < hog->pages; i++)
		if (!hog_check_page(hog, i) && !wrong++)
			hog->wrong_page = i;
	return wrong;
}
