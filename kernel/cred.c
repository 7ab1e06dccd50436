/*
 * User and group ids.  Each task has its own; Linux i386's calls come with
 * 16-bit ids (0xffff: leave as it is) and with 32-bit ones (-1).
 *
 * uid 0 as effective id may do everything; there are no capabilities beside.
 */
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"

#define KEEP		0xffffffffu
#define NGROUPS		ARRAY_SIZE(((struct task *)0)->groups)

/* A 16-bit id as the 32-bit calls take it. */
static u32 widen(u32 id)
{
	id &= 0xffff;
	return id == 0xffff ? KEEP : id;
}

/* A 32-bit id as the 16-bit calls return it; what does not fit is 65534. */
static u32 narrow(u32 id)
{
	return id > 0xffff ? 65534 : id;
}

/* May the current task take this user id? */
static bool uid_allowed(u32 uid)
{
	return uid == KEEP || capable() || uid == current->uid ||
	       uid == current->euid || uid == current->suid;
}

/* May the current task take this group id? */
static bool gid_allowed(u32 gid)
{
	return gid == KEEP || capable() || gid == current->gid ||
	       gid == current->egid || gid == current->sgid;
}

/* getuid(2) */
asmlinkage long sys_getuid(void)
{
	return current->uid;
}

/* geteuid(2) */
asmlinkage long sys_geteuid(void)
{
	return current->euid;
}

/* getgid(2) */
asmlinkage long sys_getgid(void)
{
	return current->gid;
}

/* getegid(2) */
asmlinkage long sys_getegid(void)
{
	return current->egid;
}

/* getuid(2), 16 bits */
asmlinkage long sys_getuid16(void)
{
	return narrow(current->uid);
}

/* geteuid(2), 16 bits */
asmlinkage long sys_geteuid16(void)
{
	return narrow(current->euid);
}

/* getgid(2), 16 bits */
asmlinkage long sys_getgid16(void)
{
	return narrow(current->gid);
}

/* getegid(2), 16 bits */
asmlinkage long sys_getegid16(void)
{
	return narrow(current->egid);
}

/* setresuid(2) */
asmlinkage long sys_setresuid(u32 ruid, u32 euid, u32 suid)
{
	if (!uid_allowed(ruid) || !uid_allowed(euid) || !uid_allowed(suid))
		return -EPERM;
	if (ruid != KEEP)
		current->uid = ruid;
	if (euid != KEEP)
		current->euid = current->fsuid = euid;
	if (suid != KEEP)
		current->suid = suid;
	return 0;
}

/* setresgid(2) */
asmlinkage long sys_setresgid(u32 rgid, u32 egid, u32 sgid)
{
	if (!gid_allowed(rgid) || !gid_allowed(egid) || !gid_allowed(sgid))
		return -EPERM;
	if (rgid != KEEP)
		current->gid = rgid;
	if (egid != KEEP)
		current->egid = current->fsgid = egid;
	if (sgid != KEEP)
		current->sgid = sgid;
	return 0;
}

/* setreuid(2): the saved id follows the effective one when the real id is
 * set, or the effective one to something that is not the real one. */
asmlinkage long sys_setreuid(u32 ruid, u32 euid)
{
	u32 old = current->uid;
	bool save = ruid != KEEP || (euid != KEEP && euid != old);

	if (ruid != KEEP && !capable() && ruid != current->uid &&
	    ruid != current->euid)
		return -EPERM;
	if (!uid_allowed(euid))
		return -EPERM;
	return sys_setresuid(ruid, euid,
			     !save ? KEEP
				   : euid != KEEP ? euid : current->euid);
}

/* setregid(2): as setreuid(2). */
asmlinkage long sys_setregid(u32 rgid, u32 egid)
{
	u32 old = current->gid;
	bool save = rgid != KEEP || (egid != KEEP && egid != old);

	if (rgid != KEEP && !capable() && rgid != current->gid &&
	    rgid != current->egid)
		return -EPERM;
	if (!gid_allowed(egid))
		return -EPERM;
	return sys_setresgid(rgid, egid,
			     !save ? KEEP
				   : egid != KEEP ? egid : current->egid);
}

/* setuid(2): all three ids for the superuser, else the effective one. */
asmlinkage long sys_setuid(u32 uid)
{
	if (uid == KEEP)
		return -EINVAL;
	if (capable())
		return sys_setresuid(uid, uid, uid);
	if (uid != current->uid && uid != current->suid)
		return -EPERM;
	return sys_setresuid(KEEP, uid, KEEP);
}

/* setgid(2) */
asmlinkage long sys_setgid(u32 gid)
{
	if (gid == KEEP)
		return -EINVAL;
	if (capable())
		return sys_setresgid(gid, gid, gid);
	if (gid != current->gid && gid != current->sgid)
		return -EPERM;
	return sys_setresgid(KEEP, gid, KEEP);
}

/* setfsuid(2): the value before, whether or not it changed. */
asmlinkage long sys_setfsuid(u32 uid)
{
	u32 old = current->fsuid;

	if (uid != KEEP && (uid_allowed(uid) || uid == old))
		current->fsuid = uid;
	return old;
}

