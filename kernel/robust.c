/*
 * Robust futexes: a list in user memory of the locks a thread holds.  When it
 * dies, each is marked as left behind and a waiter woken.
 */
#include "kernel/futex.h"
#include "kernel/syscalls.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "mm/mm.h"

#define FUTEX_WAITERS		0x80000000u
#define FUTEX_OWNER_DIED	0x40000000u
#define FUTEX_TID_MASK		0x3fffffffu
#define LIST_LIMIT		2048	/* a list may be circular */

struct robust_list_head {
	u32 next;			/* user addresses; bit 0: PI futex */
	s32 futex_offset;
	u32 pending;
};

/* Marks one lock, if `t` holds it.  False after a fault. */
static bool mark_dead(const struct task *t, u32 uaddr)
{
	u32 value, *word = (u32 *)uaddr;

	if (uaddr % 4 || get_user(value, word))
		return false;
	if ((value & FUTEX_TID_MASK) != (u32)t->pid)
		return true;
	if (put_user((value & FUTEX_WAITERS) | FUTEX_OWNER_DIED, word))
		return false;
	if (value & FUTEX_WAITERS)
		futex_wake_addr(uaddr);
	return true;
}

/* Walks the list of the current task, which exits or execs. */
void exit_robust_list(struct task *t)
{
	u32 list = t->robust_list, entry;
	struct robust_list_head head;

	t->robust_list = 0;
	if (!list || !t->mm || copy_from_user(&head, (void *)list,
					      sizeof(head)))
		return;
	entry = head.next & ~1u;
	for (int n = 0; entry != list && n < LIST_LIMIT; n++) {
		u32 next;

		if (get_user(next, (u32 *)entry))
			return;
		if (entry != (head.pending & ~1u) &&
		    !mark_dead(t, entry + head.futex_offset))
			return;
		entry = next & ~1u;
		cond_resched();
	}
	if (head.pending & ~1u)
		mark_dead(t, (head.pending & ~1u) + head.futex_offset);
}

/* set_robust_list(2) */
asmlinkage long sys_set_robust_list(u32 uhead, size_t size)
{
	if (size != sizeof(struct robust_list_head))
		return -EINVAL;
	current->robust_list = uhead;
	return 0;
}

/* get_robust_list(2) */
asmlinkage long sys_get_robust_list(pid_t pid, u32 *uhead, u32 *usize)
{
	struct task *t = pid ? find_task(pid) : current;

	if (!t)
		return -ESRCH;
	if (t->tgid != current->tgid && !capable())
		return -EPERM;
	if (put_user((u32)sizeof(struct robust_list_head), usize))
		return -EFAULT;
	return put_user(t->robust_list, uhead);
}
