/*
 * Advisory locks.
 *
 *	fcntl   byte ranges, owned by a process (its descriptor table), gone
 *	        when the process closes any descriptor of the file
 *	flock   the whole file, owned by the open file
 *
 * An inode's locks are a list without order.  Ranges of one owner and kind
 * never overlap: a new lock first cuts what it covers out of the old ones.
 * Whoever waits tries again after every change.
 */
#include "fs/locks.h"
#include "fs/file.h"
#include "fs/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "mm/slab.h"

#define F_RDLCK		0
#define F_WRLCK		1
#define F_UNLCK		2
#define LOCK_SH		1
#define LOCK_EX		2
#define LOCK_NB		4
#define LOCK_UN		8
#define END_OF_FILE	0x7fffffffffffffffll

struct file_lock {
	struct file_lock *next;
	const void *owner;		/* struct files, or struct file */
	pid_t pid;
	bool flock, exclusive;
	loff_t start, end;		/* first and last byte */
};

struct flock32 {
	s16 type, whence;
	s32 start, len;
	pid_t pid;
};

struct flock64 {
	s16 type, whence;
	s64 start, len;
	pid_t pid;
} packed;

static struct wait_queue lock_wait = WAIT_QUEUE_INIT(lock_wait);

/* Do the ranges share a byte? */
static bool overlap(const struct file_lock *a, const struct file_lock *b)
{
	return a->start <= b->end && b->start <= a->end;
}

/* The first lock that keeps `want` from being granted, or NULL. */
static struct file_lock *find_conflict(struct inode *inode,
				       const struct file_lock *want)
{
	struct file_lock *l;

	for (l = inode->locks; l; l = l->next)
		if (l->flock == want->flock && l->owner != want->owner &&
		    (l->exclusive || want->exclusive) && overlap(l, want))
			return l;
	return NULL;
}

/* Cuts a range out of the owner's locks.  `spare` is used when one lock falls
 * into two; true if it was. */
static bool cut_range(struct inode *inode, const struct file_lock *range,
		      struct file_lock *spare)
{
	struct file_lock **link = &inode->locks, *l;
	bool used = false;

	while ((l = *link)) {
		bool before = l->start < range->start;
		bool after = l->end > range->end;

		if (l->flock != range->flock || l->owner != range->owner ||
		    !overlap(l, range)) {
			link = &l->next;
		} else if (before && after) {
			*spare = *l;
			l->end = range->start - 1;
			spare->start = range->end + 1;
			l->next = spare;
			used = true;
			link = &spare->next;
		} else if (before || after) {
			if (before)
				l->end = range->start - 1;
			else
				l->start = range->end + 1;
			link = &l->next;
		} else {
			*link = l->next;
			kfree(l);
		}
	}
	return used;
}

/* Drops all locks of an owner and kind on an inode. */
static void remove_all(struct inode *inode, const void *owner, bool flock)
{
	struct file_lock all = {
		.owner = owner, .flock = flock, .end = END_OF_FILE,
	};

	cut_range(inode, &all, NULL);
	wake_up(&lock_wait);
}

/* Drops a process's record locks; see locks.h. */
void locks_remove_posix(struct file *f, struct files *owner)
{
	if (f->dentry->inode->locks)
		remove_all(f->dentry->inode, owner, false);
}

/* Drops an open file's whole-file lock. */
void locks_remove_flock(struct file *f)
{
	if (f->dentry->inode->locks)
		remove_all(f->dentry->inode, f, true);
}

/* Replaces what the owner has in the range by `want` (unlock: nothing), once
 * no one else's lock is in the way.  May sleep if `wait`. */
static int set_lock(struct inode *inode, const struct file_lock *want,
		    bool unlock, bool wait)
{
	struct file_lock *new = kmalloc(sizeof(*new), GFP_KERNEL);
	struct file_lock *spare = kmalloc(sizeof(*spare), GFP_KERNEL);
	int err = new && spare ? 0 : -ENOLCK;

	if (!err && !unlock && find_conflict(inode, want))
		err = wait ? wait_event_interruptible(lock_wait,
				!find_conflict(inode, want)) : -EAGAIN;
	if (!err) {
		if (cut_range(inode, want, spare))
			spare = NULL;
		if (!unlock) {
			*new = *want;
			new->next = inode->locks;
			inode->locks = new;
			new = NULL;
		}
		wake_up(&lock_wait);
	}
	kfree(new);
	kfree(spare);
	return err;
}

