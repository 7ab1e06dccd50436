/*
 * The scheduler: one run queue, round robin, and a preference for tasks that
 * come from a sleep.
 *
 *	front                                  back
 *	  woken -> woken -> ... -> runnable -> runnable
 *	  ^ wake_up, slice left    ^ wake_up or tick, slice used up
 *
 *  1. The current task is not on the queue, nor is the idle task, ever.
 *  2. A task is on the queue exactly if its state is TASK_RUNNING and it is
 *     not current (it may be queued and current only inside schedule()).
 *  3. A woken task goes to the front only while it has slice left; the slice
 *     is refilled when a task goes to the back, or has slept SLEEP_REFILL
 *     ticks.  So two tasks that keep waking each other use up their slices and
 *     a spinner behind them gets its turn.
 *  4. A woken task makes the current one reschedule unless that one also came
 *     from a sleep and has not been seen by a tick since: partners of a pipe
 *     do not preempt each other at each write.
 *
 * Top halves touch only need_resched and the slice of the current task, so
 * nothing here disables interrupts, but for the idle loop's last look.
 */
#include "kernel/sched.h"

#include "drivers/block.h"
#include "kernel/cpu.h"
#include "kernel/fpu.h"
#include "kernel/printk.h"
#include "kernel/switch.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "mm/mm.h"

#define BASE_SLICE	5	/* ticks of a task with nice 0 */
#define SLEEP_REFILL	10	/* ticks of sleep that restore a slice */

struct task *current = &init_task;
volatile bool need_resched;
unsigned atomic_depth;
u64 nr_context_switches;

static LIST_HEAD(run_queue);
static u32 run_queue_length;

/* The slice of a task of this niceness: 10 ticks at -20, 1 at 19. */
int task_slice(int nice)
{
	int ticks = nice < 0 ? BASE_SLICE - nice / 4
			     : BASE_SLICE - nice * BASE_SLICE / 20;

	return max(ticks, 1);
}

/* Puts a runnable task at the back with a new slice. */
static void enqueue_back(struct task *t)
{
	if (t->slice <= 0)
		t->slice = task_slice(t->nice);
	t->woken = false;
	list_add_tail(&t->run_node, &run_queue);
	run_queue_length++;
}

/* Queues a task that comes from a sleep, by invariants 3 and 4. */
static void enqueue_woken(struct task *t)
{
	if (jiffies - t->slept_at >= SLEEP_REFILL)
		t->slice = task_slice(t->nice);
	if (t->slice <= 0) {
		enqueue_back(t);
		return;
	}
	t->woken = true;
	list_add(&t->run_node, &run_queue);
	run_queue_length++;
	if (!current->woken)
		need_resched = true;
}

/* Makes `t` runnable if it is in `state`; true if it was.  Never sleeps. */
bool wake_up_state(struct task *t, int state)
{
	if (t->state != state)
		return false;
	t->state = TASK_RUNNING;
	/* the current task, and one that is woken before it left the CPU in
	 * schedule(), need no place in the queue */
	if (t != current)
		enqueue_woken(t);
	return true;
}

/* Makes `t` runnable if it sleeps; a stopped task stays stopped. */
void wake_up_process(struct task *t)
{
	if (!wake_up_state(t, TASK_INTERRUPTIBLE))
		wake_up_state(t, TASK_UNINTERRUPTIBLE);
}

/* Queues a new task, which takes half of its parent's slice with it so that
 * forking gains no time. */
void wake_up_new_task(struct task *t)
{
	t->slice = max((current->slice + 1) / 2, 1);
	current->slice -= t->slice;
	if (current->slice <= 0)
		current->slice = 1;
	t->state = TASK_RUNNING;
	enqueue_back(t);
}

/* One PIT tick (top half): counts down the slice of the current task. */
void scheduler_tick(void)
{
	current->woken = false;
	if (current == &init_task)
		return;
	if (--current->slice <= 0)
		need_resched = true;
	if (unlikely(current->group->cpu_timers))
		current->work |= WORK_TICK;
}

/* Takes the next task off the queue; the idle task if there is none. */
static struct task *pick_next(void)
{
	struct task *t;

	if (list_empty(&run_queue))
		return &init_task;
	t = list_first_entry(&run_queue, struct task, run_node);
	list_del(&t->run_node);
	run_queue_length--;
	return t;
}

