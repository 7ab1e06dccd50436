/*
 * Tasks as objects: their memory, their numbers, and how to find them.
 *
 * A pid is in use while a task has it as pid, process group or session; the
 * bitmap says so.  Numbers are given out in ascending order and wrap at
 * PID_MAX, so a number is not used again soon.
 */
#include "kernel/task.h"

#include "kernel/fpu.h"
#include "kernel/printk.h"
#include "kernel/switch.h"
#include "kernel/thread_group.h"
#include "kernel/trap.h"
#include "fs/file.h"
#include "lib/bitmap.h"
#include "lib/string.h"
#include "mm/slab.h"
#include "mm/vmstat.h"

#define PID_BUCKETS	256
#define UNLIMITED	{ RLIM_INFINITY, RLIM_INFINITY }
#define POISON		0x6b		/* fills a freed task */

_Static_assert(offsetof(struct task, ksp) == 0, "asm.inc");
_Static_assert(offsetof(struct task, kstack) == 4, "asm.inc");
_Static_assert(offsetof(struct task, state) == 8, "asm.inc");
_Static_assert(offsetof(struct task, flags) == 12, "asm.inc");
_Static_assert(offsetof(struct task, work) == 16, "asm.inc");
_Static_assert(offsetof(struct task, time.user) == 20, "asm.inc");
_Static_assert(offsetof(struct task, time.system) == 28, "asm.inc");

extern u32 boot_stack[];		/* boot/entry.asm; has its magic */

static struct thread_group init_group = {
	.count = 1, .live = 1,
	.threads = LIST_HEAD_INIT(init_group.threads),
	.leader = &init_task,
	.pending.queue = LIST_HEAD_INIT(init_group.pending.queue),
};
static struct sighand init_sighand = { .count = 1 };

struct task init_task = {
	.kstack = boot_stack,
	.state = TASK_RUNNING,
	.flags = PF_KTHREAD,
	.comm = "idle",
	.fs = &init_fs_context,
	.parent = &init_task,
	.children = LIST_HEAD_INIT(init_task.children),
	.sibling = LIST_HEAD_INIT(init_task.sibling),
	.all = LIST_HEAD_INIT(init_task.all),
	.wait_child = WAIT_QUEUE_INIT(init_task.wait_child),
	.group = &init_group,
	.thread_node = LIST_HEAD_INIT(init_task.thread_node),
	.sighand = &init_sighand,
	.pending.queue = LIST_HEAD_INIT(init_task.pending.queue),
	.slice = 1,
	.rlim = {
		[RLIMIT_CPU] = UNLIMITED,
		[RLIMIT_FSIZE] = UNLIMITED,
		[RLIMIT_DATA] = UNLIMITED,
		[RLIMIT_RSS] = UNLIMITED,
		[RLIMIT_MEMLOCK] = UNLIMITED,
		[RLIMIT_AS] = UNLIMITED,
		[RLIMIT_LOCKS] = UNLIMITED,
		[RLIMIT_MSGQUEUE] = { 819200, 819200 },
		[RLIMIT_RTTIME] = UNLIMITED,
		[RLIMIT_STACK] = { 8u << 20, RLIM_INFINITY },
		[RLIMIT_CORE] = { 0, RLIM_INFINITY },
		[RLIMIT_NPROC] = { 16384, 16384 },
		[RLIMIT_NOFILE] = { 1024, 65536 },
		[RLIMIT_SIGPENDING] = { 4096, 4096 },
		[RLIMIT_NICE] = { 0, 0 },
		[RLIMIT_RTPRIO] = { 0, 0 },
	},
};

LIST_HEAD(all_tasks);
struct task *child_reaper = &init_task;
u32 nr_tasks;
u64 total_forks;
struct cpu_time dead_tasks_time;
u32 last_pid = 1;			/* 1 is kept for init */

static struct kmem_cache *task_cache;
static struct hlist_head pid_hash[PID_BUCKETS];
static DECLARE_BITMAP(pid_map, PID_MAX);

