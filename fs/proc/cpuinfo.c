/* /proc/cpuinfo: what CPUID says, under Linux's names. */
#include "fs/proc/proc_internal.h"
#include "kernel/cpu.h"
#include "kernel/time.h"
#include "lib/string.h"

#define BRAND_LEAF	0x80000002u	/* to 0x80000004: the brand string */

/* Bits of CPUID leaf 1, EDX. */
static const char *const flag_names[32] = {
	"fpu", "vme", "de", "pse", "tsc", "msr", "pae", "mce", "cx8", "apic",
	NULL, "sep", "mtrr", "pge", "mca", "cmov", "pat", "pse36", "pn",
	"clflush", NULL, "dts", "acpi", "mmx", "fxsr", "sse", "sse2", "ss",
	"ht", "tm", "ia64", "pbe",
};

/* The vendor, 12 characters in an order of its own. */
static void get_vendor(char vendor[13])
{
	u32 leaf, part[3];

	cpuid(0, &leaf, &part[0], &part[2], &part[1]);
	memcpy(vendor, part, 12);
	vendor[12] = '\0';
}

/* The brand string, or "" when the CPU has none. */
static void get_brand(char brand[49])
{
	u32 part[4], highest, unused;
	unsigned i;

	brand[0] = brand[48] = '\0';
	cpuid(0x80000000u, &highest, &unused, &unused, &unused);
	if (highest < BRAND_LEAF + 2 || !(highest >> 31))
		return;
	for (i = 0; i < 3; i++) {
		cpuid(BRAND_LEAF + i, &part[0], &part[1], &part[2], &part[3]);
		memcpy(brand + 16 * i, part, 16);
	}
}

/* Family, model and stepping, with their extensions. */
static void show_signature(struct proc_out *o, u32 signature)
{
	u32 family = signature >> 8 & 15, model = signature >> 4 & 15;
	char brand[49];

	if (family == 6 || family == 15)
		model |= (signature >> 16 & 15) << 4;
	if (family == 15)
		family += signature >> 20 & 255;
	get_brand(brand);
	proc_printf(o, "cpu family\t: %u\nmodel\t\t: %u\n"
		    "model name\t: %s\nstepping\t: %u\n", family, model,
		    *brand ? brand : "unknown", signature & 15);
}

/* The names of what the CPU can do. */
static void show_flags(struct proc_out *o)
{
	unsigned i;

	proc_printf(o, "flags\t\t:");
	for (i = 0; i < 32; i++)
		if (cpu_features >> i & 1 && flag_names[i])
			proc_printf(o, " %s", flag_names[i]);
	proc_printf(o, "\n");
}

/* The whole file. */
int proc_cpuinfo(struct proc_out *o, struct task *t unused_arg)
{
	u32 signature, unused;
	char vendor[13];

	get_vendor(vendor);
	cpuid(1, &signature, &unused, &unused, &unused);
	proc_printf(o, "processor\t: 0\nvendor_id\t: %s\n", vendor);
	show_signature(o, signature);
	if (tsc_khz)
		proc_printf(o, "cpu MHz\t\t: %u.%03u\n", tsc_khz / 1000,
			    tsc_khz % 1000);
	proc_printf(o, "fpu\t\t: %s\n", cpu_features & CPU_FPU ? "yes" : "no");
	show_flags(o);
	proc_printf(o, "bogomips\t: %u.%02u\n\n", tsc_khz / 500,
		    tsc_khz / 5 % 100);
	return 0;
}
