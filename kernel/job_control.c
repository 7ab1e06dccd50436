/*
 * Job control: stop signals act on the process as a whole.
 *
 * The thread that takes a stop signal marks all threads with WORK_STOP; each
 * stops when it next comes by do_signal().  When the last one has stopped the
 * parent is told.  SIGCONT (or SIGKILL) takes the marks away and wakes them.
 */
#include "kernel/job_control.h"

#include "kernel/rusage.h"
#include "lib/errno.h"

static u32 nr_stopped;		/* processes with group->stopped */

/* Marks every thread of the current process to stop. */
void start_group_stop(int sig)
{
	struct thread_group *g = current->group;
	struct task *t;

	if (g->exiting || g->stopped)
		return;
	nr_stopped++;
	g->stopped = true;
	g->stop_signal = sig;
	g->stop_left = 0;
	for_each_thread(t, g) {
		if (t->flags & PF_EXITING)
			continue;
		g->stop_left++;
		t->work |= WORK_STOP;
		wake_up_state(t, TASK_INTERRUPTIBLE);
	}
}

/* Lets a stopped process run again. */
void group_continue(struct task *t)
{
	struct thread_group *g = t->group;
	struct task *thread;

	if (!g->stopped)
		return;
	nr_stopped--;
	g->stopped = false;
	g->stop_report = false;
	for_each_thread(thread, g) {
		thread->work &= ~WORK_STOP;
		wake_up_state(thread, TASK_STOPPED);
	}
}

/* One thread less that still runs; the last one tells the parent. */
void stop_thread_done(struct task *t)
{
	struct thread_group *g = t->group;

	t->work &= ~WORK_STOP;
	if (--g->stop_left)
		return;
	g->stop_report = true;
	g->cont_report = false;
	send_child_signal(g->leader, SIGCHLD);
	wake_up(&g->leader->parent->wait_child);
}

/* Stops the current thread until SIGCONT or SIGKILL. */
void stop_this_thread(void)
{
	stop_thread_done(current);
	current->state = TASK_STOPPED;
	schedule();
}

/* What siginfo says about a process that ended. */
static void fill_exit_info(struct siginfo *info, const struct task *leader)
{
	const struct thread_group *g = leader->group;
	int code = g->exiting ? g->exit_code : leader->exit_code;

	if (code & 0x7f) {
		info->code = code & 0x80 ? CLD_DUMPED : CLD_KILLED;
		info->status = code & 0x7f;
	} else {
		info->code = CLD_EXITED;
		info->status = code >> 8 & 0xff;
	}
}

/* Sends the parent of `leader` the signal for what happened: the process
 * ended, stopped, or goes on. */
void send_child_signal(struct task *leader, int sig)
{
	struct task *parent = leader->parent;
	struct thread_group *g = leader->group;
	struct siginfo info = {
		.signo = sig, .pid = leader->pid, .uid = leader->uid,
	};
	struct cpu_time time;

	if (g->live == 0) {
		fill_exit_info(&info, leader);
	} else {
		if (parent->sighand->action[SIGCHLD - 1].flags &
		    SA_NOCLDSTOP)
			return;
		info.code = g->stopped ? CLD_STOPPED : CLD_CONTINUED;
		info.status = g->stopped ? g->stop_signal : SIGCONT;
	}
	group_cpu_time(leader, &time);
	info.utime = cycles_to_ticks(time.user);
	info.stime = cycles_to_ticks(time.system);
	send_siginfo(parent, &info);
}

/* Is there no living member with a parent in another group of the session, who
 * could continue it? */
bool is_orphaned_pgrp(pid_t pgrp)
{
	struct task *t;

	for_each_task(t) {
		if (t->pgrp != pgrp || t->group->live == 0)
			continue;
		if (t->parent->pgrp != pgrp &&
		    t->parent->session == t->session)
			return false;
	}
	return true;
}

/* Does the group have a stopped member? */
static bool has_stopped_member(pid_t pgrp)
{
	struct task *t;

	for_each_task(t)
		if (t->pgrp == pgrp && t->group->stopped)
			return true;
	return false;
}

/* After an exit: a stopped group that nobody could continue is hung up. */
void hangup_if_orphaned(pid_t pgrp)
{
	if (nr_stopped == 0 || !has_stopped_member(pgrp) ||
	    !is_orphaned_pgrp(pgrp))
		return;
	kill_pgrp(pgrp, SIGHUP);
	kill_pgrp(pgrp, SIGCONT);
}
