/* What processes have used. */
#ifndef KERNEL_RUSAGE_H
#define KERNEL_RUSAGE_H

#include "kernel/posix_time.h"
#include "kernel/task.h"

struct rusage32 {			/* struct rusage of getrusage(2) */
	struct timeval32 utime, stime;
	s32 maxrss, ixrss, idrss, isrss;
	s32 minflt, majflt, nswap, inblock, oublock;
	s32 msgsnd, msgrcv, nsignals, nvcsw, nivcsw;
};

/* Of all threads of the process of `leader`, dead ones too. */
void get_group_rusage(struct task *leader, struct rusage32 *r);
/* Remembers the greatest size of t->mm before it is given up. */
void note_maxrss(struct task *t);
/* Clock ticks, as times(2) and siginfo count. */
u32 cycles_to_ticks(u64 cycles);

#endif
