/*
 * Reverse mapping: from a page to the PTEs that map it.
 *
 * Reclaim asks three things about the page at the end of its list: has anyone
 * used it lately, can it be unmapped from everyone, who maps it.  How the
 * answer is found is the policy, chosen at boot by rmap=:
 *
 *	pte_chain  every page keeps a list of its PTEs      rmap_pte_chain.c
 *	objrmap    file pages: search the file's VMAs;
 *	           anonymous pages: chains                  rmap_objrmap.c
 *
 * To compare two designs, diff their files.
 */
#ifndef MM_RMAP_H
#define MM_RMAP_H

#include "mm/pgtable.h"

struct vma;

/* Results of unmapping, named for what reclaim does next. */
enum swap_result {
	SWAP_SUCCESS,		/* nobody maps the page now */
	SWAP_AGAIN,		/* some PTE was busy: keep, try later */
	SWAP_FAIL,		/* cannot be unmapped: activate */
};

/* Called for each PTE found; false stops the walk. */
typedef bool (*rmap_walk_fn)(struct page *page, pte_t *ptep, void *arg);

struct rmap_ops {
	const char *name;

	/* Brings what add() may need into reserve.  Call before a section that
	 * adds and does not sleep.  0 or -ENOMEM.  NULL: nothing needed. */
	int (*prepare)(unsigned gfp);

	/* `ptep` maps / stops mapping `page`.  The page's mapping, index and
	 * PG_ANON are set before add and until after remove.  Never sleep; at
	 * most one add per prepare() unless rmap_ready() says more fit. */
	void (*add)(struct page *page, pte_t *ptep);
	void (*remove)(struct page *page, pte_t *ptep);

	/* Tests and clears PG_REFERENCED and the accessed bit of every PTE;
	 * how many were set.  Page locked or otherwise pinned. */
	int (*referenced)(struct page *page);

	/* Removes every PTE of a locked page. */
	enum swap_result (*unmap)(struct page *page);

	/* Calls fn for every PTE that maps the page; changes nothing. */
	void (*walk)(struct page *page, rmap_walk_fn fn, void *arg);
};

extern const struct rmap_ops *rmap;
extern const struct rmap_ops rmap_pte_chain, rmap_objrmap;

/* ---- spare chain block, consumed by add() (mm/pte_chain.c) ---- */
extern struct pte_chain *pte_chain_spare;

/* Can the next add() be served without prepare()? */
static inline bool rmap_ready(void)
{
	return pte_chain_spare || !rmap->prepare;
}

/* Makes rmap_ready() true; may sleep.  0 or -ENOMEM. */
static inline int rmap_prepare(void)
{
	return likely(rmap_ready()) ? 0 : rmap->prepare(0);
}

/* ---- shared by the policies (mm/rmap.c) ---- */
/* Clears the accessed bit of a PTE; was it set? */
bool ptep_clear_young(pte_t *ptep);
/* Unmaps one PTE of a locked page; does everything but tell the policy. */
enum swap_result try_to_unmap_one(struct page *page, pte_t *ptep);
extern int trylock_fail_rate;	/* per thousand; /proc/sys/vm */
/* Does a trylock fail, by vm.trylock_fail_rate?  Counted. */
bool rmap_trylock_fails(void);
/* Counts a page's first mapping / last unmapping in nr_mapped. */
void page_now_mapped(struct page *page);
void page_now_unmapped(struct page *page);

#endif
