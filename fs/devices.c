/*
 * /dev/null, zero, full, random, urandom and kmsg: the character devices that
 * need no hardware.  They share major number 1; opening one puts the table of
 * its minor number into the file.
 */
#include "fs/devices.h"
#include "fs/devfs.h"
#include "fs/file.h"
#include "kernel/console.h"
#include "kernel/printk.h"
#include "kernel/random.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/string.h"
#include "mm/mm.h"
#include "mm/shmem.h"

#define MEM_MAJOR	1
#define CHUNK		4096u		/* bytes between two safe points */

/* Always at the end. */
static ssize_t null_read(struct file *f unused_arg, void *ubuf unused_arg,
			 size_t len unused_arg, loff_t *pos unused_arg)
{
	return 0;
}

/* Takes everything. */
static ssize_t null_write(struct file *f unused_arg,
			  const void *buf unused_arg, size_t len,
			  loff_t *pos unused_arg)
{
	return len;
}

/* Always has no room. */
static ssize_t full_write(struct file *f unused_arg,
			  const void *ubuf unused_arg, size_t len unused_arg,
			  loff_t *pos unused_arg)
{
	return -ENOSPC;
}

/* Zeros without end. */
static ssize_t zero_read(struct file *f unused_arg, void *ubuf, size_t len,
			 loff_t *pos unused_arg)
{
	size_t done = 0, n;

	while (done < len) {
		n = min(len - done, (size_t)CHUNK);
		if (clear_user((char *)ubuf + done, n))
			return done ? (ssize_t)done : -EFAULT;
		done += n;
		if (signal_pending())
			break;
		cond_resched();
	}
	return done;
}

/* A private mapping becomes anonymous memory, a shared one a shmem file. */
static int zero_mmap(struct file *f unused_arg, struct vma *vma)
{
	struct file *shm = NULL;

	if (vma->vm_flags & VM_MAYSHARE) {
		shm = shmem_file_setup("/dev/zero",
				       vma->vm_end - vma->vm_start);
		if (IS_ERR(shm))
			return PTR_ERR(shm);
		vma->vm_pgoff = 0;
	}
	fput(vma->vm_file);
	vma->vm_file = shm;
	return 0;
}

/* Random bytes without end. */
static ssize_t random_read(struct file *f unused_arg, void *ubuf, size_t len,
			   loff_t *pos unused_arg)
{
	size_t done = 0, n;
	u8 buf[64];

	while (done < len) {
		n = min(len - done, sizeof(buf));
		get_random_bytes(buf, n);
		if (copy_to_user((char *)ubuf + done, buf, n))
			return done ? (ssize_t)done : -EFAULT;
		done += n;
		if (signal_pending())
			break;
		cond_resched();
	}
	return done;
}

/* Both ends are always ready. */
static unsigned always_ready(struct file *f unused_arg,
			     struct poll_table *pt unused_arg)
{
	return POLLIN | POLLOUT;
}

/* The log from the position in the file on; waits for more at its end. */
static ssize_t kmsg_read(struct file *f, void *ubuf, size_t len,
			 loff_t *pos unused_arg)
{
	u32 at = (u32)(uptr)f->private;
	char buf[256];
	size_t n;
	int err;

	if (at == klog_end() && f->flags & O_NONBLOCK)
		return -EAGAIN;
	err = wait_event_interruptible(klog_wait, at != klog_end());
	if (err)
		return err;
	n = klog_read(&at, buf, min(len, sizeof(buf)));
	if (copy_to_user(ubuf, buf, n))
		return -EFAULT;
	f->private = (void *)(uptr)at;
	return n;
}

/* A message from user space, cut to one line's length. */
static ssize_t kmsg_write(struct file *f unused_arg, const void *ubuf,
			  size_t len, loff_t *pos unused_arg)
{
	char buf[256];
	size_t n = min(len, sizeof(buf) - 1);

	if (copy_from_user(buf, ubuf, n))
		return -EFAULT;
	buf[n] = '\0';
	if (n && buf[n - 1] == '\n')
		buf[n - 1] = '\0';
	printk("%s\n", buf);
	return len;
}

/* Readable when the log has more. */
static unsigned kmsg_poll(struct file *f, struct poll_table *pt)
{
	poll_wait(pt, &klog_wait);
	return POLLOUT |
	       ((u32)(uptr)f->private != klog_end() ? POLLIN : 0);
}

/* Opening starts at the oldest message kept. */
static int kmsg_open(struct inode *inode unused_arg, struct file *f)
{
	f->private = (void *)(uptr)klog_first();
	return 0;
}

static const struct file_ops null_fops = {
	.read = null_read, .write = null_write, .write_kernel = null_write,
	.llseek = null_llseek, .poll = always_ready,
};
static const struct file_ops zero_fops = {
	.read = zero_read, .write = null_write, .write_kernel = null_write,
	.llseek = null_llseek, .poll = always_ready, .mmap = zero_mmap,
};
static const struct file_ops full_fops = {
	.read = zero_read, .write = full_write, .llseek = null_llseek,
	.poll = always_ready,
};
static const struct file_ops random_fops = {
	.read = random_read, .write = null_write, .llseek = null_llseek,
	.poll = always_ready,
};
static const struct file_ops kmsg_fops = {
	.read = kmsg_read, .write = kmsg_write, .llseek = null_llseek,
	.poll = kmsg_poll, .open = kmsg_open,
};

static const struct {
	const char *name;
	u8 minor;
	mode_t mode;
	const struct file_ops *fops;
} devices[] = {
	{ "null", 3, 0666, &null_fops },
	{ "zero", 5, 0666, &zero_fops },
	{ "full", 7, 0666, &full_fops },
	{ "random", 8, 0666, &random_fops },
	{ "urandom", 9, 0666, &random_fops },
	{ "kmsg", 11, 0644, &kmsg_fops },
};

/* Hands the file to the device of its minor number. */
static int mem_open(struct inode *inode, struct file *f)
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(devices); i++) {
		if (devices[i].minor != MINOR(inode->rdev))
			continue;
		f->ops = devices[i].fops;
		return f->ops->open ? f->ops->open(inode, f) : 0;
	}
	return -ENXIO;
}

static const struct file_ops mem_fops = {
	.open = mem_open,
};

/* Registers the devices and makes their nodes. */
void devices_init(void)
{
	unsigned i;

	register_chrdev(MEM_MAJOR, &mem_fops);
	for (i = 0; i < ARRAY_SIZE(devices); i++)
		devfs_create(devices[i].name, devices[i].mode,
			     MKDEV(MEM_MAJOR, devices[i].minor));
}
