/* Who a process is: pids, process groups, sessions. */
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"

/* getpid(2) */
asmlinkage long sys_getpid(void)
{
	return current->tgid;
}

/* gettid(2) */
asmlinkage long sys_gettid(void)
{
	return current->pid;
}

/* getppid(2) */
asmlinkage long sys_getppid(void)
{
	return current->parent->tgid;
}

/* getpgrp(2) */
asmlinkage long sys_getpgrp(void)
{
	return current->pgrp;
}

/* The process a call names: the caller for 0; NULL: none. */
static struct task *named_task(pid_t pid)
{
	return pid ? find_task(pid) : current;
}

/* getpgid(2) */
asmlinkage long sys_getpgid(pid_t pid)
{
	struct task *t = named_task(pid);

	return t ? t->pgrp : -ESRCH;
}

/* getsid(2) */
asmlinkage long sys_getsid(pid_t pid)
{
	struct task *t = named_task(pid);

	return t ? t->session : -ESRCH;
}

/* Moves a process into a group and session, all its threads. */
static void move_to_group(struct task *leader, pid_t pgrp, pid_t session)
{
	pid_t old_pgrp = leader->pgrp, old_session = leader->session;
	struct task *t;

	for_each_thread(t, leader->group) {
		t->pgrp = pgrp;
		t->session = session;
	}
	if (pgrp == leader->pid || session == leader->pid)
		leader->flags |= PF_LED_GROUP;
	if (!find_task(old_pgrp))
		put_pid(old_pgrp);
	if (old_session != old_pgrp && !find_task(old_session))
		put_pid(old_session);
}

/* Is there a process of `session` in the group? */
static bool pgrp_in_session(pid_t pgrp, pid_t session)
{
	struct task *t;

	for_each_task(t)
		if (t->pgrp == pgrp && t->session == session)
			return true;
	return false;
}

/* setpgid(2) */
asmlinkage long sys_setpgid(pid_t pid, pid_t pgrp)
{
	struct task *self = current->group->leader;
	struct task *t = pid ? find_task(pid) : self;

	if (pgrp < 0)
		return -EINVAL;
	if (!t || (t != self && t->parent != self))
		return -ESRCH;
	if (t->group->leader != t)
		return -EINVAL;
	if (t != self) {
		if (t->session != self->session)
			return -EPERM;
		if (t->group->execed)
			return -EACCES;
	}
	if (t->session == t->pid)
		return -EPERM;
	if (!pgrp)
		pgrp = t->pid;
	if (pgrp != t->pid && !pgrp_in_session(pgrp, self->session))
		return -EPERM;
	move_to_group(t, pgrp, t->session);
	return 0;
}

/* setsid(2) */
asmlinkage long sys_setsid(void)
{
	struct task *leader = current->group->leader, *t;

	for_each_task(t)
		if (t->pgrp == leader->pid)
			return -EPERM;
	move_to_group(leader, leader->pid, leader->pid);
	for_each_thread(t, leader->group)
		t->tty = NULL;
	return leader->pid;
}

/* set_tid_address(2) */
asmlinkage long sys_set_tid_address(u32 addr)
{
	current->clear_child_tid = addr;
	return current->pid;
}
