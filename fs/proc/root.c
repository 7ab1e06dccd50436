/*
 * The root of /proc: files of the system, and a directory for each process.
 *
 * A listing goes through the processes in the order of their pids, and its
 * position is the pid to go on at; so tasks that come and go meanwhile change
 * nothing about the others.
 */
#include "drivers/block.h"
#include "fs/proc/proc_internal.h"
#include "fs/vfs_internal.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "mm/vmstat.h"

/* The link self: the process that asks. */
static int format_self(char *buf, size_t size)
{
	return scnprintf(buf, size, "%d", current->tgid);
}

/* The link thread-self. */
static int format_thread_self(char *buf, size_t size)
{
	return scnprintf(buf, size, "%d/task/%d", current->tgid, current->pid);
}

/* The link mounts: what is mounted depends on who asks. */
static int format_mounts_link(char *buf, size_t size)
{
	return scnprintf(buf, size, "self/mounts");
}

#define FILE_OF(name_, format_) \
	{ .name = name_, .mode = S_IFREG | 0444, .format = format_ }
#define SHOW_OF(name_, show_) \
	{ .name = name_, .mode = S_IFREG | 0444, .show = show_ }
#define LINK_OF(name_, format_) \
	{ .name = name_, .mode = S_IFLNK | 0777, .format = format_ }

static const struct proc_entry root_entries[] = {
	FILE_OF("buddyinfo", buddyinfo_show),
	SHOW_OF("cmdline", proc_boot_cmdline),
	SHOW_OF("cpuinfo", proc_cpuinfo),
	SHOW_OF("devices", proc_devices),
	FILE_OF("diskstats", diskstats_show),
	FILE_OF("filesystems", filesystems_show),
	SHOW_OF("interrupts", proc_interrupts),
	{ .name = "kmsg", .mode = S_IFREG | 0400, .fops = &proc_kmsg_fops },
	SHOW_OF("loadavg", proc_loadavg),
	FILE_OF("meminfo", meminfo_show),
	LINK_OF("mounts", format_mounts_link),
	SHOW_OF("partitions", proc_partitions),
	LINK_OF("self", format_self),
	FILE_OF("slabinfo", slabinfo_show),
	SHOW_OF("stat", proc_kernel_stat),
	FILE_OF("swaps", swaps_show),
	{ .name = "sys", .mode = S_IFDIR | 0555, .children = proc_sys_entries },
	LINK_OF("thread-self", format_thread_self),
	SHOW_OF("uptime", proc_uptime),
	SHOW_OF("version", proc_version),
	FILE_OF("vmstat", vmstat_show),
	{ 0 },
};

/* A file of the system, or the directory of a task, also of a thread. */
static struct inode *root_lookup(struct inode *dir, const char *name,
				 unsigned len)
{
	int pid = proc_number(name, len);
	struct task *t = pid > 0 ? find_task(pid) : NULL;

	if (!t)
		return proc_lookup(dir, name, len);
	return proc_new_inode(dir->sb, &proc_pid_entry, t,
			      PROC_PID_INO(t->pid));
}

/* The lowest pid >= `pid` of a process, or 0. */
static pid_t next_process(pid_t pid)
{
	struct task *t;

	for (; pid < PID_MAX; pid++) {
		t = find_task(pid);
		if (t && t->group->leader == t)
			return pid;
	}
	return 0;
}

/* Emits the processes from the position on. */
static void emit_processes(struct file *f, struct dir_context *ctx)
{
	loff_t pos = max(f->pos, (loff_t)PROC_NUMBERS);
	char name[16];
	pid_t pid;
	int len;

	if (pos >= PROC_NUMBERS + PID_MAX)
		return;
	pid = next_process(pos - PROC_NUMBERS);
	while (pid) {
		len = scnprintf(name, sizeof(name), "%d", pid);
		if (!ctx->emit(ctx, name, len, PROC_PID_INO(pid), DT_DIR,
			       PROC_NUMBERS + pid + 1))
			return;
		pid = next_process(pid + 1);
	}
}

/* file_ops.iterate. */
static int root_iterate(struct file *f, struct dir_context *ctx)
{
	if (proc_emit_dots(f, ctx) && proc_emit_children(f, ctx))
		emit_processes(f, ctx);
	return 0;
}

static const struct inode_ops root_iops = {
	.lookup = root_lookup,
	.revalidate = proc_revalidate,
};

static const struct file_ops root_fops = {
	.iterate = root_iterate,
};

const struct proc_entry proc_root_entry = {
	.mode = S_IFDIR | 0555,
	.children = root_entries,
	.iops = &root_iops,
	.fops = &root_fops,
};
