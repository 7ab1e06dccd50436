/*
 * Exceptions other than page faults.  From user mode each becomes the signal
 * that Linux sends; from kernel mode it is survived only if the instruction is
 * in the exception table.
 */
#include <stdarg.h>

#include "kernel/cpu.h"
#include "kernel/desc.h"
#include "kernel/panic.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/trap.h"
#include "kernel/uaccess.h"
#include "lib/printf.h"

/* kernel/asm.inc says the same. */
_Static_assert(offsetof(struct trap_frame, eax) == 24, "TF_EAX");
_Static_assert(offsetof(struct trap_frame, ds) == 28, "TF_DS");
_Static_assert(offsetof(struct trap_frame, orig_eax) == 36, "TF_ORIG_EAX");
_Static_assert(offsetof(struct trap_frame, error) == 40, "TF_ERROR");
_Static_assert(offsetof(struct trap_frame, eip) == 44, "TF_EIP");
_Static_assert(offsetof(struct trap_frame, cs) == 48, "TF_CS");
_Static_assert(offsetof(struct trap_frame, eflags) == 52, "TF_EFLAGS");
_Static_assert(sizeof(struct trap_frame) == 64, "TF_SIZE");
_Static_assert(KSTACK_MAGIC == 0x57ac6e9d, "KSTACK_MAGIC");

static const struct {
	const char *name;
	int signal, code;
} traps[32] = {
	[TRAP_DIVIDE] = { "divide error", SIGFPE, FPE_INTDIV },
	[TRAP_DEBUG] = { "debug", SIGTRAP, TRAP_TRACE },
	[TRAP_BREAKPOINT] = { "breakpoint", SIGTRAP, SI_KERNEL },
	[TRAP_OVERFLOW] = { "overflow", SIGSEGV, SI_KERNEL },
	[TRAP_BOUNDS] = { "bounds", SIGSEGV, SI_KERNEL },
	[TRAP_INVALID_OP] = { "invalid opcode", SIGILL, ILL_ILLOPN },
	[TRAP_INVALID_TSS] = { "invalid TSS", SIGSEGV, SI_KERNEL },
	[TRAP_NO_SEGMENT] = { "segment not present", SIGBUS, SI_KERNEL },
	[TRAP_STACK] = { "stack segment", SIGBUS, SI_KERNEL },
	[TRAP_PROTECTION] = { "general protection", SIGSEGV, SI_KERNEL },
	[TRAP_FPU] = { "floating point", SIGFPE, 0 },
	[TRAP_ALIGNMENT] = { "alignment check", SIGBUS, BUS_ADRALN },
	[TRAP_SIMD] = { "SIMD floating point", SIGFPE, 0 },
};

/* The frame of the current task's entry from user mode. */
struct trap_frame *task_frame(void)
{
	return (struct trap_frame *)((u8 *)current->kstack + KSTACK_SIZE) - 1;
}

/* Goes on at the exception table's address for the frame, or panics. */
void kernel_fault(struct trap_frame *tf, const char *fmt, ...)
{
	u32 fixup = search_exception_table(tf->eip);
	char what[128];
	va_list ap;

	if (fixup) {
		tf->eip = fixup;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	die(tf, "%s", what);
}

/* si_code for pending floating-point exceptions: bits IE DE ZE OE UE PE. */
static int fpu_code(u32 pending)
{
	if (pending & 0x01)
		return FPE_FLTINV;
	if (pending & 0x04)
		return FPE_FLTDIV;
	if (pending & 0x08)
		return FPE_FLTOVF;
	if (pending & 0x12)
		return FPE_FLTUND;
	return FPE_FLTRES;
}

/* The unmasked exceptions that the x87 unit holds. */
static u32 x87_pending(void)
{
	u16 control, status;

	__asm__ volatile("fnstcw %0; fnstsw %1"
			 : "=m" (control), "=a" (status));
	return status & ~control & 0x3f;
}

/* The unmasked exceptions that the SSE unit holds. */
static u32 sse_pending(void)
{
	u32 mxcsr;

	__asm__ volatile("stmxcsr %0" : "=m" (mxcsr));
	return mxcsr & ~(mxcsr >> 7) & 0x3f;
}

/* Sends the signal that belongs to an exception of the current program. */
static void user_trap(struct trap_frame *tf, unsigned vector)
{
	int code = traps[vector].code;

	if (vector == TRAP_FPU)
		code = fpu_code(x87_pending());
	if (vector == TRAP_SIMD)
		code = fpu_code(sse_pending());
	force_sig_fault(traps[vector].signal, code,
			code == SI_KERNEL ? 0 : tf->eip);
}

/* Tells that the machine reported trouble of its own, and goes on. */
static void nmi(void)
{
	printk(KERN_WARNING "NMI, reason %02x: memory parity or bus error?\n",
	       inb(0x61));
}

/* Called by entry.asm, interrupts off, for each vector that is neither a page
 * fault, nor a system call, nor an interrupt line. */
void trap_handler(struct trap_frame *tf)
{
	unsigned vector = trap_vector(tf);
	bool known = vector < 32 && traps[vector].name;

	if (vector == TRAP_NMI) {
		nmi();
		return;
	}
	if (vector == TRAP_MACHINE)
		die(tf, "machine check: the hardware is faulty");
	if (tf->eflags & EFLAGS_IF)
		irq_enable();
	if (vector == TRAP_NO_FPU && user_mode(tf))
		math_state_restore();
	else if (user_mode(tf) && known)
		user_trap(tf, vector);
	else if (user_mode(tf))
		force_sig_fault(SIGSEGV, SI_KERNEL, 0);
	else if (known)
		kernel_fault(tf, "%s in the kernel, error code %x",
			     traps[vector].name, tf->error);
	else
		kernel_fault(tf, "unexpected interrupt %u", vector);
}

/* The iret to this frame failed: makes one that works and sends SIGSEGV. */
void bad_user_frame(struct trap_frame *tf)
{
	tf->cs = USER_CS;
	tf->ds = tf->es = tf->ss = USER_DS;
	tf->eflags = (tf->eflags & USER_EFLAGS) | EFLAGS_IF | 2;
	irq_enable();
	force_sig_fault(SIGSEGV, SI_KERNEL, 0);
}
