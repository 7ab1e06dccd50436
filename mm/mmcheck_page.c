/*
 * mmcheck, pages: every frame has one use and is on the list of that use, and
 * the counters equal the lists (invariant 3); what the page cache says of a
 * page is true (mm/filemap.c, invariants 1 to 3).
 */
#include "mm/buddy.h"
#include "mm/filemap.h"
#include "mm/lru.h"
#include "mm/mmcheck.h"
#include "mm/swap.h"
#include "mm/vmstat.h"

static u32 nr_active, nr_inactive;

/* Checks one page found on an LRU list. */
static void check_lru_page(struct page *page, bool active)
{
	if (page->type != PAGE_USER || !(page->flags & PG_LRU))
		violation("3: page %u is on an LRU list, but not marked so",
			  page_to_pfn(page));
	if (!!(page->flags & PG_ACTIVE) != active)
		violation("3: page %u is on the wrong LRU list",
			  page_to_pfn(page));
	if (active)
		nr_active++;
	else
		nr_inactive++;
}

/* Compares a counter with what was counted. */
static void compare(const char *name, u64 counter, u32 counted)
{
	if (counter != counted)
		violation("3: %s %llu, counted %u", name, counter, counted);
}

/* Sums over all user pages. */
struct sums {
	u32 type[PAGE_KERNEL + 1];
	u32 on_lru, file, swapcached, shmem, dirty, writeback;
};

/* Is the tag of the page's slot set? */
static bool tagged(const struct page *page, enum radix_tree_tag tag)
{
	return radix_tree_tag_get(&page->mapping->pages, page->index, tag);
}

/* Checks a page that says it belongs to a file. */
static void check_file_page(struct page *page, struct sums *s)
{
	struct address_space *m = page->mapping;
	bool dirty = page->flags & PG_DIRTY;
	bool writeback = page->flags & PG_WRITEBACK;

	s->file++;
	s->shmem += m->swap_backed;
	s->dirty += dirty && !m->swap_backed && !m->no_writeback;
	if (radix_tree_lookup(&m->pages, page->index) != page)
		violation("3: page %u is not in its mapping at %u",
			  page_to_pfn(page), page->index);
	else if (tagged(page, RADIX_TAG_DIRTY) != dirty ||
		 tagged(page, RADIX_TAG_WRITEBACK) != writeback)
		violation("3: page %u: tags and flags %04x differ",
			  page_to_pfn(page), page->flags);
}

/* Checks a page of a file, a task or the swap cache. */
static void check_user_page(struct page *page, struct sums *s)
{
	s->writeback += page->flags & PG_WRITEBACK ? 1 : 0;
	if (page->mapping)
		check_file_page(page, s);
	if (page->flags & PG_SWAPCACHE) {
		s->file++;
		s->swapcached++;
		if (radix_tree_lookup(&swapper_space.pages, page->private) !=
		    page)
			violation("3: page %u is not in the swap cache",
				  page_to_pfn(page));
	}
	if (page->flags & PG_LRU)
		s->on_lru++;
	else
		doubt("3: page %u is on no LRU list", page_to_pfn(page));
}

/* Free frames in blocks of the buddy system. */
static u32 buddy_frames(void)
{
	u32 n = 0;

	for (unsigned k = 0; k < MAX_ORDER; k++)
		n += free_blocks(k) << k;
	return n;
}

/* Checks every frame and every counter of frames. */
void check_pages(void)
{
	struct sums s = { 0 };

	nr_active = nr_inactive = 0;
	lru->for_each(check_lru_page);
	for (u32 pfn = 0; pfn < max_pfn; pfn++) {
		struct page *page = pfn_to_page(pfn);

		s.type[page->type]++;
		if (page->type == PAGE_USER)
			check_user_page(page, &s);
		else if (page->flags & PG_LRU)
			violation("3: page %u of type %u is on an LRU list",
				  pfn, page->type);
	}
	compare("nr_active", vm_stat[vm_nr_active], nr_active);
	compare("nr_inactive", vm_stat[vm_nr_inactive], nr_inactive);
	compare("pages on the LRU", s.on_lru, nr_active + nr_inactive);
	compare("nr_free_pages", nr_free_pages, s.type[PAGE_FREE]);
	compare("nr_free_pages", nr_free_pages,
		buddy_frames() + hot_frames());
	compare("nr_slab", vm_stat[vm_nr_slab], s.type[PAGE_SLAB]);
	compare("nr_page_table_pages", vm_stat[vm_nr_page_table_pages],
		s.type[PAGE_TABLE]);
	compare("nr_file_pages", vm_stat[vm_nr_file_pages], s.file);
	compare("nr_swapcached", vm_stat[vm_nr_swapcached], s.swapcached);
	compare("nr_shmem", vm_stat[vm_nr_shmem], s.shmem);
	compare("nr_dirty", vm_stat[vm_nr_dirty], s.dirty);
	compare("nr_writeback", vm_stat[vm_nr_writeback], s.writeback);
}
