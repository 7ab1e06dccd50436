/* Stopping and continuing processes, and orphaned process groups. */
#ifndef KERNEL_JOB_CONTROL_H
#define KERNEL_JOB_CONTROL_H

#include "kernel/task.h"

/* Makes every thread of the current process stop, because of `sig`. */
void start_group_stop(int sig);
/* Stops the current thread if its group is still to stop.  Sleeps. */
void stop_this_thread(void);
/* Thread `t` has stopped or will never need to; the last one tells the
 * parent. */
void stop_thread_done(struct task *t);
/* Is there no member with a parent in another group of the session? */
bool is_orphaned_pgrp(pid_t pgrp);
/* A group that lost its last link: SIGHUP, SIGCONT if a member is stopped. */
void hangup_if_orphaned(pid_t pgrp);

/* Tells the parent that `leader` is a zombie without threads, or frees it
 * when the parent does not care (exit.c). */
void notify_parent_exit(struct task *leader);

#endif
