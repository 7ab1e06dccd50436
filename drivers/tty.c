/*
 * Terminals as character devices: open, read, write, poll.
 *
 * /dev/tty is the caller's controlling terminal and /dev/console the one that
 * console= chose; both are resolved at open.  Output is processed into a small
 * buffer and handed to the driver, whose waits are bounded.
 */
#include "drivers/tty.h"
#include "fs/devfs.h"
#include "fs/fcntl.h"
#include "fs/file.h"
#include "kernel/console.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"

#define CHUNK		256		/* bytes copied at a time */
#define TICKS_PER_VTIME	(HZ / 10)

static const struct termios default_termios = {
	.c_iflag = ICRNL | IXON | IMAXBEL,
	.c_oflag = OPOST | ONLCR,
	.c_cflag = B115200 | CS8 | CREAD | HUPCL | CLOCAL,
	.c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE |
		   IEXTEN,
	.c_cc = {
		[VINTR] = 'C' & 0x1f, [VQUIT] = '\\' & 0x1f, [VERASE] = 0x7f,
		[VKILL] = 'U' & 0x1f, [VEOF] = 'D' & 0x1f, [VMIN] = 1,
		[VSTART] = 'Q' & 0x1f, [VSTOP] = 'S' & 0x1f,
		[VSUSP] = 'Z' & 0x1f, [VREPRINT] = 'R' & 0x1f,
		[VDISCARD] = 'O' & 0x1f, [VWERASE] = 'W' & 0x1f,
		[VLNEXT] = 'V' & 0x1f,
	},
};

struct tty tty_screen, tty_serial;
static struct tty *ttys[2];
static unsigned nr_ttys;
static void (*pollers[2])(void);
static unsigned nr_pollers;

/* Makes a terminal known; see the header. */
void tty_register(struct tty *tty, const char *name, dev_t dev,
		  void (*write)(const char *, size_t), u16 rows, u16 columns)
{
	BUG_ON(nr_ttys == ARRAY_SIZE(ttys));
	tty->name = name;
	tty->dev = dev;
	tty->write = write;
	tty->termios = default_termios;
	tty->winsize = (struct winsize){ .ws_row = rows, .ws_col = columns };
	wait_queue_init(&tty->read_wait);
	wait_queue_init(&tty->write_wait);
	ttys[nr_ttys++] = tty;
}

/* The terminal of a device number, or NULL. */
struct tty *tty_find(dev_t dev)
{
	unsigned i;

	for (i = 0; i < nr_ttys; i++)
		if (ttys[i]->dev == dev)
			return ttys[i];
	return NULL;
}

/* Adds what SOFTIRQ_TTY is to call. */
void tty_add_poller(void (*poll)(void))
{
	BUG_ON(nr_pollers == ARRAY_SIZE(pollers));
	pollers[nr_pollers++] = poll;
}

/* Softirq: drivers pass on what arrived, and readers of the log are woken. */
static void tty_softirq(void)
{
	unsigned i;

	for (i = 0; i < nr_pollers; i++)
		pollers[i]();
	wake_up(&klog_wait);
}

/* ---- output ---- */

/* Output processing of one byte into `out` (room for 2); the bytes stored. */
static unsigned process(struct tty *tty, u8 c, char *out)
{
	u32 oflag = tty->termios.c_oflag;
	unsigned n = 0;

	if (c == '\n' && (oflag & ONLCR)) {
		out[n++] = '\r';
		tty->column = 0;
	} else if (c == '\r') {
		if ((oflag & ONOCR) && !tty->column)
			return 0;
		if (oflag & OCRNL)
			c = '\n';
		tty->column = 0;
	} else if (c == '\n' && (oflag & ONLRET)) {
		tty->column = 0;
	} else if (c == '\b') {
		tty->column -= tty->column > 0;
	} else if (c == '\t') {
		tty->column = (tty->column | 7) + 1;
	} else if (c >= ' ') {
		tty->column++;
	}
	out[n++] = c;
	return n;
}

