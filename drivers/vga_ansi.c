/*
 * The escape sequences of TERM=linux that programs use: cursor movement,
 * erasing, inserting and deleting, scrolling region, colours, reports.
 *
 *	TEXT --ESC--> ESCAPE --[--> PARAMS --letter--> done, TEXT
 *	                 `--letter--> done, TEXT
 *
 * A sequence that is not known is swallowed whole.
 */
#include "drivers/vga.h"
#include "lib/printf.h"

#define MAX_PARAMS	8
#define MAX_VALUE	999

static enum { TEXT, ESCAPE, PARAMS, CHARSET } state;
static int params[MAX_PARAMS];		/* of the sequence being read */
static int nr_params;
static bool private_mode;		/* ESC [ ? */
static int saved_row, saved_column;
static bool bold, reverse;
static u8 foreground = 7, background;

/* Makes the attribute byte of the current colours. */
static void set_attribute(struct screen *s)
{
	u8 fg = foreground | (bold ? 8 : 0);

	s->attribute = reverse ? (fg & 7) << 4 | background
			       : background << 4 | fg;
}

/* A parameter, or what stands for one that is missing or 0. */
static int param(int i, int otherwise)
{
	return i < nr_params && params[i] ? params[i] : otherwise;
}

/* One row down; at the end of the scrolling region the text moves up. */
static void line_feed(struct screen *s)
{
	s->wrap_pending = false;
	if (s->row == s->bottom)
		screen_scroll(s, s->top, 1);
	else if (s->row < SCREEN_ROWS - 1)
		s->row++;
}

/* One row up; at the start of the region the text moves down. */
static void reverse_line_feed(struct screen *s)
{
	s->wrap_pending = false;
	if (s->row == s->top)
		screen_scroll(s, s->top, -1);
	else if (s->row > 0)
		s->row--;
}

/* Shows a character; a line is continued on the next row only when there is
 * more of it. */
static void put_char(struct screen *s, u8 c)
{
	if (s->wrap_pending) {
		s->column = 0;
		line_feed(s);
	}
	s->cells[s->row * SCREEN_COLUMNS + s->column] = c | s->attribute << 8;
	if (s->column == SCREEN_COLUMNS - 1)
		s->wrap_pending = true;
	else
		s->column++;
}

/* Text and control characters. */
static void plain(struct screen *s, u8 c)
{
	switch (c) {
	case 0x1b:
		state = ESCAPE;
		break;
	case '\r':
		screen_goto(s, s->row, 0);
		break;
	case '\n':
	case '\v':
	case '\f':
		line_feed(s);
		break;
	case '\b':
		screen_goto(s, s->row, s->column - 1);
		break;
	case '\t':
		screen_goto(s, s->row, (s->column | 7) + 1);
		break;
	default:
		if (c >= ' ' && c != 0x7f)
			put_char(s, c);
	}
}

/* ESC J and ESC K: erases in the screen or, when `line`, in the row. */
static void erase(struct screen *s, bool line)
{
	int width = SCREEN_COLUMNS;
	int start = line ? s->row * width : 0;
	int end = line ? start + width : SCREEN_ROWS * width;
	int here = s->row * width + s->column;

	if (param(0, 0) == 0)
		start = here;
	else if (param(0, 0) == 1)
		end = here + 1;
	screen_clear(s, 0, start, end - start);
}

/* Inserts (n > 0) or deletes blanks at the cursor. */
static void shift_row(struct screen *s, int n)
{
	u16 *row = s->cells + s->row * SCREEN_COLUMNS;
	int rest = SCREEN_COLUMNS - s->column, i;

	n = max(min(n, rest), -rest);
	for (i = 0; n > 0 && i < rest - n; i++)
		row[SCREEN_COLUMNS - 1 - i] = row[SCREEN_COLUMNS - 1 - i - n];
	for (i = 0; n < 0 && i < rest + n; i++)
		row[s->column + i] = row[s->column + i - n];
	if (n > 0)
		screen_clear(s, s->row, s->column, n);
	else
		screen_clear(s, s->row, SCREEN_COLUMNS + n, -n);
}

/* The VGA's number of an ANSI colour: red and blue change places. */
static u8 colour(int ansi)
{
	return (ansi & 2) | (ansi & 1) << 2 | (ansi & 4) >> 2;
}

/* One parameter of ESC [ ... m. */
static void set_graphics(int p)
{
	if (p == 0) {
		bold = reverse = false;
		foreground = 7;
		background = 0;
	} else if (p == 1) {
		bold = true;
	} else if (p == 2 || p == 22) {
		bold = false;
	} else if (p == 7 || p == 27) {
		reverse = p == 7;
	} else if (p >= 30 && p <= 37) {
		foreground = colour(p - 30);
	} else if (p == 39) {
		foreground = 7;
	} else if (p >= 40 && p <= 47) {
		background = colour(p - 40);
	} else if (p == 49) {
		background = 0;
	} else if (p >= 90 && p <= 97) {
		foreground = colour(p - 90) | 8;
	}
}

/* ESC [ ... m */
static void graphics(struct screen *s)
{
	int i;

	for (i = 0; i < max(nr_params, 1); i++)
		set_graphics(param(i, 0));
	set_attribute(s);
}