/* setfsgid(2): as setfsuid(2). */
asmlinkage long sys_setfsgid(u32 gid)
{
	u32 old = current->fsgid;

	if (gid != KEEP && (gid_allowed(gid) || gid == old))
		current->fsgid = gid;
	return old;
}

/* getresuid(2) */
asmlinkage long sys_getresuid(u32 *uruid, u32 *ueuid, u32 *usuid)
{
	if (put_user(current->uid, uruid) || put_user(current->euid, ueuid) ||
	    put_user(current->suid, usuid))
		return -EFAULT;
	return 0;
}

/* getresgid(2) */
asmlinkage long sys_getresgid(u32 *urgid, u32 *uegid, u32 *usgid)
{
	if (put_user(current->gid, urgid) || put_user(current->egid, uegid) ||
	    put_user(current->sgid, usgid))
		return -EFAULT;
	return 0;
}

/* getgroups(2) */
asmlinkage long sys_getgroups(int size, u32 *ugroups)
{
	int n = current->ngroups;

	if (size < 0 || (size && size < n))
		return -EINVAL;
	if (size && copy_to_user(ugroups, current->groups, n * sizeof(u32)))
		return -EFAULT;
	return n;
}

/* setgroups(2) */
asmlinkage long sys_setgroups(u32 size, const u32 *ugroups)
{
	u32 groups[NGROUPS];

	if (!capable())
		return -EPERM;
	if (size > NGROUPS)
		return -EINVAL;
	if (copy_from_user(groups, ugroups, size * sizeof(u32)))
		return -EFAULT;
	for (u32 i = 0; i < size; i++)
		current->groups[i] = groups[i];
	current->ngroups = size;
	return 0;
}

/* setuid(2), 16 bits */
asmlinkage long sys_setuid16(u32 uid)
{
	return sys_setuid(widen(uid));
}

/* setgid(2), 16 bits */
asmlinkage long sys_setgid16(u32 gid)
{
	return sys_setgid(widen(gid));
}

/* setreuid(2), 16 bits */
asmlinkage long sys_setreuid16(u32 ruid, u32 euid)
{
	return sys_setreuid(widen(ruid), widen(euid));
}

/* setregid(2), 16 bits */
asmlinkage long sys_setregid16(u32 rgid, u32 egid)
{
	return sys_setregid(widen(rgid), widen(egid));
}

/* setresuid(2), 16 bits */
asmlinkage long sys_setresuid16(u32 ruid, u32 euid, u32 suid)
{
	return sys_setresuid(widen(ruid), widen(euid), widen(suid));
}

/* setresgid(2), 16 bits */
asmlinkage long sys_setresgid16(u32 rgid, u32 egid, u32 sgid)
{
	return sys_setresgid(widen(rgid), widen(egid), widen(sgid));
}

/* setfsuid(2), 16 bits */
asmlinkage long sys_setfsuid16(u32 uid)
{
	return narrow(sys_setfsuid(widen(uid)));
}

/* setfsgid(2), 16 bits */
asmlinkage long sys_setfsgid16(u32 gid)
{
	return narrow(sys_setfsgid(widen(gid)));
}

/* Writes three ids as 16-bit numbers. */
static long put_ids16(const u32 ids[3], u16 *a, u16 *b, u16 *c)
{
	if (put_user((u16)narrow(ids[0]), a) ||
	    put_user((u16)narrow(ids[1]), b) ||
	    put_user((u16)narrow(ids[2]), c))
		return -EFAULT;
	return 0;
}

/* getresuid(2), 16 bits */
asmlinkage long sys_getresuid16(u16 *uruid, u16 *ueuid, u16 *usuid)
{
	u32 ids[3] = { current->uid, current->euid, current->suid };

	return put_ids16(ids, uruid, ueuid, usuid);
}

/* getresgid(2), 16 bits */
asmlinkage long sys_getresgid16(u16 *urgid, u16 *uegid, u16 *usgid)
{
	u32 ids[3] = { current->gid, current->egid, current->sgid };

	return put_ids16(ids, urgid, uegid, usgid);
}

/* getgroups(2), 16 bits. */
asmlinkage long sys_getgroups16(int size, u16 *ugroups)
{
	int n = current->ngroups;

	if (size < 0 || (size && size < n))
		return -EINVAL;
	for (int i = 0; size && i < n; i++)
		if (put_user((u16)narrow(current->groups[i]), ugroups + i))
			return -EFAULT;
	return n;
}

/* setgroups(2), 16 bits. */
asmlinkage long sys_setgroups16(u32 size, const u16 *ugroups)
{
	u16 groups[NGROUPS];

	if (!capable())
		return -EPERM;
	if (size > NGROUPS)
		return -EINVAL;
	if (copy_from_user(groups, ugroups, size * sizeof(u16)))
		return -EFAULT;
	for (u32 i = 0; i < size; i++)
		current->groups[i] = groups[i];
	current->ngroups = size;
	return 0;
}
