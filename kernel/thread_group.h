/* The life of struct thread_group (kernel/task.h). */
#ifndef KERNEL_THREAD_GROUP_H
#define KERNEL_THREAD_GROUP_H

#include "kernel/task.h"

void thread_group_init(void);		/* makes the cache */
/* A group with count 1 and no thread in its list, led by `leader`; the
 * itimers are off.  NULL when out of memory. */
struct thread_group *group_alloc(struct task *leader);
/* Drops a task's hold; the last one frees.  Never sleeps. */
void group_put(struct thread_group *group);

/* For exec: ends all other threads and makes the caller the leader.  0, or
 * -EAGAIN when the caller itself is to die.  May sleep. */
int become_only_thread(void);

/* The init thread, pid 1 (fork.c); ERR_PTR. */
struct task *copy_init(const struct clone_args *args);

#endif
