/* The requests of ioctl(2) on a terminal. */
#include "drivers/tty.h"
#include "kernel/signal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"

#define TCGETS		0x5401
#define TCSETS		0x5402
#define TCSETSW		0x5403
#define TCSETSF		0x5404
#define TCSBRK		0x5409
#define TCXONC		0x540a
#define TCFLSH		0x540b
#define TIOCEXCL	0x540c
#define TIOCNXCL	0x540d
#define TIOCSCTTY	0x540e
#define TIOCGPGRP	0x540f
#define TIOCSPGRP	0x5410
#define TIOCOUTQ	0x5411
#define TIOCSTI		0x5412
#define TIOCGWINSZ	0x5413
#define TIOCSWINSZ	0x5414
#define TIOCMGET	0x5415
#define FIONREAD	0x541b
#define TIOCNOTTY	0x5422
#define TCSBRKP		0x5425
#define TIOCGSID	0x5429

#define TCOOFF		0		/* TCXONC */
#define TCOON		1
#define TCIOFF		2
#define TCION		3
#define TCIFLUSH	0		/* TCFLSH */
#define TCOFLUSH	1
#define TCIOFLUSH	2
#define TIOCM_ONLINE	0x126		/* DTR, RTS, CTS, DSR */

_Static_assert(sizeof(struct termios) == 36, "termios");

/* TCSETS and its two variants. */
static long set_termios(struct tty *tty, unsigned cmd, u32 arg)
{
	struct termios t;
	int error = tty_check_change(tty, SIGTTOU);

	if (error)
		return error;
	if (copy_from_user(&t, (void *)arg, sizeof(t)))
		return -EFAULT;
	if (cmd == TCSETSF)
		tty_flush_input(tty);
	tty->termios = t;
	tty_mode_changed(tty);
	return 0;
}

/* TIOCSWINSZ: a change is told to the foreground group. */
static long set_winsize(struct tty *tty, u32 arg)
{
	struct winsize w;

	if (copy_from_user(&w, (void *)arg, sizeof(w)))
		return -EFAULT;
	if (!memcmp(&w, &tty->winsize, sizeof(w)))
		return 0;
	tty->winsize = w;
	if (tty->pgrp)
		kill_pgrp(tty->pgrp, SIGWINCH);
	return 0;
}

/* Is there a task with this process group in the session? */
static bool pgrp_in_session(pid_t pgrp, pid_t session)
{
	struct task *t;

	for_each_task(t)
		if (t->pgrp == pgrp)
			return t->session == session;
	return false;
}

/* TIOCSPGRP: another foreground group of the same session. */
static long set_foreground(struct tty *tty, u32 arg)
{
	pid_t pgrp;
	int error = tty_check_change(tty, SIGTTOU);

	if (error)
		return error;
	if (current->tty != tty || tty->session != current->session)
		return -ENOTTY;
	if (get_user(pgrp, (pid_t *)arg))
		return -EFAULT;
	if (pgrp <= 0)
		return -EINVAL;
	if (!pgrp_in_session(pgrp, current->session))
		return -EPERM;
	tty->pgrp = pgrp;
	return 0;
}

/* TIOCGPGRP and TIOCGSID ask about the own terminal only. */
static long get_id(struct tty *tty, pid_t id, u32 arg)
{
	if (current->tty != tty)
		return -ENOTTY;
	return put_user(id, (pid_t *)arg);
}

/* TCXONC: holds or continues the output, as ^S and ^Q do; input is always
 * taken, so there is nothing to tell the other side. */
static long flow_control(struct tty *tty, u32 arg)
{
	int error = tty_check_change(tty, SIGTTOU);

	if (error)
		return error;
	if (arg > TCION)
		return -EINVAL;
	if (arg == TCOOFF)
		tty->stopped = true;
	else if (arg == TCOON)
		tty_start(tty);
	return 0;
}

/* TCFLSH: output never waits, so there is only input to throw away. */
static long flush(struct tty *tty, u32 arg)
{
	int error = tty_check_change(tty, SIGTTOU);

	if (error)
		return error;
	if (arg > TCIOFLUSH)
		return -EINVAL;
	if (arg != TCOFLUSH)
		tty_flush_input(tty);
	return 0;
}

/* TIOCSTI: as if the byte had been typed. */
static long fake_input(struct tty *tty, u32 arg)
{
	u8 c;

	if (current->tty != tty && !capable())
		return -EPERM;
	if (get_user(c, (u8 *)arg))
		return -EFAULT;
	tty_receive(tty, &c, 1);
	return 0;
}

/* TIOCNOTTY: gives up the controlling terminal. */
static long give_up(struct tty *tty)
{
	if (current->tty != tty)
		return -ENOTTY;
	if (current->session == current->pid)
		disassociate_tty();
	current->tty = NULL;
	return 0;
}

/* Requests that change something; -ENOTTY for an unknown one. */
static long change(struct tty *tty, unsigned cmd, u32 arg)
{
	switch (cmd) {
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		return set_termios(tty, cmd, arg);
	case TIOCSWINSZ:
		return set_winsize(tty, arg);
	case TIOCSPGRP:
		return set_foreground(tty, arg);
	case TIOCSCTTY:
		return tty_set_controlling(tty);
	case TIOCNOTTY:
		return give_up(tty);
	case TCXONC:
		return flow_control(tty, arg);
	case TCFLSH:
		return flush(tty, arg);
	case TIOCSTI:
		return fake_input(tty, arg);
	case TCSBRK:		/* output is sent at once: drained */
	case TCSBRKP:
	case TIOCEXCL:
	case TIOCNXCL:
		return 0;
	default:
		return -ENOTTY;
	}
}

/* Any request; a user address in `arg` is checked.  -ENOTTY, -EFAULT, ... */
long tty_ioctl(struct tty *tty, unsigned cmd, u32 arg)
{
	switch (cmd) {
	case TCGETS:
		return copy_to_user((void *)arg, &tty->termios,
				    sizeof(tty->termios));
	case TIOCGWINSZ:
		return copy_to_user((void *)arg, &tty->winsize,
				    sizeof(tty->winsize));
	case TIOCGPGRP:
		return get_id(tty, tty->pgrp, arg);
	case TIOCGSID:
		return get_id(tty, tty->session, arg);
	case FIONREAD:
		return put_user((int)tty_readable(tty), (int *)arg);
	case TIOCOUTQ:
		return put_user(0, (int *)arg);
	case TIOCMGET:
		return put_user(TIOCM_ONLINE, (int *)arg);
	default:
		return change(tty, cmd, arg);
	}
}
