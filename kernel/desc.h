/*
 * Segments and the task register.
 *
 *	GDT  6..8	thread-local storage of the current task
 *	     12, 13	kernel code and data
 *	     14, 15	user code and data
 *	     16		TSS: where the CPU finds the kernel stack
 *	     17		TSS of the double-fault task
 */
#ifndef KERNEL_DESC_H
#define KERNEL_DESC_H

#include "lib/types.h"

#define GDT_TLS		6		/* first of three */
#define NR_TLS		3
#define GDT_ENTRIES	18

#define KERNEL_CS	0x60
#define KERNEL_DS	0x68
#define USER_CS		0x73
#define USER_DS		0x7b
#define TSS_SELECTOR	0x80
#define DF_SELECTOR	0x88

extern u64 gdt[GDT_ENTRIES];

struct tss {
	u32 link;
	u32 esp0, ss0, esp1, ss1, esp2, ss2;
	u32 cr3, eip, eflags;
	u32 eax, ecx, edx, ebx, esp, ebp, esi, edi;
	u32 es, cs, ss, ds, fs, gs;
	u32 ldt;
	u16 trap, iomap;
};

/* esp0 is set at each task switch: the stack for entries from user mode. */
extern struct tss tss;

/* Installs a gate of the IDT; dpl 3 lets programs use it by `int`. */
void set_gate(unsigned vector, void (*entry)(void), bool trap, unsigned dpl);
/* Loads GDT, IDT, TSS; the first thing kmain() does. */
void desc_init(void);

#endif
