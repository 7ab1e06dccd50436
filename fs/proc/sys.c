/*
 * /proc/sys: settings that can be changed while the system runs.
 *
 * Those of the memory manager come from its own table, vm_tunables[]; beside
 * them stand two that do something when written: vm/check runs the checker,
 * vm/drop_caches empties caches.
 */
#include "fs/proc/proc_internal.h"
#include "fs/vfs_internal.h"
#include "kernel/console.h"
#include "kernel/printk.h"
#include "kernel/random.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/utsname.h"
#include "lib/string.h"
#include "mm/slab.h"
#include "mm/vmstat.h"

#define CONSTANT(name_, show_) \
	{ .name = name_, .mode = S_IFREG | 0444, .show = show_ }
#define SETTING(name_, show_, write_) \
	{ .name = name_, .mode = S_IFREG | 0644, .show = show_, \
	  .write = write_ }

/* ---- kernel ---- */

/* Replaces a name of at most UTS_LEN bytes.  0 or -EINVAL. */
static int set_name(char *to, const char *text)
{
	if (strlen(text) >= UTS_LEN)
		return -EINVAL;
	memset(to, 0, UTS_LEN);
	strlcpy(to, text, UTS_LEN);
	return 0;
}

/* hostname, as uname(2) reports it. */
static int show_hostname(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, "%s\n", uts_nodename);
	return 0;
}

/* Changes the host name. */
static int write_hostname(struct task *t unused_arg, char *text)
{
	return set_name(uts_nodename, text);
}

/* domainname, as uname(2) reports it. */
static int show_domainname(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, "%s\n", uts_domainname);
	return 0;
}

/* Changes the domain name. */
static int write_domainname(struct task *t unused_arg, char *text)
{
	return set_name(uts_domainname, text);
}

/* ostype. */
static int show_ostype(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, UTS_SYSNAME "\n");
	return 0;
}

/* osrelease. */
static int show_osrelease(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, UTS_RELEASE "\n");
	return 0;
}

/* version. */
static int show_version(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, UTS_VERSION "\n");
	return 0;
}

/* pid_max and threads-max: pids are what limits the number of tasks. */
static int show_pid_max(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, "%d\n", PID_MAX);
	return 0;
}

/* printk: console level, default level, and the bounds of the first. */
static int show_printk(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, "%d\t6\t1\t7\n", console_loglevel);
	return 0;
}

/* Sets the console level, the first of up to four numbers. */
static int write_printk(struct task *t unused_arg, char *text)
{
	char *end = text;
	u32 level;

	while (*end && *end != ' ' && *end != '\t')
		end++;
	*end = '\0';
	if (kstrtou32(text, 10, &level) || level > 8)
		return -EINVAL;
	console_loglevel = level;
	return 0;
}

/* unimplemented: numbers of system calls that were tried and are not there,
 * and how often. */
static int show_unimplemented(struct proc_out *o, struct task *t unused_arg)
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(unimplemented_calls); i++)
		if (unimplemented_calls[i])
			proc_printf(o, "%u %u\n", i, unimplemented_calls[i]);
	return 0;
}

