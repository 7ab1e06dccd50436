/*
 * The end of a task.
 *
 *	do_exit()      gives back mm, files, directories (may sleep)
 *	exit_notify()  children to init, parent told, state zombie or dead
 *	schedule()     never returns
 *
 * From exit_notify() on nothing sleeps, so nobody can see a task half gone.
 * The address space goes first: it is what a machine short of memory needs.
 */
#include "drivers/tty.h"
#include "fs/file.h"
#include "kernel/fpu.h"
#include "kernel/futex.h"
#include "kernel/itimer.h"
#include "kernel/job_control.h"
#include "kernel/printk.h"
#include "kernel/rusage.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/thread_group.h"
#include "kernel/uaccess.h"
#include "mm/mm.h"

/* Ends the task's use of its mm, at exit and exec: the word that pthread_join
 * waits for is cleared, and a vfork parent may go on. */
void mm_release(struct task *t)
{
	u32 tid = t->clear_child_tid;

	t->clear_child_tid = 0;
	exit_robust_list(t);
	if (tid && t->mm && t->mm->users > 1 &&
	    !put_user(0, (pid_t *)tid))
		futex_wake_addr(tid);
	if (t->vfork) {
		t->vfork->done = true;
		wake_up(&t->vfork->wait);
		t->vfork = NULL;
	}
}

/* Gives up the address space; may sleep. */
static void exit_mm(void)
{
	struct mm *mm = current->mm;

	mm_release(current);
	if (!mm)
		return;
	note_maxrss(current);
	current->mm = NULL;
	mmput(mm);
}

/* Gives up descriptors, root and working directory; may sleep. */
static void exit_files(void)
{
	struct files *files = current->files;
	struct fs_context *fs = current->fs;

	current->files = NULL;
	if (files)
		files_put(files);
	current->fs = NULL;
	if (fs)
		fs_put(fs);
}

/* Hands one child to `heir` and tells the child if it asked. */
static void reparent_child(struct task *child, struct task *heir)
{
	struct task *thread;

	for_each_thread(thread, child->group) {
		thread->parent = heir;
		if (thread->pdeath_signal)
			send_signal(thread, thread->pdeath_signal);
	}
	list_move_tail(&child->sibling, &heir->children);
	if (child->exit_signal != -1)
		child->exit_signal = SIGCHLD;
	if (child->state == TASK_ZOMBIE && child->group->live == 0)
		notify_parent_exit(child);
}

/* Hands the children of a process that ends to init. */
static void reparent_children(struct task *leader)
{
	struct task *child, *next;

	list_for_each_entry_safe(child, next, &leader->children, sibling) {
		pid_t pgrp = child->pgrp;

		reparent_child(child, child_reaper);
		hangup_if_orphaned(pgrp);
	}
}

/* Adds what an exiting thread has used to the sums of its process. */
static void sum_up_thread(struct task *t)
{
	struct thread_group *g = t->group;

	g->dead_time.user += t->time.user;
	g->dead_time.system += t->time.system;
	g->dead_min_flt += t->min_flt;
	g->dead_maj_flt += t->maj_flt;
	g->dead_nvcsw += t->nvcsw;
	g->dead_nivcsw += t->nivcsw;
	g->dead_inblock += t->inblock;
	g->dead_oublock += t->oublock;
}

/* Tells the parent that the process of `leader`, a zombie without threads,
 * has ended.  A parent that ignores SIGCHLD gets no zombie: it is freed, or
 * marked dead if it is the current task, which schedule() will leave. */
void notify_parent_exit(struct task *leader)
{
	struct task *parent = leader->parent;
	struct sigaction *sa = &parent->sighand->action[SIGCHLD - 1];
	bool reap = leader->exit_signal == 0 && parent == &init_task;

	if (leader->exit_signal == SIGCHLD &&
	    (sa->handler == SIG_IGN || sa->flags & SA_NOCLDWAIT))
		reap = true;
	if (leader->exit_signal > 0 &&
	    !(reap && sa->handler == SIG_IGN))
		send_child_signal(leader, leader->exit_signal);
	if (reap && leader == current) {
		unlink_task(leader);
		leader->state = TASK_DEAD;
	} else if (reap) {
		release_task(leader);
	}
	wake_up(&parent->wait_child);
}

/* The last thread of the process is on its way out: init must not be. */
static void exit_process(struct thread_group *g)
{
	if (g->leader == child_reaper && g->leader != &init_task)
		panic("init ended with status 0x%x: no process is left to run",
		      g->exiting ? (unsigned)g->exit_code
				 : (unsigned)current->exit_code);
	timer_cancel(&g->real_timer);
	if (g->leader->session == g->leader->pid && current->tty)
		disassociate_tty();
}

/* Family matters; never sleeps.  Sets the final state. */
static void exit_notify(void)
{
	struct task *t = current;
	struct thread_group *g = t->group;
	struct task *leader = g->leader;
	pid_t pgrp = t->pgrp;

	g->live--;
	wake_up(&g->exec_wait);
	if (t != leader)
		sum_up_thread(t);
	if (g->live == 0) {
		exit_process(g);
		reparent_children(leader);
		hangup_if_orphaned(pgrp);
	}
	if (t->work & WORK_STOP)
		stop_thread_done(t);
	t->state = TASK_ZOMBIE;
	if (g->live == 0)
		notify_parent_exit(leader);
	if (t != leader) {
		unlink_task(t);
		t->state = TASK_DEAD;
	}
}

/* Ends the current task with wait status `code`.  Never returns. */
void do_exit(int code)
{
	struct task *t = current;

	BUG_ON(atomic_depth);
	BUG_ON(t == &init_task);
	t->flags |= PF_EXITING;
	t->exit_code = code;
	exit_mm();
	exit_files();
	exit_notify();
	schedule();
	panic("a dead task was scheduled: %s (pid %d)", t->comm, t->pid);
}

/* Ends every thread of the current process.  Never returns. */
void do_group_exit(int code)
{
	struct thread_group *g = current->group;

	if (g->exiting)
		code = g->exit_code;
	else if (!g->exec_task || g->exec_task == current)
		zap_threads(current, code, NULL);
	do_exit(code);
}

/* Takes a zombie or dead task out of every list: nobody finds it any more.
 * The rest stays until free_task(), as the current task may be the one that
 * is unlinked, and a tick looks at its group.  Never sleeps. */
void unlink_task(struct task *t)
{
	list_del(&t->all);
	list_del(&t->sibling);
	list_del(&t->thread_node);
	free_pid(t);
	nr_tasks--;
	flush_sigqueue(&t->pending, t->group);
}

/* Frees a zombie, which is on no CPU. */
void release_task(struct task *t)
{
	unlink_task(t);
	free_task(t);
}

/* exit(2): ends the calling thread. */
asmlinkage long sys_exit(int status)
{
	do_exit((status & 0xff) << 8);
}

/* exit_group(2): ends the process. */
asmlinkage long sys_exit_group(int status)
{
	do_group_exit((status & 0xff) << 8);
}
