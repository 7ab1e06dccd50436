/*
 * Terminals: the serial line ttyS0 and the screen with its keyboard, tty0.
 *
 *	device interrupt -> ring of the driver -> softirq: tty_receive()
 *	                -> line discipline (tty_ldisc.c) -> buf -> read(2)
 *	write(2) -> tty_write (tty.c): output processing -> driver->write
 *	ioctl(2) -> tty_ioctl.c                 job control -> tty_job.c
 *
 * A terminal is never freed, so pointers to one are not counted.
 */
#ifndef DRIVERS_TTY_H
#define DRIVERS_TTY_H

#include "kernel/sched.h"
#include "lib/bitmap.h"
#include "lib/types.h"

/* termios flags, as <termios.h> has them */
#define IGNBRK	0x0001u			/* c_iflag */
#define BRKINT	0x0002u
#define ISTRIP	0x0020u
#define INLCR	0x0040u
#define IGNCR	0x0080u
#define ICRNL	0x0100u
#define IXON	0x0400u
#define IXANY	0x0800u
#define IMAXBEL	0x2000u
#define OPOST	0x0001u			/* c_oflag */
#define ONLCR	0x0004u
#define OCRNL	0x0008u
#define ONOCR	0x0010u
#define ONLRET	0x0020u
#define CS8	0x0030u			/* c_cflag */
#define CREAD	0x0080u
#define HUPCL	0x0400u
#define CLOCAL	0x0800u
#define B115200	0x1002u
#define ISIG	0x0001u			/* c_lflag */
#define ICANON	0x0002u
#define ECHO	0x0008u
#define ECHOE	0x0010u
#define ECHOK	0x0020u
#define ECHONL	0x0040u
#define NOFLSH	0x0080u
#define TOSTOP	0x0100u
#define ECHOCTL	0x0200u
#define ECHOKE	0x0800u
#define IEXTEN	0x8000u

enum {					/* c_cc */
	VINTR, VQUIT, VERASE, VKILL, VEOF, VTIME, VMIN, VSWTC, VSTART, VSTOP,
	VSUSP, VEOL, VREPRINT, VDISCARD, VWERASE, VLNEXT, VEOL2,
	NCCS = 19,
};

struct termios {
	u32 c_iflag, c_oflag, c_cflag, c_lflag;
	u8 c_line;
	u8 c_cc[NCCS];
};

struct winsize {
	u16 ws_row, ws_col, ws_xpixel, ws_ypixel;
};

#define TTY_BUF	4096u			/* input that waits; a power of two */

struct tty {
	const char *name;		/* "ttyS0" */
	dev_t dev;
	void (*write)(const char *s, size_t len);	/* bounded, no sleep */
	struct termios termios;
	struct winsize winsize;

	/* input: positions run freely and are masked at use */
	u8 buf[TTY_BUF];
	DECLARE_BITMAP(line_end, TTY_BUF);	/* the byte ends a line */
	u32 head;			/* next to be written */
	u32 canon_head;			/* end of the last whole line */
	u32 tail;			/* next to be read */
	unsigned line_column;		/* where the line being typed began */
	bool literal;			/* ^V: the next byte is only data */
	struct wait_queue read_wait;

	/* output */
	unsigned column;
	bool stopped;			/* ^S */
	struct wait_queue write_wait;

	/* job control */
	pid_t session;			/* which it controls, 0: none */
	pid_t pgrp;			/* the foreground group, 0: none */
};

#define TTY_MAJOR	4		/* tty0 is 4,0, ttyS0 is 4,64 */
#define TTYAUX_MAJOR	5		/* tty is 5,0, console is 5,1 */
#define TTY_DEV(major, minor)	((major) << 8 | (minor))

/* ---- for drivers ---- */
extern struct tty tty_screen, tty_serial;
/* Makes a terminal known; once. */
void tty_register(struct tty *tty, const char *name, dev_t dev,
		  void (*write)(const char *, size_t), u16 rows, u16 columns);
/* Input from a driver's softirq; never sleeps.  Echoes, edits, signals. */
void tty_receive(struct tty *tty, const u8 *s, size_t len);
/* A driver's softirq handler, called whenever SOFTIRQ_TTY runs. */
void tty_add_poller(void (*poll)(void));

/* ---- for the rest of the kernel ---- */
/* Registers the character devices and their nodes in /dev; after devfs. */
void tty_init(void);
/* The terminal of a device number, or NULL. */
struct tty *tty_find(dev_t dev);
/* At the exit of a session leader: hangs up, and takes the terminal from the
 * whole session. */
void disassociate_tty(void);

/* ---- between the files of this room ---- */
/* Writes through output processing; never sleeps, ignores ^S. */
void tty_output(struct tty *tty, const char *s, size_t len);
/* Bytes that a read() would get now without waiting. */
u32 tty_readable(const struct tty *tty);
/* Copies up to `len` readable bytes out; ends after a line when canonical, and
 * says in *line_ended whether it did. */
u32 tty_take(struct tty *tty, char *buf, u32 len, bool *line_ended);
void tty_flush_input(struct tty *tty);
/* Applies a mode change to what waits: a line typed so far may become
 * readable. */
void tty_mode_changed(struct tty *tty);
/* Lets output go on after ^S. */
void tty_start(struct tty *tty);
long tty_ioctl(struct tty *tty, unsigned cmd, u32 arg);
/* 0 when the caller may do it, else it got `sig` (SIGTTIN, SIGTTOU): then
 * -ERESTARTSYS, or -EIO when nobody could continue it. */
int tty_check_change(struct tty *tty, int sig);
/* Sends the foreground group what VINTR, VQUIT or VSUSP stands for. */
void tty_signal(struct tty *tty, unsigned which);
/* Makes `tty` the controlling terminal of the caller's session if possible. */
int tty_set_controlling(struct tty *tty);

#endif
