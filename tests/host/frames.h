/*
 * An allocator of frames for unit tests of what stands above it: the buddy
 * system, a census, and failures on order.  A program that includes this is
 * linked with mm/buddy.c and not with mm/page_alloc.c.
 */
#ifndef TESTS_HOST_FRAMES_H
#define TESTS_HOST_FRAMES_H

#include "mm/buddy.h"
#include "tests/host/arena.h"

static u32 frames_used;
static int fail_after = -1;
int fail_nth;

/* As mm/page_alloc.c has it: the n-th allocation that may sleep fails. */
bool allocation_fails(unsigned gfp)
{
	return fail_nth && gfp & __GFP_WAIT && --fail_nth == 0;
}

/* Frames filled with junk, or NULL when it is time to fail. */
struct page *alloc_pages(unsigned gfp unused_arg, unsigned order)
{
	struct page *page;
	u32 i;

	if (fail_after >= 0 && fail_after-- == 0)
		return NULL;
	page = buddy_alloc(order);
	if (!page)
		return NULL;
	for (i = 0; i < 1u << order; i++) {
		page[i].flags = 0;
		page[i].type = PAGE_KERNEL;
		page[i].mapping = NULL;
		page[i].rmap.mapcount = 0;
		page[i].private = 0;
		memset(page_address(page + i), 0xEE, PAGE_SIZE);
	}
	page->count = 1;
	frames_used += 1u << order;
	return page;
}

/* Gives frames back; they must have been given out and not be mapped. */
void free_pages(struct page *page, unsigned order)
{
	if (page->rmap.mapcount || page->count != 1)
		panic("frame %u freed in use", page_to_pfn(page));
	page->count = 0;
	frames_used -= 1u << order;
	buddy_free(page, order);
}

/* Makes a machine of n frames; those before `first` are the test's own. */
static inline void frames_init(u32 n, u32 first)
{
	u32 pfn;

	arena_init(n);
	buddy_init();
	for (pfn = first; pfn < n; pfn++)
		buddy_free(&mem_map[pfn], 0);
}

#endif
