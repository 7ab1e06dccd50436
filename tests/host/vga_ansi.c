/* host-test: drivers/vga_ansi.c drivers/vga_screen.c */
/*
 * Escape sequences on a screen in memory.
 */
#include <string.h>

#include "drivers/vga.h"
#include "tests/host/tap.h"

#define ROWS	SCREEN_ROWS
#define COLS	SCREEN_COLUMNS

static u16 cells[ROWS * COLS + 1];	/* and one that must not change */
static char reply[32];

void screen_reply(const char *text)
{
	snprintf(reply, sizeof(reply), "%s", text);
}

static void put(const char *text)
{
	ansi_write(&screen, text, strlen(text));
}

/* Is this the text at a place? */
static bool at(int row, int column, const char *text)
{
	for (; *text; text++, column++)
		if ((cells[row * COLS + column] & 0xff) != (u8)*text)
			return false;
	return true;
}

static void text(void)
{
	put("\033chello\r\nworld\b\bL\ttab");
	ok(at(0, 0, "hello") && at(1, 0, "worLd"), "lines and backspace");
	ok(at(1, 8, "tab"), "a tab goes to column 8");
	put("\033[1;79Hab");
	is(screen.row, 0, "the last column does not wrap yet");
	put("c");
	ok(at(0, 78, "ab") && at(1, 0, "c"), "the next character wraps");
	put("\033[25;1Hbottom\nmore");
	ok(at(23, 0, "bottom") && at(24, 6, "more"), "the last line scrolls");
}

static void cursor(void)
{
	put("\033c\033[10;20H\033[2A\033[3D\033[B\033[5C");
	is(screen.row, 8, "up and down");
	is(screen.column, 21, "left and right");
	put("\033[6n");
	ok(!strcmp(reply, "\033[9;22R"), "the position is reported");
	put("\033[s\033[99;99H\033[u");
	is(screen.row * 100 + screen.column, 821, "save and restore");
	put("\033[999;999H");
	is(screen.row * 100 + screen.column, 2479, "clamped to the screen");
	put("\033[G\033[4d");
	is(screen.row * 100 + screen.column, 300, "column and row alone");
}

static void erasing(void)
{
	put("\033cabcdef\033[1;4H\033[K");
	ok(at(0, 0, "abc  "), "to the end of the line");
	put("\033[1;2H\033[1K");
	ok(at(0, 0, "  c"), "from the start of the line");
	put("x\r\nyyy\033[J\033[2;1H\033[1J");
	ok(at(0, 0, "    ") && at(1, 0, " yy"), "from the start of the screen");
	put("\033[2J");
	ok(at(1, 0, "   "), "the whole screen");
	put("\033[Habcdef\033[1;2H\033[2P");
	ok(at(0, 0, "adef  "), "delete characters");
	put("\033[3@");
	ok(at(0, 0, "a   def"), "insert blanks");
}

static void region(void)
{
	put("\033c1\r\n2\r\n3\r\n4\r\n5\033[2;4r\033[4;1H\n");
	ok(at(0, 0, "1") && at(1, 0, "3") && at(2, 0, "4") && at(3, 0, " ") &&
	   at(4, 0, "5"), "only the region scrolls up");
	put("\033[2;1H\033M");
	ok(at(1, 0, " ") && at(2, 0, "3") && at(3, 0, "4") && at(4, 0, "5"),
	   "and down");
	put("\033[3;1H\033[L");
	ok(at(2, 0, " ") && at(3, 0, "3") && at(4, 0, "5"), "insert a line");
	put("\033[M");
	ok(at(2, 0, "3") && at(3, 0, " "), "delete a line");
}

static void colours(void)
{
	put("\033c\033[1;31;44mX\033[0mY\033[7mZ");
	is(cells[0] >> 8, 0x1c, "bold red on blue");
	is(cells[1] >> 8, 0x07, "plain again");
	is(cells[2] >> 8, 0x70, "reverse");
}

/* Any bytes leave the cursor on the screen and write nowhere else. */
static void noise(void)
{
	static const char some[] = "\033[[;?0123456789HJKLMPX@ABCDrmnsu\n\r\t\bx";
	bool inside = true;
	int i;

	cells[ROWS * COLS] = 0xabcd;
	for (i = 0; i < 1000000; i++) {
		char c = some[rnd_below(sizeof(some) - 1)];

		ansi_write(&screen, &c, 1);
		inside &= screen.row >= 0 && screen.row < ROWS &&
			  screen.column >= 0 && screen.column < COLS;
	}
	ok(inside, "the cursor stays on the screen");
	is(cells[ROWS * COLS], 0xabcd, "nothing is written behind it");
}

int main(void)
{
	screen.cells = cells;
	text();
	cursor();
	erasing();
	region();
	colours();
	noise();
	return done();
}
