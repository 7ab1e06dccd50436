/* The machine's part of a task switch, for kernel/sched.c and fork. */
#ifndef KERNEL_SWITCH_H
#define KERNEL_SWITCH_H

#include "kernel/desc.h"
#include "kernel/linkage.h"
#include "kernel/task.h"

/* Saves the registers on the stack of `prev`, goes on on that of `next`; the
 * task that ran before the caller was chosen again (switch.asm). */
asmlinkage struct task *switch_stacks(struct task *prev, struct task *next);

/* Where the first switch to a new task lands: it calls start_child(), then
 * fn(arg) if it is a kernel thread, then goes to user mode (switch.asm). */
void task_start(void);

/* After each switch: frees `prev` if it is dead (sched.c). */
void finish_switch(struct task *prev);

/* Called by switch.asm first thing in a new task (fork.c). */
void start_child(struct task *prev);

/* Called by switch.asm when the function of a kernel thread returned `code`:
 * comes back only if the thread has become a program. */
asmlinkage void kthread_return(int code);

/* Loads selectors that a program chose; a bad one becomes 0 (switch.asm). */
asmlinkage void load_gs(u32 selector);
asmlinkage void load_fs(u32 selector);

/* The current task's live gs and fs. */
static inline u16 read_gs(void)
{
	u32 value;

	__asm__ volatile("movl %%gs, %0" : "=r" (value));
	return value;
}

static inline u16 read_fs(void)
{
	u32 value;

	__asm__ volatile("movl %%fs, %0" : "=r" (value));
	return value;
}

/* Puts the current task's thread-local segments into the GDT. */
static inline void load_tls(const struct task *t)
{
	gdt[GDT_TLS] = t->tls[0];
	gdt[GDT_TLS + 1] = t->tls[1];
	gdt[GDT_TLS + 2] = t->tls[2];
}

/* Kernel stack, TLS, gs and fs of `next` in place of those of `prev`. */
static inline void switch_segments(struct task *prev, struct task *next)
{
	tss.esp0 = (u32)next->kstack + KSTACK_SIZE;
	prev->gs = read_gs();
	prev->fs_seg = read_fs();
	load_tls(next);
	if (prev->gs | next->gs)
		load_gs(next->gs);
	if (prev->fs_seg | next->fs_seg)
		load_fs(next->fs_seg);
}

#endif
