/*
 * What entry.asm leaves on the kernel stack, and who handles it.
 *
 * Every way into the kernel builds the same frame.  The registers come first,
 * in the order of a system call's arguments, so that the frame itself is the
 * argument list of an asmlinkage function.
 */
#ifndef KERNEL_TRAP_H
#define KERNEL_TRAP_H

#include "kernel/linkage.h"
#include "lib/types.h"

struct trap_frame {
	u32 ebx, ecx, edx, esi, edi, ebp;	/* system call arguments */
	u32 eax;		/* number in, result out */
	u32 ds, es;
	s32 orig_eax;		/* system call number; ~vector of a trap */
	u32 error;		/* the CPU's error code, or 0 */
	u32 eip, cs, eflags;
	u32 esp, ss;		/* only when it came from user mode */
};

/* Exception vectors. */
#define TRAP_DIVIDE	0
#define TRAP_DEBUG	1
#define TRAP_NMI	2
#define TRAP_BREAKPOINT	3
#define TRAP_OVERFLOW	4
#define TRAP_BOUNDS	5
#define TRAP_INVALID_OP	6
#define TRAP_NO_FPU	7
#define TRAP_DOUBLE_FAULT 8
#define TRAP_INVALID_TSS 10
#define TRAP_NO_SEGMENT	11
#define TRAP_STACK	12
#define TRAP_PROTECTION	13
#define TRAP_PAGE_FAULT	14
#define TRAP_FPU	16
#define TRAP_ALIGNMENT	17
#define TRAP_MACHINE	18
#define TRAP_SIMD	19
#define IRQ_VECTOR	0x20	/* of IRQ 0; 16 of them */
#define SYSCALL_VECTOR	0x80

/* The flags a program may set in its own eflags: CF PF AF ZF SF TF DF OF AC ID.
 * sigreturn keeps the others. */
#define USER_EFLAGS	0x00240dd5u

/* Did the trap interrupt user mode? */
static inline bool user_mode(const struct trap_frame *tf)
{
	return tf->cs & 3;
}

/* Is this the frame of a system call, which may be restarted? */
static inline bool in_syscall(const struct trap_frame *tf)
{
	return tf->orig_eax >= 0;
}

/* The vector of a frame that is not a system call's. */
static inline unsigned trap_vector(const struct trap_frame *tf)
{
	return ~tf->orig_eax;
}

/* The frame of the current task's entry from user mode: the top of its kernel
 * stack.  Meaningless for kernel threads. */
struct trap_frame *task_frame(void);

/* Where a new task starts: pops the frame at the stack pointer and goes to
 * user mode (entry.asm).  Jumped to, never called. */
void ret_from_fork(void);


/* A fault in the kernel that nobody expected: goes on at the exception table
 * if the instruction is listed, else panics with the frame's registers. */
void kernel_fault(struct trap_frame *tf, const char *fmt, ...)
	printf_like(2, 3);

/* Called for do_signal() work on the way to user mode (kernel/signal.c). */
asmlinkage void do_signal(struct trap_frame *tf);
/* The FPU is wanted: kernel/fpu.c. */
void math_state_restore(void);

#endif