/* Writes through output processing; never sleeps. */
void tty_output(struct tty *tty, const char *s, size_t len)
{
	char out[128];
	unsigned n = 0;

	if (!(tty->termios.c_oflag & OPOST)) {
		tty->write(s, len);
		return;
	}
	while (len--) {
		n += process(tty, *s++, out + n);
		if (n > sizeof(out) - 2 || !len) {
			tty->write(out, n);
			n = 0;
		}
	}
}

/* Lets output go on after ^S. */
void tty_start(struct tty *tty)
{
	if (!tty->stopped)
		return;
	tty->stopped = false;
	wake_up(&tty->write_wait);
}

/* write(2): sleeps only while ^S holds the output.  Bytes written, -EFAULT,
 * -EAGAIN, -ERESTARTSYS, or what tty_check_change() says. */
static ssize_t tty_write(struct file *f, const void *ubuf, size_t len,
			 unused_arg loff_t *pos)
{
	struct tty *tty = f->private;
	char chunk[CHUNK];
	size_t done = 0, n;
	int error = 0;

	if (tty->termios.c_lflag & TOSTOP)
		error = tty_check_change(tty, SIGTTOU);
	while (done < len && !error) {
		if (tty->stopped && (f->flags & O_NONBLOCK)) {
			error = -EAGAIN;
			break;
		}
		error = wait_event_interruptible(tty->write_wait,
						 !tty->stopped);
		n = min(len - done, sizeof(chunk));
		if (!error)
			error = copy_from_user(chunk, (const u8 *)ubuf + done,
					       n);
		if (error)
			break;
		tty_output(tty, chunk, n);
		done += n;
		cond_resched();
		if (done < len && signal_pending())
			error = -ERESTARTSYS;
	}
	return done ? (ssize_t)done : error;
}

/* ---- input ---- */

/* How many bytes end a wait in raw mode, of `len` wanted. */
static u32 raw_minimum(const struct tty *tty, size_t len)
{
	return min((size_t)max(tty->termios.c_cc[VMIN], (u8)1), len);
}

/* Is there enough for a read of `len` bytes? */
static bool enough(const struct tty *tty, size_t len)
{
	if (tty->termios.c_lflag & ICANON)
		return tty_readable(tty) > 0;
	return tty_readable(tty) >= raw_minimum(tty, len);
}

/* Raw reads with VTIME: waits until there is enough, or nothing came for the
 * time.  With VMIN the clock starts at the first byte.  0, -ERESTARTSYS. */
static int wait_raw_timed(struct tty *tty, size_t len)
{
	long step = tty->termios.c_cc[VTIME] * TICKS_PER_VTIME;
	bool wait_first = tty->termios.c_cc[VMIN] > 0;
	u32 before;
	struct waiter w = { .task = NULL };
	long left;

	if (wait_first &&
	    wait_event_interruptible(tty->read_wait, tty_readable(tty)))
		return -ERESTARTSYS;
	do {
		before = tty_readable(tty);
		prepare_to_wait(&tty->read_wait, &w, TASK_INTERRUPTIBLE);
		left = enough(tty, len) ? 0 : schedule_timeout(step);
		finish_wait(&tty->read_wait, &w);
		if (signal_pending())
			return -ERESTARTSYS;
	} while (!enough(tty, len) && (left || tty_readable(tty) != before));
	return 0;
}

/* Waits until a read has something to return.  0, or an error. */
static int wait_input(struct tty *tty, size_t len, bool nonblock)
{
	const struct termios *t = &tty->termios;

	if (enough(tty, len))
		return 0;
	if (nonblock)
		return tty_readable(tty) ? 0 : -EAGAIN;
	if (t->c_lflag & ICANON || !t->c_cc[VTIME]) {
		if (!(t->c_lflag & ICANON) && !t->c_cc[VMIN])
			return 0;
		return wait_event_interruptible(tty->read_wait,
						enough(tty, len));
	}
	return wait_raw_timed(tty, len);
}

