/* host-test: */
/*
 * mm/pgtable.h, mm/swap_entry.h: what a page-table entry may hold, each value
 * taken for what it is and nothing else, and the way from a PTE back to its
 * address space and address.
 */
#include "mm/pgtable.h"
#include "tests/host/arena.h"

/* True if an entry is exactly one of none, present, swap, file. */
static bool is_only(pte_t pte, bool none, bool present, bool swap, bool file)
{
	return pte_none(pte) == none && pte_present(pte) == present &&
	       pte_swap(pte) == swap && pte_file(pte) == file;
}

static void test_swap_entries(void)
{
	int step, bad = 0;
	u32 type, offset;
	swp_entry_t entry;
	pte_t pte;

	for (step = 0; step < 100000; step++) {
		type = rnd_below(32);
		offset = 1 + rnd_below((1u << SWP_PTE_OFFSET_BITS) - 1);
		entry = swp_entry(type, offset);
		pte = swp_entry_to_pte(entry);
		bad += swp_type(entry) != type || swp_offset(entry) != offset;
		bad += pte_to_swp_entry(pte).val != entry.val;
		bad += !is_only(pte, false, false, true, false);
	}
	is(bad, 0, "random swap entries survive a PTE");
	entry = swp_entry(0, 1);
	ok(entry.val && is_only(swp_entry_to_pte(entry), 0, 0, 1, 0),
	   "the first slot of the first area is a swap PTE");
	entry = swp_entry(31, (1u << SWP_PTE_OFFSET_BITS) - 1);
	ok(pte_to_swp_entry(swp_entry_to_pte(entry)).val == entry.val &&
	   !pte_present(swp_entry_to_pte(entry)), "the last of the last");
}

static void test_file_offsets(void)
{
	int step, bad = 0;
	u32 pgoff, last = (1u << PTE_FILE_MAX_BITS) - 1;

	for (step = 0; step < 100000; step++) {
		pgoff = rnd() >> (32 - PTE_FILE_MAX_BITS);
		pgoff >>= rnd_below(PTE_FILE_MAX_BITS);
		bad += pte_to_pgoff(pgoff_to_pte(pgoff)) != pgoff;
		bad += !is_only(pgoff_to_pte(pgoff), 0, 0, 0, 1);
	}
	is(bad, 0, "random file offsets survive a PTE");
	ok(is_only(pgoff_to_pte(0), 0, 0, 0, 1) &&
	   pte_to_pgoff(pgoff_to_pte(0)) == 0, "page 0 of a file");
	ok(is_only(pgoff_to_pte(last), 0, 0, 0, 1) &&
	   pte_to_pgoff(pgoff_to_pte(last)) == last, "the largest offset");
}

static void test_present(void)
{
	u32 bits, prot, pfn;
	int bad = 0;
	pte_t pte;

	for (bits = 0; bits < 1 << 4; bits++) {
		prot = (bits & 1 ? PTE_RW : 0) | (bits & 2 ? PTE_DIRTY : 0) |
		       (bits & 4 ? PTE_ACCESSED : 0) |
		       (bits & 8 ? PTE_PROTNONE : PTE_PRESENT | PTE_USER);
		pfn = rnd_below(max_pfn);
		pte = mk_pte(&mem_map[pfn], prot);
		bad += !is_only(pte, false, true, false, false);
		bad += pte_pfn(pte) != pfn || pte_page(pte) != mem_map + pfn;
		bad += pte_write(pte) != (bits & 1);
		bad += pte_dirty(pte) != !!(bits & 2);
		bad += pte_young(pte) != !!(bits & 4);
	}
	is(bad, 0, "present and PROT_NONE pages with any flags");
	ok(is_only(0, true, false, false, false), "zero is none");
	ok(is_only(mk_pte(&mem_map[0], PTE_PROTNONE), 0, 1, 0, 0),
	   "frame 0 under PROT_NONE is there");
}

/* Walks a directory made by hand and comes back from each PTE. */
static void test_walk(void)
{
	u32 *pgd = page_address(&mem_map[1]), addr, frame;
	struct mm *mm = (struct mm *)&max_pfn;	/* any address will do */
	pte_t *ptep;
	int step, bad = 0;

	for (frame = 2; frame < 5; frame++) {
		addr = frame * 3 * TABLE_SIZE;
		pgd[addr >> TABLE_SHIFT] = mk_pte(&mem_map[frame],
						  PTE_PRESENT | PTE_RW);
		mem_map[frame].mapping = (struct address_space *)mm;
		mem_map[frame].index = addr;
	}
	for (step = 0; step < 10000; step++) {
		frame = 2 + rnd_below(3);
		addr = frame * 3 * TABLE_SIZE + rnd_below(TABLE_SIZE);
		ptep = pte_lookup(pgd, addr);
		bad += !ptep || virt_to_page(ptep) != &mem_map[frame];
		bad += pte_mm(ptep) != mm;
		bad += pte_address(ptep) != (addr & PAGE_MASK);
		bad += pte_lookup(pgd, addr - TABLE_SIZE) != NULL;
	}
	is(bad, 0, "from an address to its PTE and back");
	ok(pte_lookup(pgd, 6 * TABLE_SIZE) == pgd_table(pgd, 6 * TABLE_SIZE),
	   "the first PTE of a table");
	ok(!pte_lookup(pgd, 0) && !pte_lookup(pgd, 0xFFFFFFFF),
	   "no table at the ends");
}

static void test_addresses(void)
{
	u32 pfn = max_pfn - 1;
	u8 *last = page_address(&mem_map[pfn]);

	ok(virt_to_page(last) == &mem_map[pfn] &&
	   virt_to_page(last + PAGE_SIZE - 1) == &mem_map[pfn],
	   "both ends of a frame lead to its struct page");
	is(virt_to_phys(last + 5), pfn * PAGE_SIZE + 5, "virt_to_phys");
	ok(phys_to_virt(pfn * PAGE_SIZE) == last, "phys_to_virt");
	ok(PAGE_ALIGN(1u) == PAGE_SIZE && PAGE_ALIGN(PAGE_SIZE) == PAGE_SIZE &&
	   PAGE_ALIGN(0u) == 0, "PAGE_ALIGN");
}

int main(void)
{
	arena_init(64);
	test_swap_entries();
	test_file_offsets();
	test_present();
	test_walk();
	test_addresses();
	return done();
}
