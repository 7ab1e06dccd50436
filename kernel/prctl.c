/* prctl, personality, and capabilities as far as programs ask for them. */
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"

#define PR_SET_PDEATHSIG	1
#define PR_GET_PDEATHSIG	2
#define PR_GET_DUMPABLE		3
#define PR_SET_DUMPABLE		4
#define PR_GET_KEEPCAPS		7
#define PR_SET_NAME		15
#define PR_GET_NAME		16
#define PR_GET_SECCOMP		21
#define PR_CAPBSET_READ		23
#define PR_SET_NO_NEW_PRIVS	38
#define PR_GET_NO_NEW_PRIVS	39

/* PR_SET_NAME: what ps shows. */
static long set_name(const char *uname)
{
	char name[sizeof(current->comm)];
	ssize_t n = strncpy_from_user(name, uname, sizeof(name));

	if (n == -ENAMETOOLONG)
		name[sizeof(name) - 1] = '\0';
	else if (n < 0)
		return n;
	strlcpy(current->comm, name, sizeof(current->comm));
	return 0;
}

/* PR_GET_NAME: 16 bytes. */
static long get_name(char *uname)
{
	char name[sizeof(current->comm)] = "";

	strlcpy(name, current->comm, sizeof(name));
	return copy_to_user(uname, name, sizeof(name));
}

/* prctl(2) */
asmlinkage long sys_prctl(int option, u32 arg)
{
	switch (option) {
	case PR_SET_PDEATHSIG:
		if (arg > NSIG)
			return -EINVAL;
		current->pdeath_signal = arg;
		return 0;
	case PR_GET_PDEATHSIG:
		return put_user(current->pdeath_signal, (int *)arg);
	case PR_GET_DUMPABLE:
		return 1;
	case PR_SET_DUMPABLE:
		return arg <= 1 ? 0 : -EINVAL;
	case PR_SET_NAME:
		return set_name((const char *)arg);
	case PR_GET_NAME:
		return get_name((char *)arg);
	case PR_GET_KEEPCAPS:
	case PR_GET_SECCOMP:
	case PR_GET_NO_NEW_PRIVS:
		return 0;
	case PR_CAPBSET_READ:
		return arg < 41 ? capable() : -EINVAL;
	}
	return -EINVAL;
}

/* personality(2): PER_LINUX is the only one, its flags are kept. */
asmlinkage long sys_personality(u32 persona)
{
	u32 old = current->personality;

	if (persona == 0xffffffff)
		return old;
	if (persona & 0xff)
		return -EINVAL;
	current->personality = persona;
	return old;
}

struct cap_header {
	u32 version;
	pid_t pid;
};

#define CAP_VERSION_1	0x19980330u
#define CAP_VERSION_3	0x20080522u

/* Reads the header of capget and capset: the number of 12-byte records that
 * its version has, or an error. */
static int get_cap_header(struct cap_header *uheader, struct cap_header *h)
{
	if (copy_from_user(h, uheader, sizeof(*h)))
		return -EFAULT;
	if (h->version == CAP_VERSION_1)
		return 1;
	if ((h->version & ~1u) == (CAP_VERSION_3 & ~1u) ||
	    h->version == 0x20071026u)
		return 2;
	if (put_user(CAP_VERSION_3, &uheader->version))
		return -EFAULT;
	return -EINVAL;
}

/* capget(2): the superuser has all, everybody else none. */
asmlinkage long sys_capget(struct cap_header *uheader, u32 *udata)
{
	u32 all = 0, data[6] = { 0 };
	struct cap_header h;
	struct task *t;
	int n = get_cap_header(uheader, &h);

	if (n < 0)
		return n == -EINVAL && !udata ? 0 : n;
	t = h.pid ? find_task(h.pid) : current;
	if (!t)
		return -ESRCH;
	if (t->euid == 0)
		all = 0xffffffff;
	data[0] = data[1] = all;
	data[3] = data[4] = all & 0x1ff;
	return copy_to_user(udata, data, n * 12);
}

/* capset(2): the superuser's cannot be taken away one by one. */
asmlinkage long sys_capset(struct cap_header *uheader,
			   const void *udata unused_arg)
{
	struct cap_header h;
	int n = get_cap_header(uheader, &h);

	if (n < 0)
		return n;
	return capable() ? 0 : -EPERM;
}
