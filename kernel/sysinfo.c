/* Calls that tell about the machine: uname, sysinfo, and the host name. */
#include "kernel/loadavg.h"
#include "kernel/posix_time.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "kernel/utsname.h"
#include "lib/div64.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/swap.h"
#include "mm/vmstat.h"

char uts_nodename[UTS_LEN] = "pagelab", uts_domainname[UTS_LEN] = "(none)";

struct utsname {
	char sysname[UTS_LEN], nodename[UTS_LEN], release[UTS_LEN],
	     version[UTS_LEN], machine[UTS_LEN], domainname[UTS_LEN];
};

struct sysinfo32 {
	s32 uptime;
	u32 loads[3];
	u32 totalram, freeram, sharedram, bufferram, totalswap, freeswap;
	u16 procs, pad;
	u32 totalhigh, freehigh, mem_unit;
	char reserved[8];
};

_Static_assert(sizeof(struct sysinfo32) == 64, "sysinfo");

/* Fills in all names. */
static void fill_utsname(struct utsname *n)
{
	memset(n, 0, sizeof(*n));
	strlcpy(n->sysname, UTS_SYSNAME, UTS_LEN);
	strlcpy(n->nodename, uts_nodename, UTS_LEN);
	strlcpy(n->release, UTS_RELEASE, UTS_LEN);
	strlcpy(n->version, UTS_VERSION, UTS_LEN);
	strlcpy(n->machine, UTS_MACHINE, UTS_LEN);
	strlcpy(n->domainname, uts_domainname, UTS_LEN);
}

/* uname(2), number 122. */
asmlinkage long sys_newuname(struct utsname *uname)
{
	struct utsname n;

	fill_utsname(&n);
	return copy_to_user(uname, &n, sizeof(n));
}

/* uname(2), number 109: without the domain. */
asmlinkage long sys_uname(void *uname)
{
	struct utsname n;

	fill_utsname(&n);
	return copy_to_user(uname, &n, offsetof(struct utsname, domainname));
}

/* uname(2), number 59: names of 8 bytes. */
asmlinkage long sys_olduname(char *uname)
{
	struct utsname n;
	char out[5][9];

	fill_utsname(&n);
	memset(out, 0, sizeof(out));
	strlcpy(out[0], n.sysname, 9);
	strlcpy(out[1], n.nodename, 9);
	strlcpy(out[2], n.release, 9);
	strlcpy(out[3], n.version, 9);
	strlcpy(out[4], n.machine, 9);
	return copy_to_user(uname, out, sizeof(out));
}

/* Replaces one of the two names that can be set. */
static long set_name(char *to, const char *uname, size_t len)
{
	char name[UTS_LEN];

	if (!capable())
		return -EPERM;
	if (len >= UTS_LEN)
		return -EINVAL;
	memset(name, 0, sizeof(name));
	if (copy_from_user(name, uname, len))
		return -EFAULT;
	memcpy(to, name, UTS_LEN);
	return 0;
}

/* sethostname(2) */
asmlinkage long sys_sethostname(const char *uname, size_t len)
{
	return set_name(uts_nodename, uname, len);
}

/* setdomainname(2) */
asmlinkage long sys_setdomainname(const char *uname, size_t len)
{
	return set_name(uts_domainname, uname, len);
}

/* sysinfo(2); sizes are in pages. */
asmlinkage long sys_sysinfo(struct sysinfo32 *uinfo)
{
	struct sysinfo32 info;

	memset(&info, 0, sizeof(info));
	info.uptime = (s32)div_u64(ktime_ns(), NSEC_PER_SEC);
	for (int i = 0; i < 3; i++)
		info.loads[i] = avenrun[i] << (16 - LOAD_SHIFT);
	info.mem_unit = PAGE_SIZE;
	info.totalram = total_pages;
	info.freeram = nr_free_pages;
	info.sharedram = (u32)vm_stat[vm_nr_shmem];
	info.totalswap = total_swap_pages;
	info.freeswap = nr_swap_pages;
	info.procs = (u16)nr_tasks;
	return copy_to_user(uinfo, &info, sizeof(info));
}

/* getcpu(2): there is one. */
asmlinkage long sys_getcpu(u32 *ucpu, u32 *unode, void *unused unused_arg)
{
	if ((ucpu && put_user(0, ucpu)) || (unode && put_user(0, unode)))
		return -EFAULT;
	return 0;
}
