/* host-test: drivers/tty_ldisc.c */
/*
 * The line discipline: lines, editing, signals, raw mode, full buffers.
 */
#include <string.h>

#include "drivers/tty.h"
#include "tests/host/tap.h"

static struct tty tty;
static char output[65536];
static size_t output_len;
static int last_signal = -1, wakeups;

void tty_output(struct tty *t, const char *s, size_t len)
{
	for (; len--; s++) {
		if (*s == '\b')
			t->column -= t->column > 0;
		else if (*s == '\t')
			t->column = (t->column | 7) + 1;
		else if (*s == '\n')
			t->column = 0;
		else if (*s >= ' ')
			t->column++;
		if (output_len < sizeof(output) - 1)
			output[output_len++] = *s;
	}
	output[output_len] = '\0';
}

void tty_start(struct tty *t)
{
	t->stopped = false;
}

void wake_up(struct wait_queue *wq)
{
	(void)wq;
	wakeups++;
}

void tty_signal(struct tty *t, unsigned which)
{
	(void)t;
	last_signal = which;
}

/* A terminal as after start-up. */
static void reset(void)
{
	memset(&tty, 0, sizeof(tty));
	tty.termios.c_iflag = ICRNL | IXON;
	tty.termios.c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL |
			      ECHOKE | IEXTEN;
	memcpy(tty.termios.c_cc, (u8 [NCCS]){
		[VINTR] = 3, [VQUIT] = 28, [VERASE] = 127, [VKILL] = 21,
		[VEOF] = 4, [VMIN] = 1, [VSTART] = 17, [VSTOP] = 19,
		[VSUSP] = 26, [VREPRINT] = 18, [VWERASE] = 23, [VLNEXT] = 22,
	}, NCCS);
	output_len = 0;
	output[0] = '\0';
	last_signal = -1;
}

static void type(const char *text)
{
	tty_receive(&tty, (const u8 *)text, strlen(text));
}

/* Does a read of up to `len` bytes give this? */
static bool reads(const char *text, u32 len)
{
	static char buf[8192];
	bool ended;
	u32 n = tty_take(&tty, buf, len, &ended);

	return n == strlen(text) && !memcmp(buf, text, n);
}

static void lines(void)
{
	reset();
	type("half");
	is(tty_readable(&tty), 0, "half a line cannot be read");
	type(" line\rnext\r");
	ok(reads("half line\n", 100), "a read ends at the line's end");
	ok(reads("ne", 2) && reads("xt\n", 100), "a short read leaves the rest");
	type("ab\004");
	ok(reads("ab", 100), "^D hands out what was typed");
	is(tty_readable(&tty), 0, "and is no end of file after text");
	type("\004x\r");
	is(tty_readable(&tty), 3, "^D alone");
	ok(reads("", 100), "is an end of file");
	ok(reads("x\n", 100), "the terminal goes on after it");
}

static void editing(void)
{
	reset();
	type("abc\177\177x\r");
	ok(reads("ax\n", 100), "erase");
	ok(strstr(output, "c\b \b\b \bx"), "on the screen too");
	type("\177\177one two  \027\027three\r");
	ok(reads("three\n", 100), "word erase; nothing before the line goes");
	type("wrong\025right\r");
	ok(reads("right\n", 100), "kill");
	type("a\026\003b\r");
	ok(reads("a\003b\n", 100), "^V takes the next byte as it is");
	reset();
	type("\tab\177\177\177");
	is(tty.column, 0, "a tab is erased whole");
	reset();
	tty_output(&tty, "$ ", 2);
	type("a\tb\177\177\177");
	is(tty.column, 2, "also behind a prompt");
	reset();
	type("\001\177");
	is(tty.column, 0, "a control character's two columns");
}

static void signals(void)
{
	reset();
	type("abc\003");
	is(last_signal, VINTR, "^C");
	type("\r");
	ok(reads("\n", 100), "what was typed before it is gone");
	type("\032");
	is(last_signal, VSUSP, "^Z");
	tty.termios.c_lflag |= NOFLSH;
	type("abc\034\r");
	is(last_signal, VQUIT, "^\\");
	ok(reads("abc\n", 100), "NOFLSH keeps the line");
	type("\023");
	ok(tty.stopped, "^S stops the output");
	type("\021");
	ok(!tty.stopped, "^Q starts it");
	tty.termios.c_lflag &= ~ISIG;
	type("\003\r");
	ok(reads("\003\n", 100), "without ISIG it is data");
}

static void raw(void)
{
	reset();
	type("typed");
	tty.termios.c_lflag &= ~(ICANON | ECHO | ISIG);
	tty.termios.c_iflag = 0;
	tty_mode_changed(&tty);
	ok(reads("typed", 100), "raw mode reads what was typed before");
	output_len = 0;
	wakeups = 0;
	type("\003\177\r\n");
	is(wakeups, 4, "each byte wakes the reader");
	ok(reads("\003\177\r\n", 100), "and comes as it is");
	is(output_len, 0, "without an echo");
}

static void full(void)
{
	u32 i;

	reset();
	for (i = 0; i < TTY_BUF + 100; i++)
		type("y");
	type("\r");
	is(tty_readable(&tty), TTY_BUF, "a full line can still be ended");
	type("more\r");
	is(tty_readable(&tty), TTY_BUF, "and takes no more");
	tty_flush_input(&tty);
	is(tty_readable(&tty), 0, "flush");
	type("again\r");
	ok(reads("again\n", 100), "after a flush");
}

/* Random bytes: never more than fits, and lines come out as they ended. */
static void noise(void)
{
	bool bounded = true;
	char buf[64];
	bool ended;
	int i;

	reset();
	for (i = 0; i < 300000; i++) {
		u8 c = rnd_below(256);

		if (rnd_below(4) == 0)
			c = "\r\177\025\027\004"[rnd_below(5)];
		output_len = 0;
		tty_receive(&tty, &c, 1);
		if (rnd_below(3) == 0)
			tty_take(&tty, buf, 1 + rnd_below(sizeof(buf)), &ended);
		bounded &= tty.head - tty.tail <= TTY_BUF &&
			   tty.canon_head - tty.tail <= tty.head - tty.tail;
	}
	ok(bounded, "random input stays within the buffer");
}

int main(void)
{
	lines();
	editing();
	signals();
	raw();
	full();
	noise();
	return done();
}
