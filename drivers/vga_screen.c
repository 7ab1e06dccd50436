/*
 * The cells of the text screen: clearing, scrolling, and where the cursor is.
 * Plain memory, also built for the host's tests.
 */
#include "drivers/vga.h"
#include "lib/string.h"

#define ATTRIBUTE	0x07		/* light grey on black */

struct screen screen = { .attribute = ATTRIBUTE, .bottom = SCREEN_ROWS - 1 };

/* Clears `count` cells from a position on. */
void screen_clear(struct screen *s, int row, int column, int count)
{
	u16 *cell = s->cells + row * SCREEN_COLUMNS + column;

	while (count-- > 0)
		*cell++ = ' ' | s->attribute << 8;
}

/* Moves rows first..bottom by n (up when positive) and clears the rest. */
void screen_scroll(struct screen *s, int first, int n)
{
	int rows = s->bottom - first + 1, moved;
	u16 *start = s->cells + first * SCREEN_COLUMNS;

	n = max(min(n, rows), -rows);
	moved = rows - (n < 0 ? -n : n);
	if (n > 0) {
		memmove(start, start + n * SCREEN_COLUMNS,
			moved * SCREEN_COLUMNS * 2);
		screen_clear(s, first + moved, 0, n * SCREEN_COLUMNS);
	} else if (n < 0) {
		memmove(start - n * SCREEN_COLUMNS, start,
			moved * SCREEN_COLUMNS * 2);
		screen_clear(s, first, 0, -n * SCREEN_COLUMNS);
	}
}

/* Moves the cursor, clamped to the screen. */
void screen_goto(struct screen *s, int row, int column)
{
	s->row = max(0, min(row, SCREEN_ROWS - 1));
	s->column = max(0, min(column, SCREEN_COLUMNS - 1));
	s->wrap_pending = false;
}
