/*
 * Futexes: sleeping until somebody says that a word of memory has changed.
 *
 * A waiter is found by the key of its word: the address space and address, or
 * for a shared file mapping the file's mapping and offset, so that processes
 * that map the file at different addresses meet.  Which of the two it is
 * follows from the mapping, whatever FUTEX_PRIVATE_FLAG says; the flag only
 * saves looking.
 *
 * futex_wait() looks at the word with page faults disabled after it has
 * queued itself: nothing sleeps between the look and schedule(), so no wake-up
 * is lost.
 */
#include "kernel/futex.h"

#include "fs/vfs.h"
#include "kernel/posix_time.h"
#include "kernel/syscalls.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "mm/mm.h"

#define FUTEX_WAIT		0
#define FUTEX_WAKE		1
#define FUTEX_REQUEUE		3
#define FUTEX_CMP_REQUEUE	4
#define FUTEX_WAKE_OP		5
#define FUTEX_WAIT_BITSET	9
#define FUTEX_WAKE_BITSET	10
#define FUTEX_PRIVATE_FLAG	128
#define FUTEX_CLOCK_REALTIME	256

#define MATCH_ANY	0xffffffffu
#define FOREVER		(~0ull)
#define BUCKETS		64

struct futex_key {
	const void *object;		/* mm or address_space */
	u64 offset;
};

struct futex_waiter {
	struct list_head node;		/* in a bucket; empty once woken */
	struct futex_key key;
	struct task *task;
	u32 bitset;
};

static struct list_head buckets[BUCKETS];

/* The list that waiters with this key are on. */
static struct list_head *bucket(const struct futex_key *key)
{
	struct list_head *b = &buckets[((u32)key->offset >> 2 ^
					(u32)key->object >> 5) % BUCKETS];

	if (!b->next)
		list_init(b);
	return b;
}

/* Are the keys the same word? */
static bool same_key(const struct futex_key *a, const struct futex_key *b)
{
	return a->object == b->object && a->offset == b->offset;
}

/* The key of a user address.  0, -EINVAL (not aligned), -EFAULT.  May sleep. */
static int get_key(u32 uaddr, bool private, struct futex_key *key)
{
	struct mm *mm = current->mm;
	struct vma *vma;
	int error = 0;

	if (uaddr % 4)
		return -EINVAL;
	if (!access_ok((void *)uaddr, 4))
		return -EFAULT;
	key->object = mm;
	key->offset = uaddr;
	if (private)
		return 0;
	down_read(&mm->mmap_sem);
	vma = find_vma(mm, uaddr);
	if (!vma || uaddr < vma->vm_start) {
		error = -EFAULT;
	} else if (vma->vm_flags & VM_SHARED && vma->vm_file) {
		key->object = vma->vm_file->mapping;
		key->offset = ((u64)vma->vm_pgoff << PAGE_SHIFT) + uaddr -
			      vma->vm_start;
	}
	up_read(&mm->mmap_sem);
	return error;
}

/* Wakes up to `n` waiters of `key` whose bits match; how many. */
static int wake_key(const struct futex_key *key, int n, u32 bitset)
{
	struct futex_waiter *w, *next;
	int woken = 0;

	list_for_each_entry_safe(w, next, bucket(key), node) {
		if (woken >= n)
			break;
		if (!same_key(&w->key, key) || !(w->bitset & bitset))
			continue;
		list_del_init(&w->node);
		wake_up_process(w->task);
		woken++;
	}
	return woken;
}

/* FUTEX_WAKE: how many were woken, or an error. */
static long futex_wake(u32 uaddr, bool private, int n, u32 bitset)
{
	struct futex_key key;
	int error = get_key(uaddr, private, &key);

	if (error)
		return error;
	return bitset ? wake_key(&key, n, bitset) : -EINVAL;
}

/* Wakes one waiter on a word of the current address space. */
void futex_wake_addr(u32 uaddr)
{
	futex_wake(uaddr, false, 1, MATCH_ANY);
}

/* Reads the word so that nothing can come between the look and the sleep: the
 * page is faulted in first, and if it is gone again at the look that is
 * repeated.  0, -EFAULT.  Queues `w` before the look. */
