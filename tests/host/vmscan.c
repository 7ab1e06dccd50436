/* host-test: mm/vmscan.c mm/lru_unified.c */
/*
 * mm/vmscan.c and mm/lru_unified.c: what becomes of one page in each state, as
 * a table; how many pages a scan looks at and demotes; and when the OOM killer
 * is asked.  Reverse map, swap and disk are stand-ins of a few lines.
 */
#include "tests/host/reclaim_fakes.h"

/* ---- one page ---- */

/* Makes frame pfn a page of the file, or anonymous, mapped `maps` times. */
static struct page *make_page(u32 pfn, unsigned flags, u32 maps)
{
	struct page *page = &mem_map[pfn];
	bool cached = !(flags & PG_ANON) || flags & PG_SWAPCACHE;

	memset(page, 0, sizeof(*page));
	page->type = PAGE_USER;
	page->flags = (u16)flags;
	page->rmap.mapcount = maps;
	page->mapping = flags & PG_ANON ? NULL : &file;
	page->count = (s32)(maps + cached);
	young[pfn] = 0;
	return page;
}

/* A state of a page and of the world, and what must become of the page. */
struct fate {
	const char *name;
	unsigned flags, maps, young;
	enum swap_result unmap;
	enum disk disk;
	enum { FREED, ACTIVE, INACTIVE } expected;
	unsigned gfp;
	bool swap_full, congested, kswapd, held;
};

#define SWAPPED	(PG_ANON | PG_SWAPCACHE)

static const struct fate fates[] = {
	{ "clean, unmapped", 0, .expected = FREED },
	{ "clean, referenced, file unmapped", PG_REFERENCED,
	  .expected = FREED },
	{ "clean, held by another", 0, .held = true, .expected = INACTIVE },
	{ "locked by another", PG_LOCKED, .expected = INACTIVE },
	{ "in writeback", PG_WRITEBACK, .expected = INACTIVE },
	{ "mapped, not used", 0, 3, .expected = FREED },
	{ "mapped, used", 0, 3, 1, .expected = ACTIVE },
	{ "mapped, referenced by read()", PG_REFERENCED, 1,
	  .expected = ACTIVE },
	{ "mapped, one PTE busy", 0, 2, .unmap = SWAP_AGAIN,
	  .expected = INACTIVE },
	{ "mapped, mlocked", 0, 1, .unmap = SWAP_FAIL, .expected = ACTIVE },
	{ "dirty, slow disk", PG_DIRTY, .expected = INACTIVE },
	{ "dirty, disk done at once", PG_DIRTY, .disk = DISK_FAST,
	  .expected = FREED },
	{ "dirty, disk fails", PG_DIRTY, .disk = DISK_BAD,
	  .expected = INACTIVE },
	{ "dirty, no __GFP_FS", PG_DIRTY, .disk = DISK_FAST,
	  .gfp = GFP_NOFS, .expected = INACTIVE },
	{ "dirty, congested", PG_DIRTY, .disk = DISK_FAST,
	  .congested = true, .expected = INACTIVE },
	{ "dirty, congested, kswapd", PG_DIRTY, .disk = DISK_FAST,
	  .congested = true, .kswapd = true, .expected = FREED },
	{ "dirty, held by another", PG_DIRTY, .disk = DISK_FAST,
	  .held = true, .expected = INACTIVE },
	{ "anonymous, swap slow", PG_ANON, 1, .expected = INACTIVE },
	{ "anonymous, swap fast", PG_ANON, 1, .disk = DISK_FAST,
	  .expected = FREED },
	{ "anonymous, swap full", PG_ANON, 1, .swap_full = true,
	  .expected = ACTIVE },
	{ "anonymous, used", PG_ANON, 1, 1, .expected = ACTIVE },
	{ "swap cache, clean", SWAPPED, .expected = FREED },
	{ "swap cache, clean, mapped", SWAPPED, 2, .expected = FREED },
	{ "swap cache, dirty, no __GFP_FS", SWAPPED | PG_DIRTY,
	  .disk = DISK_FAST, .gfp = GFP_NOFS, .expected = FREED },
	{ "swap cache, dirty, no __GFP_IO", SWAPPED | PG_DIRTY,
	  .disk = DISK_FAST, .gfp = GFP_NOIO, .expected = INACTIVE },
};

