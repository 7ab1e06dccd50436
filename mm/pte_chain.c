/*
 * PTE chains: the reverse map of one page as a list of PTE pointers.
 * (Rik van Riel's rmap patches, merged in 2.5.27, July 2002; one PTE stored in
 * the page itself: McCracken, July 2002; blocks of a cache line: Morton,
 * September 2002; index of the first used slot: April 2003.)
 *
 *	one PTE:   page.rmap.direct ----------> PTE       (PG_DIRECT)
 *
 *	more:      page.rmap.chain --> [next| - - p5 p4] --> [next|p3 p2 p1 p0]
 *	           page.chain_first = 2 ----------^            always full
 *
 * Slots are filled from the highest index down, so the free slots of the head
 * block are its lowest.  Linux packed the index of the first used slot into
 * the low bits of `next`; here it is a byte of struct page: the block keeps
 * its 31 slots and nothing has to be masked.  Cost: a byte per page.
 *
 * Invariants
 *  1. Only the head block has free slots, and they are [0, chain_first).
 *  2. No block is empty; a page mapped by nobody has rmap.chain NULL.
 *  3. pte_chain_objs counts the blocks in use, the spare one included.
 *
 * Cost: add O(1), remove O(k), reclaim O(k) for k mappings, whatever the
 * number of VMAs; k = 1 takes no memory, k >= 2 ceil(k / 31) * 128 bytes.
 *
 * Watch it in gdb: break pte_chain_unmap; print *page->rmap.chain.
 */
#include "mm/pte_chain.h"

#include "kernel/printk.h"
#include "lib/errno.h"
#include "mm/mm_internal.h"
#include "mm/slab.h"
#include "mm/vmstat.h"

struct pte_chain *pte_chain_spare;
static struct kmem_cache *pte_chain_cache;

/* Makes the cache of chain blocks; called once. */
void pte_chain_init(void)
{
	_Static_assert(sizeof(struct pte_chain) == CHAIN_BYTES ||
		       sizeof(void *) != 4, "a block is one cache line");
	pte_chain_cache = kmem_cache_create("pte_chain",
					    sizeof(struct pte_chain),
					    CHAIN_BYTES);
}

/* A block, or NULL.  May sleep if gfp says so. */
static struct pte_chain *chain_alloc(unsigned gfp)
{
	struct pte_chain *c = kmem_cache_alloc(pte_chain_cache, gfp);

	if (c) {
		vm_inc(pte_chain_objs);
		vm_add(pte_chain_bytes, sizeof(*c));
	}
	return c;
}

/* Frees a block, or keeps it as the spare one. */
static void chain_free(struct pte_chain *c)
{
	if (!pte_chain_spare) {
		pte_chain_spare = c;
		return;
	}
	vm_dec(pte_chain_objs);
	vm_sub(pte_chain_bytes, sizeof(*c));
	kmem_cache_free(pte_chain_cache, c);
}

/* Makes sure that there is a spare block.  May sleep if gfp says so. */
int pte_chain_prepare(unsigned gfp)
{
	struct pte_chain *c;

	if (pte_chain_spare)
		return 0;
	c = chain_alloc(gfp);
	if (!c)
		return -ENOMEM;
	chain_free(c);
	return 0;
}

/* Takes the spare block and tries to replace it at once without sleeping. */
static struct pte_chain *take_spare(void)
{
	struct pte_chain *c = pte_chain_spare;

	BUG_ON(!c);
	pte_chain_spare = chain_alloc(GFP_ATOMIC | __GFP_NOWARN);
	return c;
}

/* Puts a fresh block in front of the page's chain. */
static void push_block(struct page *page, struct pte_chain *next)
{
	struct pte_chain *c = take_spare();

	c->next = next;
	page->rmap.chain = c;
	page->chain_first = NRPTE;
}

/* Records that `ptep` maps the page.  Uses the spare block when needed. */
void pte_chain_add(struct page *page, pte_t *ptep)
{
	if (!page_mapped(page)) {
		page->rmap.direct = ptep;
		page->flags |= PG_DIRECT;
		page_now_mapped(page);
		return;
	}
	if (page->flags & PG_DIRECT) {
		pte_t *first = page->rmap.direct;

		page->flags &= ~PG_DIRECT;
		push_block(page, NULL);
		page->rmap.chain->ptes[--page->chain_first] = first;
	} else if (page->chain_first == 0) {
		push_block(page, page->rmap.chain);
	}
	page->rmap.chain->ptes[--page->chain_first] = ptep;
}

/* Drops the first used slot of the head block, and the block when that was
 * its last. */
