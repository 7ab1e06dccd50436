/* The arithmetic of memory maps; pure, also built for the host's tests. */
#ifndef BOOT_E820_MAP_H
#define BOOT_E820_MAP_H

#include "kernel/e820.h"

#define E820_RAM	1		/* the only type that may be used */

struct e820_entry {
	u64 base, length;
	u32 type;
};

/* The firmware's map as the boot loader gave it. */
extern struct e820_entry e820_map[E820_MAX];
extern unsigned nr_e820;

/* From n entries (at most E820_MAX; unsorted, overlapping, unaligned as they
 * come) makes the sorted ranges of whole pages that are RAM, are claimed by no
 * entry of another type, and lie below `limit`.  Stores at most `max`, the
 * lowest; returns how many. */
unsigned e820_usable(const struct e820_entry *map, unsigned n, u64 limit,
		     struct mem_range *out, unsigned max);

#endif
