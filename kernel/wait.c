/*
 * Waiting for children: wait4, waitpid, waitid.
 *
 * A request says which children and which events are wanted; do_wait() looks
 * at all children of the process, and sleeps on the leader's wait_child while
 * there is one that may still do something of interest.
 */
#include "kernel/clone.h"
#include "kernel/rusage.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"

#define WNOHANG		0x00000001u
#define WUNTRACED	0x00000002u	/* waitid: WSTOPPED */
#define WEXITED		0x00000004u
#define WCONTINUED	0x00000008u
#define WNOWAIT		0x01000000u
#define WNOTHREAD	0x20000000u
#define WALL		0x40000000u
#define WCLONE		0x80000000u

#define P_ALL		0
#define P_PID		1
#define P_PGID		2

struct wait_request {
	int type;			/* P_* */
	pid_t id;
	u32 options;
	/* results */
	pid_t pid;
	uid_t uid;
	int code;			/* CLD_* */
	int status;			/* as waitid reports it */
	int wait_status;		/* as wait4 reports it */
	struct rusage32 rusage;
};

/* Is `t` one of the children asked for? */
static bool wanted(const struct wait_request *r, const struct task *t)
{
	if (r->type == P_PID && t->pid != r->id)
		return false;
	if (r->type == P_PGID && t->pgrp != r->id)
		return false;
	if (r->options & WALL)
		return true;
	return !(r->options & WCLONE) == (t->exit_signal == SIGCHLD);
}

/* Fills in the results for an event of `t`. */
static void report(struct wait_request *r, struct task *t, int code,
		   int status)
{
	r->pid = t->pid;
	r->uid = t->uid;
	r->code = code;
	r->status = status;
	get_group_rusage(t, &r->rusage);
}

/* Adds what a dead child used to the sums of its parent's children. */
static void add_child_times(struct task *parent, struct task *t)
{
	struct cpu_time time;
	struct thread_group *pg = parent->group, *g = t->group;

	group_cpu_time(t, &time);
	parent->child_time.user += time.user + t->child_time.user;
	parent->child_time.system += time.system + t->child_time.system;
	parent->child_min_flt += t->min_flt + g->dead_min_flt +
		t->child_min_flt;
	parent->child_maj_flt += t->maj_flt + g->dead_maj_flt +
		t->child_maj_flt;
	pg->child_nvcsw += t->nvcsw + g->dead_nvcsw + g->child_nvcsw;
	pg->child_nivcsw += t->nivcsw + g->dead_nivcsw + g->child_nivcsw;
	pg->child_inblock += t->inblock + g->dead_inblock + g->child_inblock;
	pg->child_oublock += t->oublock + g->dead_oublock + g->child_oublock;
	pg->child_maxrss = max(pg->child_maxrss,
			       max(g->maxrss, g->child_maxrss));
}

/* Reports a zombie and frees it, unless WNOWAIT. */
static void reap_zombie(struct wait_request *r, struct task *t)
{
	int code = t->group->exiting ? t->group->exit_code : t->exit_code;

	r->wait_status = code;
	if (code & 0x7f)
		report(r, t, code & 0x80 ? CLD_DUMPED : CLD_KILLED,
		       code & 0x7f);
	else
		report(r, t, CLD_EXITED, code >> 8 & 0xff);
	if (r->options & WNOWAIT)
		return;
	add_child_times(t->parent, t);
	release_task(t);
}

/* Reports a stop or a continuation that was not reported yet; true if so. */
static bool report_job_event(struct wait_request *r, struct task *t)
{
	struct thread_group *g = t->group;
	bool consume = !(r->options & WNOWAIT);

	if (r->options & WUNTRACED && g->stopped && g->stop_report) {
		g->stop_report = !consume;
		r->wait_status = g->stop_signal << 8 | 0x7f;
		report(r, t, CLD_STOPPED, g->stop_signal);
		return true;
	}
	if (r->options & WCONTINUED && g->cont_report) {
		g->cont_report = !consume;
		r->wait_status = 0xffff;
		report(r, t, CLD_CONTINUED, SIGCONT);
		return true;
	}
	return false;
}

