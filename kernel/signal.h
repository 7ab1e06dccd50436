/*
 * Signals, with Linux i386's numbers and structures.
 *
 * A signal goes to a process (thread_group.pending) or to one thread
 * (task.pending); either way it is taken by do_signal() of a thread that does
 * not block it, on its way to user mode.  task->work has WORK_SIGNAL set
 * whenever such a signal may wait; recalc_sigpending() recomputes it.
 */
#ifndef KERNEL_SIGNAL_H
#define KERNEL_SIGNAL_H

#include "lib/list.h"
#include "lib/types.h"

#define SIGHUP	1
#define SIGINT	2
#define SIGQUIT	3
#define SIGILL	4
#define SIGTRAP	5
#define SIGABRT	6
#define SIGBUS	7
#define SIGFPE	8
#define SIGKILL	9
#define SIGUSR1	10
#define SIGSEGV	11
#define SIGUSR2	12
#define SIGPIPE	13
#define SIGALRM	14
#define SIGTERM	15
#define SIGSTKFLT 16
#define SIGCHLD	17
#define SIGCONT	18
#define SIGSTOP	19
#define SIGTSTP	20
#define SIGTTIN	21
#define SIGTTOU	22
#define SIGURG	23
#define SIGXCPU	24
#define SIGXFSZ	25
#define SIGVTALRM 26
#define SIGPROF	27
#define SIGWINCH 28
#define SIGIO	29
#define SIGPWR	30
#define SIGSYS	31
#define SIGRTMIN 32
#define NSIG	64

#define ILL_ILLOPN	2
#define FPE_INTDIV	1
#define FPE_INTOVF	2
#define FPE_FLTDIV	3
#define FPE_FLTOVF	4
#define FPE_FLTUND	5
#define FPE_FLTRES	6
#define FPE_FLTINV	7
#define FPE_FLTSUB	8
#define SEGV_MAPERR	1
#define SEGV_ACCERR	2
#define BUS_ADRALN	1
#define BUS_ADRERR	2
#define BUS_OBJERR	3
#define TRAP_BRKPT	1
#define TRAP_TRACE	2
#define CLD_EXITED	1
#define CLD_KILLED	2
#define CLD_DUMPED	3
#define CLD_STOPPED	5
#define CLD_CONTINUED	6
#define SI_USER		0
#define SI_KERNEL	0x80
#define SI_QUEUE	(-1)
#define SI_TIMER	(-2)
#define SI_TKILL	(-6)

typedef u64 sigset_t;			/* bit n-1: signal n */
#define SIGMASK(sig)	(1ull << ((sig) - 1))

struct siginfo {
	int signo, error, code;
	pid_t pid;
	uid_t uid;
	u32 addr;			/* faults */
	int status;			/* SIGCHLD */
	u32 utime, stime;		/* SIGCHLD, in clock ticks */
	u32 value;			/* sigqueue */
};

struct sigqueue {
	struct list_head node;
	struct siginfo info;
};

struct sigpending {
	sigset_t set;
	struct list_head queue;		/* of struct sigqueue */
};

#define SIG_DFL		0u		/* sigaction.handler */
#define SIG_IGN		1u
#define SIG_ERR		0xffffffffu

#define SA_NOCLDSTOP	0x00000001u
#define SA_NOCLDWAIT	0x00000002u
#define SA_SIGINFO	0x00000004u
#define SA_RESTORER	0x04000000u
#define SA_ONSTACK	0x08000000u
#define SA_RESTART	0x10000000u
#define SA_NODEFER	0x40000000u
#define SA_RESETHAND	0x80000000u

/* As rt_sigaction(2) passes it. */
struct sigaction {
	u32 handler;			/* user address, SIG_DFL, SIG_IGN */
	u32 flags;			/* SA_* */
	u32 restorer;
	sigset_t mask;
};

struct sighand {			/* handlers, shared by threads */
	int count;
	struct sigaction action[NSIG];	/* of signal n: [n - 1] */
};

struct task;
struct thread_group;
struct trap_frame;

/* ---- sending (signal_send.c); callable from softirqs, never sleeps ---- */
/* To the process of `t`, with details; 0, -EAGAIN when the queue is full. */
int send_siginfo(struct task *t, const struct siginfo *info);
/* To one thread. */
int send_thread_siginfo(struct task *t, const struct siginfo *info);
/* As the kernel, to every process of the group; 0 or -ESRCH. */
int kill_pgrp(pid_t pgrp, int sig);
/* Makes every thread of `t`'s group but `except` exit with `code`. */
void zap_threads(struct task *t, int code, struct task *except);
/* Tells the parent of `leader` what happened to the process (SIGCHLD). */
void send_child_signal(struct task *leader, int sig);
/* Ends the stop of a process and lets its threads run. */
void group_continue(struct task *t);

/* ---- receiving (signal.c) ---- */
/* do_signal() itself is declared in kernel/trap.h: entry.asm calls it before
 * user mode while current->work is not 0. */
/* Recomputes WORK_SIGNAL after `blocked` or a pending set changed. */
void recalc_sigpending(struct task *t);
/* Replaces the current task's mask (SIGKILL and SIGSTOP stay unblocked). */
void set_blocked(sigset_t set);
/* Sets the mask for one call (sigsuspend, ppoll): do_signal() restores it. */
void set_blocked_temporarily(sigset_t set);
/* Takes the next signal that is not in `mask`; its number, or 0. */
int dequeue_signal(sigset_t mask, struct siginfo *info);
/* Frees one entry, which is off its list; frees all that is queued. */
void free_sigqueue(struct sigqueue *q, struct thread_group *group);
void flush_sigqueue(struct sigpending *p, struct thread_group *group);
/* Drops pending signals of `mask` from the whole process. */
void flush_group_signals(struct task *t, sigset_t mask);
/* Would `sig` have no effect on `t`, by its action? */
bool sig_ignored(const struct task *t, int sig);
/* For exec: caught signals get their default action back. */
void flush_signal_handlers(struct sighand *sighand);

struct sighand *sighand_dup(const struct sighand *old);	/* NULL: memory */
void sighand_put(struct sighand *sighand);
void signal_init(void);			/* makes the caches */

/* The default action of a signal. */
enum sig_default { SIG_TERM, SIG_CORE, SIG_NOTHING, SIG_PAUSE };
enum sig_default sig_default(int sig);

/* ---- frames (sigframe.c, siginfo.c, sigcontext.c) ---- */
/* Builds the frame of a handler on the user stack and points `tf` at the
 * handler.  0, or -EFAULT when the stack is not writable. */
int setup_frame(struct trap_frame *tf, int sig, const struct sigaction *sa,
		const struct siginfo *info, sigset_t oldset);
int copy_siginfo_to_user(void *to, const struct siginfo *info);
int copy_siginfo_from_user(struct siginfo *info, const void *from);

#endif
