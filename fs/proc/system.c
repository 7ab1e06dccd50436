/* Files about the system as a whole that do not belong to another room. */
#include "drivers/block.h"
#include "drivers/tty.h"
#include "fs/proc/proc_internal.h"
#include "kernel/console.h"
#include "kernel/irq.h"
#include "kernel/loadavg.h"
#include "kernel/param.h"
#include "kernel/rusage.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/utsname.h"
#include "fs/file.h"
#include "lib/div64.h"
#include "lib/string.h"

#define NSEC_PER_CSEC	(NSEC_PER_SEC / 100)

/* Cycles that the idle loop had. */
static u64 idle_cycles(void)
{
	return init_task.time.user + init_task.time.system;
}

/* A time as seconds with two decimals. */
static void show_seconds(struct proc_out *o, u64 ns, char end)
{
	u32 csec;
	u64 sec = div_u64_rem(div_u64(ns, NSEC_PER_CSEC), 100, &csec);

	proc_printf(o, "%llu.%02u%c", sec, csec, end);
}

/* uptime: since boot, and idle. */
int proc_uptime(struct proc_out *o, struct task *t unused_arg)
{
	show_seconds(o, ktime_ns(), ' ');
	show_seconds(o, cycles_to_ns(idle_cycles()), '\n');
	return 0;
}

/* loadavg: three averages, tasks that could run and all, the last pid. */
int proc_loadavg(struct proc_out *o, struct task *t unused_arg)
{
	const u32 half = (1u << LOAD_SHIFT) / 200;
	unsigned i;

	for (i = 0; i < 3; i++) {
		u32 load = avenrun[i] + half;
		u32 fraction = load & ((1u << LOAD_SHIFT) - 1);

		proc_printf(o, "%u.%02u ", load >> LOAD_SHIFT,
			    fraction * 100 >> LOAD_SHIFT);
	}
	proc_printf(o, "%u/%u %u\n", nr_running(), nr_tasks, last_pid);
	return 0;
}

/* User and system time of all tasks that ever were, in cycles. */
static void total_cpu_time(struct cpu_time *sum)
{
	struct task *t;

	*sum = dead_tasks_time;
	for_each_task(t) {
		sum->user += t->time.user;
		sum->system += t->time.system;
	}
}

/* The line of the CPU in stat; nothing is known of the other times. */
static void show_cpu(struct proc_out *o, const char *name)
{
	struct cpu_time sum;

	total_cpu_time(&sum);
	proc_printf(o, "%s %u 0 %u %u 0 0 0 0 0 0\n", name,
		    cycles_to_ticks(sum.user), cycles_to_ticks(sum.system),
		    cycles_to_ticks(idle_cycles()));
}

/* The line of interrupts: the sum, then each. */
static void show_intr(struct proc_out *o)
{
	u32 sum = irq_spurious;
	unsigned i;

	for (i = 0; i < NR_IRQS; i++)
		sum += irq_count[i];
	proc_printf(o, "intr %u", sum);
	for (i = 0; i < NR_IRQS; i++)
		proc_printf(o, " %u", irq_count[i]);
	proc_printf(o, "\n");
}

/* /proc/stat. */
int proc_kernel_stat(struct proc_out *o, struct task *t unused_arg)
{
	account_system_time();
	show_cpu(o, "cpu ");
	show_cpu(o, "cpu0");
	show_intr(o);
	proc_printf(o, "ctxt %llu\nbtime %llu\nprocesses %llu\n",
		    nr_context_switches,
		    div_u64(realtime_ns() - ktime_ns(), NSEC_PER_SEC),
		    total_forks);
	proc_printf(o, "procs_running %u\nprocs_blocked %u\n", nr_running(),
		    nr_uninterruptible());
	return 0;
}

/* interrupts: how many on each line that has had any. */
int proc_interrupts(struct proc_out *o, struct task *t unused_arg)
{
	unsigned i;

	proc_printf(o, "           CPU0\n");
	for (i = 0; i < NR_IRQS; i++)
		if (irq_count[i])
			proc_printf(o, "%3u: %10u    XT-PIC\n", i,
				    irq_count[i]);
	proc_printf(o, "ERR: %10u\n", irq_spurious + irq_unhandled);
	return 0;
}

/* version, as uname(1) would say it. */
int proc_version(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, "%s version %s (compiler " __VERSION__ ") %s\n",
		    UTS_SYSNAME, UTS_RELEASE, UTS_VERSION);
	return 0;
}

/* cmdline: the kernel's own parameters. */
int proc_boot_cmdline(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, "%s\n", boot_cmdline);
	return 0;
}

/* The name that all disks of a major number share: "hda" is of "ide0". */
static void show_block_major(struct proc_out *o, u32 major)
{
	static const struct {
		u8 major;
		const char *name;
	} names[] = { { 1, "ramdisk" }, { 3, "ide0" }, { 22, "ide1" } };
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].major == major)
			proc_printf(o, "%3u %s\n", major, names[i].name);
}

/* Is `b` the first device in the list with its major number? */
static bool first_of_major(const struct block_device *b)
{
	const struct block_device *other;

	list_for_each_entry(other, &block_devices, node)
		if (MAJOR(other->dev) == MAJOR(b->dev))
			return other == b;
	return false;
}

/* devices: the major numbers that somebody serves. */
int proc_devices(struct proc_out *o, struct task *t unused_arg)
{
	const struct block_device *b;

	proc_printf(o, "Character devices:\n%3u mem\n%3u tty\n%3u ttyS\n"
		    "%3u /dev/tty\n%3u /dev/console\n\nBlock devices:\n", 1,
		    TTY_MAJOR, TTY_MAJOR, TTYAUX_MAJOR, TTYAUX_MAJOR);
	list_for_each_entry(b, &block_devices, node)
		if (first_of_major(b))
			show_block_major(o, MAJOR(b->dev));
	return 0;
}

/* partitions: all block devices, sizes in KB. */
int proc_partitions(struct proc_out *o, struct task *t unused_arg)
{
	const struct block_device *b;

	proc_printf(o, "major minor  #blocks  name\n\n");
	list_for_each_entry(b, &block_devices, node)
		proc_printf(o, "%4u  %7u %10llu %s\n", MAJOR(b->dev),
			    MINOR(b->dev), b->sectors >> 1, b->name);
	return 0;
}

#define SYSLOG_READ		2
#define SYSLOG_SIZE_UNREAD	9

/* file_ops.read of kmsg: what syslog(2) would read, each message once. */
static ssize_t kmsg_read(struct file *f, void *ubuf, size_t len,
			 loff_t *pos unused_arg)
{
	if (f->flags & O_NONBLOCK && !sys_syslog(SYSLOG_SIZE_UNREAD, NULL, 0))
		return -EAGAIN;
	return sys_syslog(SYSLOG_READ, ubuf, len);
}

/* file_ops.poll of kmsg. */
static unsigned kmsg_poll(struct file *f unused_arg, struct poll_table *pt)
{
	poll_wait(pt, &klog_wait);
	return sys_syslog(SYSLOG_SIZE_UNREAD, NULL, 0) > 0 ? POLLIN : 0;
}

const struct file_ops proc_kmsg_fops = {
	.read = kmsg_read,
	.poll = kmsg_poll,
};
