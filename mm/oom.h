/* The last resort when memory is gone. */
#ifndef MM_OOM_H
#define MM_OOM_H

#include "lib/types.h"

/* Nothing could be freed at priority 0: kills a task, unless one that was
 * chosen before is still dying.  Says why.  Never sleeps. */
void out_of_memory(unsigned gfp);

struct task;
/* Pages that the death of `t` would free, moved by its oom_score_adj; 0: it is
 * never chosen. */
u32 oom_badness(const struct task *t);

#endif
