/*
 * Descriptor tables: flat segments, one TSS for the kernel stack, one for
 * double faults, and the table of all 256 vectors.
 *
 * A double fault means the CPU could not even push a trap frame, so it is a
 * task gate: the CPU switches to a second TSS with a stack of its own, and the
 * registers of the broken context are left in the first TSS to be printed.
 */
#include "kernel/cpu.h"
#include "kernel/desc.h"
#include "kernel/panic.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/trap.h"
#include "mm/page.h"

#define SEG_CODE	0x00cf9a000000ffffull	/* flat, ring 0 */
#define SEG_DATA	0x00cf92000000ffffull
#define SEG_RING3	0x0000600000000000ull
#define GATE_INTERRUPT	0x8e00u
#define GATE_TRAP	0x8f00u			/* leaves interrupts on */
#define GATE_TASK	0x8500u

extern u32 kernel_pgd[1024];		/* boot/entry.asm */
extern u32 boot_stack[KSTACK_SIZE / 4];

u64 gdt[GDT_ENTRIES] = {
	[KERNEL_CS / 8] = SEG_CODE,
	[KERNEL_DS / 8] = SEG_DATA,
	[USER_CS / 8] = SEG_CODE | SEG_RING3,
	[USER_DS / 8] = SEG_DATA | SEG_RING3,
};

struct tss tss = {
	.esp0 = (u32)boot_stack + KSTACK_SIZE,
	.ss0 = KERNEL_DS,
	.iomap = sizeof(struct tss),
};

static struct tss df_tss;
static u8 df_stack[2048] aligned(16);
static u64 idt[256];

struct table_pointer {
	u16 limit;
	u32 base;
} packed;

/* The descriptor of an available TSS. */
static u64 tss_descriptor(const struct tss *t)
{
	u64 base = (u32)t;

	return (sizeof(*t) - 1) | (base & 0xffffff) << 16 |
	       0x89ull << 40 | (base >> 24) << 56;
}

/* Fills an entry of the IDT; dpl 3 lets programs use it with `int`. */
void set_gate(unsigned vector, void (*entry)(void), bool trap, unsigned dpl)
{
	u32 address = (u32)entry;
	u32 type = (trap ? GATE_TRAP : GATE_INTERRUPT) | dpl << 13;

	idt[vector] = (u64)((address & 0xffff0000) | type) << 32 |
		      KERNEL_CS << 16 | (address & 0xffff);
}

/* Runs as a task of its own, on its own stack; tells what was lost. */
static noreturn void double_fault(void)
{
	struct trap_frame tf = {
		.ebx = tss.ebx, .ecx = tss.ecx, .edx = tss.edx,
		.esi = tss.esi, .edi = tss.edi, .ebp = tss.ebp,
		.eax = tss.eax, .ds = tss.ds, .es = tss.es,
		.orig_eax = ~TRAP_DOUBLE_FAULT, .eip = tss.eip,
		.cs = tss.cs, .eflags = tss.eflags, .esp = tss.esp,
		.ss = tss.ss,
	};

	if (current->kstack && *current->kstack != KSTACK_MAGIC)
		die(&tf, "double fault after a kernel stack overflow");
	die(&tf, "double fault");
}

/* Prepares the second TSS and its task gate. */
static void double_fault_init(void)
{
	df_tss.cr3 = virt_to_phys(kernel_pgd);
	df_tss.eip = (u32)double_fault;
	df_tss.eflags = 2;
	df_tss.esp = (u32)df_stack + sizeof(df_stack) - 16;
	df_tss.cs = KERNEL_CS;
	df_tss.ss = df_tss.ds = df_tss.es = KERNEL_DS;
	df_tss.iomap = sizeof(struct tss);
	gdt[DF_SELECTOR / 8] = tss_descriptor(&df_tss);
	idt[TRAP_DOUBLE_FAULT] = (u64)GATE_TASK << 32 | DF_SELECTOR << 16;
}

/* Points every vector at its stub. */
static void idt_init(void)
{
	extern void (*const trap_stubs[256])(void);
	unsigned v;

	for (v = 0; v < 256; v++)
		set_gate(v, trap_stubs[v], false, 0);
	set_gate(TRAP_BREAKPOINT, trap_stubs[TRAP_BREAKPOINT], false, 3);
	set_gate(TRAP_OVERFLOW, trap_stubs[TRAP_OVERFLOW], false, 3);
	set_gate(SYSCALL_VECTOR, trap_stubs[SYSCALL_VECTOR], true, 3);
}

/* Loads GDT, IDT and task register and ends the identity mapping, which only
 * the boot code's own tables needed. */
void desc_init(void)
{
	struct table_pointer gdtr = { sizeof(gdt) - 1, (u32)gdt };
	struct table_pointer idtr = { sizeof(idt) - 1, (u32)idt };

	gdt[TSS_SELECTOR / 8] = tss_descriptor(&tss);
	idt_init();
	double_fault_init();
	__asm__ volatile("lgdt %0; lidt %1; ltr %w2"
			 : : "m" (gdtr), "m" (idtr), "r" (TSS_SELECTOR));
	kernel_pgd[0] = 0;
	write_cr3(read_cr3());
}
