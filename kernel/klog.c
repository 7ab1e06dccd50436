/* syslog(2): reading the kernel's log, as dmesg and klogd do. */
#include "kernel/console.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "mm/slab.h"

enum {
	LOG_CLOSE, LOG_OPEN, LOG_READ, LOG_READ_ALL, LOG_READ_CLEAR,
	LOG_CLEAR, LOG_CONSOLE_OFF, LOG_CONSOLE_ON, LOG_CONSOLE_LEVEL,
	LOG_SIZE_UNREAD, LOG_SIZE_BUFFER,
};

#define CHUNK	1024u

static u32 read_pos;		/* LOG_READ has been given all before this */
static u32 clear_pos;		/* LOG_READ_ALL starts here */
static int saved_level = -1;

/* Copies messages from *pos on to user memory; the bytes, or an error.  Whole
 * messages only, so the buffer may not be filled.  May sleep. */
static long copy_log(u32 *pos, char *ubuf, size_t size)
{
	char *chunk = kmalloc(CHUNK, GFP_KERNEL);
	size_t done = 0, n;

	if (!chunk)
		return -ENOMEM;
	while (done < size) {
		n = klog_read(pos, chunk, min(size - done, (size_t)CHUNK));
		if (!n)
			break;
		if (copy_to_user(ubuf + done, chunk, n)) {
			kfree(chunk);
			return -EFAULT;
		}
		done += n;
	}
	kfree(chunk);
	return done;
}

/* LOG_READ: waits for messages nobody has read yet. */
static long read_new(char *ubuf, size_t size)
{
	int error = wait_event_interruptible(klog_wait,
					     read_pos != klog_end());

	return error ? error : copy_log(&read_pos, ubuf, size);
}

/* LOG_READ_ALL: the newest messages that fit. */
static long read_all(char *ubuf, size_t size, bool clear)
{
	u32 end = klog_end(), pos = klog_first();
	long n;

	if ((s32)(clear_pos - pos) > 0)
		pos = clear_pos;
	if (end - pos > size)
		pos = end - size;
	n = copy_log(&pos, ubuf, size);
	if (clear && n >= 0)
		clear_pos = end;
	return n;
}

/* LOG_CONSOLE_*: which messages the consoles show. */
static long set_console(int type, int level)
{
	if (type == LOG_CONSOLE_OFF) {
		if (saved_level < 0)
			saved_level = console_loglevel;
		console_loglevel = 1;
	} else if (type == LOG_CONSOLE_ON) {
		if (saved_level >= 0)
			console_loglevel = saved_level;
		saved_level = -1;
	} else {
		if (level < 1 || level > 8)
			return -EINVAL;
		console_loglevel = level;
		saved_level = -1;
	}
	return 0;
}

/* syslog(2) */
asmlinkage long sys_syslog(int type, char *ubuf, int size)
{
	if (type != LOG_READ_ALL && type != LOG_SIZE_BUFFER && !capable())
		return -EPERM;
	if (type >= LOG_READ && type <= LOG_READ_CLEAR && (!ubuf || size < 0))
		return -EINVAL;
	switch (type) {
	case LOG_CLOSE:
	case LOG_OPEN:
		return 0;
	case LOG_READ:
		return read_new(ubuf, size);
	case LOG_READ_ALL:
	case LOG_READ_CLEAR:
		return read_all(ubuf, size, type == LOG_READ_CLEAR);
	case LOG_CLEAR:
		clear_pos = klog_end();
		return 0;
	case LOG_CONSOLE_OFF:
	case LOG_CONSOLE_ON:
	case LOG_CONSOLE_LEVEL:
		return set_console(type, size);
	case LOG_SIZE_UNREAD:
		return klog_end() - read_pos;
	case LOG_SIZE_BUFFER:
		return LOG_SIZE;
	}
	return -EINVAL;
}
