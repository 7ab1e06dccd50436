/* host-test: mm/rmap.c mm/rmap_pte_chain.c mm/rmap_objrmap.c */
/* host-test: mm/pte_chain.c mm/i_mmap_list.c mm/i_mmap_tree.c */
/* host-test: mm/slab.c mm/buddy.c lib/rbtree.c */
/*
 * mm/rmap: both policies in a machine of a few address spaces, in which pages
 * of a file and anonymous pages are mapped and unmapped at random.  After each
 * step the reverse map must find exactly the PTEs that a look through all page
 * tables finds; referenced() and unmap() are held against the same look.
 */
#include "mm/i_mmap.h"
#include "mm/mm_internal.h"
#include "mm/pte_chain.h"
#include "mm/slab.h"
#include "mm/swap.h"
#include "tests/host/frames.h"

#define FRAMES		1024u
#define OWN		200u		/* frames that the test places itself */
#define MMS		40u
#define FILE_PAGES	24u
#define ANON_PAGES	8u
#define PAGES		(FILE_PAGES + ANON_PAGES)
#define BASE		0x08000000u	/* all VMAs lie in one page table */
#define VMAS		4u		/* of each mm; the last is anonymous */
#define VMA_PAGES	16u

static struct mm mms[MMS];
static struct vma vmas[MMS][VMAS];
static struct address_space file;
static u32 swap_refs, flushes;
extern int trylock_fail_rate;

/* ---- what rmap.c needs from the rest of mm ---- */
struct vma *find_vma(struct mm *mm, u32 addr)
{
	struct vma *vma = vmas[mm - mms];
	u32 i;

	for (i = 0; i < VMAS; i++)
		if (vma[i].vm_end > addr)
			return &vma[i];
	return NULL;
}

bool set_page_dirty(struct page *page)
{
	page->flags |= PG_DIRTY;
	return true;
}

bool swap_duplicate(swp_entry_t e unused_arg)
{
	swap_refs++;
	return true;
}

void flush_tlb_page(const struct mm *mm unused_arg, u32 addr unused_arg)
{
	flushes++;
}

/* ---- the machine: frame 0..PAGES-1 pages, then directories and tables ---- */
static pte_t *table_of(u32 mm)
{
	return page_address(&mem_map[PAGES + 2 * mm + 1]);
}

static void make_vma(u32 mm, u32 i)
{
	struct vma *vma = &vmas[mm][i];

	vma->vm_mm = &mms[mm];
	vma->vm_start = BASE + i * 32 * PAGE_SIZE;
	vma->vm_end = vma->vm_start + VMA_PAGES * PAGE_SIZE;
	vma->vm_flags = i % 2 ? VM_SHARED : 0;
	vma->vm_pgoff = i == VMAS - 1 ? 0 :
			rnd_below(FILE_PAGES - VMA_PAGES + 1);
	if (i < VMAS - 1)
		i_mmap->insert(vma, &file);
}

static void make_mm(u32 mm)
{
	struct page *table = &mem_map[PAGES + 2 * mm + 1];
	u32 i;

	mms[mm].pgd = page_address(table - 1);
	mms[mm].pgd[BASE >> TABLE_SHIFT] = mk_pte(table, PTE_PRESENT);
	mms[mm].rss = 0;
	table->type = PAGE_TABLE;
	table->mapping = (struct address_space *)&mms[mm];
	table->index = BASE;
	for (i = 0; i < VMAS; i++)
		make_vma(mm, i);
}

static void make_pages(void)
{
	u32 i;

	for (i = 0; i < PAGES; i++) {
		bool anon = i >= FILE_PAGES;

		mem_map[i].type = PAGE_USER;
		mem_map[i].count = 1;
		mem_map[i].mapping = anon ? NULL : &file;
		mem_map[i].index = anon ? i - FILE_PAGES : i;
		mem_map[i].flags = anon ? PG_ANON | PG_SWAPCACHE : 0;
		mem_map[i].private = anon ? swp_entry(1, i).val : 0;
	}
}

/* ---- the oracle ---- */

/* PTEs that map a page, with all of `bits` set, by looking at all of them. */
static u32 count_ptes(const struct page *page, u32 bits)
{
	u32 mm, i, n = 0;

	for (mm = 0; mm < MMS; mm++)
		for (i = 0; i < VMAS * 32; i++) {
			pte_t pte = table_of(mm)[i];

			n += pte_present(pte) && pte_page(pte) == page &&
			     (pte & bits) == bits;
		}
	return n;
}