/* Runs one row: reclaim meets the page alone. */
static void test_fate(const struct fate *f)
{
	struct scan_control sc = {
		.gfp = f->gfp ? f->gfp : GFP_KERNEL, .kswapd = f->kswapd,
	};
	struct page *page = make_page(1, f->flags, f->maps);
	unsigned was = f->flags & PG_LOCKED;
	LIST_HEAD(list);
	bool good;

	young[1] = f->young;
	unmap_result = f->unmap;
	disk = f->disk;
	swap_full = f->swap_full;
	congested = f->congested;
	page->count += 1 + f->held;	/* the list's reference */
	list_add(&page->lru, &list);
	freed = 0;
	shrink_page_list(&list, &sc);
	if (f->expected == FREED)
		good = freed == 1 && sc.nr_reclaimed == 1;
	else
		good = !freed && !sc.nr_reclaimed && page->flags & PG_LRU &&
		       !!(page->flags & PG_ACTIVE) == (f->expected == ACTIVE);
	if (!ok(good && (page->flags & PG_LOCKED) == was, "%s: %s", f->name,
		(const char *[]){ "freed", "active", "inactive" }[f->expected]))
		printf("# flags %x, freed %u\n", page->flags, freed);
	if (page->flags & PG_LRU)
		lru->del(page);
}

static void test_details(void)
{
	struct scan_control sc = { .gfp = GFP_KERNEL };
	struct page *page = make_page(1, PG_DIRTY, 1);
	LIST_HEAD(list);

	unmap_result = SWAP_SUCCESS;
	disk = DISK_SLOW;
	page->count++;
	list_add(&page->lru, &list);
	shrink_page_list(&list, &sc);
	ok(page->flags & PG_RECLAIM, "a page being written is to rotate");
	lru->del(page);
	disk = DISK_BAD;
	page = make_page(1, PG_DIRTY, 0);
	page->count++;
	list_add(&page->lru, &list);
	shrink_page_list(&list, &sc);
	ok(page->flags & PG_DIRTY && !(page->flags & PG_RECLAIM),
	   "a page that could not be written stays dirty");
	lru->del(page);
}

/* ---- the lists ---- */
static u32 counted_active, counted_inactive, miscounted;

static void count(struct page *page, bool active)
{
	active ? counted_active++ : counted_inactive++;
	miscounted += !(page->flags & PG_LRU) ||
		      !!(page->flags & PG_ACTIVE) != active;
}

static bool lists_right(u32 active, u32 inactive)
{
	counted_active = counted_inactive = miscounted = 0;
	lru->for_each(count);
	return counted_active == active && counted_inactive == inactive &&
	       vm_stat[vm_nr_active] == active && !miscounted &&
	       vm_stat[vm_nr_inactive] == inactive &&
	       lru->size() == active + inactive;
}

/* Fills the lists: the first `active` frames mapped, the others not. */
static void fill_lists(u32 active, u32 inactive)
{
	u32 i;

	for (i = 0; i < active; i++)
		lru->add_active(make_page(i, 0, 1));
	for (; i < active + inactive; i++)
		lru->add_inactive(make_page(i, 0, 0));
	vm_stat[vm_nr_mapped] = active;
	unmap_result = SWAP_SUCCESS;
	freed = 0;
}

static void empty_lists(void)
{
	u32 i;

	for (i = 0; i < FRAMES; i++)
		if (mem_map[i].flags & PG_LRU)
			lru->del(&mem_map[i]);
}

/* One scan; returns how many pages were demoted. */
static u32 scan(int priority, u32 target, u32 *scanned)
{
	struct scan_control sc = { .gfp = GFP_KERNEL, .priority = priority };
	u64 before = vm_stat[vm_pgdeactivate];

	lru->shrink(&sc, target);
	*scanned = sc.nr_scanned;
	return (u32)(vm_stat[vm_pgdeactivate] - before);
}