/* Looks once at all children: true when one had an event, which is reported;
 * *any says whether there is a child to wait for at all. */
static bool poll_children(struct wait_request *r, bool *any)
{
	struct task *t, *parent = current->group->leader;

	*any = false;
	list_for_each_entry(t, &parent->children, sibling) {
		if (!wanted(r, t))
			continue;
		*any = true;
		if (t->state == TASK_ZOMBIE && t->group->live == 0) {
			if (!(r->options & WEXITED))
				continue;
			reap_zombie(r, t);
			return true;
		}
		if (report_job_event(r, t))
			return true;
	}
	return false;
}

/* Waits for an event.  The child's pid, 0 with WNOHANG, -ECHILD,
 * -ERESTARTSYS.  May sleep. */
static long do_wait(struct wait_request *r)
{
	struct waiter w;
	bool any;

	for (;;) {
		struct wait_queue *wq = &current->group->leader->wait_child;
		bool found;

		prepare_to_wait(wq, &w, TASK_INTERRUPTIBLE);
		found = poll_children(r, &any);
		if (!found && any && !(r->options & WNOHANG) &&
		    !signal_pending())
			schedule();
		finish_wait(wq, &w);
		if (found)
			return r->pid;
		if (!any)
			return -ECHILD;
		if (r->options & WNOHANG)
			return 0;
		if (signal_pending())
			return -ERESTARTSYS;
	}
}

/* wait4(2) */
asmlinkage long sys_wait4(pid_t pid, int *ustatus, u32 options, void *urusage)
{
	struct wait_request r = { .type = P_PID, .id = pid };
	long ret;

	if (options & ~(WNOHANG | WUNTRACED | WCONTINUED | WNOTHREAD | WCLONE |
			WALL))
		return -EINVAL;
	r.options = options | WEXITED;
	if (pid == -1) {
		r.type = P_ALL;
	} else if (pid <= 0) {
		r.type = P_PGID;
		r.id = pid ? -pid : current->pgrp;
	}
	ret = do_wait(&r);
	if (ret <= 0)
		return ret;
	if (ustatus && put_user(r.wait_status, ustatus))
		return -EFAULT;
	if (urusage && copy_to_user(urusage, &r.rusage, sizeof(r.rusage)))
		return -EFAULT;
	return ret;
}

/* waitpid(2) */
asmlinkage long sys_waitpid(pid_t pid, int *ustatus, u32 options)
{
	return sys_wait4(pid, ustatus, options, NULL);
}

/* Writes what waitid() reports; zeros when there was no event. */
static int put_wait_info(void *uinfo, const struct wait_request *r, bool event)
{
	u32 out[6] = { 0 };

	if (event) {
		out[0] = SIGCHLD;
		out[2] = r->code;
		out[3] = r->pid;
		out[4] = r->uid;
		out[5] = r->status;
	}
	return copy_to_user(uinfo, out, sizeof(out));
}

/* waitid(2), with the kernel's fifth argument. */
asmlinkage long sys_waitid(int type, pid_t id, void *uinfo, u32 options,
			   void *urusage)
{
	struct wait_request r = { .type = type, .id = id };
	long ret;

	if (options & ~(WNOHANG | WUNTRACED | WEXITED | WCONTINUED | WNOWAIT |
			WNOTHREAD | WCLONE | WALL))
		return -EINVAL;
	if (!(options & (WEXITED | WUNTRACED | WCONTINUED)))
		return -EINVAL;
	if (type < P_ALL || type > P_PGID || (type != P_ALL && id < 0) ||
	    (type == P_PID && id == 0))
		return -EINVAL;
	if (type == P_PGID && id == 0)
		r.id = current->pgrp;
	r.options = options;
	ret = do_wait(&r);
	if (ret < 0)
		return ret;
	if (ret > 0 && urusage &&
	    copy_to_user(urusage, &r.rusage, sizeof(r.rusage)))
		return -EFAULT;
	if (uinfo && put_wait_info(uinfo, &r, ret > 0))
		return -EFAULT;
	return 0;
}
