/*
 * The boot loader's answer, copied out before anything else can overwrite it:
 * loaders put it below 1 MB or right after the kernel, wherever is room.
 */
#include "boot/e820_map.h"
#include "boot/multiboot.h"
#include "kernel/printk.h"
#include "lib/string.h"
#include "mm/page.h"

struct e820_entry e820_map[E820_MAX];
unsigned nr_e820;
struct multiboot_module boot_modules[MAX_MODULES];
unsigned nr_boot_modules;
static char cmdline[512];
const char *multiboot_cmdline = cmdline;

/* The loader's memory at a physical address; panics where it is not mapped. */
static const void *loader_data(u32 address, u32 size)
{
	if (address > MAX_DIRECT - size)
		panic("boot loader: data at %08x, above 896 MB", address);
	return phys_to_virt(address);
}

/* Adds an entry to the map; what exceeds the table is reported and ignored. */
static void add_entry(u64 base, u64 length, u32 type)
{
	if (nr_e820 == E820_MAX) {
		printk(KERN_WARNING "e820: more than %u entries\n", E820_MAX);
		return;
	}
	e820_map[nr_e820++] = (struct e820_entry){ base, length, type };
}

/* Copies the memory map, whose entries carry their own sizes. */
static void copy_mmap(const struct multiboot_info *info)
{
	const u8 *p = loader_data(info->mmap_addr, info->mmap_length);
	const u8 *end = p + info->mmap_length;
	const struct multiboot_mmap *m;

	while (p + sizeof(*m) <= end) {
		m = (const struct multiboot_mmap *)p;
		add_entry(m->base, m->length, m->type);
		p += m->size + sizeof(m->size);
	}
}

/* Copies the table of modules. */
static void copy_modules(const struct multiboot_info *info)
{
	const struct multiboot_module *m;
	u32 i;

	m = loader_data(info->mods_addr, sizeof(*m));
	for (i = 0; i < info->mods_count; i++, m++) {
		if (nr_boot_modules == MAX_MODULES) {
			printk(KERN_WARNING "Only %u of %u modules are used\n",
			       MAX_MODULES, info->mods_count);
			return;
		}
		boot_modules[nr_boot_modules++] = *m;
	}
}

/* Copies everything; see the header. */
void multiboot_copy(u32 magic, u32 info_address)
{
	const struct multiboot_info *info;

	if (magic != MULTIBOOT_MAGIC)
		panic("not started by a multiboot loader (magic %08x); "
		      "use GRUB's 'multiboot' or QEMU's -kernel", magic);
	info = loader_data(info_address, sizeof(*info));
	if (info->flags & MB_CMDLINE)
		strlcpy(cmdline, loader_data(info->cmdline, sizeof(cmdline)),
			sizeof(cmdline));
	if (info->flags & MB_MODULES)
		copy_modules(info);
	if (info->flags & MB_MMAP) {
		copy_mmap(info);
	} else if (info->flags & MB_MEMORY) {
		add_entry(0, (u64)info->mem_lower << 10, E820_RAM);
		add_entry(1 << 20, (u64)info->mem_upper << 10, E820_RAM);
	}
}