static void drop_first_slot(struct page *page)
{
	struct pte_chain *head = page->rmap.chain;

	if (++page->chain_first < NRPTE)
		return;
	page->rmap.chain = head->next;
	page->chain_first = 0;
	chain_free(head);
}

/* Removes one slot: the first used one moves into it. */
static void remove_slot(struct page *page, pte_t **slot)
{
	*slot = page->rmap.chain->ptes[page->chain_first];
	drop_first_slot(page);
}

/* The slot that holds `ptep`; panics if there is none. */
static pte_t **find_slot(struct page *page, pte_t *ptep)
{
	unsigned i = page->chain_first;

	for (struct pte_chain *c = page->rmap.chain; c; c = c->next) {
		for (; i < NRPTE; i++)
			if (c->ptes[i] == ptep)
				return &c->ptes[i];
		i = 0;
	}
	panic("page %u: PTE %p is not in its chain", page_to_pfn(page), ptep);
}

/* Records that `ptep` no longer maps the page.  The latest mapping is in the
 * first used slot: a child that exits before the next fork is found at once. */
void pte_chain_remove(struct page *page, pte_t *ptep)
{
	if (page->flags & PG_DIRECT) {
		BUG_ON(page->rmap.direct != ptep);
		page->flags &= ~PG_DIRECT;
		page->rmap.direct = NULL;
	} else if (page->rmap.chain->ptes[page->chain_first] == ptep) {
		drop_first_slot(page);
	} else {
		remove_slot(page, find_slot(page, ptep));
	}
	if (unlikely(!page_mapped(page)))
		page_now_unmapped(page);
}

/* Under memory pressure: a chain with one PTE becomes a direct pointer. */
static void collapse(struct page *page)
{
	struct pte_chain *c = page->rmap.chain;

	if (c->next || page->chain_first != NRPTE - 1)
		return;
	page->rmap.direct = c->ptes[NRPTE - 1];
	page->flags |= PG_DIRECT;
	page->chain_first = 0;
	chain_free(c);
}

/* Counts and clears the accessed bits of every PTE of the page. */
int pte_chain_referenced(struct page *page)
{
	unsigned i = page->chain_first;
	int young = 0;

	if (page->flags & PG_DIRECT) {
		vm_inc(rmap_ptes_visited);
		return ptep_clear_young(page->rmap.direct);
	}
	for (struct pte_chain *c = page->rmap.chain; c; c = c->next) {
		vm_add(rmap_ptes_visited, NRPTE - i);
		for (; i < NRPTE; i++)
			young += ptep_clear_young(c->ptes[i]);
		i = 0;
	}
	collapse(page);
	return young;
}

/* Unmaps a page that one PTE maps. */
static enum swap_result unmap_direct(struct page *page)
{
	enum swap_result result;

	vm_inc(rmap_ptes_visited);
	result = try_to_unmap_one(page, page->rmap.direct);
	if (result == SWAP_SUCCESS) {
		page->flags &= ~PG_DIRECT;
		page->rmap.direct = NULL;
	}
	return result;
}

/*
 * Unmaps all PTEs of a chain, front to back.  A PTE that was busy stays; it is
 * never met twice, for the slot that moves into a gap is one already visited.
 */
static enum swap_result unmap_chain(struct page *page)
{
	struct pte_chain *c = page->rmap.chain;
	unsigned i = page->chain_first;
	enum swap_result result = SWAP_SUCCESS;

	while (c) {
		struct pte_chain *next = c->next;

		for (; i < NRPTE; i++) {
			enum swap_result one;

			vm_inc(rmap_ptes_visited);
			one = try_to_unmap_one(page, c->ptes[i]);
			if (one == SWAP_FAIL)
				return SWAP_FAIL;
			if (one == SWAP_AGAIN)
				result = SWAP_AGAIN;
			else
				remove_slot(page, &c->ptes[i]);
		}
		c = next;
		i = 0;
	}
	return result;
}

/* Removes every PTE of a locked, mapped page. */
enum swap_result pte_chain_unmap(struct page *page)
{
	enum swap_result result = page->flags & PG_DIRECT ?
				  unmap_direct(page) : unmap_chain(page);

	if (!page_mapped(page))
		page_now_unmapped(page);
	return result;
}

/* Calls fn for every PTE of the page. */
void pte_chain_walk(struct page *page, rmap_walk_fn fn, void *arg)
{
	unsigned i = page->chain_first;

	if (page->flags & PG_DIRECT) {
		fn(page, page->rmap.direct, arg);
		return;
	}
	for (struct pte_chain *c = page->rmap.chain; c; c = c->next) {
		for (; i < NRPTE; i++)
			if (!fn(page, c->ptes[i], arg))
				return;
		i = 0;
	}
}