/* Prints 16 bytes as a random (version 4) UUID. */
static void print_uuid(struct proc_out *o, const u8 *u)
{
	proc_printf(o, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
		    "%02x%02x%02x%02x%02x%02x\n", u[0], u[1], u[2], u[3], u[4],
		    u[5], (u[6] & 0x0f) | 0x40, u[7], (u[8] & 0x3f) | 0x80,
		    u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
}

/* random/uuid: another one each time. */
static int show_uuid(struct proc_out *o, struct task *t unused_arg)
{
	u8 bytes[16];

	get_random_bytes(bytes, sizeof(bytes));
	print_uuid(o, bytes);
	return 0;
}

/* random/boot_id: the same until the next boot. */
static int show_boot_id(struct proc_out *o, struct task *t unused_arg)
{
	static u8 bytes[16];
	static bool made;

	if (!made)
		get_random_bytes(bytes, sizeof(bytes));
	made = true;
	print_uuid(o, bytes);
	return 0;
}

static const struct proc_entry random_entries[] = {
	CONSTANT("boot_id", show_boot_id),
	CONSTANT("uuid", show_uuid),
	{ 0 },
};

static const struct proc_entry kernel_entries[] = {
	SETTING("domainname", show_domainname, write_domainname),
	SETTING("hostname", show_hostname, write_hostname),
	CONSTANT("osrelease", show_osrelease),
	CONSTANT("ostype", show_ostype),
	CONSTANT("pid_max", show_pid_max),
	SETTING("printk", show_printk, write_printk),
	{ .name = "random", .mode = S_IFDIR | 0555,
	  .children = random_entries },
	CONSTANT("threads-max", show_pid_max),
	CONSTANT("unimplemented", show_unimplemented),
	CONSTANT("version", show_version),
	{ 0 },
};

/* ---- fs ---- */

/* nr_open: the most descriptors a process can have. */
static int show_nr_open(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, "%u\n", init_task.rlim[RLIMIT_NOFILE].max);
	return 0;
}

static const struct proc_entry fs_entries[] = {
	CONSTANT("nr_open", show_nr_open),
	{ 0 },
};

/* ---- vm ---- */

/* Runs the checker; whatever is written. */
static int write_check(struct task *t unused_arg, char *text unused_arg)
{
	mmcheck_run();
	return 0;
}

static int dropped;			/* as last written to drop_caches */

/* What was dropped last. */
static int show_drop_caches(struct proc_out *o, struct task *t unused_arg)
{
	proc_printf(o, "%d\n", dropped);
	return 0;
}

/* 1: clean pages, 2: dentries and inodes nobody uses, 3: both. */
static int write_drop_caches(struct task *t unused_arg, char *text)
{
	u32 what;

	if (kstrtou32(text, 10, &what) || what < 1 || what > 3)
		return -EINVAL;
	dropped = what;
	if (what & 1)
		drop_pagecache();
	if (what & 2) {
		shrink_dcache(~0u);
		shrink_inodes(~0u, true);
		kmem_cache_reap();
	}
	return 0;
}

static int overcommit_memory;		/* memory is given out on demand */
static const struct vm_tunable overcommit = {
	"overcommit_memory", &overcommit_memory, 0, 0, NULL
};

static const struct proc_entry special_entries[] = {
	{ .name = "check", .mode = S_IFREG | 0644, .format = mmcheck_show,
	  .write = write_check },
	SETTING("drop_caches", show_drop_caches, write_drop_caches),
	{ .name = "overcommit_memory", .mode = S_IFREG | 0644,
	  .tunable = &overcommit },
};

#define MAX_VM_ENTRIES	48

struct proc_entry proc_sys_vm_entries[MAX_VM_ENTRIES];

/* Lists the tunables of the memory manager, then the special files. */
void proc_sys_vm_init(void)
{
	const struct vm_tunable *tunable = vm_tunables;
	struct proc_entry *e = proc_sys_vm_entries;

	for (; tunable->name; tunable++, e++) {
		BUG_ON(e + ARRAY_SIZE(special_entries) + 1 >=
		       proc_sys_vm_entries + MAX_VM_ENTRIES);
		e->name = tunable->name;
		e->mode = S_IFREG | 0644;
		e->tunable = tunable;
	}
	memcpy(e, special_entries, sizeof(special_entries));
}

const struct proc_entry proc_sys_entries[] = {
	{ .name = "fs", .mode = S_IFDIR | 0555, .children = fs_entries },
	{ .name = "kernel", .mode = S_IFDIR | 0555,
	  .children = kernel_entries },
	{ .name = "vm", .mode = S_IFDIR | 0555,
	  .children = proc_sys_vm_entries },
	{ 0 },
};
