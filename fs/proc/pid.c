/*
 * The directories of tasks: /proc/PID and /proc/PID/task/TID.
 *
 * Both have nearly the same files; those of a process add up its threads.
 */
#include "fs/file.h"
#include "fs/proc/proc_internal.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/mm.h"
#include "mm/oom.h"
#include "mm/page_alloc.h"
#include "mm/swap.h"

/* exe: the program. */
static struct dentry *follow_exe(struct task *t)
{
	struct file *exe = t->mm ? t->mm->exe_file : NULL;

	return exe ? dget(exe->dentry) : ERR_PTR(-ENOENT);
}

/* cwd: the current directory. */
static struct dentry *follow_cwd(struct task *t)
{
	return t->fs && t->fs->cwd ? dget(t->fs->cwd) : ERR_PTR(-ENOENT);
}

/* root: what "/" is. */
static struct dentry *follow_root(struct task *t)
{
	return t->fs && t->fs->root ? dget(t->fs->root) : ERR_PTR(-ENOENT);
}

/* comm: the name. */
static int show_comm(struct proc_out *o, struct task *t)
{
	proc_printf(o, "%s\n", t->comm);
	return 0;
}

/* Renames a thread, which only its own process may do. */
static int write_comm(struct task *t, char *text)
{
	if (t->tgid != current->tgid)
		return -EINVAL;
	strlcpy(t->comm, text, sizeof(t->comm));
	return 0;
}

/* oom_score: how likely the OOM killer takes it, in thousandths of memory. */
static int show_oom_score(struct proc_out *o, struct task *t)
{
	u32 thousandth = max((total_pages + total_swap_pages) / 1000, 1u);

	proc_printf(o, "%u\n", oom_badness(t) / thousandth);
	return 0;
}

/* oom_score_adj: what moves that. */
static int show_oom_score_adj(struct proc_out *o, struct task *t)
{
	proc_printf(o, "%d\n", t->oom_score_adj);
	return 0;
}

/* Sets it for the process; only the superuser may lower it. */
static int write_oom_score_adj(struct task *t, char *text)
{
	bool negative = *text == '-';
	struct task *thread;
	u32 magnitude;
	int adj;

	if (kstrtou32(text + negative, 10, &magnitude) || magnitude > 1000)
		return -EINVAL;
	adj = negative ? -(int)magnitude : (int)magnitude;
	if (adj < t->oom_score_adj && !capable())
		return -EACCES;
	for_each_thread(thread, t->group)
		thread->oom_score_adj = adj;
	return 0;
}

/* task/: the number of a thread of the process. */
static struct inode *task_lookup(struct inode *dir, const char *name,
				 unsigned len);
static int task_iterate(struct file *f, struct dir_context *ctx);

static const struct inode_ops task_iops = {
	.lookup = task_lookup,
	.revalidate = proc_revalidate,
};

static const struct file_ops task_fops = {
	.iterate = task_iterate,
};

#define TASK_FILE(name_, perm_, show_) \
	{ .name = name_, .mode = S_IFREG | (perm_), .show = show_ }
#define TASK_LINK(name_, follow_) \
	{ .name = name_, .mode = S_IFLNK | 0777, .follow = follow_ }

/* What processes and threads have in common. */
#define COMMON_ENTRIES \
	{ .name = "fd", .mode = S_IFDIR | 0500, .iops = &proc_fd_iops, \
	  .fops = &proc_fd_fops }, \
	TASK_FILE("auxv", 0400, proc_auxv), \
	{ .name = "cmdline", .mode = S_IFREG | 0444, \
	  .fops = &proc_cmdline_fops }, \
	{ .name = "comm", .mode = S_IFREG | 0644, .show = show_comm, \
	  .write = write_comm }, \
	TASK_LINK("cwd", follow_cwd), \
	{ .name = "environ", .mode = S_IFREG | 0400, \
	  .fops = &proc_environ_fops }, \
	TASK_LINK("exe", follow_exe), \
	TASK_FILE("limits", 0444, proc_limits), \
	{ .name = "maps", .mode = S_IFREG | 0444, .fops = &proc_maps_fops }, \
	{ .name = "mounts", .mode = S_IFREG | 0444, .format = mounts_show }, \
	TASK_FILE("oom_score", 0444, show_oom_score), \
	{ .name = "oom_score_adj", .mode = S_IFREG | 0644, \
	  .show = show_oom_score_adj, .write = write_oom_score_adj }, \
	TASK_LINK("root", follow_root), \
	TASK_FILE("statm", 0444, proc_statm), \
	TASK_FILE("status", 0444, proc_status)

static const struct proc_entry pid_entries[] = {
	{ .name = "task", .mode = S_IFDIR | 0555, .iops = &task_iops,
	  .fops = &task_fops },
	TASK_FILE("stat", 0444, proc_stat),
	COMMON_ENTRIES,
	{ 0 },
};

static const struct proc_entry tid_entries[] = {
	TASK_FILE("stat", 0444, proc_thread_stat),
	COMMON_ENTRIES,
	{ 0 },
};

const struct proc_entry proc_pid_entry = {
	.mode = S_IFDIR | 0555,
	.children = pid_entries,
};

static const struct proc_entry tid_entry = {
	.mode = S_IFDIR | 0555,
	.children = tid_entries,
};

/* inode_ops.lookup of task/. */
static struct inode *task_lookup(struct inode *dir, const char *name,
				 unsigned len)
{
	int tid = proc_number(name, len);
	struct task *t = proc_task(dir);
	struct task *thread = tid > 0 ? find_task(tid) : NULL;

	if (!t || !thread || thread->group != t->group)
		return ERR_PTR(-ENOENT);
	return proc_new_inode(dir->sb, &tid_entry, thread,
			      PROC_PID_INO(tid) | PROC_TID_INO);
}

/* The lowest tid >= `tid` in the process of `t`, or 0. */
static pid_t next_thread(struct task *t, pid_t tid)
{
	struct task *thread;
	pid_t next = 0;

	for_each_thread(thread, t->group)
		if (thread->pid >= tid && (!next || thread->pid < next))
			next = thread->pid;
	return next;
}

/* file_ops.iterate of task/; the task is found anew after each name, as
 * emitting may sleep. */
static int task_iterate(struct file *f, struct dir_context *ctx)
{
	struct task *t;
	char name[16];
	pid_t tid;
	int len;

	if (!proc_emit_dots(f, ctx))
		return 0;
	while ((t = proc_task(f->inode))) {
		tid = next_thread(t, max(f->pos - PROC_NUMBERS, (loff_t)0));
		if (!tid)
			return 0;
		len = scnprintf(name, sizeof(name), "%d", tid);
		if (!ctx->emit(ctx, name, len,
			       PROC_PID_INO(tid) | PROC_TID_INO, DT_DIR,
			       PROC_NUMBERS + tid + 1))
			return 0;
	}
	return f->pos > 2 ? 0 : -ENOENT;
}
