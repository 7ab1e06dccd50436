/* The counters of the memory manager, and the /proc files that show them. */
#include "mm/vmstat.h"

#include "kernel/printk.h"
#include "lib/printf.h"
#include "mm/page_alloc.h"
#include "mm/rmap.h"
#include "mm/slab.h"
#include "mm/swap.h"
#include "mm/syscalls.h"
#include "mm/vmscan.h"
#include "mm/writeback.h"

u64 vm_stat[NR_VM_ITEMS];

const char *const vm_stat_name[NR_VM_ITEMS] = {
#define X(name) #name,
	VMSTAT_GAUGES(X) VMSTAT_EVENTS(X)
#undef X
};


/* After a write to vm.min_free_kbytes. */
static int watermarks_changed(void)
{
	set_watermarks((u32)min_free_kbytes / 4);
	return 0;
}

const struct vm_tunable vm_tunables[] = {
	{ "swappiness", &swappiness, 0, 100, NULL },
	{ "dirty_ratio", &dirty_ratio, 0, 100, NULL },
	{ "dirty_background_ratio", &dirty_background_ratio, 0, 100, NULL },
	{ "dirty_expire_centisecs", &dirty_expire_centisecs, 0, 360000,
	  NULL },
	{ "dirty_writeback_centisecs", &dirty_writeback_centisecs, 1, 360000,
	  NULL },
	{ "page-cluster", &page_cluster, 0, 5, NULL },
	{ "max_map_count", &max_map_count, 0, 1 << 20, NULL },
	{ "min_free_kbytes", &min_free_kbytes, 80, 1 << 18,
	  watermarks_changed },
	{ "trylock_fail_rate", &trylock_fail_rate, 0, 1000, NULL },
	{ "fail_nth", &fail_nth, 0, 1 << 30, NULL },
	{ NULL, NULL, 0, 0, NULL },
};

/* Formats /proc/vmstat. */
int vmstat_show(char *buf, size_t size)
{
	int len = snprintf(buf, size, "nr_free_pages %u\n", nr_free_pages);

	for (unsigned i = 0; i < NR_VM_ITEMS && (size_t)len < size; i++)
		len += snprintf(buf + len, size - len, "%s %llu\n",
				vm_stat_name[i], vm_stat[i]);
	return min(len, (int)size);
}

/* A gauge in kB. */
static u32 kb(u64 pages)
{
	return (u32)pages * (PAGE_SIZE / 1024);
}

/* Pages that could be had without swapping, roughly, as Linux estimates. */
static u32 available_pages(void)
{
	u32 cache = (u32)(vm_stat[vm_nr_file_pages] - vm_stat[vm_nr_shmem] -
			  vm_stat[vm_nr_swapcached]);

	cache -= min(cache / 2, pages_low);
	return nr_free_pages > pages_low ? nr_free_pages - pages_low + cache :
					   cache;
}

/* Formats /proc/meminfo. */
int meminfo_show(char *buf, size_t size)
{
	u32 cached = (u32)(vm_stat[vm_nr_file_pages] -
			   vm_stat[vm_nr_swapcached]);
	int len = snprintf(buf, size,
		"MemTotal:       %8u kB\nMemFree:        %8u kB\n"
		"MemAvailable:   %8u kB\nBuffers:        %8u kB\n"
		"Cached:         %8u kB\nSwapCached:     %8u kB\n"
		"Active:         %8u kB\nInactive:       %8u kB\n"
		"SwapTotal:      %8u kB\nSwapFree:       %8u kB\n"
		"Dirty:          %8u kB\nWriteback:      %8u kB\n"
		"AnonPages:      %8u kB\nMapped:         %8u kB\n"
		"Shmem:          %8u kB\nSlab:           %8u kB\n"
		"SReclaimable:   %8u kB\nPageTables:     %8u kB\n",
		kb(total_pages), kb(nr_free_pages), kb(available_pages()), 0,
		kb(cached), kb(vm_stat[vm_nr_swapcached]),
		kb(vm_stat[vm_nr_active]), kb(vm_stat[vm_nr_inactive]),
		kb(total_swap_pages), kb(nr_swap_pages),
		kb(vm_stat[vm_nr_dirty]), kb(vm_stat[vm_nr_writeback]),
		kb(vm_stat[vm_nr_anon_pages]), kb(vm_stat[vm_nr_mapped]),
		kb(vm_stat[vm_nr_shmem]), kb(vm_stat[vm_nr_slab]), 0,
		kb(vm_stat[vm_nr_page_table_pages]));

	return min(len, (int)size);
}

/* Formats /proc/slabinfo, version 2.1. */
int slabinfo_show(char *buf, size_t size)
{
	struct kmem_cache *c;
	int len = snprintf(buf, size, "slabinfo - version: 2.1\n"
			   "# name            <active_objs> <num_objs> "
			   "<objsize> <objperslab> <pagesperslab>\n");

	list_for_each_entry(c, &kmem_caches, node) {
		if ((size_t)len >= size)
			break;
		len += snprintf(buf + len, size - len,
				"%-17s %6u %6u %6u %4u %4u\n", c->name,
				c->nr_active, c->nr_slabs * c->per_slab,
				c->size, c->per_slab, 1u << c->order);
	}
	return min(len, (int)size);
}

/* Formats /proc/buddyinfo. */
int buddyinfo_show(char *buf, size_t size)
{
	int len = snprintf(buf, size, "Node 0, zone   Normal");

	for (unsigned k = 0; k < MAX_ORDER && (size_t)len < size; k++)
		len += snprintf(buf + len, size - len, " %6u", free_blocks(k));
	if ((size_t)len < size)
		len += snprintf(buf + len, size - len, "\n");
	return min(len, (int)size);
}
