/* Times as programs pass them. */
#ifndef KERNEL_POSIX_TIME_H
#define KERNEL_POSIX_TIME_H

#include "kernel/time.h"

#define NSEC_PER_SEC	1000000000u

struct timeval32 {
	s32 tv_sec;
	s32 tv_usec;
};

/* Read and check a time: 0, -EFAULT, -EINVAL (negative, or nsec out of
 * range). */
int get_timespec32(struct timespec64 *ts, const void *from);
int get_timespec64(struct timespec64 *ts, const void *from);
/* 0 or -EFAULT; put_timespec32 cuts the seconds to 32 bits. */
int put_timespec32(void *to, const struct timespec64 *ts);
int put_timespec64(void *to, const struct timespec64 *ts);

/* Saturates at the end of u64. */
u64 timespec_to_ns(const struct timespec64 *ts);
struct timespec64 ns_to_timespec(u64 ns);
struct timeval32 ns_to_timeval(u64 ns);

#endif
