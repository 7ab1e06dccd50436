/* The instructions C has no words for: ports, interrupt flag, control bits. */
#ifndef KERNEL_CPU_H
#define KERNEL_CPU_H

#include "lib/types.h"

static inline void outb(u16 port, u8 value)
{
	__asm__ volatile("outb %0, %1" : : "a" (value), "Nd" (port));
}

static inline void outw(u16 port, u16 value)
{
	__asm__ volatile("outw %0, %1" : : "a" (value), "Nd" (port));
}

static inline void outl(u16 port, u32 value)
{
	__asm__ volatile("outl %0, %1" : : "a" (value), "Nd" (port));
}

static inline u8 inb(u16 port)
{
	u8 value;

	__asm__ volatile("inb %1, %0" : "=a" (value) : "Nd" (port));
	return value;
}

static inline u16 inw(u16 port)
{
	u16 value;

	__asm__ volatile("inw %1, %0" : "=a" (value) : "Nd" (port));
	return value;
}

static inline u32 inl(u16 port)
{
	u32 value;

	__asm__ volatile("inl %1, %0" : "=a" (value) : "Nd" (port));
	return value;
}

/* Moves `count` 16-bit words between a port and memory. */
static inline void insw(u16 port, void *to, u32 count)
{
	__asm__ volatile("rep insw"
			 : "+D" (to), "+c" (count) : "d" (port) : "memory");
}

static inline void outsw(u16 port, const void *from, u32 count)
{
	__asm__ volatile("rep outsw"
			 : "+S" (from), "+c" (count) : "d" (port) : "memory");
}

/* About a microsecond: a write to a port that nobody listens on. */
static inline void io_delay(void)
{
	outb(0x80, 0);
}

#define EFLAGS_IF	0x200u

static inline void irq_enable(void)
{
	__asm__ volatile("sti" : : : "memory");
}

static inline void irq_disable(void)
{
	__asm__ volatile("cli" : : : "memory");
}

/* Disables interrupts and returns the flags for irq_restore().  Needed only
 * where code shares data with a top half. */
static inline u32 irq_save(void)
{
	u32 flags;

	__asm__ volatile("pushfl; popl %0; cli" : "=r" (flags) : : "memory");
	return flags;
}

static inline void irq_restore(u32 flags)
{
	__asm__ volatile("pushl %0; popfl" : : "r" (flags) : "memory", "cc");
}

/* Waits for an interrupt.  Enabling and halting are one step: an interrupt
 * that comes after the caller's last test ends the halt. */
static inline void irq_enable_and_halt(void)
{
	__asm__ volatile("sti; hlt" : : : "memory");
}

static inline u64 rdtsc(void)
{
	u64 tsc;

	__asm__ volatile("rdtsc" : "=A" (tsc));
	return tsc;
}

static inline void cpuid(u32 leaf, u32 *eax, u32 *ebx, u32 *ecx, u32 *edx)
{
	__asm__ volatile("cpuid"
			 : "=a" (*eax), "=b" (*ebx), "=c" (*ecx), "=d" (*edx)
			 : "0" (leaf), "2" (0));
}

/* CPUID leaf 1, EDX, read at start-up. */
#define CPU_FPU		(1u << 0)
#define CPU_PSE		(1u << 3)
#define CPU_TSC		(1u << 4)
#define CPU_PGE		(1u << 13)
#define CPU_CMOV	(1u << 15)
#define CPU_FXSR	(1u << 24)
#define CPU_SSE		(1u << 25)
extern u32 cpu_features;

#define CR0_TS		0x8u
#define CR4_PSE		0x10u
#define CR4_PGE		0x80u
#define CR4_OSFXSR	0x200u
#define CR4_OSXMMEXCPT	0x400u

static inline u32 read_cr0(void)
{
	u32 value;

	__asm__ volatile("movl %%cr0, %0" : "=r" (value));
	return value;
}

static inline void write_cr0(u32 value)
{
	__asm__ volatile("movl %0, %%cr0" : : "r" (value) : "memory");
}

static inline u32 read_cr2(void)
{
	u32 value;

	__asm__ volatile("movl %%cr2, %0" : "=r" (value));
	return value;
}

static inline u32 read_cr3(void)
{
	u32 value;

	__asm__ volatile("movl %%cr3, %0" : "=r" (value));
	return value;
}

static inline void write_cr3(u32 value)
{
	__asm__ volatile("movl %0, %%cr3" : : "r" (value) : "memory");
}

static inline u32 read_cr4(void)
{
	u32 value;

	__asm__ volatile("movl %%cr4, %0" : "=r" (value));
	return value;
}

static inline void write_cr4(u32 value)
{
	__asm__ volatile("movl %0, %%cr4" : : "r" (value) : "memory");
}

#endif
