/*
 * Lazy FPU switching.
 *
 *  1. If fpu_owner is not NULL, it is a live task with used_fpu set, and its
 *     state is in the registers; task->fpu is stale until fpu_flush().
 *  2. CR0.TS is set whenever the running task is not fpu_owner.
 *
 * So a task that never uses the FPU costs nothing, and a lone user of it pays
 * one trap.  The kernel itself uses no FPU instruction but those below.
 */
#include "kernel/fpu.h"

#include "kernel/printk.h"
#include "kernel/trap.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/slab.h"

struct task *fpu_owner;
bool fpu_trap;

static struct kmem_cache *fpu_cache;

#define MXCSR_DEFAULT	0x1f80u
#define MXCSR_OFFSET	24		/* in the FXSAVE image */

/* Tells the CPU that we save SSE state and handle its exceptions. */
void fpu_init(void)
{
	u32 cr4 = read_cr4();

	if (cpu_features & CPU_FXSR)
		cr4 |= CR4_OSFXSR;
	if (cpu_features & CPU_SSE)
		cr4 |= CR4_OSXMMEXCPT;
	if (cr4 != read_cr4())
		write_cr4(cr4);
	fpu_cache = kmem_cache_create("fpu_state", FPU_STATE_SIZE, 16);
	write_cr0(read_cr0() | CR0_TS);
	fpu_trap = true;
}

/* Stores the registers.  FSAVE also resets them, so they are reloaded. */
static void save_registers(void *state)
{
	if (cpu_features & CPU_FXSR)
		__asm__ volatile("fxsave (%0)" : : "r" (state) : "memory");
	else
		__asm__ volatile("fnsave (%0); frstor (%0)"
				 : : "r" (state) : "memory");
}

/* Loads the registers. */
static void load_registers(const void *state)
{
	if (cpu_features & CPU_FXSR)
		__asm__ volatile("fxrstor (%0)" : : "r" (state) : "memory");
	else
		__asm__ volatile("frstor (%0)" : : "r" (state) : "memory");
}

/* Fills in the state a program starts with: FNINIT's, MXCSR masked. */
static void clean_state(u8 *state)
{
	u32 mxcsr = MXCSR_DEFAULT;

	memset(state, 0, FPU_STATE_SIZE);
	state[0] = 0x7f;			/* control word 0x037f */
	state[1] = 0x03;
	if (cpu_features & CPU_FXSR)
		memcpy(state + MXCSR_OFFSET, &mxcsr, 4);
	else
		memset(state + 8, 0xff, 2);	/* FSAVE tags: all empty */
}

/* Makes the current task the owner; what another had there is saved. */
static void take_registers(void)
{
	__asm__ volatile("clts");
	fpu_trap = false;
	if (fpu_owner == current)
		return;
	if (fpu_owner)
		save_registers(fpu_owner->fpu);
	fpu_owner = current;
	load_registers(current->fpu);
}

/* The #NM trap: the current task uses the FPU.  Killed by SIGBUS when there is
 * no memory for its state. */
void math_state_restore(void)
{
	if (!current->fpu) {
		current->fpu = kmem_cache_alloc(fpu_cache, GFP_KERNEL);
		if (!current->fpu) {
			force_sig_fault(SIGBUS, SI_KERNEL, 0);
			return;
		}
		current->used_fpu = false;
	}
	if (!current->used_fpu) {
		clean_state(current->fpu);
		current->used_fpu = true;
	}
	take_registers();
}

/* Brings t->fpu up to date; `t` keeps the registers. */
void fpu_flush(struct task *t)
{
	if (fpu_owner != t)
		return;
	__asm__ volatile("clts");
	save_registers(t->fpu);
	if (fpu_trap)
		write_cr0(read_cr0() | CR0_TS);
}

/* Gives a new child a copy of the current task's state. 0 or -ENOMEM. */
int fpu_copy(struct task *child)
{
	child->fpu = NULL;
	child->used_fpu = false;
	if (!current->used_fpu)
		return 0;
	child->fpu = kmem_cache_alloc(fpu_cache, GFP_KERNEL);
	if (!child->fpu)
		return -ENOMEM;
	fpu_flush(current);
	memcpy(child->fpu, current->fpu, FPU_STATE_SIZE);
	child->used_fpu = true;
	return 0;
}

/* The current task's memory is now newer than the registers: the next use
 * loads it. */
void fpu_reload(void)
{
	if (fpu_owner != current)
		return;
	fpu_owner = NULL;
	fpu_switch(current);
}

/* Forgets the state: the next use starts with a clean one. */
static void fpu_forget(struct task *t)
{
	t->used_fpu = false;
	if (fpu_owner == t) {
		fpu_owner = NULL;
		fpu_switch(current);
	}
}

/* Forgets the current task's state and keeps the memory. */
void fpu_reset(void)
{
	fpu_forget(current);
}

/* Forgets the state of a task that execs or exits, and frees it. */
void fpu_free(struct task *t)
{
	fpu_forget(t);
	if (t->fpu)
		kmem_cache_free(fpu_cache, t->fpu);
	t->fpu = NULL;
}
