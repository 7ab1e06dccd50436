/*
 * Sending and awaiting signals from user mode: kill and its relatives, and
 * rt_sigtimedwait.
 */
#include "kernel/posix_time.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"

#define UNBLOCKABLE	(SIGMASK(SIGKILL) | SIGMASK(SIGSTOP))

/* May the current task send `sig` to `t`?  0 or -EPERM. */
static int may_kill(const struct task *t, int sig)
{
	if (capable() || current->euid == t->suid || current->euid == t->uid ||
	    current->uid == t->suid || current->uid == t->uid)
		return 0;
	if (sig == SIGCONT && current->session == t->session)
		return 0;
	return -EPERM;
}

/* What kill(2) says about the sender. */
static struct siginfo kill_info(int sig, int code)
{
	return (struct siginfo){
		.signo = sig, .code = code, .pid = current->tgid,
		.uid = current->uid,
	};
}

/* Sends `info` to the process of `t` if allowed; signal 0 only asks. */
static int kill_process(struct task *t, const struct siginfo *info)
{
	int error = may_kill(t, info->signo);

	if (error || info->signo == 0)
		return error;
	return send_siginfo(t, info);
}

/* Sends to all processes of `pgrp`, or to all but init and the caller if it is
 * -1.  0 if one was reached, else -EPERM or -ESRCH. */
static int kill_many(pid_t pgrp, const struct siginfo *info)
{
	struct task *t, *next;
	int result = -ESRCH;

	list_for_each_entry_safe(t, next, &all_tasks, all) {
		int error;

		if (t->group->leader != t || t->flags & PF_KTHREAD)
			continue;
		if (pgrp == -1 ? t->pid <= 1 || t->tgid == current->tgid
			       : t->pgrp != pgrp)
			continue;
		error = kill_process(t, info);
		if (!error || result == -ESRCH)
			result = error;
	}
	return result;
}

/* kill(2) */
asmlinkage long sys_kill(pid_t pid, int sig)
{
	struct siginfo info = kill_info(sig, SI_USER);
	struct task *t;

	if (sig < 0 || sig > NSIG)
		return -EINVAL;
	if (pid == 0)
		return kill_many(current->pgrp, &info);
	if (pid == -1)
		return kill_many(-1, &info);
	if (pid < 0)
		return pid == INT32_MIN ? -ESRCH : kill_many(-pid, &info);
	t = find_task(pid);
	return t ? kill_process(t, &info) : -ESRCH;
}

/* Sends to one thread; tgid <= 0: of any process. */
static long kill_thread(pid_t tgid, pid_t tid, const struct siginfo *info)
{
	struct task *t;
	int error;

	if (tid <= 0 || info->signo < 0 || info->signo > NSIG)
		return -EINVAL;
	t = find_task(tid);
	if (!t || (tgid > 0 && t->tgid != tgid))
		return -ESRCH;
	error = may_kill(t, info->signo);
	if (error || info->signo == 0)
		return error;
	return send_thread_siginfo(t, info);
}

/* tkill(2) */
asmlinkage long sys_tkill(pid_t tid, int sig)
{
	struct siginfo info = kill_info(sig, SI_TKILL);

	return kill_thread(0, tid, &info);
}

/* tgkill(2) */
asmlinkage long sys_tgkill(pid_t tgid, pid_t tid, int sig)
{
	struct siginfo info = kill_info(sig, SI_TKILL);

	return tgid <= 0 ? -EINVAL : kill_thread(tgid, tid, &info);
}

/* Reads what a program wants to queue.  It may not pretend to be the kernel or
 * kill(2) to others. */
static int get_queued_info(struct siginfo *info, const void *uinfo, int sig,
			   pid_t pid)
{
	if (copy_siginfo_from_user(info, uinfo))
		return -EFAULT;
	if ((info->code >= 0 || info->code == SI_TKILL) &&
	    pid != current->tgid)
		return -EPERM;
	info->signo = sig;
	return 0;
}

/* rt_sigqueueinfo(2) */
asmlinkage long sys_rt_sigqueueinfo(pid_t pid, int sig, const void *uinfo)
{
	struct siginfo info;
	struct task *t;
	int error = get_queued_info(&info, uinfo, sig, pid);

	if (error)
		return error;
	if (sig < 0 || sig > NSIG)
		return -EINVAL;
	t = find_task(pid);
	return t ? kill_process(t, &info) : -ESRCH;
}

/* rt_tgsigqueueinfo(2) */
asmlinkage long sys_rt_tgsigqueueinfo(pid_t tgid, pid_t tid, int sig,
				      const void *uinfo)
{
	struct siginfo info;
	int error = get_queued_info(&info, uinfo, sig, tgid);

	if (error)
		return error;
	return tgid <= 0 ? -EINVAL : kill_thread(tgid, tid, &info);
}

/* Takes a signal of `set`, waiting until ktime_ns() is `expires` (~0: for
 * ever).  Its number, -EAGAIN, or -EINTR by another signal.  The signals are
 * unblocked while we sleep so that they wake us, and real_blocked keeps them
 * from being dropped as ignored. */
static long wait_for_set(sigset_t set, u64 expires, struct siginfo *info)
{
	sigset_t old = current->blocked;
	int sig = dequeue_signal(~set, info);

	if (sig)
		return sig;
	current->real_blocked = old;
	set_blocked(old & ~set);
	while (!signal_pending() && ktime_ns() < expires) {
		current->state = TASK_INTERRUPTIBLE;
		if (expires == ~0ull)
			schedule();
		else
			schedule_until(expires);
	}
	sig = dequeue_signal(~set, info);
	current->real_blocked = 0;
	set_blocked(old);
	if (sig)
		return sig;
	return signal_pending() ? -EINTR : -EAGAIN;
}

/* The common part of rt_sigtimedwait in both sizes of time. */
static long sigtimedwait(const sigset_t *uset, void *uinfo,
			 const struct timespec64 *ts, size_t size)
{
	struct siginfo info;
	sigset_t set;
	long sig;

	if (size != sizeof(set))
		return -EINVAL;
	if (get_user(set, uset))
		return -EFAULT;
	sig = wait_for_set(set & ~UNBLOCKABLE,
			   ts ? ktime_ns() + timespec_to_ns(ts) : ~0ull,
			   &info);
	if (sig > 0 && uinfo && copy_siginfo_to_user(uinfo, &info))
		return -EFAULT;
	return sig;
}

/* rt_sigtimedwait(2) */
asmlinkage long sys_rt_sigtimedwait(const sigset_t *uset, void *uinfo,
				    const struct timespec32 *uts, size_t size)
{
	struct timespec64 ts;
	int error = uts ? get_timespec32(&ts, uts) : 0;

	return error ? error : sigtimedwait(uset, uinfo, uts ? &ts : NULL,
					    size);
}

/* rt_sigtimedwait(2) with 64-bit time. */
asmlinkage long sys_rt_sigtimedwait_time64(const sigset_t *uset, void *uinfo,
					   const struct timespec64 *uts,
					   size_t size)
{
	struct timespec64 ts;
	int error = uts ? get_timespec64(&ts, uts) : 0;

	return error ? error : sigtimedwait(uset, uinfo, uts ? &ts : NULL,
					    size);
}
