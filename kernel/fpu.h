/*
 * The FPU state of tasks, switched lazily: the registers hold the state of
 * fpu_owner, whoever runs; another task that uses the FPU traps (CR0.TS) and
 * then becomes the owner.
 */
#ifndef KERNEL_FPU_H
#define KERNEL_FPU_H

#include "kernel/cpu.h"
#include "kernel/task.h"

#define FPU_STATE_SIZE	512		/* FXSAVE; FSAVE takes 108 */

extern struct task *fpu_owner;		/* NULL: the registers hold nothing */
extern bool fpu_trap;			/* CR0.TS is set */

/* Sets CR0.TS unless the registers hold the state of `next`. */
static inline void fpu_switch(const struct task *next)
{
	bool trap = next != fpu_owner;

	if (trap == fpu_trap)
		return;
	fpu_trap = trap;
	if (trap)
		write_cr0(read_cr0() | CR0_TS);
	else
		__asm__ volatile("clts");
}

void fpu_init(void);			/* once: control bits, cache */
/* Writes the registers into the owner's state, which stays the owner. */
void fpu_flush(struct task *t);
/* After t->fpu of the current task was changed: the registers are stale. */
void fpu_reload(void);
/* For fork: gives `child` a copy.  0 or -ENOMEM. */
int fpu_copy(struct task *child);
/* For exec and exit: forgets the state and frees it. */
void fpu_free(struct task *t);

/* The 112-byte FSAVE-style header and the FXSAVE image of signal frames. */
#define FPSTATE_SIZE	(112 + FPU_STATE_SIZE)
/* Writes the current task's state to user memory; 0 or -EFAULT. */
int fpu_to_user(void *to);
/* Loads it back; 0 or -EFAULT.  Every bit pattern is accepted. */
int fpu_from_user(const void *from);
/* Gives the current task a clean state, as a handler expects. */
void fpu_reset(void);

#endif
