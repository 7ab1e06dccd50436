/*
 * Giving up the CPU, waiting, and being woken.
 *
 * One CPU, kernel code never preempted: only schedule() switches, so code
 * between two calls that may sleep is atomic.  Interrupt top halves only
 * acknowledge and raise a softirq; softirq handlers run at the safe points
 * (return to user mode, idle, cond_resched(), schedule()) and never sleep.
 */
#ifndef KERNEL_SCHED_H
#define KERNEL_SCHED_H

#include "lib/list.h"
#include "lib/types.h"

struct task;

extern struct task *current;		/* the running task, never NULL */
extern volatile bool need_resched;	/* set by tick and wake_up() */

/* Switches to the next runnable task; returns when chosen again.  Panics
 * inside an atomic section.  Flushes the block plug first. */
void schedule(void);

/* Sleeps until woken or `ticks` jiffies passed; the task state must have been
 * set by the caller.  Returns the jiffies left, 0 on time-out. */
long schedule_timeout(long ticks);

/* The same until ktime_ns() reaches `expires`. */
void schedule_until(u64 expires);

/* A safe point in a long loop: runs pending softirqs, and lets another task
 * run when this one's time slice is over.  May sleep. */
void cond_resched(void);

/* Moves the caller to the end of the run queue.  May sleep. */
void yield(void);

/* Marks a section in which schedule() must not be called; nests.  What Linux
 * guards with page_table_lock, this kernel guards by not sleeping, and these
 * two check it.  They cost one instruction each. */
extern unsigned atomic_depth;
static inline void atomic_begin(void)
{
	atomic_depth++;
}

static inline void atomic_end(void)
{
	atomic_depth--;
}

/* ---- wait queues ---- */
struct wait_queue {
	struct list_head waiters;	/* of struct waiter.node */
};

struct waiter {
	struct list_head node;
	struct task *task;
};

#define WAIT_QUEUE_INIT(name)	{ LIST_HEAD_INIT((name).waiters) }

void wait_queue_init(struct wait_queue *wq);
/* Queues `w` for the current task and sets its state (TASK_INTERRUPTIBLE or
 * TASK_UNINTERRUPTIBLE); call before testing the condition. */
void prepare_to_wait(struct wait_queue *wq, struct waiter *w, int state);
/* Unqueues `w`; the task is runnable again. */
void finish_wait(struct wait_queue *wq, struct waiter *w);
/* Makes every waiter runnable.  Callable from softirq handlers. */
void wake_up(struct wait_queue *wq);

/* True when a signal that is not blocked waits for the current task. */
bool signal_pending(void);
/* True when a signal that will kill the current task waits (SIGKILL, oom). */
bool fatal_signal_pending(void);

/* Sleeps until `cond` holds; not interruptible. */
#define wait_event(wq, cond) do { \
	struct waiter w_ = { .task = NULL }; \
	while (!(cond)) { \
		prepare_to_wait(&(wq), &w_, TASK_UNINTERRUPTIBLE); \
		if (!(cond)) \
			schedule(); \
		finish_wait(&(wq), &w_); \
	} \
} while (0)

/* Sleeps until `cond` holds (0) or a signal comes (-ERESTARTSYS). */
#define wait_event_interruptible(wq, cond) ({ \
	struct waiter w_ = { .task = NULL }; \
	int ret_ = 0; \
	while (!(cond)) { \
		prepare_to_wait(&(wq), &w_, TASK_INTERRUPTIBLE); \
		if (!(cond) && !signal_pending()) \
			schedule(); \
		finish_wait(&(wq), &w_); \
		if (!(cond) && signal_pending()) { \
			ret_ = -ERESTARTSYS; \
			break; \
		} \
	} \
	ret_; \
})

/* Sleeps until `cond` holds or `ticks` jiffies passed; returns the jiffies
 * left, 0 when time ran out with `cond` still false.  Not interruptible. */
#define wait_event_timeout(wq, cond, ticks) ({ \
	struct waiter w_ = { .task = NULL }; \
	long left_ = (ticks); \
	while (!(cond) && left_ > 0) { \
		prepare_to_wait(&(wq), &w_, TASK_UNINTERRUPTIBLE); \
		if (!(cond)) \
			left_ = schedule_timeout(left_); \
		finish_wait(&(wq), &w_); \
	} \
	(cond) ? max(left_, 1L) : 0; \
})

/* Task states. */
enum {
	TASK_RUNNING,
	TASK_INTERRUPTIBLE,
	TASK_UNINTERRUPTIBLE,
	TASK_STOPPED,
	TASK_ZOMBIE,
	TASK_DEAD,
};

/* Makes `t` runnable if it sleeps; a woken task is preferred over one that
 * used up its slice.  Callable from softirq handlers. */
void wake_up_process(struct task *t);
/* As wake_up_process(), but only if `t` is in `state`; true if it was. */
bool wake_up_state(struct task *t, int state);
/* Puts a new task on the run queue for the first time. */
void wake_up_new_task(struct task *t);
/* One PIT tick, from the top half: counts down the slice. */
void scheduler_tick(void);
/* What the boot task becomes when all is started.  Never returns. */
void idle_loop(void) noreturn;
/* The slice of a task of this niceness, in ticks. */
int task_slice(int nice);
u32 nr_running(void);			/* tasks that could run, for loadavg */
u32 nr_uninterruptible(void);
extern u64 nr_context_switches;

/* ---- softirqs ---- */
enum {
	SOFTIRQ_TIMER,		/* expiry of timers, accounting */
	SOFTIRQ_BLOCK,		/* completion of disk requests */
	SOFTIRQ_TTY,		/* bytes from keyboard and serial line */
	NR_SOFTIRQS,
};

/* Marks softirq `nr` pending; the only thing a top half may call. */
void raise_softirq(unsigned nr);
void open_softirq(unsigned nr, void (*handler)(void));
/* Runs what is pending.  Never sleeps, never nests. */
void do_softirq(void);
extern volatile u32 softirq_pending;	/* one bit per softirq */

/* ---- kernel threads (kthread.c) ---- */
/* Starts `fn(arg)` as a kernel thread (no mm).  NULL when out of memory. */
struct task *kernel_thread(int (*fn)(void *), void *arg, const char *name);

#endif
