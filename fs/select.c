/*
 * select(2): poll with sets of bits.
 */
#include "fs/poll.h"
#include "fs/syscalls.h"
#include "kernel/posix_time.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/bitmap.h"
#include "lib/string.h"
#include "mm/slab.h"

enum { SET_IN, SET_OUT, SET_EX, NR_SETS };

/* What each set asks for. */
static const unsigned set_events[NR_SETS] = {
	[SET_IN] = POLLIN | POLLHUP | POLLERR,
	[SET_OUT] = POLLOUT | POLLERR,
	[SET_EX] = POLLPRI,
};

/* A select call: the user's sets, what they asked for, what is true. */
struct select_call {
	u32 *user[NR_SETS];		/* NULL: not given */
	u32 *wanted[NR_SETS], *ready[NR_SETS];
	unsigned n, bytes;		/* descriptors; size of a set */
	bool bad_fd;
};

/* What the sets want of a descriptor. */
static unsigned wanted_events(const struct select_call *c, unsigned fd)
{
	unsigned events = 0, s;

	for (s = 0; s < NR_SETS; s++)
		if (test_bit(fd, c->wanted[s]))
			events |= set_events[s];
	return events;
}

/* Notes which sets a descriptor's state satisfies; how many. */
static int note_ready(struct select_call *c, unsigned fd, unsigned mask)
{
	int ready = 0;
	unsigned s;

	for (s = 0; s < NR_SETS; s++) {
		if (!test_bit(fd, c->wanted[s]) || !(mask & set_events[s]))
			continue;
		set_bit(fd, c->ready[s]);
		ready++;
	}
	return ready;
}

/* poll_scan_fn of select(2). */
static int select_scan(void *arg, struct poll_table *pt)
{
	struct select_call *c = arg;
	unsigned fd, events, mask;
	int ready = 0;

	for (fd = 0; fd < c->n; fd++) {
		events = wanted_events(c, fd);
		if (!events)
			continue;
		mask = poll_fd(fd, events, pt);
		if (mask == POLLNVAL) {
			c->bad_fd = true;
			return 1;
		}
		ready += note_ready(c, fd, mask);
		if (ready)
			pt = NULL;
	}
	return ready;
}

/* Fetches the sets into memory, which *c then points into; ERR_PTR. */
static u32 *get_sets(struct select_call *c)
{
	u32 *mem = kzalloc(c->bytes * 2 * NR_SETS + 4, GFP_KERNEL);
	unsigned s, words = c->bytes / 4;

	if (!mem)
		return ERR_PTR(-ENOMEM);
	for (s = 0; s < NR_SETS; s++) {
		c->wanted[s] = mem + s * words;
		c->ready[s] = mem + (NR_SETS + s) * words;
		if (c->user[s] && c->bytes &&
		    copy_from_user(c->wanted[s], c->user[s], c->bytes)) {
			kfree(mem);
			return ERR_PTR(-EFAULT);
		}
	}
	return mem;
}

/* Stores what is ready.  0 or -EFAULT. */
static int put_sets(struct select_call *c)
{
	unsigned s;

	for (s = 0; s < NR_SETS; s++)
		if (c->user[s] && c->bytes &&
		    copy_to_user(c->user[s], c->ready[s], c->bytes))
			return -EFAULT;
	return 0;
}

/* A select until `expires`: the number ready, or an error. */
static long do_select(int n, u32 *uin, u32 *uout, u32 *uex, u64 expires)
{
	struct select_call c = { .user = { uin, uout, uex } };
	long ret;
	u32 *mem;

	if (n < 0)
		return -EINVAL;
	c.n = min((unsigned)n, current->files->max);
	c.bytes = BITMAP_WORDS(c.n) * 4;
	mem = get_sets(&c);
	if (IS_ERR(mem))
		return PTR_ERR(mem);
	ret = poll_until(select_scan, &c, c.n, expires);
	if (c.bad_fd)
		ret = -EBADF;
	if (ret >= 0 && put_sets(&c))
		ret = -EFAULT;
	kfree(mem);
	return ret == -EINTR ? -ERESTARTNOHAND : ret;
}

