/* Resource limits.  They belong to the process, so a change is made in every
 * thread. */
#include "kernel/itimer.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"

struct rlimit64 {
	u64 cur, max;
};

#define RLIM64_INFINITY	(~0ull)
#define NR_OPEN		65536u		/* the most descriptors there can be */

/* May the limit become this?  0, -EINVAL, -EPERM. */
static int check_rlimit(unsigned resource, const struct rlimit_pair *new)
{
	const struct rlimit_pair *old = &current->rlim[resource];

	if (new->cur > new->max)
		return -EINVAL;
	if (new->max > old->max && !capable())
		return -EPERM;
	if (resource == RLIMIT_NOFILE && new->max > NR_OPEN)
		return -EPERM;
	return 0;
}

/* Sets a limit of the process of `leader`. */
static void write_rlimit(struct task *leader, unsigned resource,
			 const struct rlimit_pair *new)
{
	struct task *t;

	for_each_thread(t, leader->group)
		t->rlim[resource] = *new;
	update_cpu_timers();
}

/* setrlimit(2) */
asmlinkage long sys_setrlimit(unsigned resource,
			      const struct rlimit_pair *ulimit)
{
	struct rlimit_pair new;
	int error;

	if (resource >= NR_RLIMITS)
		return -EINVAL;
	if (copy_from_user(&new, ulimit, sizeof(new)))
		return -EFAULT;
	error = check_rlimit(resource, &new);
	if (!error)
		write_rlimit(current, resource, &new);
	return error;
}

/* ugetrlimit(2), which libcs call getrlimit. */
asmlinkage long sys_ugetrlimit(unsigned resource, struct rlimit_pair *ulimit)
{
	if (resource >= NR_RLIMITS)
		return -EINVAL;
	return copy_to_user(ulimit, &current->rlim[resource],
			    sizeof(*ulimit));
}

/* The old getrlimit(2): infinity is the largest signed number. */
asmlinkage long sys_getrlimit(unsigned resource, struct rlimit_pair *ulimit)
{
	struct rlimit_pair limit;

	if (resource >= NR_RLIMITS)
		return -EINVAL;
	limit = current->rlim[resource];
	limit.cur = min(limit.cur, 0x7fffffffu);
	limit.max = min(limit.max, 0x7fffffffu);
	return copy_to_user(ulimit, &limit, sizeof(limit));
}

/* A limit between the two widths; what does not fit is infinity. */
static u32 from_rlim64(u64 value)
{
	return value >= RLIM_INFINITY ? RLIM_INFINITY : (u32)value;
}

/* The same the other way round. */
static u64 to_rlim64(u32 value)
{
	return value == RLIM_INFINITY ? RLIM64_INFINITY : value;
}

/* Reads a new limit for prlimit64().  0, -EFAULT, -EINVAL, -EPERM. */
static int get_rlimit64(struct rlimit_pair *new, unsigned resource,
			const struct rlimit64 *from)
{
	struct rlimit64 wide;

	if (copy_from_user(&wide, from, sizeof(wide)))
		return -EFAULT;
	new->cur = from_rlim64(wide.cur);
	new->max = from_rlim64(wide.max);
	return check_rlimit(resource, new);
}

/* prlimit64(2), for the caller or, for the superuser, any process. */
asmlinkage long sys_prlimit64(pid_t pid, unsigned resource,
			      const struct rlimit64 *unew,
			      struct rlimit64 *uold)
{
	struct task *t = pid ? find_task(pid) : current;
	struct rlimit_pair new;
	struct rlimit64 old;
	int error;

	if (resource >= NR_RLIMITS)
		return -EINVAL;
	if (!t)
		return -ESRCH;
	if (t->tgid != current->tgid && !capable())
		return -EPERM;
	old.cur = to_rlim64(t->rlim[resource].cur);
	old.max = to_rlim64(t->rlim[resource].max);
	if (unew) {
		error = get_rlimit64(&new, resource, unew);
		t = pid ? find_task(pid) : current;
		if (error || !t)
			return error ? error : -ESRCH;
		write_rlimit(t, resource, &new);
	}
	return uold ? copy_to_user(uold, &old, sizeof(old)) : 0;
}
