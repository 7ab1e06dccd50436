/*
 * The 80x25 text screen: cells of character and attribute at 0xb8000, and the
 * CRT controller, which only has to know where the cursor is.
 */
#include "drivers/keyboard.h"
#include "drivers/tty.h"
#include "drivers/vga.h"
#include "kernel/console.h"
#include "kernel/cpu.h"
#include "lib/string.h"
#include "mm/page.h"

#define TEXT_MEMORY	0xb8000
#define CRTC_INDEX	0x3d4
#define CRTC_DATA	0x3d5
#define CURSOR_HIGH	0x0e
#define CURSOR_LOW	0x0f

static bool present;

/* Shows the cursor where it is. */
static void update_cursor(const struct screen *s)
{
	u16 at = s->row * SCREEN_COLUMNS + s->column;

	outb(CRTC_INDEX, CURSOR_HIGH);
	outb(CRTC_DATA, at >> 8);
	outb(CRTC_INDEX, CURSOR_LOW);
	outb(CRTC_DATA, at & 0xff);
}

/* Answers a question of the program as if typed. */
void screen_reply(const char *text)
{
	tty_receive(&tty_screen, (const u8 *)text, strlen(text));
}

/* The terminal's output. */
static void vga_write(const char *s, size_t len)
{
	ansi_write(&screen, s, len);
	update_cursor(&screen);
}

/* The console's output: a newline also goes to the first column. */
static void console_write(const char *s, size_t len)
{
	while (len--) {
		if (*s == '\n')
			ansi_write(&screen, "\r", 1);
		ansi_write(&screen, s++, 1);
	}
	update_cursor(&screen);
}

/* Does the text memory keep what is written to it? */
static bool adapter_present(u16 *cells)
{
	volatile u16 *cell = cells;
	u16 old = *cell;
	bool works;

	*cell = 0xa55a;
	works = *cell == 0xa55a;
	*cell = old;
	return works;
}

static struct console vga_console = {
	.name = "tty0",
	.dev = TTY_DEV(TTY_MAJOR, 0),
	.write = console_write,
};

/* Makes the screen, cleared, a console if there is an adapter.  Early. */
void vga_console_init(void)
{
	screen.cells = phys_to_virt(TEXT_MEMORY);
	if (!adapter_present(screen.cells))
		return;
	present = true;
	screen_clear(&screen, 0, 0, SCREEN_ROWS * SCREEN_COLUMNS);
	register_console(&vga_console);
}

/* Makes the screen a terminal, with the keyboard. */
void vga_init(void)
{
	if (!present)
		return;
	tty_register(&tty_screen, "tty0", vga_console.dev, vga_write,
		     SCREEN_ROWS, SCREEN_COLUMNS);
	keyboard_init();
}
