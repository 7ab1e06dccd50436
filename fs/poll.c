/*
 * poll(2), and the sleeping under it and select(2).
 *
 * A round queues the task on everything it waits for, then asks; when nothing
 * is ready it sleeps, takes itself off all queues and begins again.  The task
 * is marked as sleeping before it asks and file_ops.poll never sleeps, so a
 * wake-up in between makes schedule() return at once.
 */
#include "fs/poll.h"
#include "fs/syscalls.h"
#include "kernel/posix_time.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "mm/slab.h"

#define FAST_FDS	8		/* descriptors handled on the stack */

struct pollfd {
	int fd;
	u16 events, revents;
};

/* In file_ops.poll: sleep also on `wq`. */
void poll_wait(struct poll_table *pt, struct wait_queue *wq)
{
	struct poll_entry *e;

	if (!pt || !pt->file || pt->nr == pt->max)
		return;
	e = &pt->entries[pt->nr++];
	e->wq = wq;
	e->file = get_file(pt->file);
	prepare_to_wait(wq, &e->w, TASK_INTERRUPTIBLE);
}

/* Takes the task off every queue. */
static void poll_unqueue(struct poll_table *pt)
{
	while (pt->nr) {
		struct poll_entry *e = &pt->entries[--pt->nr];

		finish_wait(e->wq, &e->w);
		fput(e->file);
	}
	current->state = TASK_RUNNING;
}

/* What of `wanted` is true of a descriptor. */
unsigned poll_fd(unsigned fd, unsigned wanted, struct poll_table *pt)
{
	struct file *f = fget(fd);
	unsigned mask = POLLIN | POLLOUT;

	if (!f)
		return POLLNVAL;
	if (f->ops->poll) {
		if (pt)
			pt->file = f;
		mask = f->ops->poll(f, pt);
		if (pt)
			pt->file = NULL;
	}
	if (mask & POLLIN)
		mask |= POLLRDNORM;
	if (mask & POLLOUT)
		mask |= POLLWRNORM;
	fput(f);
	return mask & (wanted | POLLERR | POLLHUP);
}

/* Rounds of asking and sleeping with the table ready. */
static int poll_rounds(poll_scan_fn scan, void *arg, struct poll_table *pt,
		       u64 expires)
{
	int n;

	for (;;) {
		current->state = TASK_INTERRUPTIBLE;
		n = scan(arg, pt);
		if (n || signal_pending())
			break;
		if (expires == POLL_FOREVER)
			schedule();
		else
			schedule_until(expires);
		poll_unqueue(pt);
		if (ktime_ns() >= expires)
			return scan(arg, NULL);
	}
	poll_unqueue(pt);
	return n ? n : -EINTR;
}

/* Waits for one of several files; see poll.h. */
int poll_until(poll_scan_fn scan, void *arg, unsigned nfds, u64 expires)
{
	struct poll_entry fast[FAST_FDS * POLL_QUEUES];
	struct poll_table pt = { fast, 0, ARRAY_SIZE(fast), NULL };
	int n = scan(arg, NULL);

	if (n || !expires)
		return n;
	if (nfds > FAST_FDS) {
		pt.max = nfds * POLL_QUEUES;
		pt.entries = kmalloc(pt.max * sizeof(*fast), GFP_KERNEL);
		if (!pt.entries)
			return -ENOMEM;
	}
	n = poll_rounds(scan, arg, &pt, expires);
	if (pt.entries != fast)
		kfree(pt.entries);
	return n;
}

/* The descriptors of a poll call, in kernel memory. */
struct poll_call {
	struct pollfd *fds;
	u32 n;
};

/* poll_scan_fn of poll(2). */
static int poll_scan(void *arg, struct poll_table *pt)
{
	struct poll_call *call = arg;
	int ready = 0;
	u32 i;

	for (i = 0; i < call->n; i++) {
		struct pollfd *p = &call->fds[i];

		p->revents = p->fd < 0 ? 0 : poll_fd(p->fd, p->events, pt);
		if (p->revents) {
			ready++;
			pt = NULL;
		}
	}
	return ready;
}

/* Copies the descriptors in, waits, and copies the answers out. */
static long poll_user(struct pollfd *ufds, u32 n, u64 expires)
{
	struct pollfd fast[FAST_FDS];
	struct poll_call call = { fast, n };
	long ret;

	if (n > current->rlim[RLIMIT_NOFILE].cur)
		return -EINVAL;
	if (n > FAST_FDS)
		call.fds = kmalloc(n * sizeof(*fast), GFP_KERNEL);
	if (!call.fds)
		return -ENOMEM;
	ret = n ? copy_from_user(call.fds, ufds, n * sizeof(*fast)) : 0;
	if (!ret)
		ret = poll_until(poll_scan, &call, n, expires);
	if (ret >= 0 && n && copy_to_user(ufds, call.fds, n * sizeof(*fast)))
		ret = -EFAULT;
	if (call.fds != fast)
		kfree(call.fds);
	return ret;
}

/* A poll with a time limit, as restart_syscall() goes on with it. */
static long poll_restart(struct restart_block *r)
{
	long ret = poll_user((struct pollfd *)r->arg[0], r->arg[1],
			     r->expires);

	if (ret != -EINTR)
		return ret;
	r->fn = poll_restart;
	return -ERESTART_RESTARTBLOCK;
}

/* poll(2); a negative time-out is none. */
asmlinkage long sys_poll(struct pollfd *ufds, u32 n, s32 timeout_ms)
{
	struct restart_block *r = &current->restart;

	r->arg[0] = (u32)ufds;
	r->arg[1] = n;
	r->expires = POLL_FOREVER;
	if (timeout_ms == 0)
		r->expires = 0;
	else if (timeout_ms > 0)
		r->expires = ktime_ns() + (u64)timeout_ms * 1000000;
	return poll_restart(r);
}

/* ppoll in both sizes of time; `uts` NULL: no limit. */
static long do_ppoll(struct pollfd *ufds, u32 n, void *uts, const u64 *umask,
		     size_t size, bool wide)
{
	u64 expires = POLL_FOREVER, mask;
	struct timespec64 ts;
	long ret = 0;

	if (uts)
		ret = wide ? get_timespec64(&ts, uts) :
			     get_timespec32(&ts, uts);
	if (ret)
		return ret;
	if (umask && size != sizeof(mask))
		return -EINVAL;
	if (umask && get_user(mask, umask))
		return -EFAULT;
	if (uts)
		expires = timespec_to_ns(&ts);
	if (expires && expires != POLL_FOREVER)
		expires += ktime_ns();
	if (umask)
		set_blocked_temporarily(mask);
	ret = poll_user(ufds, n, expires);
	return ret == -EINTR ? -ERESTARTNOHAND : ret;
}

/* ppoll(2). */
asmlinkage long sys_ppoll(struct pollfd *ufds, u32 n, void *uts,
			  const u64 *umask, size_t size)
{
	return do_ppoll(ufds, n, uts, umask, size, false);
}

/* ppoll(2) with 64-bit seconds. */
asmlinkage long sys_ppoll_time64(struct pollfd *ufds, u32 n, void *uts,
				 const u64 *umask, size_t size)
{
	return do_ppoll(ufds, n, uts, umask, size, true);
}
