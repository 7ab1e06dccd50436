/*
 * Page tables of i386 without PAE: a directory of 1024 entries, each naming a
 * table of 1024 entries.  (Intel SDM 3A, 4.3.)
 *
 * What a page-table entry (PTE) may hold; as Linux 2.5.66 on i386:
 *
 *	              31 ........ 12 11 9  8 7 6 5 4 3 2 1 0
 *	present       frame number    -    - - D A - - U W 1
 *	PROT_NONE     frame number    -    - 1 D A - - - W 0
 *	swap          offset bits 31..8      - 0 type 5..1 0
 *	file          offset hi 31..8        - 1 lo  5..1  0
 *	none          all bits zero
 *
 * "Present" for the kernel means bit 0 or bit 7: a PROT_NONE page is there but
 * the CPU may not use it.  A swap entry is told from a file offset by bit 6.
 *
 * A page-table page's own struct page says whose it is: mapping is the mm and
 * index the first virtual address it covers.  So a PTE pointer alone leads to
 * the address space and the address it maps.
 */
#ifndef MM_PGTABLE_H
#define MM_PGTABLE_H

#include "mm/page.h"
#include "mm/swap_entry.h"

typedef u32 pte_t;

#define PTRS_PER_TABLE	1024
#define TABLE_SHIFT	22		/* a table maps 4 MB */
#define TABLE_SIZE	(1u << TABLE_SHIFT)
#define TABLE_MASK	(~(TABLE_SIZE - 1))

#define PTE_PRESENT	0x001u
#define PTE_RW		0x002u
#define PTE_USER	0x004u
#define PTE_ACCESSED	0x020u
#define PTE_DIRTY	0x040u
#define PTE_FILE	0x040u		/* when not present */
#define PTE_PSE		0x080u		/* in a directory entry: 4 MB page */
#define PTE_PROTNONE	0x080u		/* when bit 0 is clear */
#define PTE_GLOBAL	0x100u
#define PTE_FRAME	0xfffff000u

#define PTE_FILE_MAX_BITS 29		/* page offsets a file PTE can hold */

static inline bool pte_none(pte_t pte)
{
	return pte == 0;
}

static inline bool pte_present(pte_t pte)
{
	return pte & (PTE_PRESENT | PTE_PROTNONE);
}

static inline bool pte_file(pte_t pte)
{
	return !pte_present(pte) && (pte & PTE_FILE);
}

static inline bool pte_swap(pte_t pte)
{
	return !pte_none(pte) && !pte_present(pte) && !(pte & PTE_FILE);
}

static inline bool pte_write(pte_t pte)
{
	return pte & PTE_RW;
}

static inline bool pte_dirty(pte_t pte)
{
	return pte & PTE_DIRTY;
}

static inline bool pte_young(pte_t pte)
{
	return pte & PTE_ACCESSED;
}

static inline u32 pte_pfn(pte_t pte)
{
	return pte >> PAGE_SHIFT;
}

static inline struct page *pte_page(pte_t pte)
{
	return pfn_to_page(pte >> PAGE_SHIFT);
}

static inline pte_t mk_pte(const struct page *page, u32 prot)
{
	return page_to_pfn(page) << PAGE_SHIFT | prot;
}

/* The swap entry of a swap PTE, and back. */
static inline swp_entry_t pte_to_swp_entry(pte_t pte)
{
	return swp_entry(pte >> 1 & 0x1f, pte >> 8);
}

static inline pte_t swp_entry_to_pte(swp_entry_t e)
{
	return swp_type(e) << 1 | swp_offset(e) << 8;
}

/* The file page of a file PTE, and back. */
static inline u32 pte_to_pgoff(pte_t pte)
{
	return (pte >> 1 & 0x1f) | (pte >> 8) << 5;
}

static inline pte_t pgoff_to_pte(u32 pgoff)
{
	return (pgoff & 0x1f) << 1 | (pgoff >> 5) << 8 | PTE_FILE;
}

/* PTE bits for vm_flags: read/write/exec/shared select one of 16. */
extern const u32 protection_map[16];
static inline u32 vm_page_prot(u32 vm_flags)
{
	return protection_map[vm_flags & 15];
}

/* ---- walking ---- */
struct mm;

/* The table for addr, or NULL if there is none. */
static inline pte_t *pgd_table(const u32 *pgd, u32 addr)
{
	u32 entry = pgd[addr >> TABLE_SHIFT];

	return entry & PTE_PRESENT ? phys_to_virt(entry & PTE_FRAME) : NULL;
}

/* The PTE for addr, or NULL if its table is missing. */
static inline pte_t *pte_lookup(const u32 *pgd, u32 addr)
{
	pte_t *table = pgd_table(pgd, addr);

	return table ? table + (addr >> PAGE_SHIFT) % PTRS_PER_TABLE : NULL;
}

/* The PTE for addr; makes the table if missing.  NULL: no memory.  Sleeps. */
pte_t *pte_alloc(struct mm *mm, u32 addr);

/* Whose PTE is this, and which address does it map? */
static inline struct mm *pte_mm(const pte_t *ptep)
{
	return (struct mm *)virt_to_page(ptep)->mapping;
}

static inline u32 pte_address(const pte_t *ptep)
{
	return virt_to_page(ptep)->index +
	       ((uptr)ptep % PAGE_SIZE) * (PAGE_SIZE / sizeof(pte_t));
}

/* A directory with the kernel's half filled in, or NULL; and back. */
u32 *pgd_alloc(void);
void pgd_free(u32 *pgd);
/* Frees the tables of [start, end), which must hold no PTE that is set. */
void free_tables(struct mm *mm, u32 start, u32 end);

/* ---- TLB ---- */
/* Forgets the translation of one page, or of all user pages, if `mm` is the
 * address space whose directory is loaded; others reload on their switch. */
void flush_tlb_page(const struct mm *mm, u32 addr);
void flush_tlb_mm(const struct mm *mm);

#endif
