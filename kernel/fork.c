/*
 * fork, vfork, clone: a new task made from the current one.
 *
 * copy_process() first copies struct task as a whole and clears what each
 * later step acquires; so a failure half-way gives back exactly what is not
 * NULL (abort_fork).  Only when nothing can fail any more does the child get
 * its place among the tasks, in one section that does not sleep.
 */
#include "fs/file.h"
#include "kernel/clone.h"
#include "kernel/fpu.h"
#include "kernel/printk.h"
#include "kernel/switch.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/thread_group.h"
#include "kernel/tls.h"
#include "kernel/trap.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/mm.h"

/* Sets what a child does not inherit. */
static void reset_task(struct task *t)
{
	t->work = 0;
	t->flags &= ~(PF_MEMALLOC | PF_KSWAPD | PF_OOM_VICTIM | PF_LED_GROUP);
	t->flags |= PF_FORKNOEXEC;
	memset(&t->time, 0, sizeof(t->time));
	memset(&t->child_time, 0, sizeof(t->child_time));
	t->start_ns = ktime_ns();
	t->min_flt = t->maj_flt = t->child_min_flt = t->child_maj_flt = 0;
	t->nvcsw = t->nivcsw = t->inblock = t->oublock = 0;
	t->pending.set = 0;
	list_init(&t->pending.queue);
	list_init(&t->children);
	list_init(&t->sibling);
	wait_queue_init(&t->wait_child);
	t->real_blocked = 0;
	t->restart.fn = NULL;
	t->exit_code = 0;
	t->pdeath_signal = 0;
	t->vfork = NULL;
	t->woken = false;
	t->read_holds = 0;
	t->robust_list = 0;
	t->set_child_tid = t->clear_child_tid = 0;
	t->mm = NULL;
	t->files = NULL;
	t->fs = NULL;
	t->sighand = NULL;
	t->group = NULL;
}

/* Shares or copies the address space.  0 or -ENOMEM. */
static int copy_mm(struct task *t, u32 flags)
{
	struct mm *mm = current->mm;

	if (!mm)
		return 0;
	if (flags & CLONE_VM) {
		mm->users++;
	} else {
		mm = dup_mm(mm);
		if (IS_ERR(mm))
			return PTR_ERR(mm);
	}
	if (flags & CLONE_VM && !(flags & CLONE_VFORK))
		t->sas_ss_sp = t->sas_ss_size = 0;
	t->mm = mm;
	return 0;
}

/* Shares or copies descriptors and directories.  A kernel thread has no
 * descriptors, and the directories of the boot task.  0 or -ENOMEM. */
static int copy_files(struct task *t, const struct clone_args *args)
{
	struct files *files = current->files;
	struct fs_context *fs = args->fn ? &init_fs_context : current->fs;

	if (files && !args->fn) {
		if (args->flags & CLONE_FILES)
			files->count++;
		else
			files = files_dup(files);
		if (!files)
			return -ENOMEM;
		t->files = files;
	}
	if (args->flags & CLONE_FS)
		fs->count++;
	else
		fs = fs_dup(fs);
	t->fs = fs;
	return fs ? 0 : -ENOMEM;
}

/* Shares or copies the signal actions and the thread group.  0 or -ENOMEM. */
static int copy_signals(struct task *t, u32 flags)
{
	if (flags & CLONE_SIGHAND) {
		t->sighand = current->sighand;
		t->sighand->count++;
	} else {
		t->sighand = sighand_dup(current->sighand);
		if (!t->sighand)
			return -ENOMEM;
	}
	if (flags & CLONE_THREAD) {
		t->group = current->group;
		t->group->count++;
		return 0;
	}
	t->group = group_alloc(t);
	if (!t->group)
		return -ENOMEM;
	t->group->cpu_timers = t->rlim[RLIMIT_CPU].cur != RLIM_INFINITY;
	return 0;
}

/* Builds the kernel stack that switch_stacks() finds: at the top the frame to
 * go to user mode with, below it what task_start expects. */
static void copy_thread(struct task *t, const struct clone_args *args)
{
	struct trap_frame *tf = frame_of(t);
	u32 *sp = (u32 *)tf;

	if (args->fn) {
		memset(tf, 0, sizeof(*tf));
	} else {
		*tf = *task_frame();
		tf->eax = 0;
		if (args->stack)
			tf->esp = args->stack;
	}
	*--sp = (u32)task_start;
	*--sp = 0;				/* ebp */
	*--sp = 0;				/* edi */
	*--sp = (u32)args->arg;			/* esi */
	*--sp = (u32)args->fn;			/* ebx */
	t->ksp = (u32)sp;
	t->gs = read_gs();
	t->fs_seg = read_fs();
}

/* Gives back what a child that will not live has acquired. May sleep. */
static void abort_fork(struct task *t)
{
	if (t->mm)
		mmput(t->mm);
	if (t->files)
		files_put(t->files);
	if (t->fs)
		fs_put(t->fs);
	free_task(t);
}

/* Acquires everything the child needs.  0, -ENOMEM, -EFAULT, -EINVAL. */
static int copy_resources(struct task *t, const struct clone_args *args)
{
	int error = copy_signals(t, args->flags);

	if (!error)
		error = copy_files(t, args);
	if (!error)
		error = fpu_copy(t);
	if (!error)
		error = copy_mm(t, args->flags);
	if (error)
		return error;
	copy_thread(t, args);
	if (args->flags & CLONE_SETTLS)
		error = set_tls_from_user(t, args->tls);
	if (args->flags & CLONE_CHILD_SETTID)
		t->set_child_tid = args->child_tid;
	if (args->flags & CLONE_CHILD_CLEARTID)
		t->clear_child_tid = args->child_tid;
	return error;
}

