/* /proc/PID/status and limits: what a task is, in words. */
#include "fs/file.h"
#include "fs/proc/proc_internal.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "mm/mm.h"

/* The letter of a task's state, as ps shows it. */
char proc_state(const struct task *t)
{
	static const char letters[] = {
		[TASK_RUNNING] = 'R', [TASK_INTERRUPTIBLE] = 'S',
		[TASK_UNINTERRUPTIBLE] = 'D', [TASK_STOPPED] = 'T',
		[TASK_ZOMBIE] = 'Z', [TASK_DEAD] = 'X',
	};

	return letters[t->state];
}

/* The word behind the letter. */
static const char *state_name(char letter)
{
	switch (letter) {
	case 'R':
		return "running";
	case 'S':
		return "sleeping";
	case 'D':
		return "disk sleep";
	case 'T':
		return "stopped";
	case 'Z':
		return "zombie";
	default:
		return "dead";
	}
}

/* The name, on one line whatever it contains. */
static void show_name(struct proc_out *o, const struct task *t)
{
	const char *c;

	proc_printf(o, "Name:\t");
	for (c = t->comm; *c; c++) {
		if (*c == '\n')
			proc_printf(o, "\\n");
		else if (*c == '\\')
			proc_printf(o, "\\\\");
		else
			proc_printf(o, "%c", *c);
	}
	proc_printf(o, "\n");
}

/* Numbers of the task, its users and its groups. */
static void show_ids(struct proc_out *o, const struct task *t)
{
	char letter = proc_state(t);
	unsigned i;

	if (t->fs)
		proc_printf(o, "Umask:\t%04o\n", t->fs->umask);
	proc_printf(o, "State:\t%c (%s)\n", letter, state_name(letter));
	proc_printf(o, "Tgid:\t%d\nNgid:\t0\nPid:\t%d\nPPid:\t%d\n"
		    "TracerPid:\t0\n", t->tgid, t->pid, t->parent->tgid);
	proc_printf(o, "Uid:\t%u\t%u\t%u\t%u\n", t->uid, t->euid, t->suid,
		    t->fsuid);
	proc_printf(o, "Gid:\t%u\t%u\t%u\t%u\n", t->gid, t->egid, t->sgid,
		    t->fsgid);
	proc_printf(o, "FDSize:\t%u\nGroups:\t", t->files ? t->files->max : 0);
	for (i = 0; i < t->ngroups; i++)
		proc_printf(o, "%u ", t->groups[i]);
	proc_printf(o, "\n");
}

/* One size, given in pages. */
static void show_pages(struct proc_out *o, const char *name, u32 pages)
{
	proc_printf(o, "%s:\t%8u kB\n", name, pages * (PAGE_SIZE / 1024));
}

/* The sizes of an address space. */
static void show_mm(struct proc_out *o, const struct mm *mm)
{
	struct mm_usage u;

	mm_usage(mm, &u);
	show_pages(o, "VmPeak", max(mm->hiwater_vm, mm->total_vm));
	show_pages(o, "VmSize", mm->total_vm);
	show_pages(o, "VmLck", mm->locked_vm);
	show_pages(o, "VmPin", 0);
	show_pages(o, "VmHWM", max(mm->hiwater_rss, mm->rss));
	show_pages(o, "VmRSS", mm->rss);
	show_pages(o, "RssAnon", u.anon);
	show_pages(o, "RssFile", u.file);
	show_pages(o, "RssShmem", u.shmem);
	show_pages(o, "VmData", u.data);
	show_pages(o, "VmStk", mm->stack_vm);
	show_pages(o, "VmExe", u.text);
	show_pages(o, "VmLib", mm->exec_vm - min(mm->exec_vm, u.text));
	show_pages(o, "VmPTE", mm->nr_ptes);
	show_pages(o, "VmSwap", u.swap);
}

/* Pending, blocked, ignored and caught signals. */
static void show_signals(struct proc_out *o, const struct task *t)
{
	const struct thread_group *g = t->group;
	sigset_t ignored, caught;

	get_handled_signals(t, &ignored, &caught);
	proc_printf(o, "Threads:\t%d\nSigQ:\t%u/%u\n", g->count, g->nr_queued,
		    t->rlim[RLIMIT_SIGPENDING].cur);
	proc_printf(o, "SigPnd:\t%016llx\nShdPnd:\t%016llx\n"
		    "SigBlk:\t%016llx\nSigIgn:\t%016llx\nSigCgt:\t%016llx\n",
		    t->pending.set, g->pending.set, t->blocked, ignored,
		    caught);
}

/* The superuser has every capability, others have none. */
static void show_capabilities(struct proc_out *o, const struct task *t)
{
	const u64 all = 0x3fffffffffull;

	proc_printf(o, "CapInh:\t%016llx\nCapPrm:\t%016llx\n"
		    "CapEff:\t%016llx\nCapBnd:\t%016llx\n", 0ull,
		    t->uid && t->euid && t->suid ? 0 : all,
		    t->euid ? 0 : all, all);
}

/* The whole file. */
int proc_status(struct proc_out *o, struct task *t)
{
	show_name(o, t);
	show_ids(o, t);
	if (t->mm)
		show_mm(o, t->mm);
	show_signals(o, t);
	show_capabilities(o, t);
	proc_printf(o, "Cpus_allowed:\t1\nCpus_allowed_list:\t0\n"
		    "voluntary_ctxt_switches:\t%u\n"
		    "nonvoluntary_ctxt_switches:\t%u\n", t->nvcsw, t->nivcsw);
	return 0;
}

static const struct {
	const char *name, *unit;
} limits[NR_RLIMITS] = {
	[RLIMIT_CPU] = { "Max cpu time", "seconds" },
	[RLIMIT_FSIZE] = { "Max file size", "bytes" },
	[RLIMIT_DATA] = { "Max data size", "bytes" },
	[RLIMIT_STACK] = { "Max stack size", "bytes" },
	[RLIMIT_CORE] = { "Max core file size", "bytes" },
	[RLIMIT_RSS] = { "Max resident set", "bytes" },
	[RLIMIT_NPROC] = { "Max processes", "processes" },
	[RLIMIT_NOFILE] = { "Max open files", "files" },
	[RLIMIT_MEMLOCK] = { "Max locked memory", "bytes" },
	[RLIMIT_AS] = { "Max address space", "bytes" },
	[RLIMIT_LOCKS] = { "Max file locks", "locks" },
	[RLIMIT_SIGPENDING] = { "Max pending signals", "signals" },
	[RLIMIT_MSGQUEUE] = { "Max msgqueue size", "bytes" },
	[RLIMIT_NICE] = { "Max nice priority", "" },
	[RLIMIT_RTPRIO] = { "Max realtime priority", "" },
	[RLIMIT_RTTIME] = { "Max realtime timeout", "us" },
};

/* One limit in its column. */
static void show_limit(struct proc_out *o, u32 value)
{
	if (value == RLIM_INFINITY)
		proc_printf(o, "%-20s ", "unlimited");
	else
		proc_printf(o, "%-20u ", value);
}

/* /proc/PID/limits. */
int proc_limits(struct proc_out *o, struct task *t)
{
	unsigned i;

	proc_printf(o, "%-25s %-20s %-20s %-10s\n", "Limit", "Soft Limit",
		    "Hard Limit", "Units");
	for (i = 0; i < NR_RLIMITS; i++) {
		proc_printf(o, "%-25s ", limits[i].name);
		show_limit(o, t->rlim[i].cur);
		show_limit(o, t->rlim[i].max);
		proc_printf(o, "%-10s\n", limits[i].unit);
	}
	return 0;
}
