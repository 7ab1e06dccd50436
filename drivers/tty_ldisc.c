/*
 * The line discipline: from bytes typed to bytes read.
 *
 *	buf:  . . l i n e \n  h a l f . . .
 *	          ^tail       ^canon_head  ^head
 *
 * In canonical mode a read sees only whole lines, up to canon_head, and what
 * is behind it can still be erased.  The bytes that end a line are marked in
 * line_end; an end of file is such a mark on a byte (VEOF) that is not read.
 * In raw mode every byte counts.  Everything here runs as a softirq or in a
 * task, never in a top half, and never sleeps.
 */
#include "drivers/tty.h"
#include "lib/string.h"

#define DISABLED	0		/* a c_cc value that no byte matches */
#define MASK(pos)	((pos) & (TTY_BUF - 1))

/* Is a local flag set? */
static bool lflag(const struct tty *tty, u32 flag)
{
	return tty->termios.c_lflag & flag;
}

/* Is `c` the special character `which`? */
static bool is_cc(const struct tty *tty, u8 c, unsigned which)
{
	return c != DISABLED && c == tty->termios.c_cc[which];
}

/* Prints an input byte as ECHOCTL says. */
static void echo_char(struct tty *tty, u8 c)
{
	char text[2] = { '^', c ^ 0x40 };

	if (lflag(tty, ECHOCTL) && (c < ' ' || c == 0x7f) && c != '\t' &&
	    c != '\n')
		tty_output(tty, text, 2);
	else
		tty_output(tty, (char *)&c, 1);
}

/* Prints an input byte if echo is on; a newline also for ECHONL. */
static void echo(struct tty *tty, u8 c)
{
	if (lflag(tty, ECHO) ||
	    (c == '\n' && lflag(tty, ECHONL) && lflag(tty, ICANON)))
		echo_char(tty, c);
}

/* How many columns a byte of the line took when it was echoed at `column`. */
static unsigned width(const struct tty *tty, u8 c, unsigned column)
{
	if (c == '\t')
		return 8 - column % 8;
	if (c < ' ' || c == 0x7f)
		return lflag(tty, ECHOCTL) ? 2 : 0;
	return 1;
}

/* The column that the echo of the line being typed had before `pos`. */
static unsigned column_at(const struct tty *tty, u32 pos)
{
	unsigned column = tty->line_column;
	u32 i;

	for (i = tty->canon_head; i != pos; i++)
		column += width(tty, tty->buf[MASK(i)], column);
	return column;
}

/* Removes the last byte of the line being typed, and from the screen. */
static void erase_one(struct tty *tty)
{
	u8 c = tty->buf[MASK(--tty->head)];
	unsigned n;

	if (!lflag(tty, ECHO))
		return;
	if (!lflag(tty, ECHOE)) {
		echo_char(tty, tty->termios.c_cc[VERASE]);
		return;
	}
	for (n = width(tty, c, column_at(tty, tty->head)); n; n--)
		tty_output(tty, "\b \b", 3);
}

/* Erases a word: blanks, then what is not blank. */
static void erase_word(struct tty *tty)
{
	bool seen = false;

	while (tty->head != tty->canon_head) {
		u8 c = tty->buf[MASK(tty->head - 1)];
		bool blank = c == ' ' || c == '\t';

		if (blank && seen)
			return;
		seen |= !blank;
		erase_one(tty);
	}
}

/* Erases the line being typed. */
static void erase_line(struct tty *tty)
{
	if (lflag(tty, ECHOKE) && lflag(tty, ECHOE)) {
		while (tty->head != tty->canon_head)
			erase_one(tty);
		return;
	}
	tty->head = tty->canon_head;
	echo(tty, tty->termios.c_cc[VKILL]);
	if (lflag(tty, ECHOK))
		echo(tty, '\n');
}

/* Prints the line being typed again, on a new line. */
static void reprint(struct tty *tty)
{
	u32 i;

	echo_char(tty, tty->termios.c_cc[VREPRINT]);
	echo_char(tty, '\n');
	tty->line_column = tty->column;
	for (i = tty->canon_head; i != tty->head; i++)
		echo_char(tty, tty->buf[MASK(i)]);
}

/* Appends a byte; false, and a bell, when the buffer is full.  One byte stays
 * free in canonical mode so that the line can always be ended. */
static bool append(struct tty *tty, u8 c, bool ends_line)
{
	u32 room = TTY_BUF - (tty->head - tty->tail);

	if (room <= (lflag(tty, ICANON) && !ends_line ? 1u : 0u)) {
		if (tty->termios.c_iflag & IMAXBEL)
			tty_output(tty, "\a", 1);
		return false;
	}
	tty->buf[MASK(tty->head)] = c;
	if (ends_line)
		set_bit(MASK(tty->head), tty->line_end);
	else
		clear_bit(MASK(tty->head), tty->line_end);
	tty->head++;
	return true;
}

/* Ends the line being typed: readers may have it. */
static void end_line(struct tty *tty, u8 c)
{
	if (!append(tty, c, true))
		return;
	tty->canon_head = tty->head;
	wake_up(&tty->read_wait);
}

