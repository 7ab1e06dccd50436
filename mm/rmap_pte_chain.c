/*
 * rmap=pte_chain: every page keeps a chain of the PTEs that map it.
 *
 * The idea (Rik van Riel; Linux 2.5.27 to 2.6.6): spend a pointer per mapping
 * at fault, fork and exit, and reclaim finds all mappings of a page at once.
 *
 *	page --> chain of PTEs --> page table --> mm, address
 *
 * Cost per mapping: none for a page mapped once, 4 to 64 bytes when shared;
 * one slot written at fault and fork, O(k) searched at exit, k = mappings.
 * Where it fails: a large file mapped by thousands of tasks takes hundreds of
 * megabytes of chains, and fork and exit pay for reclaim that may never come.
 *
 * Invariant: the chain of a page holds exactly the present PTEs that map it.
 */
#include "mm/pte_chain.h"
#include "mm/vmstat.h"

/* Counts the walk, then tests and clears all accessed bits. */
static int chain_referenced(struct page *page)
{
	vm_inc(rmap_walks);
	return pte_chain_referenced(page);
}

/* Counts the walk, then removes every PTE. */
static enum swap_result chain_unmap(struct page *page)
{
	vm_inc(rmap_walks);
	return pte_chain_unmap(page);
}

const struct rmap_ops rmap_pte_chain = {
	.name = "pte_chain",
	.prepare = pte_chain_prepare,
	.add = pte_chain_add,
	.remove = pte_chain_remove,
	.referenced = chain_referenced,
	.unmap = chain_unmap,
	.walk = pte_chain_walk,
};
