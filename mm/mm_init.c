/* Starting the memory manager: what needs no task, then its threads. */
#include "kernel/printk.h"
#include "mm/i_mmap.h"
#include "mm/lru.h"
#include "mm/mm_internal.h"
#include "mm/page_alloc.h"
#include "mm/rmap.h"
#include "mm/slab.h"

/* Everything in mm/ that needs no task; called once, after the memory map and
 * the boot parameters are known. */
void mm_init(void)
{
	page_alloc_init();
	slab_init();
	page_wait_init();
	radix_init();
	vma_init();
	pte_chain_init();
	swap_init();
	writeback_init();
	printk("Memory: %u MB usable, %u kB free; watermarks %u/%u/%u pages\n",
	       total_pages / 256, nr_free_pages * 4, pages_min, pages_low,
	       pages_high);
	printk("Policies: rmap=%s i_mmap=%s lru=%s\n", rmap->name,
	       i_mmap->name, lru->name);
}

/* kswapd and the flusher; after the scheduler runs. */
void mm_start_threads(void)
{
	kswapd_start();
	flusher_start();
}