static int queue_and_read(struct futex_waiter *w, const u32 *uaddr, u32 *value)
{
	for (;;) {
		list_add_tail(&w->node, bucket(&w->key));
		if (!copy_from_user_atomic(value, uaddr, 4))
			return 0;
		list_del_init(&w->node);
		if (fault_in_pages(uaddr, 4, false))
			return -EFAULT;
	}
}

/* Sleeps until woken, a signal, or `expires`.  0 when woken. */
static long sleep_on_futex(struct futex_waiter *w, u64 expires)
{
	while (!list_empty(&w->node)) {
		if (ktime_ns() >= expires) {
			list_del_init(&w->node);
			return -ETIMEDOUT;
		}
		if (signal_pending()) {
			list_del_init(&w->node);
			return -EINTR;
		}
		current->state = TASK_INTERRUPTIBLE;
		if (expires == FOREVER)
			schedule();
		else
			schedule_until(expires);
	}
	return 0;
}

/* FUTEX_WAIT: sleeps if the word is `expected`.  0 when woken, -EAGAIN,
 * -ETIMEDOUT, -EINTR, -EFAULT. */
static long wait_once(u32 uaddr, bool private, u32 expected, u64 expires,
		      u32 bitset)
{
	struct futex_waiter w = { .task = current, .bitset = bitset };
	u32 value;
	int error = bitset ? get_key(uaddr, private, &w.key) : -EINVAL;

	if (!error)
		error = queue_and_read(&w, (const u32 *)uaddr, &value);
	if (error)
		return error;
	if (value != expected) {
		list_del_init(&w.node);
		return -EAGAIN;
	}
	return sleep_on_futex(&w, expires);
}

/* The restart of a wait with a time-out. */
static long wait_restart(struct restart_block *r)
{
	long ret = wait_once(r->arg[0], r->arg[1], r->arg[2], r->expires,
			     r->arg[3]);

	if (ret != -EINTR)
		return ret;
	r->fn = wait_restart;
	return -ERESTART_RESTARTBLOCK;
}

/* FUTEX_WAIT with what a signal makes of it: a wait without time-out is begun
 * anew, one with a time-out goes on until the same time. */
static long futex_wait(u32 uaddr, bool private, u32 expected, u64 expires,
		       u32 bitset)
{
	struct restart_block *r = &current->restart;
	long ret = wait_once(uaddr, private, expected, expires, bitset);

	if (ret != -EINTR)
		return ret;
	if (expires == FOREVER)
		return -ERESTARTSYS;
	r->arg[0] = uaddr;
	r->arg[1] = private;
	r->arg[2] = expected;
	r->arg[3] = bitset;
	r->expires = expires;
	r->fn = wait_restart;
	return -ERESTART_RESTARTBLOCK;
}

/* Moves up to `n` waiters to another key; how many. */
static int requeue_key(const struct futex_key *from,
		       const struct futex_key *to, int n)
{
	struct futex_waiter *w, *next;
	int moved = 0;

	list_for_each_entry_safe(w, next, bucket(from), node) {
		if (moved >= n)
			break;
		if (!same_key(&w->key, from))
			continue;
		w->key = *to;
		list_move_tail(&w->node, bucket(to));
		moved++;
	}
	return moved;
}

/* FUTEX_REQUEUE and FUTEX_CMP_REQUEUE: wakes `nr_wake`, moves `nr_move` to the
 * second word; how many in all.  -EAGAIN when the first is not `expected`. */
static long futex_requeue(u32 uaddr, u32 uaddr2, bool private, int nr_wake,
			  int nr_move, const u32 *expected)
{
	struct futex_key key, key2;
	u32 value = 0;
	int error = get_key(uaddr, private, &key), woken;

	if (!error)
		error = get_key(uaddr2, private, &key2);
	if (!error && expected)
		error = get_user(value, (const u32 *)uaddr);
	if (error)
		return error;
	if (nr_wake < 0 || nr_move < 0)
		return -EINVAL;
	if (expected && value != *expected)
		return -EAGAIN;
	woken = wake_key(&key, nr_wake, MATCH_ANY);
	if (!same_key(&key, &key2))
		woken += requeue_key(&key, &key2, nr_move);
	return woken;
}

