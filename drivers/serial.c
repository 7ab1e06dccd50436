/*
 * COM1, a 16550 UART or an older one, as ttyS0 and as a console.
 *
 * A loopback test decides whether there is a port at all: an absent one reads
 * 0xff and must not be waited for.  Output is polled; each wait is bounded, and
 * a port that does not take a byte in time loses it.  Input comes by interrupt
 * into a ring, from where the softirq hands it to the terminal.
 */
#include "drivers/serial.h"
#include "drivers/tty.h"
#include "kernel/console.h"
#include "kernel/cpu.h"
#include "kernel/irq.h"
#include "kernel/printk.h"
#include "lib/ringbuf.h"

#define COM1		0x3f8
#define COM1_IRQ	4

#define DATA		0		/* registers */
#define INT_ENABLE	1
#define   ENABLE_RX	0x01
#define INT_ID		2
#define   NO_INTERRUPT	0x01
#define FIFO_CONTROL	2
#define   FIFO_ON	0x07		/* on, both cleared, threshold 1 */
#define LINE_CONTROL	3
#define   LINE_8N1	0x03
#define   DIVISOR_LATCH	0x80
#define MODEM_CONTROL	4
#define   MODEM_READY	0x0b		/* DTR, RTS, interrupts let through */
#define   LOOPBACK	0x1e
#define LINE_STATUS	5
#define   RX_READY	0x01
#define   TX_EMPTY	0x20
#define MODEM_STATUS	6

#define DIVISOR		1		/* 115200 */
#define TX_LIMIT	20000		/* polls, about 20 ms on a real bus */
#define FIFO_SIZE	16

static u8 rx_storage[1024];
static struct ringbuf rx = RINGBUF_INIT(rx_storage);
static bool present;
static unsigned tx_room;		/* bytes that fit without asking */

/* Waits, bounded, until the transmitter is empty; false when it stays full. */
static bool tx_wait(void)
{
	int limit = TX_LIMIT;

	while (!(inb(COM1 + LINE_STATUS) & TX_EMPTY))
		if (!--limit)
			return false;
	return true;
}

/* Sends one byte. */
static void put(char c)
{
	if (!tx_room) {
		if (!tx_wait())
			return;
		tx_room = FIFO_SIZE;
	}
	tx_room--;
	outb(COM1 + DATA, c);
}

/* The terminal's output. */
static void serial_write(const char *s, size_t len)
{
	tx_room = 0;
	while (len--)
		put(*s++);
}

/* The console's output: newlines become CR LF. */
static void console_write(const char *s, size_t len)
{
	tx_room = 0;
	for (; len--; s++) {
		if (*s == '\n')
			put('\r');
		put(*s);
	}
	tx_wait();
}

/* Top half: moves what arrived into the ring; a full ring loses it. */
static bool serial_interrupt(unused_arg void *dev)
{
	int limit = 64;
	bool any = false;

	while ((inb(COM1 + LINE_STATUS) & RX_READY) && limit--) {
		ring_put(&rx, inb(COM1 + DATA));
		any = true;
	}
	if (any)
		raise_softirq(SOFTIRQ_TTY);
	return any || !(inb(COM1 + INT_ID) & NO_INTERRUPT);
}

/* Softirq: the terminal gets what the ring holds. */
static void serial_poll(void)
{
	u8 chunk[64];
	u32 n;

	while ((n = ring_read(&rx, chunk, sizeof(chunk))))
		tty_receive(&tty_serial, chunk, n);
}

/* Does a byte sent in loopback mode come back? */
static bool loopback_works(void)
{
	int limit = 1000;

	outb(COM1 + MODEM_CONTROL, LOOPBACK);
	outb(COM1 + DATA, 0xae);
	while (!(inb(COM1 + LINE_STATUS) & RX_READY) && --limit)
		io_delay();
	return limit && inb(COM1 + DATA) == 0xae;
}

static struct console serial_console = {
	.name = "ttyS0",
	.dev = TTY_DEV(TTY_MAJOR, 64),
	.write = console_write,
};

/* Sets the port up, if it is there, and makes it a console.  Early. */
void serial_console_init(void)
{
	outb(COM1 + INT_ENABLE, 0);
	outb(COM1 + LINE_CONTROL, DIVISOR_LATCH);
	outb(COM1 + DATA, DIVISOR);
	outb(COM1 + INT_ENABLE, 0);
	outb(COM1 + LINE_CONTROL, LINE_8N1);
	outb(COM1 + FIFO_CONTROL, FIFO_ON);
	if (!loopback_works())
		return;
	outb(COM1 + MODEM_CONTROL, MODEM_READY);
	present = true;
	register_console(&serial_console);
}

/* Makes the port a terminal with input.  Nothing to do without a port. */
void serial_init(void)
{
	if (!present) {
		printk("ttyS0: no port at %x\n", COM1);
		return;
	}
	tty_register(&tty_serial, "ttyS0", serial_console.dev, serial_write,
		     24, 80);
	tty_add_poller(serial_poll);
	if (request_irq(COM1_IRQ, serial_interrupt, NULL)) {
		printk(KERN_ERR "ttyS0: IRQ %d is taken, no input\n", COM1_IRQ);
		return;
	}
	outb(COM1 + INT_ENABLE, ENABLE_RX);
	inb(COM1 + DATA);
	inb(COM1 + INT_ID);
	inb(COM1 + MODEM_STATUS);
}
