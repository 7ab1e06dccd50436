/*
 * Timers: one list, sorted by expiry, looked at once a tick in a softirq.  The
 * machine has few at a time (sleepers, disk time-outs, the flusher), and a new
 * one mostly belongs near the end, where the search starts.
 */
#include "kernel/sched.h"
#include "kernel/time.h"

static LIST_HEAD(timers);

/* Prepares a timer that is not armed. */
void timer_init(struct timer *t, void (*fn)(struct timer *))
{
	list_init(&t->node);
	t->fn = fn;
	t->expires = 0;
}

/* Arms (or re-arms) a timer for a time on ktime_ns()'s scale. */
void timer_set(struct timer *t, u64 expires_ns)
{
	struct timer *earlier;

	list_del_init(&t->node);
	t->expires = expires_ns;
	list_for_each_entry_reverse(earlier, &timers, node)
		if (earlier->expires <= expires_ns)
			break;
	list_add(&t->node, &earlier->node);
}

/* Disarms a timer; nothing to do if it is not armed. */
void timer_cancel(struct timer *t)
{
	list_del_init(&t->node);
}

/* Softirq: calls what has expired. A function may arm its timer again. */
static void run_timers(void)
{
	u64 now = ktime_ns();
	struct timer *t;

	while (!list_empty(&timers)) {
		t = list_first_entry(&timers, struct timer, node);
		if (t->expires > now)
			return;
		list_del_init(&t->node);
		t->fn(t);
	}
}

/* Installs the softirq; called by time_init(). */
void timers_init(void)
{
	open_softirq(SOFTIRQ_TIMER, run_timers);
}
