/* siginfo_t between the kernel's compact form and the user's, whose fields
 * depend on the signal and its code. */
#include "kernel/sigcontext.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"

#define FAULT_SIGNALS	(SIGMASK(SIGSEGV) | SIGMASK(SIGBUS) | \
			 SIGMASK(SIGILL) | SIGMASK(SIGTRAP) | SIGMASK(SIGFPE))

/* Writes a siginfo_t to user memory.  0 or -EFAULT. */
int copy_siginfo_to_user(void *to, const struct siginfo *info)
{
	struct user_siginfo u;

	memset(&u, 0, sizeof(u));
	u.signo = info->signo;
	u.error = info->error;
	u.code = info->code;
	if (info->code > 0 && SIGMASK(info->signo) & FAULT_SIGNALS) {
		u.fields[0] = info->addr;
	} else {
		u.fields[0] = info->pid;
		u.fields[1] = info->uid;
		u.fields[2] = info->value;
		if (info->signo == SIGCHLD && info->code > 0) {
			u.fields[2] = info->status;
			u.fields[3] = info->utime;
			u.fields[4] = info->stime;
		}
	}
	return copy_to_user(to, &u, sizeof(u));
}

/* Reads what rt_sigqueueinfo passes.  0 or -EFAULT. */
int copy_siginfo_from_user(struct siginfo *info, const void *from)
{
	struct user_siginfo u;

	if (copy_from_user(&u, from, sizeof(u)))
		return -EFAULT;
	memset(info, 0, sizeof(*info));
	info->signo = u.signo;
	info->error = u.error;
	info->code = u.code;
	info->pid = u.fields[0];
	info->uid = u.fields[1];
	info->value = u.fields[2];
	return 0;
}
