/*
 * Which memory is ours: the cleaned memory map, the mem= limit, and what the
 * kernel image and the modules occupy in it.
 */
#include "boot/e820_map.h"
#include "boot/multiboot.h"
#include "kernel/e820.h"
#include "kernel/param.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/page.h"

#define LOW_RESERVED	0x10000		/* firmware scribbles here */
#define MEM_MINIMUM	(4u << 20)

struct mem_range ram_ranges[E820_MAX];
unsigned nr_ram_ranges;
struct mem_range boot_reserved[16];
unsigned nr_boot_reserved;
const void *initramfs_start;
size_t initramfs_size;
static u64 mem_limit = UINT64_MAX;

/* Shrinks the direct map to the RAM that exists, so that a stray pointer
 * behind it faults. */
static void trim_direct_map(void)
{
	extern u32 kernel_pgd[1024];
	u64 end = ram_ranges[nr_ram_ranges - 1].end;
	u32 i;

	for (i = 0; i < MAX_DIRECT >> 22; i++)
		if ((u64)i << 22 >= end)
			kernel_pgd[(PAGE_OFFSET >> 22) + i] = 0;
}

/* Notes a physical range that the page allocator must leave alone. */
static void reserve(u32 start, u32 end)
{
	if (nr_boot_reserved == ARRAY_SIZE(boot_reserved))
		panic("e820: too many reserved ranges");
	boot_reserved[nr_boot_reserved++] =
		(struct mem_range){ start & PAGE_MASK, PAGE_ALIGN(end) };
}

/* Reserves a module; the first becomes the initramfs. */
static void reserve_module(const struct multiboot_module *m)
{
	extern const char _start_phys[], _end_phys[];

	if (m->end <= m->start)
		return;
	if (m->start < (u32)_end_phys && m->end > (u32)_start_phys)
		panic("boot loader: module %08x-%08x lies in the kernel",
		      m->start, m->end);
	if (m->end > min((u64)MAX_DIRECT, ram_ranges[nr_ram_ranges - 1].end)) {
		printk(KERN_ERR "Module %08x-%08x is out of reach: %s\n",
		       m->start, m->end, "ignored");
		return;
	}
	reserve(m->start, m->end);
	if (!initramfs_start) {
		initramfs_start = phys_to_virt(m->start);
		initramfs_size = m->end - m->start;
	}
}

/* Finds the usable RAM and what of it is taken; see the header. */
void e820_init(void)
{
	extern const char _start_phys[], _end_phys[];
	unsigned i;

	nr_ram_ranges = e820_usable(e820_map, nr_e820, mem_limit, ram_ranges,
				    E820_MAX);
	if (!nr_ram_ranges)
		panic("the boot loader told of no usable memory");
	trim_direct_map();
	reserve(0, LOW_RESERVED);
	reserve((u32)_start_phys, (u32)_end_phys);
	for (i = 0; i < nr_boot_modules; i++)
		reserve_module(&boot_modules[i]);
}

/* What the firmware means by a type. */
static const char *type_name(u32 type)
{
	static const char *const names[] = {
		"?", "usable", "reserved", "ACPI tables", "ACPI storage",
		"bad memory",
	};

	return names[type < ARRAY_SIZE(names) ? type : 0];
}

/* Prints the firmware's map and what came of it. */
void e820_print(void)
{
	u32 pages = 0;
	unsigned i;

	printk("Memory map from the firmware:\n");
	for (i = 0; i < nr_e820; i++)
		printk("  %09llx-%09llx %s\n", e820_map[i].base,
		       e820_map[i].base + e820_map[i].length,
		       type_name(e820_map[i].type));
	for (i = 0; i < nr_ram_ranges; i++)
		pages += (ram_ranges[i].end - ram_ranges[i].start) >> 12;
	printk("Memory: %u KB usable, kernel image %u KB", pages * 4,
	       (u32)(boot_reserved[1].end - boot_reserved[1].start) >> 10);
	if (initramfs_start)
		printk(", initramfs %zu KB", initramfs_size >> 10);
	printk("\n");
}

/* mem=SIZE: use no memory above this address. */
static int set_mem(const char *value)
{
	u64 size;

	if (parse_size(value, &size) || size < MEM_MINIMUM)
		return -EINVAL;
	mem_limit = size;
	return 0;
}
BOOT_PARAM(mem, "mem", "a size from 4M up, such as 64M", set_mem);
