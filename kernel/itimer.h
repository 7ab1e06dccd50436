/* Interval timers of a process. */
#ifndef KERNEL_ITIMER_H
#define KERNEL_ITIMER_H

#include "kernel/time.h"

/* Timer softirq of thread_group.real_timer: sends SIGALRM. */
void itimer_real_expired(struct timer *timer);
/* Counts a tick, which hit user mode or not, for ITIMER_VIRTUAL, ITIMER_PROF
 * and RLIMIT_CPU of the current process. */
void itimer_tick(bool user);
/* Recomputes group->cpu_timers of the current process. */
void update_cpu_timers(void);

#endif
