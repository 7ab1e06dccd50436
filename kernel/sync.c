/*
 * The sleeping locks: a word that says who holds it and a queue of those who
 * wait.  Nothing is atomic here but for the fact that nobody else runs before
 * schedule().  An unlock wakes all waiters; the first to run takes the lock,
 * the others sleep again.
 */
#include "kernel/sync.h"

#include "kernel/printk.h"
#include "kernel/task.h"

/* Makes a free mutex. */
void mutex_init(struct mutex *m)
{
	m->owner = NULL;
	wait_queue_init(&m->wait);
}

/* Takes the mutex; may sleep.  Taking it twice is a bug and panics. */
void mutex_lock(struct mutex *m)
{
	BUG_ON(m->owner == current);
	if (unlikely(m->owner))
		wait_event(m->wait, !m->owner);
	m->owner = current;
}

/* Takes the mutex if it is free; never sleeps. */
bool mutex_trylock(struct mutex *m)
{
	if (m->owner)
		return false;
	m->owner = current;
	return true;
}

/* Frees the mutex, which the caller holds, and wakes who waits. */
void mutex_unlock(struct mutex *m)
{
	BUG_ON(m->owner != current);
	m->owner = NULL;
	if (!list_empty(&m->wait.waiters))
		wake_up(&m->wait);
}

/* Makes a free rwsem. */
void rwsem_init(struct rwsem *s)
{
	s->count = 0;
	s->writers_waiting = 0;
	wait_queue_init(&s->wait);
}

/* May the current task read now?  A waiting writer goes first, but a task that
 * already reads is let in again (a fault in copy_to_user() under the lock), or
 * it would wait for the writer, which waits for it. */
static inline bool may_read(const struct rwsem *s)
{
	return s->count >= 0 && (!s->writers_waiting || current->read_holds);
}

/* Takes the lock for reading; may sleep. */
void down_read(struct rwsem *s)
{
	if (unlikely(!may_read(s)))
		wait_event(s->wait, may_read(s));
	s->count++;
	current->read_holds++;
}

/* Takes the lock for reading if no writer holds it; never sleeps. */
bool down_read_trylock(struct rwsem *s)
{
	if (s->count < 0)
		return false;
	s->count++;
	current->read_holds++;
	return true;
}

/* Drops a read hold of the current task; the last one wakes who waits. */
void up_read(struct rwsem *s)
{
	BUG_ON(s->count <= 0);
	current->read_holds--;
	if (--s->count == 0 && !list_empty(&s->wait.waiters))
		wake_up(&s->wait);
}

/* Takes the lock for writing; may sleep. */
void down_write(struct rwsem *s)
{
	if (unlikely(s->count != 0)) {
		s->writers_waiting++;
		wait_event(s->wait, s->count == 0);
		s->writers_waiting--;
	}
	s->count = -1;
}

/* Takes the lock for writing if it is free; never sleeps. */
bool down_write_trylock(struct rwsem *s)
{
	if (s->count != 0)
		return false;
	s->count = -1;
	return true;
}

/* Drops the write hold and wakes who waits. */
void up_write(struct rwsem *s)
{
	BUG_ON(s->count != -1);
	s->count = 0;
	if (!list_empty(&s->wait.waiters))
		wake_up(&s->wait);
}