/* Makes the caches of tasks and what hangs on them.  Once, after mm_init(). */
void task_init(void)
{
	task_cache = kmem_cache_create("task", sizeof(struct task), 4);
	set_bit(0, pid_map);
	set_bit(1, pid_map);
	list_add(&init_task.thread_node, &init_group.threads);
	signal_init();
	fpu_init();
}

/* A copy of the current task with its own kernel stack, on no list; the caller
 * resets what is not inherited.  NULL when out of memory. */
struct task *dup_task(void)
{
	struct task *t = kmem_cache_alloc(task_cache, GFP_KERNEL);

	if (!t)
		return NULL;
	*t = *current;
	t->fpu = NULL;
	t->used_fpu = false;
	t->kstack = get_free_pages(GFP_KERNEL, 1);
	if (!t->kstack) {
		kmem_cache_free(task_cache, t);
		return NULL;
	}
	t->kstack[0] = KSTACK_MAGIC;
	vm_add(nr_kernel_stack, KSTACK_SIZE / PAGE_SIZE);
	return t;
}

/* Frees a task that is on no list and on no CPU, and its holds on group and
 * signal actions.  What is left is poisoned, so a stale pointer does not look
 * like a task.  Never sleeps. */
void free_task(struct task *t)
{
	dead_tasks_time.user += t->time.user;
	dead_tasks_time.system += t->time.system;
	fpu_free(t);
	if (t->sighand)
		sighand_put(t->sighand);
	if (t->group)
		group_put(t->group);
	free_pages_at(t->kstack, 1);
	vm_sub(nr_kernel_stack, KSTACK_SIZE / PAGE_SIZE);
	memset(t, POISON, offsetof(struct task, group));
	kmem_cache_free(task_cache, t);
}

/* The user registers of a task, at the top of its kernel stack. */
struct trap_frame *frame_of(const struct task *t)
{
	return (struct trap_frame *)((u8 *)t->kstack + KSTACK_SIZE) - 1;
}

/* The next free number, taken; 0 when there is none left. */
pid_t alloc_pid(void)
{
	u32 pid = find_next_zero_bit(pid_map, PID_MAX, last_pid + 1);

	if (pid >= PID_MAX)
		pid = find_next_zero_bit(pid_map, PID_MAX, 2);
	if (pid >= PID_MAX)
		return 0;
	set_bit(pid, pid_map);
	last_pid = pid;
	return pid;
}

/* Puts a task with a pid into the hash. */
void attach_pid(struct task *t)
{
	hlist_add_head(&t->pid_hash, &pid_hash[t->pid % PID_BUCKETS]);
}

/* The task with this pid, also a zombie, or NULL.  No reference is taken. */
struct task *find_task(pid_t pid)
{
	struct task *t;

	hlist_for_each_entry(t, &pid_hash[(u32)pid % PID_BUCKETS], pid_hash)
		if (t->pid == pid)
			return t;
	return NULL;
}

/* Gives a number back unless a task has it as pid, process group or session. */
void put_pid(pid_t pid)
{
	struct task *t;

	if (pid <= 1)
		return;
	for_each_task(t)
		if (t->pid == pid || t->pgrp == pid || t->session == pid)
			return;
	clear_bit(pid, pid_map);
}

/* Takes a task, which is off all_tasks, out of the hash and gives back its
 * numbers as far as nobody else has them.  Only a task that led a group can
 * have its pid in use elsewhere, so the others need no search. */
void free_pid(struct task *t)
{
	hlist_del(&t->pid_hash);
	if (t->flags & PF_LED_GROUP)
		put_pid(t->pid);
	else
		clear_bit(t->pid, pid_map);
	if (t->pgrp != t->pid && !find_task(t->pgrp))
		put_pid(t->pgrp);
	if (t->session != t->pid && t->session != t->pgrp &&
	    !find_task(t->session))
		put_pid(t->session);
}
