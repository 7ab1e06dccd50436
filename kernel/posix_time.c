/* Times as programs pass them: two sizes of timespec, timeval, nanoseconds. */
#include "kernel/posix_time.h"

#include "kernel/uaccess.h"
#include "lib/div64.h"
#include "lib/errno.h"

/* Is it a time that a clock could show? */
static bool valid(const struct timespec64 *ts)
{
	return ts->tv_sec >= 0 && (u32)ts->tv_nsec < NSEC_PER_SEC;
}

/* Reads and checks a timespec with 32-bit seconds.  0, -EFAULT, -EINVAL. */
int get_timespec32(struct timespec64 *ts, const void *from)
{
	struct timespec32 t;

	if (copy_from_user(&t, from, sizeof(t)))
		return -EFAULT;
	ts->tv_sec = t.tv_sec;
	ts->tv_nsec = t.tv_nsec;
	return valid(ts) ? 0 : -EINVAL;
}

/* Reads and checks a timespec with 64-bit seconds; of its nanoseconds the low
 * half counts, as the high one is padding on a 32-bit machine. */
int get_timespec64(struct timespec64 *ts, const void *from)
{
	if (copy_from_user(ts, from, sizeof(*ts)))
		return -EFAULT;
	ts->tv_nsec = (s32)ts->tv_nsec;
	return valid(ts) ? 0 : -EINVAL;
}

/* Writes a timespec with 32-bit seconds.  0 or -EFAULT. */
int put_timespec32(void *to, const struct timespec64 *ts)
{
	struct timespec32 t = { (s32)ts->tv_sec, (s32)ts->tv_nsec };

	return copy_to_user(to, &t, sizeof(t));
}

/* Writes a timespec with 64-bit seconds.  0 or -EFAULT. */
int put_timespec64(void *to, const struct timespec64 *ts)
{
	return copy_to_user(to, ts, sizeof(*ts));
}

/* Nanoseconds of a valid time; the greatest number when it is too large. */
u64 timespec_to_ns(const struct timespec64 *ts)
{
	if (ts->tv_sec >= 1ll << 32)
		return ~0ull / 2;
	return (u64)(u32)ts->tv_sec * NSEC_PER_SEC + (u32)ts->tv_nsec;
}

/* The same the other way round. */
struct timespec64 ns_to_timespec(u64 ns)
{
	u32 rem;
	u64 sec = div_u64_rem(ns, NSEC_PER_SEC, &rem);

	return (struct timespec64){ .tv_sec = sec, .tv_nsec = rem };
}

/* Nanoseconds as seconds and microseconds. */
struct timeval32 ns_to_timeval(u64 ns)
{
	u32 rem;
	u64 sec = div_u64_rem(ns, NSEC_PER_SEC, &rem);

	return (struct timeval32){ (s32)sec, (s32)(rem / 1000) };
}
