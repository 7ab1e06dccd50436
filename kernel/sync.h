/*
 * The sleeping locks.  Order, outermost first:
 *
 *	inode->lock (directories: parent before child)
 *	  mm->mmap_sem
 *	    page lock (PG_locked); several: ascending index
 *	      request queue (never sleeps with the page lock wanted)
 *
 * copy_to_user() under inode->lock may take mmap_sem for reading; a fault
 * under mmap_sem takes page locks but never an inode->lock.
 */
#ifndef KERNEL_SYNC_H
#define KERNEL_SYNC_H

#include "kernel/sched.h"

struct mutex {
	struct task *owner;		/* NULL: free */
	struct wait_queue wait;
};

void mutex_init(struct mutex *m);
void mutex_lock(struct mutex *m);	/* may sleep */
bool mutex_trylock(struct mutex *m);	/* never sleeps */
void mutex_unlock(struct mutex *m);

/* Many readers or one writer; a waiting writer goes before new readers,
 * except that a task which already reads may read again. */
struct rwsem {
	int count;			/* readers, or -1 for a writer */
	unsigned writers_waiting;
	struct wait_queue wait;
};

void rwsem_init(struct rwsem *s);
void down_read(struct rwsem *s);
void up_read(struct rwsem *s);
void down_write(struct rwsem *s);
void up_write(struct rwsem *s);
bool down_read_trylock(struct rwsem *s);
bool down_write_trylock(struct rwsem *s);

#endif
