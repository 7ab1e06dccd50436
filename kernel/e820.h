/* The firmware's memory map, cleaned: sorted, non-overlapping, type 1 only. */
#ifndef KERNEL_E820_H
#define KERNEL_E820_H

#include "lib/types.h"

#define E820_MAX	64

struct mem_range {
	u64 start, end;		/* bytes; start page-aligned up, end down */
};

/* Usable RAM below 4 GB after mem= was applied, sorted ascending. */
extern struct mem_range ram_ranges[E820_MAX];
extern unsigned nr_ram_ranges;

/* What boot still needs: kernel image, modules, boot tables.  Physical. */
extern struct mem_range boot_reserved[16];
extern unsigned nr_boot_reserved;

/* The initramfs module, or NULL. */
extern const void *initramfs_start;
extern size_t initramfs_size;

/* Fills all of these from what the boot loader said; once, after the boot
 * parameters were parsed.  e820_print() shows them. */
void e820_init(void);
void e820_print(void);

#endif
