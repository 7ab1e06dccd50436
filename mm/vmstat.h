/*
 * Every counter of the memory manager, one list, one name each, as shown in
 * /proc/vmstat.  Names are Linux's; those of algorithms Linux has dropped
 * carry the name of what they count.
 */
#ifndef MM_VMSTAT_H
#define MM_VMSTAT_H

#include "lib/types.h"

/* Current values, in pages. */
#define VMSTAT_GAUGES(X) \
	X(nr_mapped) X(nr_anon_pages) X(nr_file_pages) X(nr_shmem) \
	X(nr_swapcached) X(nr_dirty) X(nr_writeback) X(nr_active) \
	X(nr_inactive) X(nr_unevictable) X(nr_page_table_pages) X(nr_slab) \
	X(nr_kernel_stack) X(pte_chain_objs) X(pte_chain_bytes)

/* Events since boot. */
#define VMSTAT_EVENTS(X) \
	X(pgpgin) X(pgpgout) X(pswpin) X(pswpout) X(pgalloc) X(pgfree) \
	X(pgactivate) X(pgdeactivate) X(pgfault) X(pgmajfault) X(pgrefill) \
	X(pgsteal_kswapd) X(pgsteal_direct) X(pgscan_kswapd) \
	X(pgscan_direct) X(pgrotated) X(allocstall) X(kswapd_wakeups) \
	X(oom_kill) X(rmap_walks) X(rmap_ptes_visited) \
	X(rmap_vmas_visited) X(rmap_vmas_useful) X(rmap_trylock_fail) \
	X(find_vma_calls) X(find_vma_hits) X(find_vma_steps) X(gua_steps)

enum vm_item {
#define X(name) vm_##name,
	VMSTAT_GAUGES(X) VMSTAT_EVENTS(X)
#undef X
	NR_VM_ITEMS
};

extern u64 vm_stat[NR_VM_ITEMS];
extern const char *const vm_stat_name[NR_VM_ITEMS];

#define vm_inc(item)		(vm_stat[vm_##item]++)
#define vm_dec(item)		(vm_stat[vm_##item]--)
#define vm_add(item, n)		(vm_stat[vm_##item] += (n))
#define vm_sub(item, n)		(vm_stat[vm_##item] -= (n))

/* Formats /proc/vmstat, /proc/meminfo, /proc/swaps, /proc/slabinfo into
 * `buf`; the length.  Called by fs/proc. */
int vmstat_show(char *buf, size_t size);
int meminfo_show(char *buf, size_t size);
int slabinfo_show(char *buf, size_t size);
int swaps_show(char *buf, size_t size);
int buddyinfo_show(char *buf, size_t size);

/* A tunable in /proc/sys/vm.  Tables end with a NULL name. */
struct vm_tunable {
	const char *name;
	int *value;
	int lowest, highest;
	int (*changed)(void);	/* after a write; may be NULL */
};
extern const struct vm_tunable vm_tunables[];

/* mmcheck: runs the checker; formats one line per violation, or "ok\n", into
 * buf (the last run's report for reading). Returns the violations. */
int mmcheck_run(void);
int mmcheck_show(char *buf, size_t size);

/* Fields of /proc/PID/{maps,smaps,status,statm} that mm knows; each formats
 * into buf and returns the length.  `resume` is an address: output starts with
 * the VMA at or after it and it is advanced; *resume = 0xffffffff at the end.
 * The caller holds mm->count. May sleep (mmap_sem). */
struct mm;
int maps_show(struct mm *mm, u32 *resume, char *buf, size_t size);

#endif
