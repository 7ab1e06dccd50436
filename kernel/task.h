/*
 * A task: what the scheduler runs.  Threads share mm, files, fs, sighand and
 * the thread group; each of these is counted and freed by its last user.
 *
 * Lifetime.  A task is made by copy_process() and is on all_tasks from then
 * on.  do_exit() makes it a zombie (somebody waits for it) or dead (nobody
 * does: the next task frees it, off its stack).  release_task() frees.
 * Pointers to tasks are not counted: nobody keeps one across a sleep except
 * to its own child, its parent, or a task on a queue it will leave itself.
 */
#ifndef KERNEL_TASK_H
#define KERNEL_TASK_H

#include "kernel/sched.h"
#include "kernel/signal.h"
#include "kernel/time.h"
#include "lib/list.h"

struct mm;
struct files;		/* fs/file.h: the descriptor table */
struct trap_frame;	/* kernel/trap.h */
struct fs_context;	/* fs/file.h: root, cwd, umask */

/* task->flags */
#define PF_KTHREAD	0x01	/* kernel thread: no user mode */
#define PF_MEMALLOC	0x02	/* reclaims memory: may use the reserve */
#define PF_EXITING	0x04
#define PF_KSWAPD	0x08	/* reclaim daemon: ignores congestion */
#define PF_OOM_VICTIM	0x10	/* to be killed: may use the reserve */
#define PF_FORKNOEXEC	0x20
#define PF_LED_GROUP	0x40	/* its pid was given to a group or session */

/* task->work: why entry.asm calls do_signal() before going to user mode */
#define WORK_SIGNAL	0x01	/* a signal that is not blocked is pending */
#define WORK_STOP	0x02	/* the thread group is to stop */
#define WORK_TICK	0x08	/* a tick for group->cpu_timers */
#define WORK_RESTORE	0x04	/* saved_blocked is to become blocked again */

#define KSTACK_SIZE	8192
#define KSTACK_MAGIC	0x57ac6e9du	/* lowest word of every kernel stack */

struct cpu_time {		/* TSC cycles, see cycles_to_ns() */
	u64 user;
	u64 system;
};

struct rlimit_pair {
	u32 cur, max;
};
#define RLIMIT_CPU	0
#define RLIMIT_FSIZE	1
#define RLIMIT_DATA	2
#define RLIMIT_STACK	3
#define RLIMIT_CORE	4
#define RLIMIT_RSS	5
#define RLIMIT_NPROC	6
#define RLIMIT_NOFILE	7
#define RLIMIT_MEMLOCK	8
#define RLIMIT_AS	9
#define RLIMIT_LOCKS	10
#define RLIMIT_SIGPENDING 11
#define RLIMIT_MSGQUEUE	12
#define RLIMIT_NICE	13
#define RLIMIT_RTPRIO	14
#define RLIMIT_RTTIME	15
#define NR_RLIMITS	16
#define RLIM_INFINITY	0xffffffffu

/*
 * A thread group: a process, as its parent and kill() see it.  What Linux
 * keeps in signal_struct.  Every task has one, also a kernel thread.
 */
struct thread_group {
	int count;			/* tasks not yet released */
	int live;			/* tasks not yet in do_exit() */
	struct list_head threads;	/* of task.thread_node */
	struct task *leader;		/* pid == tgid; children hang here */
	struct sigpending pending;	/* sent to the process */
	u32 nr_queued;			/* sigqueue entries, all threads */
	bool exiting;			/* every task is to exit ... */
	int exit_code;			/* ... with this status */
	struct task *exec_task;		/* except this one, which execs */
	bool stopped;			/* by a stop signal */
	int stop_signal;
	int stop_left;			/* threads that still run */
	bool stop_report;		/* wait4(WUNTRACED) has not seen it */
	bool cont_report;		/* wait4(WCONTINUED) has not seen it */
	struct timer real_timer;	/* ITIMER_REAL */
	u64 real_interval;		/* ns */
	u64 itimer_left[2];		/* ITIMER_VIRTUAL, PROF: ns, 0: off */
	u64 itimer_interval[2];
	bool cpu_timers;		/* those, or RLIMIT_CPU, count ticks */
	struct cpu_time dead_time;	/* of threads that exited */
	u32 dead_min_flt, dead_maj_flt, dead_nvcsw, dead_nivcsw;
	u32 dead_inblock, dead_oublock;
	u32 child_nvcsw, child_nivcsw, child_inblock, child_oublock;
	u32 maxrss, child_maxrss;	/* pages */
	struct wait_queue exec_wait;	/* exec waits here for the others */
	bool execed;			/* too late for setpgid() by parent */
};

/* What restart_syscall() goes on with: nanosleep, poll, futex. */
struct restart_block {
	long (*fn)(struct restart_block *);
	u64 expires;			/* ktime_ns() */
	u32 arg[4];
};

/* A parent that waits until its vfork child has left the shared mm. */
struct vfork_wait {
	bool done;
	struct wait_queue wait;
};

struct task {
	/* entry.asm and switch.asm know the first fields by offset, from
	 * kernel/asm.inc */
	u32 ksp;			/* saved stack pointer */
	u32 *kstack;			/* lowest address of the stack */
	volatile int state;		/* TASK_* */
	unsigned flags;			/* PF_* */
	volatile u32 work;		/* WORK_*: call do_signal() */
	struct cpu_time time;		/* charged at kernel entry and exit */

	pid_t pid, tgid, pgrp, session;
	char comm[16];
	struct mm *mm;			/* NULL for a kernel thread */
	struct files *files;
	struct fs_context *fs;