/* Fetches a struct flock of either size. */
static int get_flock(struct flock64 *fl, const void *uflock, bool wide)
{
	struct flock32 narrow;

	if (wide)
		return copy_from_user(fl, uflock, sizeof(*fl));
	if (copy_from_user(&narrow, uflock, sizeof(narrow)))
		return -EFAULT;
	*fl = (struct flock64){ narrow.type, narrow.whence, narrow.start,
				narrow.len, narrow.pid };
	return 0;
}

/* Stores a struct flock of either size. */
static int put_flock(const struct flock64 *fl, void *uflock, bool wide)
{
	struct flock32 narrow = { fl->type, fl->whence, fl->start, fl->len,
				  fl->pid };

	if (wide)
		return copy_to_user(uflock, fl, sizeof(*fl));
	if (fl->start > 0x7fffffff || fl->len > 0x7fffffff)
		return -EOVERFLOW;
	return copy_to_user(uflock, &narrow, sizeof(narrow));
}

/* Turns whence, start and len into first and last byte.  0, -EINVAL. */
static int resolve_range(struct file *f, const struct flock64 *fl,
			 struct file_lock *l)
{
	loff_t base = 0;

	if (fl->whence == SEEK_CUR)
		base = f->pos;
	else if (fl->whence == SEEK_END)
		base = f->inode->size;
	else if (fl->whence != SEEK_SET)
		return -EINVAL;
	l->start = base + fl->start;
	l->end = fl->len ? l->start + fl->len - 1 : END_OF_FILE;
	if (fl->len < 0) {
		l->end = l->start - 1;
		l->start += fl->len;
	}
	return l->start < 0 || l->end < l->start ? -EINVAL : 0;
}

/* F_GETLK: the lock in the way, or F_UNLCK. */
static int test_lock(struct file *f, const struct file_lock *want,
		     struct flock64 *fl)
{
	struct file_lock *l = find_conflict(f->dentry->inode, want);

	if (!l) {
		fl->type = F_UNLCK;
		return 0;
	}
	*fl = (struct flock64){
		.type = l->exclusive ? F_WRLCK : F_RDLCK, .whence = SEEK_SET,
		.start = l->start, .pid = l->pid,
		.len = l->end == END_OF_FILE ? 0 : l->end - l->start + 1,
	};
	return 0;
}

/* The three record lock commands of fcntl; see locks.h. */
long fcntl_lock(struct file *f, unsigned cmd, void *uflock, bool wide)
{
	struct file_lock want = {
		.owner = current->files, .pid = current->tgid,
	};
	struct flock64 fl;
	int err;

	if (get_flock(&fl, uflock, wide))
		return -EFAULT;
	if (fl.type < F_RDLCK || fl.type > F_UNLCK)
		return -EINVAL;
	err = resolve_range(f, &fl, &want);
	if (err)
		return err;
	want.exclusive = fl.type == F_WRLCK;
	if (cmd == F_GETLK) {
		err = test_lock(f, &want, &fl);
		return err ? err : put_flock(&fl, uflock, wide);
	}
	if ((fl.type == F_RDLCK && !(f->mode & FMODE_READ)) ||
	    (fl.type == F_WRLCK && !(f->mode & FMODE_WRITE)))
		return -EBADF;
	return set_lock(f->dentry->inode, &want, fl.type == F_UNLCK,
			cmd == F_SETLKW);
}

/* flock(2). */
asmlinkage long sys_flock(unsigned fd, unsigned cmd)
{
	struct file_lock want = {
		.pid = current->tgid, .flock = true, .end = END_OF_FILE,
	};
	unsigned how = cmd & ~LOCK_NB;
	struct file *f;
	long ret;

	if (how != LOCK_SH && how != LOCK_EX && how != LOCK_UN)
		return -EINVAL;
	f = fget(fd);
	if (!f)
		return -EBADF;
	want.owner = f;
	want.exclusive = how == LOCK_EX;
	ret = set_lock(f->dentry->inode, &want, how == LOCK_UN,
		       !(cmd & LOCK_NB));
	fput(f);
	return ret;
}
