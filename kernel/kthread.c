/*
 * Kernel threads: tasks that start in a function of the kernel and have no
 * address space.  The boot task (later the idle loop) is their parent, and
 * they leave no zombie.
 */
#include "fs/file.h"
#include "kernel/clone.h"
#include "kernel/printk.h"
#include "kernel/switch.h"
#include "kernel/task.h"
#include "kernel/thread_group.h"
#include "lib/errno.h"
#include "lib/string.h"

/* Makes `t` a child of the boot task, by its name, and starts it. */
static void start_kthread(struct task *t, const char *name)
{
	strlcpy(t->comm, name, sizeof(t->comm));
	t->flags |= PF_KTHREAD;
	t->parent = &init_task;
	list_move_tail(&t->sibling, &init_task.children);
	wake_up_new_task(t);
}

/* Starts `fn(arg)` as a kernel thread.  NULL when out of memory. */
struct task *kernel_thread(int (*fn)(void *), void *arg, const char *name)
{
	struct clone_args args = {
		.flags = CLONE_FS, .fn = fn, .arg = arg,
	};
	struct task *t;

	BUG_ON(current->mm);
	t = copy_process(&args);
	if (IS_ERR(t))
		return NULL;
	start_kthread(t, name);
	return t;
}

/* Starts `fn` as the kernel thread with pid 1, which will become init.  It has
 * its own descriptors and directories. */
void start_init(int (*fn)(void *))
{
	struct clone_args args = { .flags = 0, .fn = fn };
	struct task *t = copy_init(&args);

	if (IS_ERR(t))
		panic("no memory for the init task");
	t->files = files_dup(NULL);
	if (!t->files)
		panic("no memory for init's descriptors");
	t->exit_signal = SIGCHLD;
	t->pgrp = t->session = 0;
	child_reaper = t;
	start_kthread(t, "init");
}

/* The function of a kernel thread returned: a thread that has become a program
 * goes on to user mode, any other ends. */
asmlinkage void kthread_return(int code)
{
	if (!current->mm)
		do_exit(code);
}
