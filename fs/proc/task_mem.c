/*
 * Files about the address space of a task: maps, cmdline, environ, auxv,
 * statm, and the sizes that status shows.
 *
 * maps may have any length, so it is produced in pieces:
 *
 *	file   0 ........ base [ piece in buf ] ........
 *	                        ^ VMAs below `resume`
 *
 * A read behind the piece fetches the next one, which starts at the VMA where
 * this one ended; a read elsewhere starts over.
 */
#include "fs/proc/proc_internal.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/mm.h"
#include "mm/pgtable.h"
#include "mm/slab.h"
#include "mm/vmstat.h"

#define MAPS_ORDER	2		/* pages of a piece */
#define MAPS_SIZE	(PAGE_SIZE << MAPS_ORDER)
#define MAPS_END	0xffffffffu

/* file->private of maps. */
struct proc_maps {
	struct mutex lock;
	char *buf;
	loff_t base;			/* file offset of buf[0] */
	size_t len;			/* bytes in buf */
	u32 resume;			/* where the next piece starts */
};

/* The address space behind an inode, used until mmput(); NULL: none, as for a
 * kernel thread.  ERR_PTR(-ESRCH, -EACCES). */
static struct mm *get_mm(const struct inode *inode)
{
	struct task *t = proc_task(inode);

	if (!t)
		return ERR_PTR(-ESRCH);
	if (!proc_may_look(t))
		return ERR_PTR(-EACCES);
	if (t->mm)
		t->mm->users++;
	return t->mm;
}

/* Fetches the piece after the current one.  0 or an error. */
static int next_piece(struct mm *mm, struct proc_maps *maps)
{
	int n = maps_show(mm, &maps->resume, maps->buf, MAPS_SIZE);

	if (n < 0)
		return n;
	maps->base += maps->len;
	maps->len = n;
	return 0;
}

/* Goes on until the piece at `pos` is there, or the end.  0 or an error. */
static int seek_piece(struct mm *mm, struct proc_maps *maps, loff_t pos)
{
	int err = 0;

	if (!pos || pos < maps->base) {
		maps->base = maps->len = 0;
		maps->resume = 0;
	}
	while (!err && pos >= maps->base + (loff_t)maps->len &&
	       maps->resume != MAPS_END)
		err = next_piece(mm, maps);
	return err;
}

/* file_ops.read of maps. */
static ssize_t maps_read(struct file *f, void *ubuf, size_t len, loff_t *pos)
{
	struct mm *mm = get_mm(f->inode);
	struct proc_maps *maps = f->private;
	ssize_t ret;

	if (IS_ERR(mm))
		return PTR_ERR(mm);
	if (!mm)
		return 0;
	mutex_lock(&maps->lock);
	ret = seek_piece(mm, maps, *pos);
	if (!ret)
		ret = proc_copy(ubuf, len, pos, maps->buf, maps->base,
				maps->len);
	mutex_unlock(&maps->lock);
	mmput(mm);
	return ret;
}

/* file_ops.open of maps. */
static int maps_open(struct inode *inode, struct file *f)
{
	struct task *t = proc_task(inode);
	struct proc_maps *maps;

	if (!t)
		return -ESRCH;
	if (!proc_may_look(t))
		return -EACCES;
	maps = kzalloc(sizeof(*maps), GFP_KERNEL);
	if (!maps)
		return -ENOMEM;
	maps->buf = get_free_pages(GFP_KERNEL, MAPS_ORDER);
	if (!maps->buf) {
		kfree(maps);
		return -ENOMEM;
	}
	mutex_init(&maps->lock);
	f->private = maps;
	return 0;
}

/* file_ops.release of maps. */
static void maps_release(struct file *f)
{
	struct proc_maps *maps = f->private;

	free_pages_at(maps->buf, MAPS_ORDER);
	kfree(maps);
}

const struct file_ops proc_maps_fops = {
	.read = maps_read,
	.open = maps_open,
	.release = maps_release,
};

/* Copies what [start, end) of an address space holds to the reader, a page at
 * a time.  Bytes, or an error when there are none. */
