/*
 * Receiving signals: what happens on the way to user mode.
 *
 *	do_signal() -> next signal -> ignored: again
 *				      default: stop, or end the process
 *				      caught:  frame on the user stack
 *
 * A system call that a signal interrupted has returned -ERESTART*; here that
 * becomes a restart (eip goes back over the `int 0x80`) or -EINTR.
 */
#include "kernel/signal.h"

#include "kernel/itimer.h"
#include "kernel/job_control.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/trap.h"
#include "lib/errno.h"
#include "lib/bitmap.h"

#define INT80_SIZE	2	/* bytes of `int $0x80` */
#define NR_restart_syscall 0

#define UNBLOCKABLE	(SIGMASK(SIGKILL) | SIGMASK(SIGSTOP))
#define SYNCHRONOUS	(SIGMASK(SIGSEGV) | SIGMASK(SIGBUS) | \
			 SIGMASK(SIGILL) | SIGMASK(SIGTRAP) | \
			 SIGMASK(SIGFPE) | SIGMASK(SIGSYS))

/* Recomputes WORK_SIGNAL after `blocked` or a pending set changed. */
void recalc_sigpending(struct task *t)
{
	sigset_t pending = t->pending.set | t->group->pending.set;

	if (pending & ~(t->blocked & ~UNBLOCKABLE))
		t->work |= WORK_SIGNAL;
	else
		t->work &= ~WORK_SIGNAL;
}

/* True when a signal that is not blocked waits for the current task. */
bool signal_pending(void)
{
	return current->work & (WORK_SIGNAL | WORK_STOP);
}

/* True when the current task is to die as soon as it can. */
bool fatal_signal_pending(void)
{
	return current->pending.set & SIGMASK(SIGKILL);
}

/* Replaces the current task's mask. */
void set_blocked(sigset_t set)
{
	current->blocked = set & ~UNBLOCKABLE;
	recalc_sigpending(current);
}

/* Sets the mask for the time of one system call; do_signal() restores it. */
void set_blocked_temporarily(sigset_t set)
{
	current->saved_blocked = current->blocked;
	current->work |= WORK_RESTORE;
	current->blocked = set & ~UNBLOCKABLE;
	recalc_sigpending(current);
}

/* The lowest signal of a set, those of faults first; 0: none. */
static int first_signal(sigset_t set)
{
	if (set & SYNCHRONOUS)
		set &= SYNCHRONOUS;
	if ((u32)set)
		return ffs32((u32)set) + 1;
	return set ? ffs32((u32)(set >> 32)) + 33 : 0;
}

/* Takes one instance of `sig` out of a pending set.  The bit stays while
 * another instance is queued. */
static void collect_signal(struct sigpending *p, int sig,
			   struct siginfo *info)
{
	struct sigqueue *q, *found = NULL;
	bool more = false;

	list_for_each_entry(q, &p->queue, node) {
		if (q->info.signo != sig)
			continue;
		if (found) {
			more = true;
			break;
		}
		found = q;
	}
	*info = (struct siginfo){ .signo = sig };
	if (found) {
		*info = found->info;
		list_del(&found->node);
		free_sigqueue(found, current->group);
	}
	if (!more)
		p->set &= ~SIGMASK(sig);
}

/* Takes the next signal that is not in `mask`; its number, or 0. */
int dequeue_signal(sigset_t mask, struct siginfo *info)
{
	struct sigpending *p = &current->pending;
	int sig = first_signal(p->set & ~mask);

	if (!sig) {
		p = &current->group->pending;
		sig = first_signal(p->set & ~mask);
	}
	if (sig)
		collect_signal(p, sig, info);
	recalc_sigpending(current);
	return sig;
}

/* For exec: caught signals get their default action back. */
void flush_signal_handlers(struct sighand *sighand)
{
	for (int i = 0; i < NSIG; i++) {
		struct sigaction *sa = &sighand->action[i];

		if (sa->handler != SIG_IGN)
			sa->handler = SIG_DFL;
		sa->flags = 0;
		sa->restorer = 0;
		sa->mask = 0;
	}
}

/* Takes the default action of a signal: nothing, a stop, or the end of the
 * process (no core is ever dumped, so 0x80 is not set in the status). */