/* ESC [ top ; bottom r */
static void set_region(struct screen *s)
{
	int top = param(0, 1) - 1;
	int bottom = param(1, SCREEN_ROWS) - 1;

	if (top >= bottom || bottom >= SCREEN_ROWS)
		return;
	s->top = top;
	s->bottom = bottom;
	screen_goto(s, 0, 0);
}

/* ESC [ n n: where is the cursor, are you there. */
static void report(const struct screen *s)
{
	char text[32];

	if (param(0, 0) == 6) {
		snprintf(text, sizeof(text), "\033[%d;%dR", s->row + 1,
			 s->column + 1);
		screen_reply(text);
	} else if (param(0, 0) == 5) {
		screen_reply("\033[0n");
	}
}

/* Sequences that only move the cursor; false if this is none. */
static bool move(struct screen *s, u8 c)
{
	int n = param(0, 1);

	switch (c) {
	case 'A':
		screen_goto(s, s->row - n, s->column);
		return true;
	case 'B':
	case 'e':
		screen_goto(s, s->row + n, s->column);
		return true;
	case 'C':
	case 'a':
		screen_goto(s, s->row, s->column + n);
		return true;
	case 'D':
		screen_goto(s, s->row, s->column - n);
		return true;
	case 'E':
		screen_goto(s, s->row + n, 0);
		return true;
	case 'F':
		screen_goto(s, s->row - n, 0);
		return true;
	case 'G':
	case '`':
		screen_goto(s, s->row, n - 1);
		return true;
	case 'd':
		screen_goto(s, n - 1, s->column);
		return true;
	case 'H':
	case 'f':
		screen_goto(s, n - 1, param(1, 1) - 1);
		return true;
	}
	return false;
}

/* ESC s, ESC 7: remembers the cursor; ESC u, ESC 8: goes back to it. */
static void save_cursor(const struct screen *s)
{
	saved_row = s->row;
	saved_column = s->column;
}

/* Does what a whole ESC [ sequence says. */
static void finish(struct screen *s, u8 c)
{
	int n = param(0, 1);

	state = TEXT;
	if (private_mode || move(s, c))
		return;
	if (c == 'J' || c == 'K')
		erase(s, c == 'K');
	else if (c == 'L' || c == 'M')
		screen_scroll(s, s->row, c == 'M' ? n : -n);
	else if (c == 'S' || c == 'T')
		screen_scroll(s, s->top, c == 'S' ? n : -n);
	else if (c == '@' || c == 'P')
		shift_row(s, c == '@' ? n : -n);
	else if (c == 'X')
		screen_clear(s, s->row, s->column,
			     min(n, SCREEN_COLUMNS - s->column));
	else if (c == 'm')
		graphics(s);
	else if (c == 'n')
		report(s);
	else if (c == 'r')
		set_region(s);
	else if (c == 's')
		save_cursor(s);
	else if (c == 'u')
		screen_goto(s, saved_row, saved_column);
}

/* A byte of an ESC [ sequence. */
static void parameter(struct screen *s, u8 c)
{
	if (c >= '0' && c <= '9') {
		nr_params = max(nr_params, 1);
		if (nr_params <= MAX_PARAMS)
			params[nr_params - 1] = min(params[nr_params - 1] * 10 +
						    c - '0', MAX_VALUE);
	} else if (c == ';') {
		nr_params = max(nr_params, 1) + 1;
		if (nr_params <= MAX_PARAMS)
			params[nr_params - 1] = 0;
		else
			nr_params = MAX_PARAMS;
	} else if (c == '?') {
		private_mode = true;
	} else if (c >= '@') {
		finish(s, c);
	} else if (c == 0x1b) {
		state = ESCAPE;
	}
}

/* Back to how the screen was at start-up. */
static void reset(struct screen *s)
{
	set_graphics(0);
	set_attribute(s);
	s->top = 0;
	s->bottom = SCREEN_ROWS - 1;
	screen_goto(s, 0, 0);
	screen_clear(s, 0, 0, SCREEN_ROWS * SCREEN_COLUMNS);
}

/* The byte after ESC. */
static void escape(struct screen *s, u8 c)
{
	state = TEXT;
	if (c == '[') {
		state = PARAMS;
		nr_params = 0;
		params[0] = 0;
		private_mode = false;
	} else if (c == '(' || c == ')' || c == '#' || c == '%') {
		state = CHARSET;
	} else if (c == 'D' || c == 'E') {
		if (c == 'E')
			s->column = 0;
		line_feed(s);
	} else if (c == 'M') {
		reverse_line_feed(s);
	} else if (c == '7') {
		save_cursor(s);
	} else if (c == '8') {
		screen_goto(s, saved_row, saved_column);
	} else if (c == 'c') {
		reset(s);
	}
}

/* Interprets bytes; see the header. */
void ansi_write(struct screen *s, const char *text, size_t len)
{
	while (len--) {
		u8 c = *text++;

		if (state == TEXT)
			plain(s, c);
		else if (state == ESCAPE)
			escape(s, c);
		else if (state == PARAMS)
			parameter(s, c);
		else
			state = TEXT;
	}
}