/* A walk's findings; each PTE found has a mark that must not be there yet. */
#define MARK	0x200u

static bool visit(struct page *page, pte_t *ptep, void *arg)
{
	if (pte_page(*ptep) != page || (*ptep & MARK))
		*(u32 *)arg += 1000000;
	*ptep |= MARK;
	++*(u32 *)arg;
	return true;
}

/* True if the reverse map of every page finds what there is. */
static bool rmap_right(void)
{
	u32 i, mm, found, mapped = 0;

	for (i = 0; i < PAGES; i++) {
		struct page *page = &mem_map[i];

		found = 0;
		rmap->walk(page, visit, &found);
		if (found != count_ptes(page, 0) ||
		    page_mapped(page) != (found > 0) ||
		    page->count != 1 + (s32)found)
			return false;
		mapped += found > 0;
	}
	for (mm = 0; mm < MMS; mm++)
		for (i = 0; i < VMAS * 32; i++)
			table_of(mm)[i] &= ~MARK;
	return vm_stat[vm_nr_mapped] == mapped;
}

/* ---- the steps ---- */

/* Maps or unmaps one random page of one random VMA. */
static void toggle_pte(void)
{
	u32 mm = rnd_below(MMS), v = rnd_below(VMAS);
	u32 offset = rnd_below(v == VMAS - 1 ? ANON_PAGES : VMA_PAGES);
	struct vma *vma = &vmas[mm][v];
	u32 addr = vma->vm_start + offset * PAGE_SIZE;
	pte_t *ptep = pte_lookup(mms[mm].pgd, addr);
	struct page *page = &mem_map[offset + vma->vm_pgoff +
				     (v == VMAS - 1 ? FILE_PAGES : 0)];

	if (pte_present(*ptep)) {
		rmap->remove(page, ptep);
		*ptep = 0;
		page->count--;
		mms[mm].rss--;
		return;
	}
	if (rmap_prepare())
		panic("no memory for a chain");
	*ptep = mk_pte(page, PTE_PRESENT | (rnd() & 1 ? PTE_ACCESSED : 0) |
		       (rnd() & 1 ? PTE_DIRTY | PTE_RW : 0));
	rmap->add(page, ptep);
	page->count++;
	mms[mm].rss++;
}

/* Asks about one mapped page; all accessed bits are counted and cleared. */
static bool check_referenced(void)
{
	struct page *page = &mem_map[rnd_below(PAGES)];
	u32 young = count_ptes(page, PTE_ACCESSED);

	if (!page_mapped(page))
		return true;
	return rmap->referenced(page) == (int)young &&
	       count_ptes(page, PTE_ACCESSED) == 0;
}

/* Unmaps one page from everyone; its dirty bit and swap slot must follow. */
static bool check_unmap(void)
{
	struct page *page = &mem_map[rnd_below(PAGES)];
	u32 before = count_ptes(page, 0), dirty = count_ptes(page, PTE_DIRTY);
	u32 refs = swap_refs, left;
	enum swap_result result;

	if (!before)
		return true;
	page->flags &= ~PG_DIRTY;
	result = rmap->unmap(page);
	left = count_ptes(page, 0);
	if (page->flags & PG_ANON && swap_refs - refs != before - left)
		return false;
	if (dirty > count_ptes(page, PTE_DIRTY) && !(page->flags & PG_DIRTY))
		return false;
	return (result == SWAP_SUCCESS) == (left == 0);
}

/* Locks one VMA, if it maps the page unmapping must fail, and unlocks it. */
static bool check_locked(void)
{
	u32 mm = rnd_below(MMS);
	struct vma *vma = &vmas[mm][rnd_below(VMAS)];
	pte_t *ptep = pte_lookup(mms[mm].pgd, vma->vm_start);
	bool good = true;

	if (!pte_present(*ptep))
		return true;
	vma->vm_flags |= VM_LOCKED;
	good = rmap->unmap(pte_page(*ptep)) == SWAP_FAIL &&
	       pte_present(*ptep);
	vma->vm_flags &= ~VM_LOCKED;
	return good;
}

