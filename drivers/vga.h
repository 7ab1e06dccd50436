/* The text screen and its escape sequences: the terminal tty0. */
#ifndef DRIVERS_VGA_H
#define DRIVERS_VGA_H

#include "lib/types.h"

#define SCREEN_ROWS	25
#define SCREEN_COLUMNS	80

/* Early: makes the screen a console if there is a text mode adapter. */
void vga_console_init(void);
/* Later: makes it a terminal; the keyboard gives its input. */
void vga_init(void);

/* ---- between vga.c (the adapter), vga_screen.c (the cells) and vga_ansi.c
 * (the sequences) ---- */
struct screen {
	u16 *cells;			/* character | attribute << 8 */
	int row, column;		/* of the cursor */
	bool wrap_pending;		/* the last column was just written */
	u8 attribute;
	int top, bottom;		/* scrolling region, inclusive */
};

extern struct screen screen;

/* Interprets bytes: text, control characters, escape sequences. */
void ansi_write(struct screen *s, const char *text, size_t len);
/* Clears `count` cells from a position on. */
void screen_clear(struct screen *s, int row, int column, int count);
/* Moves rows first..bottom by n (up when positive) and clears what appears. */
void screen_scroll(struct screen *s, int first, int n);
/* Moves the cursor, clamped to the screen. */
void screen_goto(struct screen *s, int row, int column);
/* Answers a question of the program as if typed. */
void screen_reply(const char *text);

#endif