/* read(2): a line, or raw bytes as VMIN and VTIME say.  0 at end of file. */
static ssize_t tty_read(struct file *f, void *ubuf, size_t len,
			unused_arg loff_t *pos)
{
	struct tty *tty = f->private;
	char chunk[CHUNK];
	size_t done = 0;
	bool line_ended;
	u32 n;
	int error;

	if (!len)
		return 0;
	error = tty_check_change(tty, SIGTTIN);
	if (!error)
		error = wait_input(tty, len, f->flags & O_NONBLOCK);
	if (error && !(error == -ERESTARTSYS && tty_readable(tty) &&
		       !(tty->termios.c_lflag & ICANON)))
		return error;
	do {
		n = tty_take(tty, chunk, min(len - done, sizeof(chunk)),
			     &line_ended);
		if (n && copy_to_user((u8 *)ubuf + done, chunk, n))
			return done ? (ssize_t)done : -EFAULT;
		done += n;
	} while (n && !line_ended && done < len);
	return done;
}

/* poll(2) */
static unsigned tty_poll(struct file *f, struct poll_table *pt)
{
	struct tty *tty = f->private;
	unsigned mask = 0;

	poll_wait(pt, &tty->read_wait);
	poll_wait(pt, &tty->write_wait);
	if (enough(tty, 1))
		mask |= POLLIN;
	if (!tty->stopped)
		mask |= POLLOUT;
	return mask;
}

/* ---- the device ---- */

/* The terminal that a device node means now; ERR_PTR(-ENXIO, -ENODEV). */
static struct tty *resolve(dev_t dev)
{
	struct tty *tty;

	if (dev == TTY_DEV(TTYAUX_MAJOR, 0))
		return current->tty ? current->tty : ERR_PTR(-ENXIO);
	if (dev == TTY_DEV(TTYAUX_MAJOR, 1))
		dev = console_device();
	tty = tty_find(dev);
	return tty ? tty : ERR_PTR(-ENODEV);
}

/* open(2): a session leader without a terminal gets this one, unless it asks
 * not to (O_NOCTTY) or opens the console. */
static int tty_open(struct inode *inode, struct file *f)
{
	struct tty *tty = resolve(inode->rdev);

	if (IS_ERR(tty))
		return PTR_ERR(tty);
	f->private = tty;
	if (!(f->flags & O_NOCTTY) && !current->tty && !tty->session &&
	    current->session == current->pid &&
	    inode->rdev != TTY_DEV(TTYAUX_MAJOR, 1))
		tty_set_controlling(tty);
	return 0;
}

/* ioctl(2) */
static long tty_file_ioctl(struct file *f, unsigned cmd, u32 arg)
{
	return tty_ioctl(f->private, cmd, arg);
}

/* A terminal has no position. */
static loff_t tty_llseek(unused_arg struct file *f, unused_arg loff_t off,
			 unused_arg int whence)
{
	return -ESPIPE;
}

static const struct file_ops tty_fops = {
	.read = tty_read,
	.write = tty_write,
	.ioctl = tty_file_ioctl,
	.open = tty_open,
	.poll = tty_poll,
	.llseek = tty_llseek,
};

/* Registers the devices and their nodes; see the header. */
void tty_init(void)
{
	unsigned i;

	open_softirq(SOFTIRQ_TTY, tty_softirq);
	register_chrdev(TTY_MAJOR, &tty_fops);
	register_chrdev(TTYAUX_MAJOR, &tty_fops);
	devfs_create("tty", 0666, TTY_DEV(TTYAUX_MAJOR, 0));
	devfs_create("console", 0600, TTY_DEV(TTYAUX_MAJOR, 1));
	for (i = 0; i < nr_ttys; i++)
		devfs_create(ttys[i]->name, 0620, ttys[i]->dev);
}
