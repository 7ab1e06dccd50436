/* What processes have used: getrusage, times, and what wait4 reports.  The
 * threads that live are added up; those that ended are in thread_group. */
#include "kernel/rusage.h"

#include "kernel/syscalls.h"
#include "kernel/uaccess.h"
#include "lib/div64.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/mm.h"

#define RUSAGE_SELF	0
#define RUSAGE_CHILDREN	(-1)
#define RUSAGE_THREAD	1

/* Times of all threads of the process of `t`. */
void group_cpu_time(struct task *t, struct cpu_time *out)
{
	struct task *thread;

	*out = t->group->dead_time;
	for_each_thread(thread, t->group) {
		out->user += thread->time.user;
		out->system += thread->time.system;
	}
}

/* Clock ticks of 10 ms, as times(2) and siginfo count. */
u32 cycles_to_ticks(u64 cycles)
{
	return (u32)div_u64(cycles_to_ns(cycles), NSEC_PER_SEC / HZ);
}

/* Cycles as a timeval. */
static struct timeval32 cycles_to_timeval(u64 cycles)
{
	return ns_to_timeval(cycles_to_ns(cycles));
}

/* Remembers the greatest size of the task's mm before it is given up. */
void note_maxrss(struct task *t)
{
	struct thread_group *g = t->group;

	if (t->mm)
		g->maxrss = max(g->maxrss, max(t->mm->rss,
					       t->mm->hiwater_rss));
}

/* Adds the counts of one thread. */
static void add_counts(struct rusage32 *r, const struct task *t)
{
	r->minflt += t->min_flt;
	r->majflt += t->maj_flt;
	r->inblock += t->inblock;
	r->oublock += t->oublock;
	r->nvcsw += t->nvcsw;
	r->nivcsw += t->nivcsw;
}

/* Of all threads of a process, dead ones too. */
void get_group_rusage(struct task *leader, struct rusage32 *r)
{
	struct thread_group *g = leader->group;
	struct cpu_time time;
	struct task *t;

	memset(r, 0, sizeof(*r));
	group_cpu_time(leader, &time);
	r->utime = cycles_to_timeval(time.user);
	r->stime = cycles_to_timeval(time.system);
	note_maxrss(leader);
	r->maxrss = g->maxrss * (PAGE_SIZE / 1024);
	r->minflt = g->dead_min_flt;
	r->majflt = g->dead_maj_flt;
	r->inblock = g->dead_inblock;
	r->oublock = g->dead_oublock;
	r->nvcsw = g->dead_nvcsw;
	r->nivcsw = g->dead_nivcsw;
	for_each_thread(t, g)
		add_counts(r, t);
}

/* Of the children that were waited for. */
static void get_children_rusage(struct rusage32 *r)
{
	struct thread_group *g = current->group;
	struct task *leader = g->leader;

	memset(r, 0, sizeof(*r));
	r->utime = cycles_to_timeval(leader->child_time.user);
	r->stime = cycles_to_timeval(leader->child_time.system);
	r->maxrss = g->child_maxrss * (PAGE_SIZE / 1024);
	r->minflt = leader->child_min_flt;
	r->majflt = leader->child_maj_flt;
	r->inblock = g->child_inblock;
	r->oublock = g->child_oublock;
	r->nvcsw = g->child_nvcsw;
	r->nivcsw = g->child_nivcsw;
}

/* Of the calling thread. */
static void get_thread_rusage(struct rusage32 *r)
{
	memset(r, 0, sizeof(*r));
	note_maxrss(current);
	r->maxrss = current->group->maxrss * (PAGE_SIZE / 1024);
	r->utime = cycles_to_timeval(current->time.user);
	r->stime = cycles_to_timeval(current->time.system);
	add_counts(r, current);
}

/* getrusage(2) */
asmlinkage long sys_getrusage(int who, struct rusage32 *urusage)
{
	struct rusage32 r;

	account_system_time();
	switch (who) {
	case RUSAGE_SELF:
		get_group_rusage(current->group->leader, &r);
		break;
	case RUSAGE_CHILDREN:
		get_children_rusage(&r);
		break;
	case RUSAGE_THREAD:
		get_thread_rusage(&r);
		break;
	default:
		return -EINVAL;
	}
	return copy_to_user(urusage, &r, sizeof(r));
}

/* times(2): ticks since an arbitrary point in the past. */
asmlinkage long sys_times(u32 *utimes)
{
	struct task *leader = current->group->leader;
	struct cpu_time time;
	u32 out[4];

	account_system_time();
	group_cpu_time(current, &time);
	out[0] = cycles_to_ticks(time.user);
	out[1] = cycles_to_ticks(time.system);
	out[2] = cycles_to_ticks(leader->child_time.user);
	out[3] = cycles_to_ticks(leader->child_time.system);
	if (utimes && copy_to_user(utimes, out, sizeof(out)))
		return -EFAULT;
	return jiffies & 0x7fffffff;
}
