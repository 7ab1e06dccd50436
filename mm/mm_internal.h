/* What the files of mm/ share among themselves: start-up of each part. */
#ifndef MM_MM_INTERNAL_H
#define MM_MM_INTERNAL_H

#include "lib/types.h"

/* Each is called once by mm_init(), in this order. */
void page_wait_init(void);
void radix_init(void);
void vma_init(void);
void pte_chain_init(void);
void swap_init(void);
void writeback_init(void);

/* Brings radix-tree nodes into reserve so that the next insertion cannot fail
 * for lack of memory.  False: no memory.  May sleep. */
bool radix_preload(unsigned gfp);

/* Kernel threads, started by mm_start_threads(). */
void kswapd_start(void);
void flusher_start(void);

#endif