	/* family */
	struct task *parent;
	struct list_head children;	/* of sibling */
	struct list_head sibling;
	struct list_head all;		/* in all_tasks, every task */
	struct hlist_node pid_hash;
	struct thread_group *group;
	struct list_head thread_node;	/* in group->threads */
	struct wait_queue wait_child;	/* wait4 sleeps here */
	int exit_code;			/* as wait4 reports it */
	int exit_signal;		/* to the parent; -1: not a leader */
	int pdeath_signal;		/* sent to us when the parent exits */
	struct vfork_wait *vfork;	/* who waits for us to leave the mm */

	/* scheduling */
	struct list_head run_node;
	int slice;			/* ticks left */
	int nice;
	bool woken;			/* came from a sleep: goes first */
	u32 slept_at;			/* jiffies when it last went to sleep */
	unsigned read_holds;		/* rwsems it holds for reading */

	/* accounting */
	struct cpu_time child_time;	/* of the process: in the leader */
	u64 start_ns;
	u32 min_flt, maj_flt, child_min_flt, child_maj_flt;
	u32 nvcsw, nivcsw, inblock, oublock;
	unsigned plug_depth;		/* nested blk_start_plug() */

	/* signals, see kernel/signal.h */
	struct sighand *sighand;
	sigset_t blocked, saved_blocked;
	struct sigpending pending;
	sigset_t real_blocked;		/* while rt_sigtimedwait() unblocks */
	u32 sas_ss_sp, sas_ss_size;
	u32 trap_no, trap_error;	/* of the last fault, for sigcontext */
	struct restart_block restart;

	/* credentials */
	uid_t uid, euid, suid, fsuid;
	gid_t gid, egid, sgid, fsgid;
	gid_t groups[32];
	unsigned ngroups;
	struct rlimit_pair rlim[NR_RLIMITS];

	/* machine state */
	u64 tls[3];			/* GDT entries 6..8 */
	u16 gs, fs_seg;			/* while it does not run */
	void *fpu;			/* FXSAVE area, NULL until first use */
	bool used_fpu;			/* has a state, in fpu or the CPU */
	u32 set_child_tid, clear_child_tid;
	u32 robust_list;
	u32 personality;
	int oom_score_adj;
	u32 last_fault;			/* address of the last page fault */
	struct tty *tty;		/* controlling terminal, or NULL */
};

extern struct list_head all_tasks;	/* every task, oldest first */
#define for_each_task(t)	list_for_each_entry(t, &all_tasks, all)
#define for_each_thread(t, group) \
	list_for_each_entry(t, &(group)->threads, thread_node)

extern struct task init_task;		/* pid 0: boot, then the idle loop */
extern struct task *child_reaper;	/* pid 1, parent of orphans */
extern u32 nr_tasks;
extern u64 total_forks;			/* since boot, for /proc/stat */
extern struct cpu_time dead_tasks_time;	/* of tasks that were freed */
extern u32 last_pid;			/* given out last */
#define PID_MAX		32768		/* above every pid */

struct task *find_task(pid_t pid);	/* NULL: no such task; no reference */

/* The user registers of any task; task_frame() is the current one's. */
struct trap_frame *frame_of(const struct task *t);

/* ---- start-up and the making of tasks (task.c, fork.c, kthread.c) ---- */
void task_init(void);			/* after mm_init() */
/* Starts `fn` as the kernel thread with pid 1; it ends in kernel_execve(). */
void start_init(int (*fn)(void *));
/* Turns the calling kernel thread into a program: on 0 the caller returns
 * from its thread function and runs in user mode.  Arguments are kernel
 * memory.  Negative errno on failure, and the thread goes on. */
int kernel_execve(const char *path, const char *const argv[],
		  const char *const envp[]);

/* What the fork family asks for. */
struct clone_args {
	u32 flags;			/* CLONE_*, low byte: exit signal */
	u32 stack;			/* user esp of the child, 0: the same */
	u32 parent_tid, child_tid, tls;	/* user addresses */
	int (*fn)(void *);		/* kernel thread, else NULL */
	void *arg;
};
/* A new task, not yet running; ERR_PTR.  May sleep. */
struct task *copy_process(const struct clone_args *args);
void release_task(struct task *t);	/* frees a zombie; never sleeps */
/* Ends the current task's use of its mm: clear_child_tid, vfork parent. */
void mm_release(struct task *t);

pid_t alloc_pid(void);			/* 0: none left */
void free_pid(struct task *t);
/* Gives a number back unless a task still has it in any role. */
void put_pid(pid_t pid);
void attach_pid(struct task *t);	/* puts t in the hash */
struct task *dup_task(void);		/* copies current; own stack; NULL */
/* Takes a task off every list, before free_task(); never sleeps. */
void unlink_task(struct task *t);
void free_task(struct task *t);		/* the memory only */

/* ---- process times and counts, all threads together (rusage.c) ---- */
void group_cpu_time(struct task *t, struct cpu_time *out);

/* Sends `sig` to the process of `t` as the kernel. */
void send_signal(struct task *t, int sig);
/* A fault of the current task: signal `sig` with si_code and si_addr; kills
 * the task when the signal is blocked or ignored. */
void force_sig_fault(int sig, int code, u32 addr);
/* Ends the current task with wait status `code`.  Never returns. */
void do_exit(int code) noreturn;
/* Ends every thread of the current process.  Never returns. */
void do_group_exit(int code) noreturn;

/* Does the current task have superuser rights (euid 0)? */
static inline bool capable(void)
{
	return current->euid == 0;
}

#endif