/* Gives the child its place: pid, family, group, lists.  Never sleeps. */
static void link_task(struct task *t, u32 flags)
{
	struct task *leader = current->group->leader;

	attach_pid(t);
	list_add_tail(&t->all, &all_tasks);
	list_add_tail(&t->thread_node, &t->group->threads);
	t->group->live++;
	if (flags & CLONE_THREAD) {
		t->tgid = current->tgid;
		t->exit_signal = -1;
		t->parent = leader->parent;
		if (current->work & WORK_STOP) {
			t->work |= WORK_STOP;
			t->group->stop_left++;
		}
	} else {
		t->tgid = t->pid;
		t->exit_signal = flags & CSIGNAL;
		t->parent = flags & CLONE_PARENT ? leader->parent : leader;
		list_add_tail(&t->sibling, &t->parent->children);
	}
	nr_tasks++;
	total_forks++;
}

/* Does the current user have as many tasks as allowed? */
static bool too_many_tasks(void)
{
	u32 limit = current->rlim[RLIMIT_NPROC].cur, n = 0;
	struct task *t;

	if (current->uid == 0 || limit == RLIM_INFINITY)
		return false;
	for_each_task(t)
		n += t->uid == current->uid;
	return n >= limit;
}

/* Are these flags a combination that makes sense here? */
static bool valid_flags(u32 flags)
{
	if (flags & CLONE_NEW_SPACES & ~CLONE_CHILD_SETTID)
		return false;
	if (flags & CLONE_THREAD && !(flags & CLONE_SIGHAND))
		return false;
	return !(flags & CLONE_SIGHAND) || flags & CLONE_VM;
}

/* A new task, not yet running; ERR_PTR(-EINVAL, -EAGAIN, -ENOMEM).  The pid
 * may be forced by the caller (start_init) with `pid`.  May sleep. */
static struct task *copy_task(const struct clone_args *args, pid_t pid)
{
	struct task *t;
	int error;

	if (too_many_tasks())
		return ERR_PTR(-EAGAIN);
	t = dup_task();
	if (!t)
		return ERR_PTR(-ENOMEM);
	reset_task(t);
	error = copy_resources(t, args);
	if (!error && args->flags & CLONE_THREAD &&
	    (current->group->exiting || current->group->exec_task))
		error = -EAGAIN;	/* all threads are to end */
	if (!error) {
		t->pid = pid ? pid : alloc_pid();
		if (!t->pid)
			error = -EAGAIN;
	}
	if (error) {
		abort_fork(t);
		return ERR_PTR(error);
	}
	link_task(t, args->flags);
	return t;
}

/* A new task for a system call; see copy_task(). */
struct task *copy_process(const struct clone_args *args)
{
	if (!valid_flags(args->flags))
		return ERR_PTR(-EINVAL);
	return copy_task(args, 0);
}

/* The kernel thread that becomes init, with pid 1. */
struct task *copy_init(const struct clone_args *args)
{
	return copy_task(args, 1);
}

/* First thing a new task does, on its own stack: after each switch somebody
 * must look after the task that ran before; then CLONE_CHILD_SETTID. */
void start_child(struct task *prev)
{
	finish_switch(prev);
	if (current->set_child_tid &&
	    put_user(current->pid, (pid_t *)current->set_child_tid))
		current->set_child_tid = 0;
}

/* Sleeps until the child has left our address space, or we are to die; other
 * signals wait, for a handler would run on the child's stack. */
static void wait_for_vfork(struct vfork_wait *v)
{
	struct task *t;

	while (!v->done && !fatal_signal_pending())
		wait_event_timeout(v->wait, v->done, HZ / 4);
	if (v->done)
		return;
	for_each_task(t)
		if (t->vfork == v)
			t->vfork = NULL;
}

/* The common part of the fork family: the child's pid, or an error. */
static long do_fork(const struct clone_args *args)
{
	struct vfork_wait vfork = { .done = false };
	struct task *t = copy_process(args);
	pid_t pid;

	if (IS_ERR(t))
		return PTR_ERR(t);
	pid = t->pid;
	if (args->flags & CLONE_VFORK) {
		wait_queue_init(&vfork.wait);
		t->vfork = &vfork;
	}
	if (args->flags & CLONE_PARENT_SETTID &&
	    put_user(pid, (pid_t *)args->parent_tid))
		pid = t->pid;	/* as Linux: a bad pointer is not reported */
	wake_up_new_task(t);
	if (args->flags & CLONE_VFORK)
		wait_for_vfork(&vfork);
	return pid;
}

/* fork(2) */
asmlinkage long sys_fork(void)
{
	struct clone_args args = { .flags = SIGCHLD };

	return do_fork(&args);
}

/* vfork(2) */
asmlinkage long sys_vfork(void)
{
	struct clone_args args = {
		.flags = CLONE_VFORK | CLONE_VM | SIGCHLD,
	};

	return do_fork(&args);
}

/* clone(2), with i386's order of arguments. */
asmlinkage long sys_clone(u32 flags, u32 stack, u32 parent_tid, u32 tls,
			  u32 child_tid)
{
	struct clone_args args = {
		.flags = flags, .stack = stack, .parent_tid = parent_tid,
		.tls = tls, .child_tid = child_tid,
	};

	return do_fork(&args);
}
