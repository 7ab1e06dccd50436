/*
 * Panic: tells everything, then stops as panic= says.
 *
 *	halt	(default) stay on the last screen
 *	reboot	restart the machine
 *	exit	leave QEMU through its isa-debug-exit device, status 255
 */
#include <stdarg.h>

#include "kernel/console.h"
#include "kernel/cpu.h"
#include "kernel/ksyms.h"
#include "kernel/panic.h"
#include "kernel/param.h"
#include "kernel/printk.h"
#include "kernel/reboot.h"
#include "kernel/task.h"
#include "kernel/trap.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/page.h"

#define DEBUG_EXIT	0xf4		/* QEMU's isa-debug-exit */
#define EXIT_PANIC	0x7f		/* becomes exit status 255 */

static enum { PANIC_HALT, PANIC_REBOOT, PANIC_EXIT } panic_action;

/* Prints the registers of a trap and where it happened. */
static void print_registers(const struct trap_frame *tf)
{
	u32 offset = 0;
	const char *name = ksym_lookup(tf->eip, &offset);

	printk(KERN_ERR "EIP %04x:%08x %s+0x%x  EFLAGS %08x  error %x\n",
	       tf->cs & 0xffff, tf->eip, name ? name : "(not kernel code)",
	       offset, tf->eflags, tf->error);
	printk(KERN_ERR "EAX %08x EBX %08x ECX %08x EDX %08x\n", tf->eax,
	       tf->ebx, tf->ecx, tf->edx);
	printk(KERN_ERR "ESI %08x EDI %08x EBP %08x ESP %08x\n", tf->esi,
	       tf->edi, tf->ebp, user_mode(tf) ||
	       trap_vector(tf) == TRAP_DOUBLE_FAULT ? tf->esp : (u32)&tf->esp);
	printk(KERN_ERR "CR0 %08x CR2 %08x CR3 %08x CR4 %08x\n", read_cr0(),
	       read_cr2(), read_cr3(), read_cr4());
}

/* Prints the current task and whether its kernel stack is whole. */
static void print_task(void)
{
	printk(KERN_ERR "Task %d (%s)\n", current->pid, current->comm);
	if (current->kstack && *current->kstack != KSTACK_MAGIC)
		printk(KERN_ERR "Its kernel stack overflowed.\n");
}

/* Where to start looking for return addresses. */
static const u32 *trace_start(const struct trap_frame *tf, const u32 *here)
{
	if (!tf)
		return here;
	if (trap_vector(tf) == TRAP_DOUBLE_FAULT)
		return (const u32 *)tf->esp;
	return (const u32 *)(tf + 1);
}

/* Ends as panic= says. */
static noreturn void stop(void)
{
	if (panic_action == PANIC_EXIT)
		outb(DEBUG_EXIT, EXIT_PANIC);
	if (panic_action == PANIC_REBOOT)
		machine_restart();
	for (;;) {
		irq_disable();
		__asm__ volatile("hlt");
	}
}

/* The common end.  A panic while one is printed prints no more than itself. */
static noreturn void vpanic(const struct trap_frame *tf, const char *fmt,
			    va_list ap)
{
	static int depth;
	char message[256];
	const u32 *sp;

	irq_disable();
	if (++depth > 2)
		stop();
	console_loglevel = 8;
	vsnprintf(message, sizeof(message), fmt, ap);
	printk(KERN_ERR "\nKernel panic: %s\n", message);
	if (depth == 1) {
		print_task();
		if (tf)
			print_registers(tf);
		sp = trace_start(tf, __builtin_frame_address(0));
		if ((u32)sp >= PAGE_OFFSET)
			print_trace(sp);
	}
	stop();
}

/* A broken invariant. */
void panic(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vpanic(NULL, fmt, ap);
}

/* panic() with the registers of a trap. */
void die(const struct trap_frame *tf, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vpanic(tf, fmt, ap);
}

/* panic=halt, reboot or exit. */
static int set_panic(const char *value)
{
	if (!strcmp(value, "halt"))
		panic_action = PANIC_HALT;
	else if (!strcmp(value, "reboot"))
		panic_action = PANIC_REBOOT;
	else if (!strcmp(value, "exit"))
		panic_action = PANIC_EXIT;
	else
		return -1;
	return 0;
}
BOOT_PARAM(panic, "panic", "halt, reboot, exit", set_panic);
