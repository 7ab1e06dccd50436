/*
 * Sending signals.
 *
 * A signal is one bit in a pending set; what comes with it (who, why, which
 * address) is queued beside it.  For signals 1..31 one instance is kept, for
 * the real-time ones every instance, up to RLIMIT_SIGPENDING.  When there is
 * no memory for the details the bit alone is set; only a queued real-time
 * signal fails then (-EAGAIN).
 *
 * Nothing here sleeps: softirqs send signals too.
 */
#include "kernel/signal.h"

#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/thread_group.h"
#include "kernel/trap.h"
#include "lib/errno.h"
#include "mm/slab.h"

#define STOP_SIGNALS	(SIGMASK(SIGSTOP) | SIGMASK(SIGTSTP) | \
			 SIGMASK(SIGTTIN) | SIGMASK(SIGTTOU))

static struct kmem_cache *sigqueue_cache, *sighand_cache;

/* Makes the caches. */
void signal_init(void)
{
	sigqueue_cache = kmem_cache_create("sigqueue",
					   sizeof(struct sigqueue), 4);
	sighand_cache = kmem_cache_create("sighand", sizeof(struct sighand),
					  4);
	thread_group_init();
}

/* A copy of the actions with count 1; NULL when out of memory. */
struct sighand *sighand_dup(const struct sighand *old)
{
	struct sighand *s = kmem_cache_alloc(sighand_cache, GFP_KERNEL);

	if (!s)
		return NULL;
	*s = *old;
	s->count = 1;
	return s;
}

/* Drops a task's hold; the last one frees. */
void sighand_put(struct sighand *s)
{
	if (--s->count == 0)
		kmem_cache_free(sighand_cache, s);
}

/* Frees one queued entry. */
void free_sigqueue(struct sigqueue *q, struct thread_group *group)
{
	group->nr_queued--;
	kmem_cache_free(sigqueue_cache, q);
}

/* Frees all that is queued. */
void flush_sigqueue(struct sigpending *p, struct thread_group *group)
{
	struct sigqueue *q, *next;

	list_for_each_entry_safe(q, next, &p->queue, node)
		free_sigqueue(q, group);
	list_init(&p->queue);
	p->set = 0;
}

/* Drops the signals of `mask` from one pending set. */
static void drop_signals(struct sigpending *p, sigset_t mask,
			 struct thread_group *group)
{
	struct sigqueue *q, *next;

	if (!(p->set & mask))
		return;
	p->set &= ~mask;
	list_for_each_entry_safe(q, next, &p->queue, node) {
		if (!(SIGMASK(q->info.signo) & mask))
			continue;
		list_del(&q->node);
		free_sigqueue(q, group);
	}
}

/* Drops the signals of `mask` from the whole process. */
void flush_group_signals(struct task *t, sigset_t mask)
{
	struct task *thread;

	drop_signals(&t->group->pending, mask, t->group);
	for_each_thread(thread, t->group) {
		drop_signals(&thread->pending, mask, t->group);
		recalc_sigpending(thread);
	}
}

/* The default action of a signal. */
enum sig_default sig_default(int sig)
{
	const sigset_t nothing = SIGMASK(SIGCHLD) | SIGMASK(SIGCONT) |
		SIGMASK(SIGURG) | SIGMASK(SIGWINCH);
	const sigset_t core = SIGMASK(SIGQUIT) | SIGMASK(SIGILL) |
		SIGMASK(SIGTRAP) | SIGMASK(SIGABRT) | SIGMASK(SIGBUS) |
		SIGMASK(SIGFPE) | SIGMASK(SIGSEGV) | SIGMASK(SIGXCPU) |
		SIGMASK(SIGXFSZ) | SIGMASK(SIGSYS);

	if (SIGMASK(sig) & nothing)
		return SIG_NOTHING;
	if (SIGMASK(sig) & STOP_SIGNALS)
		return SIG_PAUSE;
	return SIGMASK(sig) & core ? SIG_CORE : SIG_TERM;
}

/* Would `sig` have no effect on the process of `t`, by its action?  Init is
 * not killed by a signal that it does not catch. */
bool sig_ignored(const struct task *t, int sig)
{
	u32 handler = t->sighand->action[sig - 1].handler;

	if (handler == SIG_DFL)
		return sig_default(sig) == SIG_NOTHING ||
		       t->group->leader == child_reaper ||
		       t->flags & PF_KTHREAD;
	return handler == SIG_IGN;
}

/* SIGCONT continues even when blocked or ignored; it and the stop signals
 * cancel each other.  True if this was what the signal was for. */
static void prepare_signal(struct task *t, int sig)
{
	struct thread_group *g = t->group;

	if (SIGMASK(sig) & STOP_SIGNALS) {
		flush_group_signals(t, SIGMASK(SIGCONT));
	} else if (sig == SIGCONT) {
		flush_group_signals(t, STOP_SIGNALS);
		if (!g->stopped)
			return;
		group_continue(t);
		g->cont_report = true;
		send_child_signal(g->leader, SIGCHLD);
		wake_up(&g->leader->parent->wait_child);
	} else if (sig == SIGKILL && g->stopped) {
		group_continue(t);
	}
}

/* Wakes a thread for a signal. */
static void signal_wake_up(struct task *t)
{
	t->work |= WORK_SIGNAL;
	wake_up_state(t, TASK_INTERRUPTIBLE);
}

