/*
 * Page directories and tables: making, freeing, and the TLB.
 *
 *	pgd[1024] --> table[1024] --> frame
 *	  0..767   user: tables of this mm
 *	  768..1023 kernel: 4 MB pages, the same in every directory
 *
 * Invariants
 *  1. A table's struct page has type PAGE_TABLE, mapping = its mm, index = the
 *     first address it covers.
 *  2. mm->nr_ptes counts the tables; nr_page_table_pages counts tables and
 *     directories of all address spaces.
 *
 * Watch it in gdb: break pte_alloc_table if addr >> 22 == 0x100.
 */
#include "mm/pgtable.h"

#include "kernel/printk.h"
#include "lib/string.h"
#include "mm/mm.h"
#include "mm/page_alloc.h"
#include "mm/vmstat.h"

#define PROT_NONE_	(PTE_PROTNONE | PTE_ACCESSED)
#define READONLY	(PTE_PRESENT | PTE_USER | PTE_ACCESSED)
#define WRITABLE	(READONLY | PTE_RW)

/*
 * Private mappings never get a writable PTE from here: the first write faults
 * and copies.  i386 cannot forbid execution, nor writing without reading.
 */
const u32 protection_map[16] = {
	/* private: ---, r--, -w-, rw-, and the same with x */
	PROT_NONE_, READONLY, READONLY, READONLY,
	READONLY, READONLY, READONLY, READONLY,
	/* shared */
	PROT_NONE_, READONLY, WRITABLE, WRITABLE,
	READONLY, READONLY, WRITABLE, WRITABLE,
};

extern u32 kernel_pgd[1024];		/* boot/: the kernel's own directory */

struct mm *loaded_mm;

/* A directory with the kernel's half filled in, or NULL.  May sleep. */
u32 *pgd_alloc(void)
{
	struct page *page = alloc_page(GFP_KERNEL);
	u32 first = PAGE_OFFSET >> TABLE_SHIFT;
	u32 *pgd;

	if (!page)
		return NULL;
	pgd = page_address(page);
	page->type = PAGE_TABLE;
	memset(pgd, 0, first * sizeof(u32));
	memcpy(pgd + first, kernel_pgd + first,
	       (PTRS_PER_TABLE - first) * sizeof(u32));
	vm_inc(nr_page_table_pages);
	return pgd;
}

/* Frees a directory whose tables are gone. */
void pgd_free(u32 *pgd)
{
	free_pages_at(pgd, 0);
	vm_dec(nr_page_table_pages);
}

/* Makes the table that covers addr; its PTE for addr, or NULL.  Sleeps; if
 * another task made the table meanwhile, that one is used. */
static noinline pte_t *pte_alloc_table(struct mm *mm, u32 addr)
{
	struct page *page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	pte_t *ptep;

	if (!page)
		return NULL;
	ptep = pte_lookup(mm->pgd, addr);
	if (ptep) {
		free_pages(page, 0);
		return ptep;
	}
	page->type = PAGE_TABLE;
	page->mapping = (struct address_space *)mm;
	page->index = addr & TABLE_MASK;
	mm->pgd[addr >> TABLE_SHIFT] = mk_pte(page, PTE_PRESENT | PTE_RW |
					      PTE_USER | PTE_ACCESSED);
	mm->nr_ptes++;
	vm_inc(nr_page_table_pages);
	return pte_lookup(mm->pgd, addr);
}

/* The PTE for addr; makes the table if missing.  NULL: no memory.  Sleeps. */
pte_t *pte_alloc(struct mm *mm, u32 addr)
{
	pte_t *ptep = pte_lookup(mm->pgd, addr);

	return likely(ptep != NULL) ? ptep : pte_alloc_table(mm, addr);
}

/* Frees the tables that lie wholly in [start, end); no PTE of them is set. */
void free_tables(struct mm *mm, u32 start, u32 end)
{
	u32 first = round_up(start, TABLE_SIZE) >> TABLE_SHIFT;
	u32 last = end >> TABLE_SHIFT;

	for (u32 i = first; i < last; i++) {
		if (!(mm->pgd[i] & PTE_PRESENT))
			continue;
		free_pages(pte_page(mm->pgd[i]), 0);
		mm->pgd[i] = 0;
		mm->nr_ptes--;
		vm_dec(nr_page_table_pages);
	}
}

/* Forgets the translation of one page if `mm` is loaded. */
void flush_tlb_page(const struct mm *mm, u32 addr)
{
	if (mm == loaded_mm)
		__asm__ volatile("invlpg %0" : : "m" (*(char *)(uptr)addr)
				 : "memory");
}

/* Loads CR3 with a directory: forgets all translations that are not global. */
static void load_cr3(const u32 *pgd)
{
	__asm__ volatile("mov %0, %%cr3" : : "r" (virt_to_phys(pgd))
			 : "memory");
}

/* Forgets all user translations if `mm` is loaded. */
void flush_tlb_mm(const struct mm *mm)
{
	if (mm == loaded_mm)
		load_cr3(mm->pgd);
}

/* Loads the page directory of `mm` unless it is loaded already. */
void switch_mm(struct mm *mm)
{
	if (mm == loaded_mm)
		return;
	loaded_mm = mm;
	load_cr3(mm->pgd);
}

/* Leaves `mm`, which is about to be freed: loads the kernel's directory. */
void leave_mm(struct mm *mm)
{
	if (mm != loaded_mm)
		return;
	loaded_mm = NULL;
	load_cr3(kernel_pgd);
}
