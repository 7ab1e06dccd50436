/*
 * The system calls about actions, masks and stacks of signals, in their old
 * forms (32-bit masks) and the rt_ ones.
 */
#include "kernel/sigcontext.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/trap.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"

#define UNCATCHABLE	(SIGMASK(SIGKILL) | SIGMASK(SIGSTOP))

struct old_sigaction {			/* as sigaction(2), number 67 */
	u32 handler, mask, flags, restorer;
};

#define SIG_BLOCK	0
#define SIG_UNBLOCK	1
#define SIG_SETMASK	2

/* Sets and returns the action of a signal.  0 or -EINVAL.  Pending signals
 * that are ignored now are dropped, as POSIX wants. */
static int do_sigaction(int sig, const struct sigaction *new,
			struct sigaction *old)
{
	struct sigaction *sa;

	if (sig < 1 || sig > NSIG || (new && SIGMASK(sig) & UNCATCHABLE))
		return -EINVAL;
	sa = &current->sighand->action[sig - 1];
	*old = *sa;
	if (!new)
		return 0;
	*sa = *new;
	sa->mask &= ~UNCATCHABLE;
	if (sig_ignored(current, sig))
		flush_group_signals(current, SIGMASK(sig));
	return 0;
}

/* rt_sigaction(2) */
asmlinkage long sys_rt_sigaction(int sig, const struct sigaction *uact,
				 struct sigaction *uold, size_t size)
{
	struct sigaction new, old;
	int error;

	if (size != sizeof(sigset_t))
		return -EINVAL;
	if (uact && copy_from_user(&new, uact, sizeof(new)))
		return -EFAULT;
	error = do_sigaction(sig, uact ? &new : NULL, &old);
	if (!error && uold)
		error = copy_to_user(uold, &old, sizeof(old));
	return error;
}

/* sigaction(2), as libc 4 and klibc call it. */
asmlinkage long sys_sigaction(int sig, const struct old_sigaction *uact,
			      struct old_sigaction *uold)
{
	struct old_sigaction o;
	struct sigaction new, old;
	int error;

	if (uact) {
		if (copy_from_user(&o, uact, sizeof(o)))
			return -EFAULT;
		new = (struct sigaction){ o.handler, o.flags, o.restorer,
					  o.mask };
	}
	error = do_sigaction(sig, uact ? &new : NULL, &old);
	if (error || !uold)
		return error;
	o = (struct old_sigaction){ old.handler, (u32)old.mask, old.flags,
				    old.restorer };
	return copy_to_user(uold, &o, sizeof(o));
}

/* signal(2): the handler before, or an error. */
asmlinkage long sys_signal(int sig, u32 handler)
{
	struct sigaction new = {
		.handler = handler, .flags = SA_RESETHAND | SA_NODEFER,
	}, old;
	int error = do_sigaction(sig, &new, &old);

	return error ? error : (long)old.handler;
}

/* Changes the mask as sigprocmask(2) says.  0 or -EINVAL. */
static int change_mask(int how, sigset_t set)
{
	switch (how) {
	case SIG_BLOCK:
		set |= current->blocked;
		break;
	case SIG_UNBLOCK:
		set = current->blocked & ~set;
		break;
	case SIG_SETMASK:
		break;
	default:
		return -EINVAL;
	}
	set_blocked(set);
	return 0;
}

/* rt_sigprocmask(2) */
asmlinkage long sys_rt_sigprocmask(int how, const sigset_t *uset,
				   sigset_t *uold, size_t size)
{
	sigset_t old = current->blocked, set;
	int error = 0;

	if (size != sizeof(sigset_t))
		return -EINVAL;
	if (uset) {
		if (get_user(set, uset))
			return -EFAULT;
		error = change_mask(how, set);
	}
	if (!error && uold)
		error = put_user(old, uold);
	return error;
}

/* sigprocmask(2): the first 32 signals. */
asmlinkage long sys_sigprocmask(int how, const u32 *uset, u32 *uold)
{
	u32 old = (u32)current->blocked, set;
	int error = 0;

	if (uset) {
		if (get_user(set, uset))
			return -EFAULT;
		if (how == SIG_SETMASK)
			error = change_mask(how, set | (current->blocked &
							~0xffffffffull));
		else
			error = change_mask(how, set);
	}
	if (!error && uold)
		error = put_user(old, uold);
	return error;
}

/* sgetmask(2) and ssetmask(2), older still. */
asmlinkage long sys_sgetmask(void)
{
	return (u32)current->blocked;
}

asmlinkage long sys_ssetmask(u32 set)
{
	u32 old = (u32)current->blocked;

	set_blocked(set | (current->blocked & ~0xffffffffull));
	return old;
}

/* The blocked signals that wait. */
static sigset_t pending_signals(void)
{
	return (current->pending.set | current->group->pending.set) &
	       current->blocked;
}

/* rt_sigpending(2) */
asmlinkage long sys_rt_sigpending(sigset_t *uset, size_t size)
{
	sigset_t set = pending_signals();

	if (size > sizeof(set))
		return -EINVAL;
	return copy_to_user(uset, &set, size);
}

/* sigpending(2) */
asmlinkage long sys_sigpending(u32 *uset)
{
	return put_user((u32)pending_signals(), uset);
}

/* Sleeps until a signal that is not blocked comes. */
static long wait_for_signal(void)
{
	while (!signal_pending()) {
		current->state = TASK_INTERRUPTIBLE;
		schedule();
	}
	return -ERESTARTNOHAND;
}

/* rt_sigsuspend(2) */
asmlinkage long sys_rt_sigsuspend(const sigset_t *uset, size_t size)
{
	sigset_t set;

	if (size != sizeof(set))
		return -EINVAL;
	if (get_user(set, uset))
		return -EFAULT;
	set_blocked_temporarily(set);
	return wait_for_signal();
}

/* sigsuspend(2): the mask is the third argument. */
asmlinkage long sys_sigsuspend(u32 unused1 unused_arg, u32 unused2 unused_arg,
			       u32 set)
{
	set_blocked_temporarily(set);
	return wait_for_signal();
}

/* pause(2) */
asmlinkage long sys_pause(void)
{
	return wait_for_signal();
}

/* sigaltstack(2) */
asmlinkage long sys_sigaltstack(const struct stack32 *unew,
				struct stack32 *uold)
{
	u32 esp = task_frame()->esp;
	struct stack32 old, new;
	int error = 0;

	get_altstack(&old, esp);
	if (unew) {
		if (copy_from_user(&new, unew, sizeof(new)))
			return -EFAULT;
		error = set_altstack(&new, esp);
	}
	if (!error && uold)
		error = copy_to_user(uold, &old, sizeof(old));
	return error;
}