static void unmap_everything(void)
{
	u32 i, mm;

	trylock_fail_rate = 0;
	for (i = 0; i < PAGES; i++)
		if (page_mapped(&mem_map[i]))
			rmap->unmap(&mem_map[i]);
	for (mm = 0; mm < MMS; mm++)
		for (i = 0; i < VMAS * 32; i++)
			table_of(mm)[i] = 0;
}

/* Runs one reverse map with one index of the file's VMAs. */
static void test_policy(const struct rmap_ops *ops,
			const struct i_mmap_ops *index)
{
	int step, bad = 0;
	u32 mm, i;

	rmap = ops;
	i_mmap = index;
	for (mm = 0; mm < MMS; mm++)
		make_mm(mm);
	for (step = 0; step < 15000 && !bad; step++) {
		toggle_pte();
		if (step % 40 == 0)
			bad |= !check_referenced();
		if (step % 100 == 0) {
			trylock_fail_rate = step % 1000 ? 0 : 300;
			bad |= !check_unmap();
			trylock_fail_rate = 0;
		}
		if (step % 70 == 0)
			bad |= !check_locked();
		if (step % 10 == 0)
			bad |= !rmap_right();
	}
	ok(!bad, "%s, %s: %d random steps", ops->name, index->name, step);
	unmap_everything();
	ok(rmap_right() && vm_stat[vm_nr_mapped] == 0 &&
	   vm_stat[vm_nr_anon_pages] == 0, "nothing is mapped in the end");
	for (mm = 0, i = 0; mm < MMS; mm++)
		i += mms[mm].rss;
	is(i, 0, "and no mm counts a page");
	for (mm = 0; mm < MMS; mm++)
		for (i = 0; i < VMAS - 1; i++)
			i_mmap->remove(&vmas[mm][i], &file);
}

/* Adds fill blocks from the top, and taking away gives them back. */
static void test_chain_memory(void)
{
	struct page *page = &mem_map[0];
	u64 start = vm_stat[vm_pte_chain_objs];
	u32 i, mapped = 3 * NRPTE + 1;

	rmap = &rmap_pte_chain;
	for (i = 0; i < mapped; i++) {
		rmap_prepare();
		pte_chain_add(page, table_of(i % MMS) + i);
		if (i == 0)
			is((long long)vm_stat[vm_pte_chain_objs],
			   (long long)start, "one PTE takes no block");
	}
	is((long long)(vm_stat[vm_pte_chain_objs] - start), 4,
	   "3 * 31 + 1 PTEs take four blocks");
	ok(PANICS(pte_chain_remove(page, table_of(0) + 1)),
	   "removing what is not there is caught");
	for (i = 1; i < mapped; i++)
		pte_chain_remove(page, table_of(i % MMS) + i);
	pte_chain_referenced(page);
	ok(page->flags & PG_DIRECT && page->rmap.direct == table_of(0),
	   "reclaim turns a chain of one into a direct pointer");
	pte_chain_remove(page, table_of(0));
	ok(!page_mapped(page) && vm_stat[vm_pte_chain_objs] == start,
	   "all blocks are given back");
}

/* Without memory, prepare() says so, and the page is as before. */
static void test_no_memory(void)
{
	struct page *page = &mem_map[0];
	u32 i;

	for (i = 0; i < 5000; i++) {
		fail_after = 0;
		if (rmap_prepare())
			break;
		pte_chain_add(page, table_of(0) + i);
	}
	fail_after = -1;
	ok(i > 1 && i < 5000 && !rmap_ready(), "prepare fails after %u", i);
	while (i-- > 0)
		pte_chain_remove(page, table_of(0) + i);
	ok(!page_mapped(page) && rmap_ready(), "removed; one block is kept");
}

int main(void)
{
	frames_init(FRAMES, OWN);
	slab_init();
	pte_chain_init();
	list_init(&file.i_mmap);
	list_init(&file.i_mmap_shared);
	make_pages();
	test_policy(&rmap_pte_chain, &i_mmap_list);
	test_policy(&rmap_objrmap, &i_mmap_list);
	test_policy(&rmap_objrmap, &i_mmap_list_sorted);
	test_policy(&rmap_objrmap, &i_mmap_tree);
	rmap_prepare();
	test_chain_memory();
	test_no_memory();
	kmem_cache_reap();
	is((long long)vm_stat[vm_pte_chain_objs], 1, "one spare block is left");
	ok(flushes > 0, "translations were forgotten");
	return done();
}
