/*
 * Wait queues: lists of sleeping tasks.  A waiter lies on the stack of its
 * task; it is queued before the condition is looked at, so a wake-up between
 * the look and schedule() finds the task and makes it runnable again.
 */
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/task.h"

/* Makes an empty queue. */
void wait_queue_init(struct wait_queue *wq)
{
	list_init(&wq->waiters);
}

/* Queues `w` for the current task and sets its state. */
void prepare_to_wait(struct wait_queue *wq, struct waiter *w, int state)
{
	w->task = current;
	list_add_tail(&w->node, &wq->waiters);
	current->state = state;
}

/* Unqueues `w`; the task is runnable again. */
void finish_wait(struct wait_queue *wq unused_arg, struct waiter *w)
{
	list_del(&w->node);
	current->state = TASK_RUNNING;
}

/* Makes every waiter runnable.  They unqueue themselves.  The list is walked
 * backwards, as each woken task goes to the front of the run queue: the one
 * that waited longest runs first. */
void wake_up(struct wait_queue *wq)
{
	struct waiter *w;

	list_for_each_entry_reverse(w, &wq->waiters, node)
		wake_up_process(w->task);
}
