/*
 * /proc/PID/stat: 52 numbers in Linux's order, for programs; see proc(5).
 */
#include "drivers/tty.h"
#include "fs/proc/proc_internal.h"
#include "kernel/rusage.h"
#include "kernel/task.h"
#include "lib/div64.h"
#include "mm/mm.h"

/* Which signals a task ignores and catches. */
void get_handled_signals(const struct task *t, sigset_t *ignored,
			 sigset_t *caught)
{
	const struct sighand *sighand = t->sighand;
	int sig;

	*ignored = *caught = 0;
	for (sig = 1; sig <= NSIG; sig++) {
		u32 handler = sighand->action[sig - 1].handler;

		if (handler == SIG_IGN)
			*ignored |= SIGMASK(sig);
		else if (handler != SIG_DFL)
			*caught |= SIGMASK(sig);
	}
}

/* What a task, or all threads of its process, have used. */
struct task_use {
	struct cpu_time time;
	u32 min_flt, maj_flt;
};

/* Adds up the threads, dead ones too. */
static void process_use(struct task *t, struct task_use *use)
{
	struct task *thread;

	group_cpu_time(t, &use->time);
	use->min_flt = t->group->dead_min_flt;
	use->maj_flt = t->group->dead_maj_flt;
	for_each_thread(thread, t->group) {
		use->min_flt += thread->min_flt;
		use->maj_flt += thread->maj_flt;
	}
}

/* task->flags with Linux's values. */
static u32 linux_flags(const struct task *t)
{
	return (t->flags & PF_EXITING ? 0x4 : 0) |
	       (t->flags & PF_FORKNOEXEC ? 0x40 : 0) |
	       (t->flags & PF_MEMALLOC ? 0x800 : 0) |
	       (t->flags & PF_KTHREAD ? 0x200000 : 0);
}

/* Fields 1 to 9: who it is. */
static void show_identity(struct proc_out *o, const struct task *t)
{
	proc_printf(o, "%d (%s) %c %d %d %d %d %d %u ", t->pid, t->comm,
		    proc_state(t), t->parent->tgid, t->pgrp, t->session,
		    t->tty ? (int)t->tty->dev : 0,
		    t->tty ? t->tty->pgrp : -1, linux_flags(t));
}

/* Fields 10 to 22: what it has used, and its priority. */
static void show_use(struct proc_out *o, const struct task *t,
		     const struct task_use *use)
{
	const struct task *leader = t->group->leader;

	proc_printf(o, "%u %u %u %u ", use->min_flt, leader->child_min_flt,
		    use->maj_flt, leader->child_maj_flt);
	proc_printf(o, "%u %u %u %u ", cycles_to_ticks(use->time.user),
		    cycles_to_ticks(use->time.system),
		    cycles_to_ticks(leader->child_time.user),
		    cycles_to_ticks(leader->child_time.system));
	proc_printf(o, "%d %d %d 0 %llu ", 20 + t->nice, t->nice,
		    t->group->count,
		    div_u64(t->start_ns, NSEC_PER_SEC / HZ));
}

/* Fields 23 to 30: its memory; the addresses only for who may know. */
static void show_memory(struct proc_out *o, const struct task *t)
{
	const struct mm *mm = t->mm;
	bool look = mm && proc_may_look(t);

	proc_printf(o, "%u %u %u ", mm ? mm->total_vm * PAGE_SIZE : 0,
		    mm ? mm->rss : 0, t->rlim[RLIMIT_RSS].cur);
	proc_printf(o, "%u %u %u 0 0 ", look ? mm->start_code : 0,
		    look ? mm->end_code : 0, look ? mm->start_stack : 0);
}

/* Fields 31 to 44: signals, where it waits, how it is scheduled. */
static void show_signals(struct proc_out *o, const struct task *t)
{
	sigset_t ignored, caught;

	get_handled_signals(t, &ignored, &caught);
	proc_printf(o, "%u %u %u %u ", (u32)t->pending.set & 0x7fffffff,
		    (u32)t->blocked & 0x7fffffff, (u32)ignored & 0x7fffffff,
		    (u32)caught & 0x7fffffff);
	proc_printf(o, "0 0 0 %d 0 0 0 0 0 0 ", t->exit_signal);
}

/* Fields 45 to 52: the rest of its memory, and how it ended. */
static void show_layout(struct proc_out *o, const struct task *t)
{
	static const struct mm nothing;
	const struct mm *mm = t->mm && proc_may_look(t) ? t->mm : &nothing;

	proc_printf(o, "%u %u %u %u %u %u %u %d\n", mm->start_data,
		    mm->end_data, mm->start_brk, mm->arg_start, mm->arg_end,
		    mm->env_start, mm->env_end, t->exit_code);
}

/* All fields. */
static int show_stat(struct proc_out *o, struct task *t,
		     const struct task_use *use)
{
	show_identity(o, t);
	show_use(o, t, use);
	show_memory(o, t);
	show_signals(o, t);
	show_layout(o, t);
	return 0;
}

/* /proc/PID/stat. */
int proc_stat(struct proc_out *o, struct task *t)
{
	struct task_use use;

	process_use(t, &use);
	return show_stat(o, t, &use);
}

/* /proc/PID/task/TID/stat. */
int proc_thread_stat(struct proc_out *o, struct task *t)
{
	struct task_use use = { t->time, t->min_flt, t->maj_flt };

	return show_stat(o, t, &use);
}
