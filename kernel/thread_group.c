/*
 * Thread groups: processes made of tasks.
 *
 * All children hang on the leader, which stays (as a zombie if it exits first)
 * until the last thread has gone; so a parent waits for one task per process.
 */
#include "kernel/thread_group.h"

#include "kernel/itimer.h"
#include "lib/errno.h"
#include "mm/slab.h"

static struct kmem_cache *group_cache;

/* Makes the cache. */
void thread_group_init(void)
{
	group_cache = kmem_cache_create("thread_group",
					sizeof(struct thread_group), 4);
}

/* A group without threads, led by `leader`; NULL when out of memory. */
struct thread_group *group_alloc(struct task *leader)
{
	struct thread_group *g = kmem_cache_zalloc(group_cache, GFP_KERNEL);

	if (!g)
		return NULL;
	g->count = 1;
	g->leader = leader;
	list_init(&g->threads);
	list_init(&g->pending.queue);
	wait_queue_init(&g->exec_wait);
	timer_init(&g->real_timer, itimer_real_expired);
	return g;
}

/* Drops a task's hold; the last one frees the group. */
void group_put(struct thread_group *g)
{
	if (--g->count)
		return;
	timer_cancel(&g->real_timer);
	flush_sigqueue(&g->pending, g);
	kmem_cache_free(group_cache, g);
}

/* Makes the current task the leader in the place of `old`, a zombie: it takes
 * over pid, parent and children, and the old leader is freed. */
static void take_over_leader(struct task *old)
{
	struct task *child, *self = current;
	pid_t pid = self->pid;

	hlist_del(&old->pid_hash);
	hlist_del(&self->pid_hash);
	self->pid = old->pid;
	old->pid = pid;
	attach_pid(old);
	attach_pid(self);
	self->flags |= old->flags & PF_LED_GROUP;
	old->flags &= ~PF_LED_GROUP;
	self->exit_signal = old->exit_signal;
	old->exit_signal = -1;
	self->parent = old->parent;
	list_add(&self->sibling, &old->sibling);
	list_del_init(&old->sibling);
	list_splice_tail_init(&old->children, &self->children);
	list_for_each_entry(child, &self->children, sibling)
		child->parent = self;
	self->child_time = old->child_time;
	self->child_min_flt = old->child_min_flt;
	self->child_maj_flt = old->child_maj_flt;
	self->start_ns = old->start_ns;
	if (child_reaper == old)
		child_reaper = self;
	self->group->leader = self;
	release_task(old);
}

/* Ends all other threads of the process and makes the caller the leader. */
int become_only_thread(void)
{
	struct thread_group *g = current->group;

	if (g->exiting || (g->exec_task && g->exec_task != current))
		return -EAGAIN;
	if (g->live > 1) {
		g->exec_task = current;
		zap_threads(current, 0, current);
		while (g->live > 1)
			wait_event(g->exec_wait, g->live == 1);
		g->exec_task = NULL;
	}
	if (g->leader != current)
		take_over_leader(g->leader);
	return 0;
}
