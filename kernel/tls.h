/* Thread-local storage: three segments per task in the GDT. */
#ifndef KERNEL_TLS_H
#define KERNEL_TLS_H

#include "kernel/task.h"

/* For clone(CLONE_SETTLS): sets the segment of `t` that the user_desc at a
 * user address describes.  0, -EFAULT, -EINVAL. */
int set_tls_from_user(struct task *t, u32 udesc);

#endif
