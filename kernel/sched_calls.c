/*
 * Scheduling as programs see it: niceness, and the sched_* calls, which tell
 * of one CPU and of the one policy there is, SCHED_OTHER with priority 0.
 */
#include "kernel/posix_time.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"

#define PRIO_PROCESS	0
#define PRIO_PGRP	1
#define PRIO_USER	2

#define SCHED_OTHER	0
#define SCHED_BATCH	3
#define SCHED_IDLE	5

/* Is `t` one of the tasks that which and who name? */
static bool selected(const struct task *t, int which, u32 who)
{
	switch (which) {
	case PRIO_PROCESS:
		return t->pid == (pid_t)(who ? who : (u32)current->pid);
	case PRIO_PGRP:
		return t->pgrp == (pid_t)(who ? who : (u32)current->pgrp);
	default:
		return t->uid == (who ? who : current->uid);
	}
}

/* getpriority(2): 20 minus the lowest niceness, so never negative. */
asmlinkage long sys_getpriority(int which, u32 who)
{
	struct task *t;
	long best = -ESRCH;

	if (which < PRIO_PROCESS || which > PRIO_USER)
		return -EINVAL;
	for_each_task(t)
		if (selected(t, which, who))
			best = max(best, (long)(20 - t->nice));
	return best;
}

/* Sets the niceness of one task.  0, -EPERM, -EACCES. */
static int set_nice(struct task *t, int nice)
{
	if (t->uid != current->euid && t->euid != current->euid && !capable())
		return -EPERM;
	if (nice < t->nice && !capable())
		return -EACCES;
	t->nice = nice;
	return 0;
}

/* A niceness that exists. */
static int clamp_nice(int nice)
{
	return nice < -20 ? -20 : nice > 19 ? 19 : nice;
}

/* setpriority(2) */
asmlinkage long sys_setpriority(int which, u32 who, int nice)
{
	struct task *t;
	int result = -ESRCH;

	if (which < PRIO_PROCESS || which > PRIO_USER)
		return -EINVAL;
	for_each_task(t) {
		int error;

		if (!selected(t, which, who))
			continue;
		error = set_nice(t, clamp_nice(nice));
		if (error || result == -ESRCH)
			result = error;
	}
	return result;
}

/* nice(2) */
asmlinkage long sys_nice(int increment)
{
	increment = increment < -40 ? -40 : increment > 40 ? 40 : increment;
	if (increment < 0 && !capable())
		return -EPERM;
	current->nice = clamp_nice(current->nice + increment);
	return 0;
}

/* sched_yield(2) */
asmlinkage long sys_sched_yield(void)
{
	yield();
	return 0;
}

/* 0 when pid names a task, else -EINVAL or -ESRCH. */
static int check_pid(pid_t pid)
{
	if (pid < 0)
		return -EINVAL;
	return !pid || find_task(pid) ? 0 : -ESRCH;
}

/* Does the policy exist?  The three that mean "no real time" do. */
static bool valid_policy(int policy)
{
	return policy == SCHED_OTHER || policy == SCHED_BATCH ||
	       policy == SCHED_IDLE;
}

/* sched_setscheduler(2); real-time policies are refused. */
asmlinkage long sys_sched_setscheduler(pid_t pid, int policy,
				       const int *uparam)
{
	int priority, error = check_pid(pid);

	if (get_user(priority, uparam))
		return -EFAULT;
	if (error)
		return error;
	if (policy == 1 || policy == 2)
		return -EPERM;
	return valid_policy(policy) && priority == 0 ? 0 : -EINVAL;
}

/* sched_getscheduler(2) */
asmlinkage long sys_sched_getscheduler(pid_t pid)
{
	int error = check_pid(pid);

	return error ? error : SCHED_OTHER;
}

/* sched_setparam(2) */
asmlinkage long sys_sched_setparam(pid_t pid, const int *uparam)
{
	int priority, error = check_pid(pid);

	if (get_user(priority, uparam))
		return -EFAULT;
	return error ? error : priority ? -EINVAL : 0;
}

/* sched_getparam(2) */
asmlinkage long sys_sched_getparam(pid_t pid, int *uparam)
{
	int error = check_pid(pid);

	return error ? error : put_user(0, uparam);
}

/* sched_get_priority_max(2) */
asmlinkage long sys_sched_get_priority_max(int policy)
{
	if (policy == 1 || policy == 2)
		return 99;
	return valid_policy(policy) ? 0 : -EINVAL;
}

/* sched_get_priority_min(2) */
asmlinkage long sys_sched_get_priority_min(int policy)
{
	if (policy == 1 || policy == 2)
		return 1;
	return valid_policy(policy) ? 0 : -EINVAL;
}

/* The time slice of a task, for sched_rr_get_interval().  0 or an error. */
static int get_interval(pid_t pid, struct timespec64 *ts)
{
	int error = check_pid(pid);
	struct task *t = pid ? find_task(pid) : current;

	if (error)
		return error;
	*ts = ns_to_timespec((u64)task_slice(t->nice) * (NSEC_PER_SEC / HZ));
	return 0;
}

/* sched_rr_get_interval(2) */
asmlinkage long sys_sched_rr_get_interval(pid_t pid, void *uts)
{
	struct timespec64 ts;
	int error = get_interval(pid, &ts);

	return error ? error : put_timespec32(uts, &ts);
}

/* sched_rr_get_interval(2) with 64-bit time. */
asmlinkage long sys_sched_rr_get_interval_time64(pid_t pid, void *uts)
{
	struct timespec64 ts;
	int error = get_interval(pid, &ts);

	return error ? error : put_timespec64(uts, &ts);
}

/* sched_setaffinity(2): the mask must hold the one CPU. */
asmlinkage long sys_sched_setaffinity(pid_t pid, u32 len, const u32 *umask)
{
	u8 mask;
	int error = check_pid(pid);

	if (error)
		return error;
	if (!len)
		return -EINVAL;
	if (get_user(mask, (const u8 *)umask))
		return -EFAULT;
	return mask & 1 ? 0 : -EINVAL;
}

/* sched_getaffinity(2): the bytes written. */
asmlinkage long sys_sched_getaffinity(pid_t pid, u32 len, u32 *umask)
{
	int error = check_pid(pid);

	if (error)
		return error;
	if (len < 4 || len % 4)
		return -EINVAL;
	return put_user(1, umask) ? -EFAULT : 4;
}

/* ioprio_get(2): best effort, the middle. */
asmlinkage long sys_ioprio_get(int which unused_arg, int who unused_arg)
{
	return 2 << 13 | 4;
}
