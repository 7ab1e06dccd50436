/*
 * The OOM killer: when a scan of everything freed nothing, one task must go.
 *
 * Whom: the task whose death frees most, by resident pages, swap entries and
 * page tables, moved by /proc/PID/oom_score_adj (-1000: never); init and
 * kernel threads are exempt.  2.5.66 divided total_vm by roots of run time;
 * here what is counted is what is freed (Rientjes, Linux 2.6.36).
 *
 * When: 2.5.66 waited for ten calls over at least a second, and never killed
 * while a swap slot was free.  Here mm/vmscan.c calls only when everything was
 * scanned several times in vain; a victim is given time to die before the next
 * is chosen.
 */
#include "mm/oom.h"

#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "mm/mm.h"
#include "mm/page_alloc.h"
#include "mm/swap.h"
#include "mm/vmstat.h"

#define DEATH_TICKS	(2 * HZ)	/* time a victim has to die */

/* Pages that the task's death would free, adjusted; 0: not to be killed. */
u32 oom_badness(const struct task *t)
{
	s32 points, adjust;

	if (!t->mm || t->pid == 1 || t->flags & (PF_KTHREAD | PF_EXITING) ||
	    t->oom_score_adj <= -1000)
		return 0;
	points = t->mm->rss + t->mm->nr_ptes + t->mm->total_vm / 8;
	adjust = (s32)(total_pages + total_swap_pages) / 1000 *
		 t->oom_score_adj;
	return max(points + adjust, 1);
}

/* Is a task that was killed earlier still on its way out? */
static bool victim_dying(void)
{
	struct task *t;

	for_each_task(t)
		if (t->flags & PF_OOM_VICTIM && t->mm)
			return true;
	return false;
}

/* The task with the highest badness, or NULL. */
static struct task *choose_victim(void)
{
	struct task *t, *worst = NULL;
	u32 most = 0;

	for_each_task(t) {
		u32 points = oom_badness(t);

		if (points > most) {
			most = points;
			worst = t;
		}
	}
	return worst;
}

/* Kills one task and every other that shares its memory. */
static void kill_victim(struct task *victim, unsigned gfp)
{
	struct task *t;

	printk(KERN_ERR "Out of memory: killed process %d (%s): %u kB "
	       "resident; %u pages free, %u swap slots free, needed by %s "
	       "(gfp=0x%x)\n", victim->pid, victim->comm,
	       victim->mm->rss * 4, nr_free_pages, nr_swap_pages,
	       current->comm, gfp);
	vm_inc(oom_kill);
	for_each_task(t) {
		if (t->mm != victim->mm)
			continue;
		t->flags |= PF_OOM_VICTIM;
		send_signal(t, SIGKILL);
	}
}

/* Kills a task, unless one that was chosen before is still dying. */
void out_of_memory(unsigned gfp)
{
	static u32 last_kill;
	struct task *victim;

	if (victim_dying() && jiffies - last_kill < DEATH_TICKS)
		return;
	victim = choose_victim();
	if (!victim)
		panic("out of memory and no task left to kill");
	last_kill = jiffies;
	kill_victim(victim, gfp);
}
