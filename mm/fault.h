/* What the page fault asks of the page cache and of swap. */
#ifndef MM_FAULT_H
#define MM_FAULT_H

#include "mm/mm.h"
#include "mm/swap_entry.h"

/* The page of a file VMA at file page `pgoff`, up to date, with a reference;
 * *result becomes FAULT_MAJOR when it was read.  NULL: *result says why
 * (FAULT_SIGBUS past end of file or I/O error, FAULT_OOM).  May sleep. */
struct page *filemap_fault(struct vma *vma, u32 pgoff,
			   enum fault_result *result);

/* The page of a swap entry, with a reference, its read at least started;
 * *result becomes FAULT_MAJOR when it had to be read.  NULL: no memory, or
 * the entry is free now.  May sleep. */
struct page *swap_in(swp_entry_t e, enum fault_result *result);

/* Is more than half of swap in use, so that slots should be given back? */
bool vm_swap_full(void);

#endif