/* Counts the switch for `prev` and queues it again if it can still run. */
static void put_prev(struct task *prev)
{
	if (prev->state != TASK_RUNNING) {
		prev->nvcsw++;
		prev->slept_at = jiffies;
	} else if (prev != &init_task) {
		prev->nivcsw++;
		enqueue_back(prev);
	}
}

/* Leaves `prev` for `next`: address space, FPU, segments, stack.  Returns in
 * the context of `prev`, when it is chosen again; the task that ran before it
 * then is freed here if it is dead. */
static void context_switch(struct task *prev, struct task *next)
{
	account_system_time();
	if (unlikely(*prev->kstack != KSTACK_MAGIC))
		panic("kernel stack overflow in %s (pid %d)", prev->comm,
		      prev->pid);
	nr_context_switches++;
	if (next->mm && next->mm != loaded_mm)
		switch_mm(next->mm);
	fpu_switch(next);
	switch_segments(prev, next);
	current = next;
	finish_switch(switch_stacks(prev, next));
}

/* What the next task does about the one it follows: frees it when dead.  Also
 * the first thing a new task does. */
void finish_switch(struct task *prev)
{
	if (unlikely(prev->state == TASK_DEAD))
		free_task(prev);
}

/* Switches to the next runnable task; returns when chosen again. */
void schedule(void)
{
	struct task *prev = current, *next;

	if (unlikely(atomic_depth))
		panic("schedule() in an atomic section of %s (pid %d)",
		      prev->comm, prev->pid);
	if (prev->state != TASK_RUNNING)
		blk_flush_plug();
	if (softirq_pending)
		do_softirq();
	need_resched = false;
	put_prev(prev);
	next = pick_next();
	if (next != prev)
		context_switch(prev, next);
}

/* A safe point: runs softirqs, and another task when it is its turn. */
void cond_resched(void)
{
	if (softirq_pending)
		do_softirq();
	if (need_resched)
		schedule();
}

/* Moves the caller to the end of the run queue. */
void yield(void)
{
	current->slice = 0;
	schedule();
}

/* A timer and the task that sleeps on it. */
struct sleeper {
	struct timer timer;
	struct task *task;
};

/* Timer softirq: the sleep is over. */
static void sleep_timeout(struct timer *timer)
{
	wake_up_process(container_of(timer, struct sleeper, timer)->task);
}

/* Sleeps in the state the caller has set until woken or `ticks` passed; the
 * jiffies left, 0 on time-out. */
long schedule_timeout(long ticks)
{
	struct sleeper s = { .task = current };
	u32 end = jiffies + ticks;

	if (ticks <= 0) {
		current->state = TASK_RUNNING;
		cond_resched();
		return 0;
	}
	timer_init(&s.timer, sleep_timeout);
	timer_set(&s.timer, ktime_ns() + (u64)ticks * (1000000000 / HZ));
	schedule();
	timer_cancel(&s.timer);
	return max((s32)(end - jiffies), (s32)0);
}

/* Sleeps in the state the caller has set until woken or ktime_ns() reaches
 * `expires`. */
void schedule_until(u64 expires)
{
	struct sleeper s = { .task = current };

	timer_init(&s.timer, sleep_timeout);
	timer_set(&s.timer, expires);
	schedule();
	timer_cancel(&s.timer);
}

/* What the boot task becomes: halts until an interrupt made work.  A softirq
 * or a wake-up between the test and the halt cannot be missed, since the test
 * is made with interrupts off and sti takes effect after hlt. */
void idle_loop(void)
{
	for (;;) {
		if (softirq_pending)
			do_softirq();
		if (!list_empty(&run_queue)) {
			schedule();
			continue;
		}
		irq_disable();
		if (softirq_pending || !list_empty(&run_queue))
			irq_enable();
		else
			irq_enable_and_halt();
	}
}

/* Tasks that run or could, for loadavg and sysinfo. */
u32 nr_running(void)
{
	return run_queue_length + (current != &init_task);
}

/* Tasks in an uninterruptible sleep, which loadavg counts too.  Kernel threads
 * sleep so while they have nothing to do, and do not count. */
u32 nr_uninterruptible(void)
{
	struct task *t;
	u32 n = 0;

	for_each_task(t)
		n += t->state == TASK_UNINTERRUPTIBLE &&
		     !(t->flags & PF_KTHREAD);
	return n;
}