static ssize_t copy_range(struct mm *mm, u32 start, u32 end, u8 *ubuf,
			  size_t len, loff_t *pos)
{
	char *page = get_free_pages(GFP_KERNEL, 0);
	ssize_t done = 0, ret = page ? 0 : -ENOMEM;
	size_t n;

	while (!ret && len && *pos < (loff_t)end - start) {
		n = min(len, (size_t)(end - start - *pos));
		n = copy_from_mm(mm, page, start + *pos,
				 min(n, (size_t)PAGE_SIZE));
		if (!n)
			break;
		if (copy_to_user(ubuf + done, page, n)) {
			ret = -EFAULT;
			break;
		}
		done += n;
		len -= n;
		*pos += n;
	}
	if (page)
		free_pages_at(page, 0);
	return done ? done : ret;
}

/* file_ops.read of cmdline: the arguments, each with its NUL.  Everybody may
 * see them. */
static ssize_t cmdline_read(struct file *f, void *ubuf, size_t len,
			    loff_t *pos)
{
	struct task *t = proc_task(f->inode);
	struct mm *mm = t ? t->mm : NULL;
	ssize_t ret;

	if (!mm)
		return t ? 0 : -ESRCH;
	mm->users++;
	ret = copy_range(mm, mm->arg_start, mm->arg_end, ubuf, len, pos);
	mmput(mm);
	return ret;
}

const struct file_ops proc_cmdline_fops = {
	.read = cmdline_read,
};

/* file_ops.read of environ, as the program was started with. */
static ssize_t environ_read(struct file *f, void *ubuf, size_t len,
			    loff_t *pos)
{
	struct mm *mm = get_mm(f->inode);
	ssize_t ret;

	if (IS_ERR(mm))
		return PTR_ERR(mm);
	if (!mm)
		return 0;
	ret = copy_range(mm, mm->env_start, mm->env_end, ubuf, len, pos);
	mmput(mm);
	return ret;
}

const struct file_ops proc_environ_fops = {
	.read = environ_read,
};

/* auxv: the vector that the program was started with, to its end. */
int proc_auxv(struct proc_out *o, struct task *t)
{
	const u32 *auxv = t->mm ? t->mm->saved_auxv : NULL;
	unsigned n = 0;

	if (!auxv)
		return 0;
	if (!proc_may_look(t))
		return -EACCES;
	while (n + 2 < ARRAY_SIZE(t->mm->saved_auxv) && auxv[n])
		n += 2;
	proc_put_bytes(o, auxv, (n + 2) * sizeof(*auxv));
	return 0;
}

/* Counts one entry of a page table. */
static void count_pte(struct mm_usage *u, pte_t pte)
{
	const struct page *page;

	if (pte_swap(pte))
		u->swap++;
	if (!pte_present(pte))
		return;
	page = pte_page(pte);
	if (page->type != PAGE_USER)
		return;
	if (page->flags & PG_ANON)
		u->anon++;
	else if (page->flags & PG_SWAPBACKED)
		u->shmem++;
	else
		u->file++;
}

/* Counts all page tables, then the VMAs; see the header. */
void mm_usage(const struct mm *mm, struct mm_usage *u)
{
	const struct vma *vma;
	const pte_t *table;
	unsigned i, k;

	memset(u, 0, sizeof(*u));
	for (i = 0; i < TASK_SIZE >> TABLE_SHIFT; i++) {
		table = pgd_table(mm->pgd, i << TABLE_SHIFT);
		for (k = 0; table && k < PTRS_PER_TABLE; k++)
			count_pte(u, table[k]);
	}
	for (vma = mm->mmap; vma; vma = vma->vm_next)
		if ((vma->vm_flags & (VM_WRITE | VM_SHARED |
				      VM_GROWSDOWN)) == VM_WRITE)
			u->data += (vma->vm_end - vma->vm_start) >> PAGE_SHIFT;
	u->text = (PAGE_ALIGN(mm->end_code) - (mm->start_code & PAGE_MASK)) >>
		  PAGE_SHIFT;
}

/* statm: size, resident, shared, text, library, data + stack, dirty. */
int proc_statm(struct proc_out *o, struct task *t)
{
	struct mm_usage u = { 0 };
	const struct mm *mm = t->mm;

	if (mm)
		mm_usage(mm, &u);
	proc_printf(o, "%u %u %u %u 0 %u 0\n", mm ? mm->total_vm : 0,
		    mm ? mm->rss : 0, u.file + u.shmem, u.text,
		    mm ? u.data + mm->stack_vm : 0);
	return 0;
}
