/*
 * nanosleep and clock_nanosleep.
 *
 * A relative sleep that a signal without a handler interrupts (a stop and a
 * continuation) goes on through restart_syscall() until the time first asked
 * for; the restart block of the task remembers it.
 */
#include "kernel/posix_time.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"

#define CLOCK_REALTIME		0
#define CLOCK_BOOTTIME		7
#define CLOCK_MONOTONIC		1
#define TIMER_ABSTIME		1

/* What the restart block's arg[] holds. */
enum { ARG_REMAINING, ARG_TIME64 };

/* Sleeps until ktime_ns() is `expires`; false when a signal came first. */
static bool sleep_until(u64 expires)
{
	while (ktime_ns() < expires) {
		if (signal_pending())
			return false;
		current->state = TASK_INTERRUPTIBLE;
		schedule_until(expires);
	}
	return true;
}

/* Writes the time that is left, if the caller wants it.  0 or -EFAULT. */
static int put_remaining(const struct restart_block *r)
{
	u64 now = ktime_ns();
	struct timespec64 ts;
	void *to = (void *)r->arg[ARG_REMAINING];

	if (!to)
		return 0;
	ts = ns_to_timespec(r->expires > now ? r->expires - now : 0);
	return r->arg[ARG_TIME64] ? put_timespec64(to, &ts)
				  : put_timespec32(to, &ts);
}

/* Sleeps, or goes on sleeping, as the restart block says. */
static long relative_sleep(struct restart_block *r)
{
	if (sleep_until(r->expires))
		return 0;
	if (put_remaining(r))
		return -EFAULT;
	r->fn = relative_sleep;
	return -ERESTART_RESTARTBLOCK;
}

/* Starts a relative sleep of `ns`. */
static long start_sleep(u64 ns, void *uremaining, bool time64)
{
	struct restart_block *r = &current->restart;

	r->expires = ktime_ns() + ns;
	r->arg[ARG_REMAINING] = (u32)uremaining;
	r->arg[ARG_TIME64] = time64;
	return relative_sleep(r);
}

/* nanosleep(2) */
asmlinkage long sys_nanosleep(const void *uts, void *uremaining)
{
	struct timespec64 ts;
	int error = get_timespec32(&ts, uts);

	if (error)
		return error;
	return start_sleep(timespec_to_ns(&ts), uremaining, false);
}

/* clock_nanosleep in both sizes of time. */
static long clock_sleep(int clock, int flags, const struct timespec64 *ts,
			void *uremaining, bool time64)
{
	u64 ns = timespec_to_ns(ts), now;

	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC &&
	    clock != CLOCK_BOOTTIME)
		return -EINVAL;
	if (!(flags & TIMER_ABSTIME))
		return start_sleep(ns, uremaining, time64);
	if (clock == CLOCK_REALTIME) {
		now = realtime_ns();
		ns = ktime_ns() + (ns > now ? ns - now : 0);
	}
	return sleep_until(ns) ? 0 : -ERESTARTNOHAND;
}

/* clock_nanosleep(2) */
asmlinkage long sys_clock_nanosleep(int clock, int flags, const void *uts,
				    void *uremaining)
{
	struct timespec64 ts;
	int error = get_timespec32(&ts, uts);

	if (error)
		return error;
	return clock_sleep(clock, flags, &ts, uremaining, false);
}

/* clock_nanosleep(2) with 64-bit time. */
asmlinkage long sys_clock_nanosleep_time64(int clock, int flags,
					   const void *uts, void *uremaining)
{
	struct timespec64 ts;
	int error = get_timespec64(&ts, uts);

	if (error)
		return error;
	return clock_sleep(clock, flags, &ts, uremaining, true);
}

/* restart_syscall(2): an interrupted call with a time-out goes on. */
asmlinkage long sys_restart_syscall(void)
{
	struct restart_block *r = &current->restart;
	long (*fn)(struct restart_block *) = r->fn;

	if (!fn)
		return -EINTR;
	r->fn = NULL;
	return fn(r);
}
