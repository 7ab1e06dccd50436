/*
 * Softirqs: the part of interrupt work that runs at the safe points, never
 * beside process-context code, so that nothing it touches needs a lock.
 */
#include "kernel/printk.h"
#include "kernel/sched.h"

volatile u32 softirq_pending;
static void (*handlers[NR_SOFTIRQS])(void);
static bool running;

/* Installs the handler of a softirq; it must not sleep. */
void open_softirq(unsigned nr, void (*handler)(void))
{
	BUG_ON(nr >= NR_SOFTIRQS);
	handlers[nr] = handler;
}

/* Marks a softirq pending.  One instruction, so a top half may call it. */
void raise_softirq(unsigned nr)
{
	__asm__ volatile("orl %1, %0"
			 : "+m" (softirq_pending) : "r" (1u << nr) : "cc");
}

/* Takes what is pending, in one step against top halves. */
static u32 take_pending(void)
{
	u32 pending = 0;

	__asm__ volatile("xchgl %0, %1"
			 : "+r" (pending), "+m" (softirq_pending));
	return pending;
}

/* Runs pending softirqs; a handler must not call it.  Never sleeps.  What is
 * raised meanwhile runs once more, then waits for the next safe point. */
void do_softirq(void)
{
	int rounds = 2;
	unsigned nr;
	u32 pending;

	if (running)
		return;
	running = true;
	atomic_begin();
	while (softirq_pending && rounds--)
		for (pending = take_pending(), nr = 0; pending;
		     pending >>= 1, nr++)
			if ((pending & 1) && handlers[nr])
				handlers[nr]();
	atomic_end();
	running = false;
}
