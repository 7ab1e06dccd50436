/* The chain of PTE pointers that a page's reverse map is made of. */
#ifndef MM_PTE_CHAIN_H
#define MM_PTE_CHAIN_H

#include "mm/rmap.h"

#define CHAIN_BYTES	128		/* a Pentium 4's cache line */
#define NRPTE		((CHAIN_BYTES - sizeof(u32)) / sizeof(u32))

struct pte_chain {
	struct pte_chain *next;
	pte_t *ptes[NRPTE];
};

int pte_chain_prepare(unsigned gfp);
void pte_chain_add(struct page *page, pte_t *ptep);
void pte_chain_remove(struct page *page, pte_t *ptep);
int pte_chain_referenced(struct page *page);
enum swap_result pte_chain_unmap(struct page *page);
void pte_chain_walk(struct page *page, rmap_walk_fn fn, void *arg);

#endif
