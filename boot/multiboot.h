/* What a multiboot 1 loader hands over (all addresses are physical). */
#ifndef BOOT_MULTIBOOT_H
#define BOOT_MULTIBOOT_H

#include "lib/types.h"

#define MULTIBOOT_MAGIC	0x2badb002u

/* multiboot_info.flags: which fields are valid */
#define MB_MEMORY	0x001
#define MB_CMDLINE	0x004
#define MB_MODULES	0x008
#define MB_MMAP		0x040
#define MB_LOADER	0x200

struct multiboot_info {
	u32 flags;
	u32 mem_lower, mem_upper;	/* KB below and above 1 MB */
	u32 boot_device;
	u32 cmdline;
	u32 mods_count, mods_addr;
	u32 syms[4];
	u32 mmap_length, mmap_addr;
	u32 drives_length, drives_addr;
	u32 config_table;
	u32 loader_name;
};

struct multiboot_module {
	u32 start, end;
	u32 string;
	u32 reserved;
};

struct multiboot_mmap {
	u32 size;			/* of the rest */
	u64 base, length;
	u32 type;
} packed;

/* Copies of it, made before any memory is allocated. */
#define MAX_MODULES	8
extern struct multiboot_module boot_modules[MAX_MODULES];
extern unsigned nr_boot_modules;
extern const char *multiboot_cmdline;	/* "" when there is none */

/* Copies everything; the first thing kmain() does with the loader's answer.
 * Panics when the loader was no multiboot loader. */
void multiboot_copy(u32 magic, u32 info_address);

#endif
