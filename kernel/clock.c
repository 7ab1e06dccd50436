/*
 * Clocks and sleeping: clock_gettime, nanosleep and their families.
 *
 * CLOCK_REALTIME is CLOCK_MONOTONIC plus an offset that clock_settime changes,
 * so an absolute sleep on it is converted once, when it begins.
 */
#include "kernel/posix_time.h"
#include "kernel/rusage.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/div64.h"
#include "lib/errno.h"

#define CLOCK_REALTIME		0
#define CLOCK_MONOTONIC		1
#define CLOCK_PROCESS_CPUTIME	2
#define CLOCK_THREAD_CPUTIME	3
#define CLOCK_MONOTONIC_RAW	4
#define CLOCK_REALTIME_COARSE	5
#define CLOCK_MONOTONIC_COARSE	6
#define CLOCK_BOOTTIME		7

#define TIMER_ABSTIME		1

/* Reads a clock.  0 or -EINVAL. */
static int read_clock(int clock, u64 *ns)
{
	struct cpu_time time;

	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
		*ns = realtime_ns();
		return 0;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
		*ns = ktime_ns();
		return 0;
	case CLOCK_PROCESS_CPUTIME:
		account_system_time();
		group_cpu_time(current, &time);
		*ns = cycles_to_ns(time.user + time.system);
		return 0;
	case CLOCK_THREAD_CPUTIME:
		account_system_time();
		*ns = cycles_to_ns(current->time.user + current->time.system);
		return 0;
	}
	return -EINVAL;
}

/* clock_gettime(2) */
asmlinkage long sys_clock_gettime(int clock, void *uts)
{
	struct timespec64 ts;
	u64 ns;

	if (read_clock(clock, &ns))
		return -EINVAL;
	ts = ns_to_timespec(ns);
	return put_timespec32(uts, &ts);
}

/* clock_gettime(2) with 64-bit time. */
asmlinkage long sys_clock_gettime64(int clock, void *uts)
{
	struct timespec64 ts;
	u64 ns;

	if (read_clock(clock, &ns))
		return -EINVAL;
	ts = ns_to_timespec(ns);
	return put_timespec64(uts, &ts);
}

/* The resolution of a clock: a nanosecond, or a tick.  0 or -EINVAL. */
static int clock_resolution(int clock, struct timespec64 *ts)
{
	bool coarse = clock == CLOCK_REALTIME_COARSE ||
		      clock == CLOCK_MONOTONIC_COARSE;

	if (clock < 0 || clock > CLOCK_BOOTTIME)
		return -EINVAL;
	*ts = ns_to_timespec(coarse ? NSEC_PER_SEC / HZ : 1);
	return 0;
}

/* clock_getres(2) */
asmlinkage long sys_clock_getres(int clock, void *uts)
{
	struct timespec64 ts;

	if (clock_resolution(clock, &ts))
		return -EINVAL;
	return uts ? put_timespec32(uts, &ts) : 0;
}

/* clock_getres(2) with 64-bit time. */
asmlinkage long sys_clock_getres_time64(int clock, void *uts)
{
	struct timespec64 ts;

	if (clock_resolution(clock, &ts))
		return -EINVAL;
	return uts ? put_timespec64(uts, &ts) : 0;
}

/* Sets the wall clock.  0, -EINVAL, -EPERM. */
static int set_clock(int clock, const struct timespec64 *ts)
{
	if (clock != CLOCK_REALTIME)
		return -EINVAL;
	if (!capable())
		return -EPERM;
	set_realtime_ns(timespec_to_ns(ts));
	return 0;
}

/* clock_settime(2) */
asmlinkage long sys_clock_settime(int clock, const void *uts)
{
	struct timespec64 ts;
	int error = get_timespec32(&ts, uts);

	return error ? error : set_clock(clock, &ts);
}

/* clock_settime(2) with 64-bit time. */
asmlinkage long sys_clock_settime64(int clock, const void *uts)
{
	struct timespec64 ts;
	int error = get_timespec64(&ts, uts);

	return error ? error : set_clock(clock, &ts);
}

/* gettimeofday(2) */
asmlinkage long sys_gettimeofday(struct timeval32 *utv, u32 *utz)
{
	struct timeval32 tv = ns_to_timeval(realtime_ns());
	static const u32 utc[2];

	if (utv && copy_to_user(utv, &tv, sizeof(tv)))
		return -EFAULT;
	return utz ? copy_to_user(utz, utc, sizeof(utc)) : 0;
}

/* settimeofday(2); the time zone is ignored. */
asmlinkage long sys_settimeofday(const struct timeval32 *utv,
				 const void *utz unused_arg)
{
	struct timeval32 tv;
	struct timespec64 ts;

	if (!utv)
		return capable() ? 0 : -EPERM;
	if (copy_from_user(&tv, utv, sizeof(tv)))
		return -EFAULT;
	if (tv.tv_sec < 0 || (u32)tv.tv_usec >= 1000000)
		return -EINVAL;
	ts = (struct timespec64){ tv.tv_sec, tv.tv_usec * 1000 };
	return set_clock(CLOCK_REALTIME, &ts);
}

/* time(2) */
asmlinkage long sys_time(s32 *uresult)
{
	s32 now = (s32)div_u64(realtime_ns(), NSEC_PER_SEC);

	if (uresult && put_user(now, uresult))
		return -EFAULT;
	return now;
}

/* stime(2) */
asmlinkage long sys_stime(const s32 *utime)
{
	struct timespec64 ts = { 0, 0 };
	s32 sec;

	if (get_user(sec, utime))
		return -EFAULT;
	ts.tv_sec = sec;
	return sec < 0 ? -EINVAL : set_clock(CLOCK_REALTIME, &ts);
}
