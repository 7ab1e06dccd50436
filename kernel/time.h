/* Time: ticks from the PIT, nanoseconds from the calibrated TSC. */
#ifndef KERNEL_TIME_H
#define KERNEL_TIME_H

#include "lib/list.h"
#include "lib/types.h"

#define HZ	100

extern volatile u32 jiffies;	/* ticks since boot; wraps after 497 days */

struct timespec32 {
	s32 tv_sec;
	s32 tv_nsec;
};
struct timespec64 {
	s64 tv_sec;
	s64 tv_nsec;
};

/* TSC cycles, the unit of struct cpu_time, as nanoseconds. */
u64 cycles_to_ns(u64 cycles);
extern u32 tsc_khz;		/* 0: no usable TSC, time comes from ticks */

/* Charges the cycles since kernel entry to the current task's system time;
 * schedule() calls it just before it switches tasks. */
void account_system_time(void);

u64 ktime_ns(void);		/* monotonic nanoseconds since boot */
u64 realtime_ns(void);		/* nanoseconds since 1970 (CMOS clock + TSC) */
void set_realtime_ns(u64 ns);	/* clock_settime */
struct timespec32 current_time(void);	/* wall clock, for inode stamps */
void time_init(void);		/* calibrates the TSC, starts the ticks */

/* A one-shot timer; fn runs as a softirq and must not sleep. */
struct timer {
	struct list_head node;
	u64 expires;			/* ktime_ns() */
	void (*fn)(struct timer *);
};
void timers_init(void);		/* both only for time_init() */
void realtime_init(void);

void timer_init(struct timer *t, void (*fn)(struct timer *));
void timer_set(struct timer *t, u64 expires_ns);	/* (re)arms */
void timer_cancel(struct timer *t);

#endif