static void test_scan(void)
{
	u32 scanned, i;

	fill_lists(0, 2000);
	ok(lists_right(0, 2000), "2000 inactive pages");
	scan(12, 32, &scanned);
	is(scanned, 32, "all clean: as many looked at as wanted");
	is(freed, 32, "and freed");
	ok(mem_map[0].type == PAGE_FREE && mem_map[31].type == PAGE_FREE &&
	   mem_map[32].type != PAGE_FREE, "the oldest went first");
	for (i = 32; i < 2000; i++)
		mem_map[i].count++;	/* now nothing can be freed */
	scan(12, 32, &scanned);
	is(scanned, 64, "priority 12: the least, twice a cluster");
	scan(3, 32, &scanned);
	is(scanned, 1968 >> 3, "priority 3: an eighth of the list");
	scan(0, 32, &scanned);
	is(scanned, 1968, "priority 0: all of it");
	ok(lists_right(0, 1968), "none was lost");
	empty_lists();
}

/* Mapped pages are demoted only when swap_tendency reaches 100. */
static void test_tendency(void)
{
	u32 scanned;

	fill_lists(2000, 200);		/* 50 % of memory is mapped */
	swappiness = 60;		/* 25 + 0 + 60 = 85 */
	is(scan(12, 32, &scanned), 0, "tendency 85: mapped pages stay");
	ok(scan(2, 32, &scanned) > 0, "tendency 110: they are demoted");
	empty_lists();
	fill_lists(3200, 200);		/* 80 %: 40 + 0 + 60 = 100 */
	ok(scan(12, 32, &scanned) > 0, "tendency 100: demoted");
	swappiness = 0;
	is(scan(3, 32, &scanned), 0, "swappiness 0, priority 3: they stay");
	ok(scan(0, 32, &scanned) > 0, "priority 0: demoted whatever is set");
	swappiness = 60;
	empty_lists();
}

static void test_accessed(void)
{
	struct page *page = make_page(5, 0, 0);

	lru->add_inactive(page);
	mark_page_accessed(page);
	ok(page->flags & PG_REFERENCED && lists_right(0, 1),
	   "inactive, unreferenced -> inactive, referenced");
	mark_page_accessed(page);
	ok(!(page->flags & PG_REFERENCED) && lists_right(1, 0),
	   "inactive, referenced -> active, unreferenced");
	mark_page_accessed(page);
	mark_page_accessed(page);
	ok(page->flags & PG_REFERENCED && lists_right(1, 0),
	   "active -> active, referenced, and it stays so");
	lru->rotate(page);
	ok(lists_right(1, 0), "an active page is not rotated");
	lru->del(page);
	fill_lists(0, 3);
	lru->rotate(&mem_map[2]);
	scan(12, 1, &(u32){ 0 });
	ok(mem_map[2].type == PAGE_FREE, "a rotated page is freed first");
	empty_lists();
}

static void test_direct(void)
{
	u32 i;

	fill_lists(0, 100);
	ok(try_to_free_pages(GFP_KERNEL, 0) && freed >= 32,
	   "direct reclaim frees a cluster");
	ok(!(current->flags & PF_MEMALLOC), "and ends its privilege");
	for (i = 0; i < 100; i++)
		mem_map[i].count++;
	oom_kills = 0;
	ok(!try_to_free_pages(GFP_KERNEL, 0) && oom_kills == 1,
	   "nothing to free: the OOM killer is asked");
	ok(!try_to_free_pages(GFP_NOFS, 0) && oom_kills == 1,
	   "but not by a caller that could not try all");
	kmem_reaped = 1;
	ok(try_to_free_pages(GFP_KERNEL, 0) && oom_kills == 1,
	   "nor when a slab was given back");
	empty_lists();
}

int main(void)
{
	size_t i;

	arena_init(FRAMES);
	file.ops = swapper_space.ops = &fake_ops;
	for (i = 0; i < ARRAY_SIZE(fates); i++)
		test_fate(&fates[i]);
	test_details();
	test_scan();
	test_tendency();
	test_accessed();
	test_direct();
	return done();
}
