/*
 * Job control: which session a terminal belongs to, and which of its process
 * groups is in the foreground.
 *
 * A background group that reads, or changes the terminal, is stopped.  Where
 * nobody could continue it (an orphaned group) it gets an error instead.
 */
#include "drivers/tty.h"
#include "kernel/job_control.h"
#include "kernel/signal.h"
#include "kernel/task.h"
#include "lib/errno.h"

/* Sends the foreground group what a special character stands for. */
void tty_signal(struct tty *tty, unsigned which)
{
	if (tty->pgrp)
		kill_pgrp(tty->pgrp, which == VINTR ? SIGINT :
			  which == VQUIT ? SIGQUIT : SIGTSTP);
}

/* May the caller read from, or change, its terminal?  See the header. */
int tty_check_change(struct tty *tty, int sig)
{
	bool immune;

	if (current->tty != tty || !tty->pgrp || current->pgrp == tty->pgrp)
		return 0;
	immune = sig_ignored(current, sig) ||
		 (current->blocked & SIGMASK(sig));
	if (immune)
		return sig == SIGTTIN ? -EIO : 0;
	if (is_orphaned_pgrp(current->pgrp))
		return -EIO;
	kill_pgrp(current->pgrp, sig);
	return -ERESTARTSYS;
}

/* TIOCSCTTY, and the first open by a session leader.  0 or -EPERM. */
int tty_set_controlling(struct tty *tty)
{
	if (current->tty == tty && tty->session == current->session)
		return 0;
	if (current->session != current->pid || current->tty || tty->session)
		return -EPERM;
	tty->session = current->session;
	tty->pgrp = current->pgrp;
	current->tty = tty;
	return 0;
}

/* The session of the current task, its leader, loses its terminal: the
 * foreground group is told that the line is gone. */
void disassociate_tty(void)
{
	struct tty *tty = current->tty;
	struct task *t;

	if (!tty)
		return;
	if (tty->session == current->session) {
		if (tty->pgrp) {
			kill_pgrp(tty->pgrp, SIGHUP);
			kill_pgrp(tty->pgrp, SIGCONT);
		}
		tty->session = 0;
		tty->pgrp = 0;
	}
	for_each_task(t)
		if (t->session == current->session)
			t->tty = NULL;
}