/* Handles a byte that edits or ends a line; false if it is only data. */
static bool canonical(struct tty *tty, u8 c)
{
	bool typed = tty->head != tty->canon_head;

	if (is_cc(tty, c, VERASE)) {
		if (typed)
			erase_one(tty);
	} else if (is_cc(tty, c, VWERASE) && lflag(tty, IEXTEN)) {
		erase_word(tty);
	} else if (is_cc(tty, c, VKILL)) {
		if (typed)
			erase_line(tty);
	} else if (is_cc(tty, c, VREPRINT) && lflag(tty, IEXTEN)) {
		reprint(tty);
	} else if (is_cc(tty, c, VEOF)) {
		end_line(tty, c);
	} else if (c == '\n' || is_cc(tty, c, VEOL) || is_cc(tty, c, VEOL2)) {
		echo(tty, c);
		end_line(tty, c);
	} else {
		return false;
	}
	return true;
}

/* Sends a signal to the foreground group if the byte asks for one. */
static bool signal_char(struct tty *tty, u8 c)
{
	unsigned which;

	if (is_cc(tty, c, VINTR))
		which = VINTR;
	else if (is_cc(tty, c, VQUIT))
		which = VQUIT;
	else if (is_cc(tty, c, VSUSP))
		which = VSUSP;
	else
		return false;
	if (!lflag(tty, NOFLSH))
		tty_flush_input(tty);
	tty_start(tty);
	echo(tty, c);
	tty_signal(tty, which);
	return true;
}

/* Stops or starts the output if the byte asks for it. */
static bool flow_char(struct tty *tty, u8 c)
{
	if (is_cc(tty, c, VSTOP)) {
		tty->stopped = true;
		return true;
	}
	if (is_cc(tty, c, VSTART)) {
		tty_start(tty);
		return true;
	}
	if (tty->stopped && (tty->termios.c_iflag & IXANY))
		tty_start(tty);
	return false;
}

/* Input flags: the byte that arrived becomes another, or -1 for none. */
static int map_input(const struct tty *tty, u8 c)
{
	u32 iflag = tty->termios.c_iflag;

	if (iflag & ISTRIP)
		c &= 0x7f;
	if (c == '\r') {
		if (iflag & IGNCR)
			return -1;
		return iflag & ICRNL ? '\n' : c;
	}
	return c == '\n' && (iflag & INLCR) ? '\r' : c;
}

/* Stores a byte as data. */
static void data_char(struct tty *tty, u8 c)
{
	if (tty->head == tty->canon_head)
		tty->line_column = tty->column;
	if (!append(tty, c, false))
		return;
	echo(tty, c);
	if (!lflag(tty, ICANON)) {
		tty->canon_head = tty->head;
		wake_up(&tty->read_wait);
	}
}

/* Takes one byte of input through all of it. */
static void receive_char(struct tty *tty, u8 byte)
{
	int c = map_input(tty, byte);

	if (c < 0)
		return;
	if (tty->literal) {
		tty->literal = false;
		data_char(tty, byte);
		return;
	}
	if ((tty->termios.c_iflag & IXON) && flow_char(tty, c))
		return;
	if (lflag(tty, ISIG) && signal_char(tty, c))
		return;
	if (lflag(tty, ICANON) && lflag(tty, IEXTEN) && is_cc(tty, c, VLNEXT)) {
		tty->literal = true;
		if (lflag(tty, ECHO) && lflag(tty, ECHOCTL))
			tty_output(tty, "^\b", 2);
		return;
	}
	if (lflag(tty, ICANON) && canonical(tty, c))
		return;
	data_char(tty, c);
}

/* Input from a driver; see the header. */
void tty_receive(struct tty *tty, const u8 *s, size_t len)
{
	while (len--)
		receive_char(tty, *s++);
}

/* Bytes that a read would get now. */
u32 tty_readable(const struct tty *tty)
{
	return (lflag(tty, ICANON) ? tty->canon_head : tty->head) - tty->tail;
}

/* Takes readable bytes out.  A canonical read ends after one line, and an end
 * of file is taken but not returned: 0 bytes, when it stands alone. */
u32 tty_take(struct tty *tty, char *buf, u32 len, bool *line_ended)
{
	bool canon = lflag(tty, ICANON);
	u32 n = 0, readable = tty_readable(tty);

	*line_ended = false;
	while (readable-- && !*line_ended) {
		u32 at = MASK(tty->tail);
		bool end = canon && test_bit(at, tty->line_end);

		if (end && is_cc(tty, tty->buf[at], VEOF)) {
			tty->tail++;
			*line_ended = true;
			break;
		}
		if (n == len)
			break;
		buf[n++] = tty->buf[at];
		tty->tail++;
		*line_ended = end;
	}
	return n;
}

/* Throws away all input that waits. */
void tty_flush_input(struct tty *tty)
{
	tty->tail = tty->canon_head = tty->head;
}

/* After a mode change: bytes of a line not yet ended are readable in raw mode,
 * and what was readable then stays so when lines come back. */
void tty_mode_changed(struct tty *tty)
{
	tty->literal = false;
	tty->canon_head = tty->head;
	if (!(tty->termios.c_iflag & IXON))
		tty_start(tty);
	if (tty->head != tty->tail)
		wake_up(&tty->read_wait);
}
