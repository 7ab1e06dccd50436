/* Futexes, as far as other files need them. */
#ifndef KERNEL_FUTEX_H
#define KERNEL_FUTEX_H

#include "kernel/task.h"

/* Wakes one waiter on a word of the current address space (thread exit). */
void futex_wake_addr(u32 uaddr);
/* Marks the robust futexes that a task holds as left by a dead owner. */
void exit_robust_list(struct task *t);

#endif
