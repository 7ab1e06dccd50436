/*
 * setitimer, getitimer, alarm.
 *
 * ITIMER_REAL is a timer of the kernel; VIRTUAL and PROF are counted down by
 * whole ticks of the CPU time that the process was seen to use.
 */
#include "kernel/itimer.h"

#include "kernel/posix_time.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/div64.h"
#include "lib/errno.h"

#define ITIMER_REAL	0
#define ITIMER_VIRTUAL	1
#define ITIMER_PROF	2

struct itimerval32 {
	struct timeval32 interval, value;
};

/* Nanoseconds until the next expiry and between expiries; 0: off. */
struct itimer {
	u64 value, interval;
};

/* Softirq: SIGALRM, and again after the interval. */
void itimer_real_expired(struct timer *timer)
{
	struct thread_group *g = container_of(timer, struct thread_group,
					      real_timer);

	if (g->real_interval) {
		u64 next = timer->expires + g->real_interval;

		timer_set(timer, max(next, ktime_ns() + 1));
	} else {
		timer->expires = 0;
	}
	send_signal(g->leader, SIGALRM);
}

/* Counts one of the two CPU timers down by a tick. */
static void count_down(struct thread_group *g, int which, int sig)
{
	u64 tick = NSEC_PER_SEC / HZ, *left = &g->itimer_left[which - 1];

	if (*left == 0)
		return;
	if (*left > tick) {
		*left -= tick;
		return;
	}
	*left = g->itimer_interval[which - 1];
	send_signal(g->leader, sig);
}

/* SIGXCPU each second above the soft limit of CPU time, SIGKILL at the hard
 * one. */
static void check_cpu_limit(void)
{
	struct rlimit_pair *limit = &current->rlim[RLIMIT_CPU];
	struct cpu_time time;
	u32 seconds;

	if (limit->cur == RLIM_INFINITY)
		return;
	group_cpu_time(current, &time);
	seconds = div_u64(cycles_to_ns(time.user + time.system), NSEC_PER_SEC);
	if (seconds >= limit->max) {
		send_signal(current, SIGKILL);
	} else if (seconds >= limit->cur) {
		send_signal(current, SIGXCPU);
		limit->cur = seconds + 1;
	}
}

/* A tick of CPU time for the current process, in user mode or the kernel. */
void itimer_tick(bool user)
{
	struct thread_group *g = current->group;

	if (user)
		count_down(g, ITIMER_VIRTUAL, SIGVTALRM);
	count_down(g, ITIMER_PROF, SIGPROF);
	check_cpu_limit();
}

/* Does anything of the current process count ticks? */
void update_cpu_timers(void)
{
	struct thread_group *g = current->group;

	g->cpu_timers = g->itimer_left[0] || g->itimer_left[1] ||
			current->rlim[RLIMIT_CPU].cur != RLIM_INFINITY;
}

/* Reads a timer.  0 or -EINVAL. */
static int read_itimer(int which, struct itimer *it)
{
	struct thread_group *g = current->group;
	u64 now = ktime_ns();

	switch (which) {
	case ITIMER_REAL:
		it->interval = g->real_interval;
		it->value = 0;
		if (g->real_timer.expires)
			it->value = g->real_timer.expires > now
					    ? g->real_timer.expires - now
					    : 1000;
		return 0;
	case ITIMER_VIRTUAL:
	case ITIMER_PROF:
		it->interval = g->itimer_interval[which - 1];
		it->value = g->itimer_left[which - 1];
		return 0;
	}
	return -EINVAL;
}

/* Sets a timer; `which` is valid. */
static void write_itimer(int which, const struct itimer *it)
{
	struct thread_group *g = current->group;

	if (which != ITIMER_REAL) {
		g->itimer_left[which - 1] = it->value;
		g->itimer_interval[which - 1] = it->interval;
		update_cpu_timers();
		return;
	}
	timer_cancel(&g->real_timer);
	g->real_interval = it->interval;
	if (it->value)
		timer_set(&g->real_timer, ktime_ns() + it->value);
	else
		g->real_timer.expires = 0;
}

/* Is it a time? */
static bool valid(const struct timeval32 *tv)
{
	return tv->tv_sec >= 0 && (u32)tv->tv_usec < 1000000;
}

/* Nanoseconds of a valid timeval. */
static u64 timeval_to_ns(const struct timeval32 *tv)
{
	return (u64)(u32)tv->tv_sec * NSEC_PER_SEC + tv->tv_usec * 1000;
}

/* Writes a timer as getitimer reports it.  0 or -EFAULT. */
static int put_itimer(struct itimerval32 *to, const struct itimer *it)
{
	struct itimerval32 v = {
		ns_to_timeval(it->interval), ns_to_timeval(it->value),
	};

	if (it->value && !v.value.tv_sec && !v.value.tv_usec)
		v.value.tv_usec = 1;
	return copy_to_user(to, &v, sizeof(v));
}

/* getitimer(2) */
asmlinkage long sys_getitimer(int which, struct itimerval32 *uvalue)
{
	struct itimer it;

	if (read_itimer(which, &it))
		return -EINVAL;
	return put_itimer(uvalue, &it);
}

/* setitimer(2); no new value means 0, as Linux has it. */
asmlinkage long sys_setitimer(int which, const struct itimerval32 *unew,
			      struct itimerval32 *uold)
{
	struct itimerval32 v = { { 0, 0 }, { 0, 0 } };
	struct itimer old, new;

	if (unew && copy_from_user(&v, unew, sizeof(v)))
		return -EFAULT;
	if (!valid(&v.interval) || !valid(&v.value) ||
	    read_itimer(which, &old))
		return -EINVAL;
	new.interval = timeval_to_ns(&v.interval);
	new.value = timeval_to_ns(&v.value);
	write_itimer(which, &new);
	return uold ? put_itimer(uold, &old) : 0;
}

/* alarm(2): seconds that were left of the last one, rounded to the nearest but
 * not to 0. */
asmlinkage long sys_alarm(u32 seconds)
{
	struct itimer old, new = { (u64)seconds * NSEC_PER_SEC, 0 };
	u32 left;

	read_itimer(ITIMER_REAL, &old);
	write_itimer(ITIMER_REAL, &new);
	left = (u32)div_u64(old.value + NSEC_PER_SEC / 2, NSEC_PER_SEC);
	return old.value && !left ? 1 : left;
}
