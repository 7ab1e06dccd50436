/* The load average: every five seconds the number of tasks that run, could
 * run, or sleep uninterruptibly is mixed into three decaying averages. */
#include "kernel/loadavg.h"

#include "kernel/sched.h"
#include "kernel/time.h"

#define INTERVAL	5000000000ull	/* ns */
#define ONE		(1u << LOAD_SHIFT)

u32 avenrun[3];

/* exp(-5 s / 1, 5, 15 min) as fixed-point numbers */
static const u32 decay[3] = { 1884, 2014, 2037 };
static struct timer sampler;

/* Timer softirq: takes a sample. */
static void sample(struct timer *t)
{
	u32 active = (nr_running() + nr_uninterruptible()) << LOAD_SHIFT;

	for (int i = 0; i < 3; i++)
		avenrun[i] = (avenrun[i] * decay[i] +
			      active * (ONE - decay[i])) >> LOAD_SHIFT;
	timer_set(t, t->expires + INTERVAL);
}

/* Starts the sampling; once. */
void loadavg_init(void)
{
	timer_init(&sampler, sample);
	timer_set(&sampler, ktime_ns() + INTERVAL);
}
