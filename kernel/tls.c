/*
 * set_thread_area: the segment that gs points at.
 *
 * A program describes a data segment (struct user_desc); it becomes a GDT
 * descriptor of privilege 3 in one of the three slots that are switched with
 * the task.
 */
#include "kernel/tls.h"

#include "kernel/switch.h"
#include "kernel/syscalls.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"

struct user_desc {
	u32 entry, base, limit;
	u32 seg_32bit : 1;
	u32 contents : 2;
	u32 read_exec_only : 1;
	u32 limit_in_pages : 1;
	u32 seg_not_present : 1;
	u32 useable : 1;
	u32 unused : 25;
};

_Static_assert(sizeof(struct user_desc) == 16, "user_desc");

/* Does it describe no segment: the slot is to be cleared? */
static bool is_empty(const struct user_desc *d)
{
	return (!d->base && !d->limit && !d->contents && d->read_exec_only &&
		!d->seg_32bit && !d->limit_in_pages && d->seg_not_present &&
		!d->useable) ||
	       (!d->base && !d->limit && !d->contents && !d->read_exec_only &&
		!d->seg_32bit && !d->limit_in_pages && !d->seg_not_present &&
		!d->useable);
}

/* The descriptor as the CPU has it: present, privilege 3, data or code. */
static u64 encode(const struct user_desc *d)
{
	u32 low = (d->base & 0xffff) << 16 | (d->limit & 0xffff);
	u32 high = (d->base & 0xff000000) | (d->base >> 16 & 0xff) |
		   (d->limit & 0xf0000) | (d->read_exec_only ^ 1) << 9 |
		   d->contents << 10 | (d->seg_not_present ^ 1) << 15 |
		   d->seg_32bit << 22 | d->limit_in_pages << 23 |
		   d->useable << 20 | 0x7000;

	return is_empty(d) ? 0 : (u64)high << 32 | low;
}

/* Checks a description and stores it in a slot of `t`. */
static int set_tls(struct task *t, const struct user_desc *d)
{
	u32 slot = d->entry - GDT_TLS;

	if (slot >= NR_TLS)
		return -EINVAL;
	if (!is_empty(d) && (!d->seg_32bit || d->contents > 1))
		return -EINVAL;
	t->tls[slot] = encode(d);
	if (t == current)
		load_tls(t);
	return 0;
}

/* For clone(CLONE_SETTLS); see the header. */
int set_tls_from_user(struct task *t, u32 udesc)
{
	struct user_desc d;

	if (copy_from_user(&d, (const void *)udesc, sizeof(d)))
		return -EFAULT;
	return set_tls(t, &d);
}

/* The lowest slot that is not in use, or -ESRCH. */
static int free_slot(void)
{
	for (int i = 0; i < NR_TLS; i++)
		if (!current->tls[i])
			return i;
	return -ESRCH;
}

/* set_thread_area(2); entry -1 takes a free slot and reports it. */
asmlinkage long sys_set_thread_area(struct user_desc *udesc)
{
	struct user_desc d;
	int slot;

	if (copy_from_user(&d, udesc, sizeof(d)))
		return -EFAULT;
	if (d.entry == ~0u) {
		slot = free_slot();
		if (slot < 0)
			return slot;
		d.entry = GDT_TLS + slot;
		if (put_user(d.entry, &udesc->entry))
			return -EFAULT;
	}
	return set_tls(current, &d);
}

/* get_thread_area(2) */
asmlinkage long sys_get_thread_area(struct user_desc *udesc)
{
	struct user_desc d = { 0 };
	u32 low, high;

	if (get_user(d.entry, &udesc->entry))
		return -EFAULT;
	if (d.entry - GDT_TLS >= NR_TLS)
		return -EINVAL;
	low = (u32)current->tls[d.entry - GDT_TLS];
	high = (u32)(current->tls[d.entry - GDT_TLS] >> 32);
	d.base = (high & 0xff000000) | (high & 0xff) << 16 | low >> 16;
	d.limit = (high & 0xf0000) | (low & 0xffff);
	d.seg_32bit = high >> 22;
	d.contents = high >> 10;
	d.read_exec_only = !(high >> 9 & 1);
	d.limit_in_pages = high >> 23;
	d.seg_not_present = !(high >> 15 & 1);
	d.useable = high >> 20;
	return copy_to_user(udesc, &d, sizeof(d));
}