/* Queues the details of a signal; 0 or -EAGAIN. */
static int queue_info(struct sigpending *p, struct thread_group *g,
		      const struct task *t, const struct siginfo *info)
{
	struct sigqueue *q = NULL;

	if (g->nr_queued < t->rlim[RLIMIT_SIGPENDING].cur ||
	    info->signo < SIGRTMIN)
		q = kmem_cache_alloc(sigqueue_cache,
				     GFP_ATOMIC | __GFP_NOWARN);
	if (q) {
		q->info = *info;
		g->nr_queued++;
		list_add_tail(&q->node, &p->queue);
	} else if (info->signo >= SIGRTMIN && info->code < 0) {
		return -EAGAIN;
	}
	p->set |= SIGMASK(info->signo);
	return 0;
}

/* A thread of the process that takes `sig` at once: `t` if it can, else any
 * other that does not block it, else NULL. */
static struct task *choose_thread(struct task *t, int sig)
{
	struct task *thread;

	if (!(t->blocked & SIGMASK(sig)) && !(t->flags & PF_EXITING))
		return t;
	for_each_thread(thread, t->group)
		if (!(thread->blocked & SIGMASK(sig)) &&
		    !(thread->flags & PF_EXITING))
			return thread;
	return NULL;
}

/* Is it useless to queue the signal?  A blocked one is kept even when it is
 * ignored now: the action may change before it is unblocked. */
static bool pointless(const struct task *t, int sig)
{
	if (sig == SIGKILL && t->group->leader != child_reaper)
		return t->flags & PF_KTHREAD;
	return !((t->blocked | t->real_blocked) & SIGMASK(sig)) &&
	       sig_ignored(t, sig);
}

/* Sends to the process of `t`; a zombie takes none.  0, or -EAGAIN when the
 * queue is full. */
int send_siginfo(struct task *t, const struct siginfo *info)
{
	struct thread_group *g = t->group;
	struct task *taker;
	int sig = info->signo, error;

	if (g->live == 0)
		return 0;
	prepare_signal(t, sig);
	if (pointless(t, sig))
		return 0;
	if (sig == SIGKILL) {
		zap_threads(t, SIGKILL, NULL);
		return 0;
	}
	if (sig < SIGRTMIN && g->pending.set & SIGMASK(sig))
		return 0;
	error = queue_info(&g->pending, g, t, info);
	taker = choose_thread(t, sig);
	if (!error && taker)
		signal_wake_up(taker);
	return error;
}

/* Sends to one thread.  0, or -EAGAIN when the queue is full. */
int send_thread_siginfo(struct task *t, const struct siginfo *info)
{
	int sig = info->signo, error;

	if (sig == SIGKILL)
		return send_siginfo(t, info);
	prepare_signal(t, sig);
	if (pointless(t, sig))
		return 0;
	if (sig < SIGRTMIN && t->pending.set & SIGMASK(sig))
		return 0;
	error = queue_info(&t->pending, t->group, t, info);
	if (!error && !(t->blocked & SIGMASK(sig)))
		signal_wake_up(t);
	return error;
}

/* Sends `sig` to the process of `t` as the kernel. */
void send_signal(struct task *t, int sig)
{
	struct siginfo info = { .signo = sig, .code = SI_KERNEL };

	send_siginfo(t, &info);
}

/* Sends as the kernel to every process of a group; 0 or -ESRCH. */
int kill_pgrp(pid_t pgrp, int sig)
{
	struct task *t, *next;
	int error = -ESRCH;

	if (pgrp <= 0)
		return error;
	list_for_each_entry_safe(t, next, &all_tasks, all) {
		if (t->pgrp != pgrp || t->group->leader != t)
			continue;
		send_signal(t, sig);
		error = 0;
	}
	return error;
}

/* Makes every thread of `t`'s process but `except` exit.  Without `except` the
 * process as a whole ends, with `code`, unless it is about to end anyway. */
void zap_threads(struct task *t, int code, struct task *except)
{
	struct thread_group *g = t->group;
	struct task *thread;

	group_continue(t);
	for_each_thread(thread, g) {
		if (thread == except || thread->flags & PF_EXITING)
			continue;
		if (!except && !g->exiting) {
			g->exiting = true;
			g->exit_code = code;
		}
		thread->pending.set |= SIGMASK(SIGKILL);
		signal_wake_up(thread);
	}
}

/* A fault of the current task: a signal it cannot ignore or block.  If it
 * tries to, the default action (death) is what it gets. */
void force_sig_fault(int sig, int code, u32 addr)
{
	struct siginfo info = { .signo = sig, .code = code, .addr = addr };
	struct sigaction *sa = &current->sighand->action[sig - 1];
	const struct trap_frame *tf = task_frame();

	if (current->flags & PF_KTHREAD)
		panic("signal %d (address 0x%x) in kernel thread %s", sig,
		      addr, current->comm);
	current->trap_no = in_syscall(tf) ? 0 : trap_vector(tf);
	current->trap_error = tf->error;
	if (sa->handler == SIG_IGN || current->blocked & SIGMASK(sig)) {
		sa->handler = SIG_DFL;
		current->blocked &= ~SIGMASK(sig);
	}
	if (current->group->leader == child_reaper &&
	    sa->handler == SIG_DFL) {
		printk(KERN_ERR "init: fatal signal %d, address 0x%x, "
		       "eip 0x%x\n", sig, addr, tf->eip);
		zap_threads(current, sig, NULL);
		return;
	}
	if (!(current->pending.set & SIGMASK(sig)))
		queue_info(&current->pending, current->group, current, &info);
	current->work |= WORK_SIGNAL;
}
