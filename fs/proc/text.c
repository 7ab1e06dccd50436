/*
 * Files whose content is formatted when they are read.
 *
 * The first read, and each one at position 0, formats the whole file into a
 * buffer that stays with the open file, so that a reader in small pieces sees
 * one moment.  When the buffer is too small the work is done again with twice
 * the room.  Formatting does not sleep; a task's file finds its task at that
 * moment, and one whose task has ended gives -ESRCH.
 */
#include <stdarg.h>

#include "fs/proc/proc_internal.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/slab.h"
#include "mm/vmstat.h"

#define MAX_ORDER_TEXT	5		/* 128 KB */

/* file->private */
struct proc_text {
	struct mutex lock;
	char *buf;			/* NULL: not formatted yet */
	unsigned order;			/* of its pages */
	size_t len;
};

/* Formats at the end of the text; counts what does not fit. */
void proc_printf(struct proc_out *o, const char *fmt, ...)
{
	size_t at = min(o->len, o->size);
	va_list ap;

	va_start(ap, fmt);
	o->len += vsnprintf(o->buf + at, o->size - at, fmt, ap);
	va_end(ap);
}

/* The same with bytes that are not text. */
void proc_put_bytes(struct proc_out *o, const void *bytes, size_t len)
{
	size_t at = min(o->len, o->size);

	memcpy(o->buf + at, bytes, min(len, o->size - at));
	o->len += len;
}

/* Formats once into the room there is.  0 or an error. */
static int format_once(const struct inode *inode, struct proc_out *o)
{
	const struct proc_inode *pi = proc_inode(inode);
	const struct proc_entry *e = pi->entry;
	struct task *t = proc_task(inode);
	int n;

	if (pi->pid && !t)
		return -ESRCH;
	if (e->tunable) {
		proc_printf(o, "%d\n", *e->tunable->value);
		return 0;
	}
	if (e->show)
		return e->show(o, t);
	n = e->format(o->buf, o->size);
	if (n < 0)
		return n;
	o->len = (size_t)n + 1 < o->size ? (size_t)n : o->size;
	return 0;
}

/* Formats the file into a new buffer, which replaces the old one.  0 or an
 * error.  May sleep between attempts. */
static int format_file(const struct inode *inode, struct proc_text *text)
{
	struct proc_out o;
	unsigned order;
	int err;

	for (order = text->order; order <= MAX_ORDER_TEXT; order++) {
		o.size = PAGE_SIZE << order;
		o.len = 0;
		o.buf = get_free_pages(GFP_KERNEL, order);
		if (!o.buf)
			return -ENOMEM;
		err = format_once(inode, &o);
		if (!err && o.len < o.size)
			break;
		free_pages_at(o.buf, order);
		if (err)
			return err;
	}
	if (order > MAX_ORDER_TEXT)
		return -ENOMEM;
	if (text->buf)
		free_pages_at(text->buf, text->order);
	text->buf = o.buf;
	text->order = order;
	text->len = o.len;
	return 0;
}

/* Copies out of a buffer that holds [base, base + have) of a file. */
ssize_t proc_copy(void *ubuf, size_t len, loff_t *pos, const char *buf,
		  loff_t base, size_t have)
{
	size_t offset, n;

	if (*pos < base || *pos >= base + (loff_t)have)
		return 0;
	offset = *pos - base;
	n = min(len, have - offset);
	if (copy_to_user(ubuf, buf + offset, n))
		return -EFAULT;
	*pos += n;
	return n;
}

/* file_ops.read. */
static ssize_t text_read(struct file *f, void *ubuf, size_t len, loff_t *pos)
{
	struct proc_text *text = f->private;
	ssize_t ret = 0;

	mutex_lock(&text->lock);
	if (!text->buf || !*pos)
		ret = format_file(f->inode, text);
	if (!ret)
		ret = proc_copy(ubuf, len, pos, text->buf, 0, text->len);
	mutex_unlock(&text->lock);
	return ret;
}

/* Takes blanks and newlines off both ends. */
static char *strip(char *s)
{
	char *end = s + strlen(s);

	while (end > s && (end[-1] == '\n' || end[-1] == ' ' ||
			   end[-1] == '\t'))
		*--end = '\0';
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* Sets a tunable to a number within its bounds.  0 or -EINVAL. */
static int write_tunable(const struct vm_tunable *tunable, const char *text)
{
	u32 value;

	if (kstrtou32(text, 10, &value) || value > 0x7fffffff ||
	    (int)value < tunable->lowest || (int)value > tunable->highest)
		return -EINVAL;
	*tunable->value = value;
	return tunable->changed ? tunable->changed() : 0;
}

/* Hands text to the entry.  0 or an error. */
static int write_entry(const struct inode *inode, char *text)
{
	const struct proc_inode *pi = proc_inode(inode);
	struct task *t = proc_task(inode);

	if (pi->pid && !t)
		return -ESRCH;
	if (pi->entry->tunable)
		return write_tunable(pi->entry->tunable, text);
	return pi->entry->write(t, text);
}

/* file_ops.write: each write is a whole value, wherever the position is. */
static ssize_t text_write(struct file *f, const void *ubuf, size_t len,
			  loff_t *pos)
{
	ssize_t ret = len;
	char *text;
	int err;

	if (!len)
		return 0;
	if (len >= PAGE_SIZE)
		return -EINVAL;
	text = get_free_pages(GFP_KERNEL, 0);
	if (!text)
		return -ENOMEM;
	err = copy_from_user(text, ubuf, len);
	text[len] = '\0';
	if (!err)
		err = write_entry(f->inode, strip(text));
	if (err)
		ret = err;
	else
		*pos += len;
	free_pages_at(text, 0);
	return ret;
}

/* file_ops.open: only for what the entry can do, also by the superuser. */
static int text_open(struct inode *inode, struct file *f)
{
	const struct proc_entry *e = proc_inode(inode)->entry;
	struct proc_text *text;

	if ((f->mode & FMODE_READ && !e->format && !e->show && !e->tunable) ||
	    (f->mode & FMODE_WRITE && !e->write && !e->tunable))
		return -EACCES;
	text = kzalloc(sizeof(*text), GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	mutex_init(&text->lock);
	f->private = text;
	return 0;
}

/* file_ops.release. */
static void text_release(struct file *f)
{
	struct proc_text *text = f->private;

	if (text->buf)
		free_pages_at(text->buf, text->order);
	kfree(text);
}

const struct file_ops proc_text_fops = {
	.read = text_read,
	.write = text_write,
	.open = text_open,
	.release = text_release,
};
