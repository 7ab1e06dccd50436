/*
 * The PS/2 keyboard, US layout, scancode set 1 (the controller translates).
 *
 * The interrupt moves scancodes into a ring; the softirq makes characters of
 * them.  A code with bit 7 set is a key going up; 0xe0 says that the next code
 * is of the grey keys.  Every wait for the controller is bounded, for there
 * may be none.
 */
#include "drivers/keyboard.h"
#include "drivers/tty.h"
#include "kernel/cpu.h"
#include "kernel/irq.h"
#include "kernel/printk.h"
#include "lib/ringbuf.h"
#include "lib/string.h"

#define KBD_IRQ		1
#define KBD_DATA	0x60
#define KBD_STATUS	0x64
#define   OUTPUT_FULL	0x01
#define   INPUT_FULL	0x02
#define KBD_COMMAND	0x64
#define   READ_CONFIG	0x20
#define   WRITE_CONFIG	0x60
#define   ENABLE_PORT	0xae
#define CONFIG_IRQ	0x01
#define CONFIG_OFF	0x10		/* keyboard clock disabled */
#define CONFIG_TRANSLATE 0x40
#define WAIT_LIMIT	20000

#define RELEASE		0x80
#define EXTENDED	0xe0
#define KEY_CTRL	0x1d
#define KEY_LSHIFT	0x2a
#define KEY_RSHIFT	0x36
#define KEY_ALT		0x38
#define KEY_CAPS	0x3a

static const char plain[128] =
	"\0\0331234567890-=\177\tqwertyuiop[]\r\0asdfghjkl;'`\0\\zxcvbnm,./"
	"\0*\0 \0\0\0\0\0\0\0\0\0\0\0\0\0" "789-456+1230.\0\0\\";
static const char shifted[128] =
	"\0\033!@#$%^&*()_+\177\tQWERTYUIOP{}\r\0ASDFGHJKL:\"~\0|ZXCVBNM<>?"
	"\0*\0 \0\0\0\0\0\0\0\0\0\0\0\0\0" "789-456+1230.\0\0|";

/* Keys that send a sequence: arrows and their neighbours, F1 to F12. */
static const struct {
	u8 code;
	const char *text;
} sequences[] = {
	{ 0x48, "\033[A" }, { 0x50, "\033[B" }, { 0x4d, "\033[C" },
	{ 0x4b, "\033[D" }, { 0x47, "\033[1~" }, { 0x4f, "\033[4~" },
	{ 0x49, "\033[5~" }, { 0x51, "\033[6~" }, { 0x52, "\033[2~" },
	{ 0x53, "\033[3~" },
}, function_keys[] = {
	{ 0x3b, "\033[[A" }, { 0x3c, "\033[[B" }, { 0x3d, "\033[[C" },
	{ 0x3e, "\033[[D" }, { 0x3f, "\033[[E" }, { 0x40, "\033[17~" },
	{ 0x41, "\033[18~" }, { 0x42, "\033[19~" }, { 0x43, "\033[20~" },
	{ 0x44, "\033[21~" }, { 0x57, "\033[23~" }, { 0x58, "\033[24~" },
};

static u8 storage[256];
static struct ringbuf codes = RINGBUF_INIT(storage);
static bool shift, ctrl, alt, caps, extended;

/* Waits, bounded, for a status bit to get a value. */
static bool wait_status(u8 bit, bool set)
{
	int limit = WAIT_LIMIT;

	while (!(inb(KBD_STATUS) & bit) == set)
		if (!--limit)
			return false;
	return true;
}

/* Top half: moves scancodes into the ring. */
static bool keyboard_interrupt(unused_arg void *dev)
{
	int limit = 16;
	bool any = false;

	while ((inb(KBD_STATUS) & OUTPUT_FULL) && limit--) {
		ring_put(&codes, inb(KBD_DATA));
		any = true;
	}
	if (any)
		raise_softirq(SOFTIRQ_TTY);
	return any;
}

/* Hands text to the terminal. */
static void type(const char *text)
{
	tty_receive(&tty_screen, (const u8 *)text, strlen(text));
}

/* The character of a key with the modifiers that are down; 0 for none. */
static char key_char(u8 code)
{
	char c = plain[code];
	bool letter = c >= 'a' && c <= 'z';

	if (shift != (caps && letter))
		c = shifted[code];
	if (ctrl && (c == ' ' || c == '@' || c == '2'))
		return -1;		/* stands for NUL */
	if (ctrl && c == '?')
		return 0x7f;
	if (ctrl && c >= '@' && c < 0x7f)
		c &= 0x1f;
	return c;
}

/* Types a key that sends a character. */
static void press_char(u8 code)
{
	char c = key_char(code);
	u8 byte = c == -1 ? 0 : c;

	if (!c)
		return;
	if (alt)
		type("\033");
	tty_receive(&tty_screen, &byte, 1);
}

/* Types a key that sends a sequence; false if this is none. */
static bool press_sequence(u8 code)
{
	unsigned i;

	for (i = 0; extended && i < ARRAY_SIZE(sequences); i++)
		if (sequences[i].code == code) {
			type(sequences[i].text);
			return true;
		}
	for (i = 0; !extended && i < ARRAY_SIZE(function_keys); i++)
		if (function_keys[i].code == code) {
			type(function_keys[i].text);
			return true;
		}
	return false;
}

/* Follows a modifier key; false if this is none. */
static bool modifier(u8 code, bool down)
{
	if (code == KEY_LSHIFT || code == KEY_RSHIFT)
		shift = extended ? shift : down;	/* e0 2a is noise */
	else if (code == KEY_CTRL)
		ctrl = down;
	else if (code == KEY_ALT)
		alt = down;
	else if (code == KEY_CAPS)
		caps ^= down;
	else
		return false;
	return true;
}

/* Takes one scancode. */
static void scancode(u8 code)
{
	if (code == EXTENDED) {
		extended = true;
		return;
	}
	if (!modifier(code & ~RELEASE, !(code & RELEASE)) &&
	    !(code & RELEASE) && !press_sequence(code) &&
	    (!extended || code == 0x1c || code == 0x35))
		press_char(code);
	extended = false;
}

/* Softirq: makes characters of what the ring holds. */
static void keyboard_poll(void)
{
	int code;

	while ((code = ring_get(&codes)) >= 0)
		scancode(code);
}

/* Reads the controller's configuration byte; -1 where nobody answers. */
static int read_config(void)
{
	int limit = 32;

	while ((inb(KBD_STATUS) & OUTPUT_FULL) && --limit)
		inb(KBD_DATA);
	if (!wait_status(INPUT_FULL, false))
		return -1;
	outb(KBD_COMMAND, READ_CONFIG);
	if (!wait_status(OUTPUT_FULL, true))
		return -1;
	return inb(KBD_DATA);
}

/* Sets the controller up and takes its interrupt. */
void keyboard_init(void)
{
	int config = inb(KBD_STATUS) == 0xff ? -1 : read_config();

	if (config < 0) {
		printk("Keyboard: no controller\n");
		return;
	}
	config = (config | CONFIG_IRQ | CONFIG_TRANSLATE) & ~CONFIG_OFF;
	outb(KBD_COMMAND, WRITE_CONFIG);
	if (wait_status(INPUT_FULL, false))
		outb(KBD_DATA, config);
	if (wait_status(INPUT_FULL, false))
		outb(KBD_COMMAND, ENABLE_PORT);
	tty_add_poller(keyboard_poll);
	if (request_irq(KBD_IRQ, keyboard_interrupt, NULL))
		printk(KERN_ERR "Keyboard: IRQ %d is taken\n", KBD_IRQ);
}
