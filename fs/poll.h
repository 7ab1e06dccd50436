/* Waiting on several files at once: what poll(2) and select(2) share. */
#ifndef FS_POLL_H
#define FS_POLL_H

#include "fs/file.h"

#define POLLRDNORM	0x0040
#define POLLWRNORM	0x0100

/* One queue slept on; the file keeps it alive. */
struct poll_entry {
	struct waiter w;
	struct wait_queue *wq;
	struct file *file;
};

struct poll_table {
	struct poll_entry *entries;
	unsigned nr, max;
	struct file *file;		/* being asked; NULL: do not queue */
};

#define POLL_QUEUES	2		/* a file sleeps on so many at most */
#define POLL_FOREVER	(~0ull)

/* Asks every file of a call, queueing on each through pt (NULL: only asks);
 * the number that is ready.  Never sleeps. */
typedef int (*poll_scan_fn)(void *arg, struct poll_table *pt);

/* Scans until something is ready, ktime_ns() reaches `expires` (0: at once;
 * POLL_FOREVER), or a signal comes.  The number ready, 0: time is over,
 * -EINTR, -ENOMEM.  `nfds`: the most files the scan asks.  May sleep. */
int poll_until(poll_scan_fn scan, void *arg, unsigned nfds, u64 expires);

/* What of `wanted`, POLLERR and POLLHUP is true of a descriptor; POLLNVAL. */
unsigned poll_fd(unsigned fd, unsigned wanted, struct poll_table *pt);

#endif
