/*
 * Waiting for a page: its lock, or the end of its writeback.
 *
 * Waiters sleep on one of 64 wait queues chosen by the page's address;
 * PG_WAITERS says that somebody may be there, so that unlocking a page nobody
 * waits for costs two instructions.  A wake-up wakes all waiters of the queue;
 * each looks at its own page again.
 */
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "mm/mm_internal.h"
#include "mm/page.h"

#define NR_QUEUES	64

static struct wait_queue page_queue[NR_QUEUES];

/* Makes the queues; called once. */
void page_wait_init(void)
{
	for (unsigned i = 0; i < NR_QUEUES; i++)
		wait_queue_init(&page_queue[i]);
}

/* The queue on which waiters of a page sleep. */
static struct wait_queue *queue_of(const struct page *p)
{
	return &page_queue[page_to_pfn(p) % NR_QUEUES];
}

/* Sleeps until all of `bits` are clear in the page's flags. */
static void wait_on_page_bits(struct page *p, u16 bits)
{
	struct wait_queue *wq = queue_of(p);
	struct waiter w = { .task = NULL };

	while (p->flags & bits) {
		prepare_to_wait(wq, &w, TASK_UNINTERRUPTIBLE);
		if (p->flags & bits) {
			p->flags |= PG_WAITERS;
			schedule();
		}
		finish_wait(wq, &w);
	}
}

/* Takes the page lock; sleeps while another holds it. */
void lock_page(struct page *p)
{
	while (!trylock_page(p))
		wait_on_page_bits(p, PG_LOCKED);
}

/* Sleeps until nobody holds the page lock. */
void wait_on_page_locked(struct page *p)
{
	wait_on_page_bits(p, PG_LOCKED);
}

/* Sleeps until the page is not being written. */
void wait_on_page_writeback(struct page *p)
{
	wait_on_page_bits(p, PG_WRITEBACK);
}

/* Wakes everyone who may wait for the page. */
void wake_page(struct page *p)
{
	p->flags &= ~PG_WAITERS;
	wake_up(queue_of(p));
}