static void default_action(int sig)
{
	switch (sig_default(sig)) {
	case SIG_NOTHING:
		break;
	case SIG_PAUSE:
		if (sig == SIGSTOP || !is_orphaned_pgrp(current->pgrp))
			start_group_stop(sig);
		break;
	case SIG_TERM:
	case SIG_CORE:
		do_group_exit(sig);
	}
}

/* The next caught signal, with a copy of its action in *sa; 0: none.  Stops
 * and deaths happen in here. */
static int next_caught_signal(struct siginfo *info, struct sigaction *sa)
{
	for (;;) {
		struct sigaction *action;
		int sig;

		if (current->pending.set & SIGMASK(SIGKILL))
			do_group_exit(SIGKILL);
		if (current->work & WORK_STOP) {
			stop_this_thread();
			continue;
		}
		sig = dequeue_signal(current->blocked, info);
		if (!sig)
			return 0;
		action = &current->sighand->action[sig - 1];
		*sa = *action;
		if (sa->handler == SIG_IGN)
			continue;
		if (sa->handler == SIG_DFL) {
			if (!sig_ignored(current, sig))
				default_action(sig);
			continue;
		}
		if (sa->flags & SA_RESETHAND)
			action->handler = SIG_DFL;
		return sig;
	}
}

/* Before a handler: an interrupted call is restarted after it, or fails. */
static void restart_before_handler(struct trap_frame *tf, u32 sa_flags)
{
	if (!in_syscall(tf))
		return;
	switch (-(int)tf->eax) {
	case ERESTARTSYS:
		if (sa_flags & SA_RESTART)
			goto restart;
		tf->eax = -EINTR;
		break;
	case ERESTARTNOHAND:
	case ERESTART_RESTARTBLOCK:
		tf->eax = -EINTR;
		break;
	case ERESTARTNOINTR:
restart:
		tf->eax = tf->orig_eax;
		tf->eip -= INT80_SIZE;
		break;
	}
}

/* No handler runs: an interrupted call goes on as if nothing had been. */
static void restart_without_handler(struct trap_frame *tf)
{
	if (!in_syscall(tf))
		return;
	switch (-(int)tf->eax) {
	case ERESTARTSYS:
	case ERESTARTNOHAND:
	case ERESTARTNOINTR:
		tf->eax = tf->orig_eax;
		tf->eip -= INT80_SIZE;
		break;
	case ERESTART_RESTARTBLOCK:
		tf->eax = NR_restart_syscall;
		tf->eip -= INT80_SIZE;
		break;
	}
}

/* Arranges for the handler to run when the task is in user mode. */
static void handle_signal(struct trap_frame *tf, int sig,
			  const struct sigaction *sa,
			  const struct siginfo *info)
{
	sigset_t oldset = current->blocked, mask;

	if (current->work & WORK_RESTORE) {
		oldset = current->saved_blocked;
		current->work &= ~WORK_RESTORE;
	}
	restart_before_handler(tf, sa->flags);
	if (setup_frame(tf, sig, sa, info, oldset)) {
		if (sig == SIGSEGV)
			do_group_exit(SIGSEGV);
		current->blocked = oldset;
		force_sig_fault(SIGSEGV, SI_KERNEL, 0);
		return;
	}
	tf->orig_eax = -1;
	mask = current->blocked | sa->mask;
	if (!(sa->flags & SA_NODEFER))
		mask |= SIGMASK(sig);
	set_blocked(mask);
}

/* Called on the way to user mode while current->work is not 0, again until it
 * is.  May sleep (stop, page faults on the user stack). */
asmlinkage void do_signal(struct trap_frame *tf)
{
	struct siginfo info;
	struct sigaction sa;
	int sig;

	if (current->work & WORK_TICK) {
		current->work &= ~WORK_TICK;
		itimer_tick(!in_syscall(tf) && trap_vector(tf) == IRQ_VECTOR);
	}
	sig = next_caught_signal(&info, &sa);
	if (sig) {
		handle_signal(tf, sig, &sa, &info);
		return;
	}
	restart_without_handler(tf);
	if (current->work & WORK_RESTORE) {
		current->work &= ~WORK_RESTORE;
		current->blocked = current->saved_blocked;
	}
	recalc_sigpending(current);
}