/* What FUTEX_WAKE_OP does with the second word: new value and verdict. */
static bool apply_op(u32 code, s32 old, s32 *new)
{
	s32 arg = (s32)(code << 8) >> 20, cmp = (s32)(code << 20) >> 20;

	if (code >> 31)
		arg = 1 << (arg & 31);
	switch (code >> 28 & 7) {
	case 0: *new = arg; break;
	case 1: *new = old + arg; break;
	case 2: *new = old | arg; break;
	case 3: *new = old & ~arg; break;
	default: *new = old ^ arg; break;
	}
	switch (code >> 24 & 15) {
	case 0: return old == cmp;
	case 1: return old != cmp;
	case 2: return old < cmp;
	case 3: return old <= cmp;
	case 4: return old > cmp;
	default: return old >= cmp;
	}
}

/* FUTEX_WAKE_OP: changes the second word, wakes waiters of the first and, if
 * the old value passes a test, of the second. */
static long futex_wake_op(u32 uaddr, u32 uaddr2, bool private, int n, int n2,
			  u32 code)
{
	struct futex_key key, key2;
	int error = get_key(uaddr, private, &key), woken;
	s32 old, new;
	bool also;

	if (!error)
		error = get_key(uaddr2, private, &key2);
	if (error)
		return error;
	if ((code >> 28 & 7) > 4 || (code >> 24 & 15) > 5)
		return -ENOSYS;
	for (;;) {	/* nothing sleeps between reading and writing */
		if (fault_in_pages((void *)uaddr2, 4, true))
			return -EFAULT;
		if (copy_from_user_atomic(&old, (void *)uaddr2, 4))
			continue;
		also = apply_op(code, old, &new);
		if (!copy_to_user_atomic((void *)uaddr2, &new, 4))
			break;
	}
	woken = wake_key(&key, n, MATCH_ANY);
	return also ? woken + wake_key(&key2, n2, MATCH_ANY) : woken;
}

/* The operations, with the time-out already absolute on ktime_ns(). */
static long do_futex(u32 uaddr, int op, u32 val, u64 expires, u32 val2,
		     u32 uaddr2, u32 val3)
{
	bool private = op & FUTEX_PRIVATE_FLAG;

	switch (op & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)) {
	case FUTEX_WAIT:
		return futex_wait(uaddr, private, val, expires, MATCH_ANY);
	case FUTEX_WAIT_BITSET:
		return futex_wait(uaddr, private, val, expires, val3);
	case FUTEX_WAKE:
		return futex_wake(uaddr, private, val, MATCH_ANY);
	case FUTEX_WAKE_BITSET:
		return futex_wake(uaddr, private, val, val3);
	case FUTEX_REQUEUE:
		return futex_requeue(uaddr, uaddr2, private, val, val2, NULL);
	case FUTEX_CMP_REQUEUE:
		return futex_requeue(uaddr, uaddr2, private, val, val2, &val3);
	case FUTEX_WAKE_OP:
		return futex_wake_op(uaddr, uaddr2, private, val, val2, val3);
	}
	return -ENOSYS;
}

/* Does the operation have a time-out? */
static bool is_wait(int op)
{
	op &= ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
	return op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET;
}

/* The time-out on ktime_ns(): FUTEX_WAIT's is relative, that of the bitset
 * form absolute on one of two clocks. */
static u64 absolute(int op, const struct timespec64 *ts)
{
	u64 ns = timespec_to_ns(ts), now = ktime_ns(), real = realtime_ns();

	if ((op & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)) == FUTEX_WAIT)
		return now + ns;
	if (!(op & FUTEX_CLOCK_REALTIME))
		return ns;
	return ns > real ? now + (ns - real) : now;
}

/* futex(2) */
asmlinkage long sys_futex(u32 uaddr, int op, u32 val, const void *utime,
			  u32 uaddr2, u32 val3)
{
	struct timespec64 ts;
	u64 expires = FOREVER;

	if (is_wait(op) && utime) {
		int error = get_timespec32(&ts, utime);

		if (error)
			return error;
		expires = absolute(op, &ts);
	}
	return do_futex(uaddr, op, val, expires, (u32)utime, uaddr2, val3);
}

/* futex(2) with 64-bit time. */
asmlinkage long sys_futex_time64(u32 uaddr, int op, u32 val,
				 const void *utime, u32 uaddr2, u32 val3)
{
	struct timespec64 ts;
	u64 expires = FOREVER;

	if (is_wait(op) && utime) {
		int error = get_timespec64(&ts, utime);

		if (error)
			return error;
		expires = absolute(op, &ts);
	}
	return do_futex(uaddr, op, val, expires, (u32)utime, uaddr2, val3);
}
