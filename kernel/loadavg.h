/* The load average: runnable and waiting tasks, smoothed. */
#ifndef KERNEL_LOADAVG_H
#define KERNEL_LOADAVG_H

#include "lib/types.h"

#define LOAD_SHIFT	11		/* bits behind the binary point */

extern u32 avenrun[3];			/* over 1, 5 and 15 minutes */

void loadavg_init(void);		/* starts the sampling */

#endif