/* The moment a relative time ends, for poll_until(). */
static u64 expiry(u64 ns)
{
	if (!ns || ns == POLL_FOREVER)
		return ns;
	return ns + ktime_ns();
}

/* The time left until `expires`. */
static u64 time_left(u64 expires)
{
	u64 now = ktime_ns();

	return expires > now ? expires - now : 0;
}

/* select(2): microseconds, and what is left of them is stored. */
asmlinkage long sys_select(int n, u32 *uin, u32 *uout, u32 *uex, void *utv)
{
	u64 expires = POLL_FOREVER;
	struct timeval32 tv;
	long ret;

	if (utv) {
		if (copy_from_user(&tv, utv, sizeof(tv)))
			return -EFAULT;
		if (tv.tv_sec < 0 || tv.tv_usec < 0)
			return -EINVAL;
		expires = expiry((u64)tv.tv_sec * NSEC_PER_SEC +
				 (u64)tv.tv_usec * 1000);
	}
	ret = do_select(n, uin, uout, uex, expires);
	if (!utv)
		return ret;
	tv = ns_to_timeval(time_left(expires));
	if (copy_to_user(utv, &tv, sizeof(tv)) && ret == -ERESTARTNOHAND)
		ret = -EINTR;
	return ret;
}

/* select(2) of old programs: the arguments in memory. */
asmlinkage long sys_old_select(const void *uargs)
{
	u32 a[5];

	if (copy_from_user(a, uargs, sizeof(a)))
		return -EFAULT;
	return sys_select(a[0], (u32 *)a[1], (u32 *)a[2], (u32 *)a[3],
			  (void *)a[4]);
}

/* The signal mask of a pselect6 argument { mask, size }: 1 if given, 0, or an
 * error. */
static int get_select_mask(const void *usig, u64 *mask)
{
	u32 sig[2];

	if (!usig)
		return 0;
	if (copy_from_user(sig, usig, sizeof(sig)))
		return -EFAULT;
	if (!sig[0])
		return 0;
	if (sig[1] != sizeof(*mask))
		return -EINVAL;
	return get_user(*mask, (const u64 *)sig[0]) ? -EFAULT : 1;
}

/* pselect6 in both sizes of time. */
static long do_pselect(int n, u32 *sets[NR_SETS], void *uts, const void *usig,
		       bool wide)
{
	u64 expires = POLL_FOREVER, mask;
	struct timespec64 ts;
	int masked = get_select_mask(usig, &mask);
	long ret = min(masked, 0);

	if (!ret && uts) {
		ret = wide ? get_timespec64(&ts, uts) :
			     get_timespec32(&ts, uts);
		expires = ret ? 0 : expiry(timespec_to_ns(&ts));
	}
	if (ret)
		return ret;
	if (masked)
		set_blocked_temporarily(mask);
	ret = do_select(n, sets[SET_IN], sets[SET_OUT], sets[SET_EX], expires);
	if (!uts)
		return ret;
	ts = ns_to_timespec(time_left(expires));
	masked = wide ? put_timespec64(uts, &ts) : put_timespec32(uts, &ts);
	return masked && ret == -ERESTARTNOHAND ? -EINTR : ret;
}

/* pselect6(2). */
asmlinkage long sys_pselect6(int n, u32 *uin, u32 *uout, u32 *uex, void *uts,
			     const void *usig)
{
	u32 *sets[NR_SETS] = { uin, uout, uex };

	return do_pselect(n, sets, uts, usig, false);
}

/* pselect6(2) with 64-bit seconds. */
asmlinkage long sys_pselect6_time64(int n, u32 *uin, u32 *uout, u32 *uex,
				    void *uts, const void *usig)
{
	u32 *sets[NR_SETS] = { uin, uout, uex };

	return do_pselect(n, sets, uts, usig, true);
}
