/*
 * mremap: grows, shrinks or moves a mapping, moving PTEs instead of pages.
 *
 * A moved PTE keeps its page, so the reverse map is told only that the page is
 * now mapped through another PTE.  Between the unlinking of the old place and
 * the linking of the new one nothing sleeps.
 */
#include "fs/vfs.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "mm/i_mmap.h"
#include "mm/page_alloc.h"
#include "mm/rmap.h"
#include "mm/syscalls.h"

#define MREMAP_MAYMOVE	1
#define MREMAP_FIXED	2

/* Moves one PTE.  The source keeps nothing. */
static void move_pte(pte_t *to, pte_t *from)
{
	pte_t pte = *from;

	*from = 0;
	*to = pte;
	if (pte_present(pte) && pte_page(pte)->type != PAGE_RESERVED) {
		rmap->remove(pte_page(pte), from);
		rmap->add(pte_page(pte), to);
	}
}

/* Moves the PTEs of [from, from + len) to `to`.  0 or -ENOMEM.  Sleeps. */
static int move_ptes(struct mm *mm, u32 to, u32 from, u32 len)
{
	for (u32 done = 0; done < len; done += PAGE_SIZE) {
		pte_t *source = pte_lookup(mm->pgd, from + done), *target;

		if (!source || pte_none(*source))
			continue;
		target = pte_alloc(mm, to + done);
		if (!target || rmap_prepare() < 0)
			return -ENOMEM;
		move_pte(target, source);
		flush_tlb_page(mm, from + done);
	}
	return 0;
}

/* A new VMA like `vma` at `to`, linked, or NULL. */
static struct vma *copy_vma(struct vma *vma, u32 addr, u32 to, u32 len)
{
	struct vma *copy = vma_alloc(vma->vm_mm, GFP_KERNEL);

	if (!copy)
		return NULL;
	copy->vm_start = to;
	copy->vm_end = to + len;
	copy->vm_flags = vma->vm_flags;
	copy->vm_pgoff = vma->vm_pgoff + ((addr - vma->vm_start) >> PAGE_SHIFT);
	if (vma->vm_file)
		copy->vm_file = get_file(vma->vm_file);
	vma_link(vma->vm_mm, copy);
	return copy;
}

/* Moves a mapping to a new place of another size; the address or -errno.
 * When memory runs out half-way the moved PTEs are moved back. */
static long move_vma(struct vma *vma, u32 addr, u32 old_len, u32 new_len,
		     u32 to)
{
	struct mm *mm = vma->vm_mm;
	struct vma *copy = copy_vma(vma, addr, to, new_len);
	u32 moved = min(old_len, new_len);

	if (!copy)
		return -ENOMEM;
	account_vm(mm, vma->vm_flags, new_len >> PAGE_SHIFT);
	if (move_ptes(mm, to, addr, moved)) {
		if (move_ptes(mm, addr, to, moved))
			return -ENOMEM;
		do_munmap(mm, to, new_len);
		return -ENOMEM;
	}
	do_munmap(mm, addr, old_len);
	vma_merge_range(mm, to, to + new_len);
	return to;
}

/* Can the VMA grow at its end by `more` bytes where it stands? */
static bool can_grow(struct vma *vma, u32 more)
{
	if (more > TASK_SIZE - vma->vm_end)
		return false;
	return !vma->vm_next || vma->vm_next->vm_start - vma->vm_end >= more;
}

/* Grows in place or moves; the address or -errno. */
static long grow_or_move(struct vma *vma, u32 addr, u32 old_len, u32 new_len,
			 bool may_move)
{
	struct mm *mm = vma->vm_mm;
	u32 to;

	if (vma->vm_end == addr + old_len && can_grow(vma, new_len - old_len)) {
		vma_resize(vma, vma->vm_start, addr + new_len);
		account_vm(mm, vma->vm_flags,
			   (new_len - old_len) >> PAGE_SHIFT);
		if (vma->vm_flags & VM_LOCKED)
			make_pages_present(mm, addr + old_len, addr + new_len);
		vma_merge_range(mm, addr, addr + new_len);
		return addr;
	}
	if (!may_move)
		return -ENOMEM;
	to = get_unmapped_area(mm, new_len);
	return to ? move_vma(vma, addr, old_len, new_len, to) : -ENOMEM;
}

/* Checks that MREMAP_FIXED's target is free of the source, and clears it. */
static int clear_target(struct mm *mm, u32 addr, u32 old_len, u32 to,
			u32 new_len)
{
	if (to % PAGE_SIZE || new_len > TASK_SIZE || to > TASK_SIZE - new_len)
		return -EINVAL;
	if (to < addr + old_len && addr < to + new_len)
		return -EINVAL;
	return do_munmap(mm, to, new_len);
}

/* The work of mremap with mmap_sem held; lengths are whole pages. */
static long do_mremap(struct mm *mm, u32 addr, u32 old_len, u32 new_len,
		      u32 flags, u32 to)
{
	struct vma *vma;
	int error;

	if (flags & MREMAP_FIXED) {
		error = clear_target(mm, addr, old_len, to, new_len);
		if (error)
			return error;
	}
	if (old_len > new_len) {
		error = do_munmap(mm, addr + new_len, old_len - new_len);
		if (error)
			return error;
		old_len = new_len;
	}
	vma = find_vma(mm, addr);
	if (!vma || vma->vm_start > addr || vma->vm_end - addr < old_len)
		return -EFAULT;
	if (new_len > old_len) {
		error = may_expand_vm(mm, (new_len - old_len) >> PAGE_SHIFT);
		if (error)
			return error;
	}
	if (flags & MREMAP_FIXED)
		return move_vma(vma, addr, old_len, new_len, to);
	if (new_len == old_len)
		return addr;
	return grow_or_move(vma, addr, old_len, new_len,
			    flags & MREMAP_MAYMOVE);
}

/* mremap(2) */
asmlinkage long sys_mremap(u32 addr, u32 old_len, u32 new_len, u32 flags,
			   u32 new_addr)
{
	struct mm *mm = current->mm;
	long result;

	if (flags & ~(MREMAP_MAYMOVE | MREMAP_FIXED) || addr % PAGE_SIZE)
		return -EINVAL;
	if (flags & MREMAP_FIXED && !(flags & MREMAP_MAYMOVE))
		return -EINVAL;
	old_len = PAGE_ALIGN(old_len);
	new_len = PAGE_ALIGN(new_len);
	if (!new_len || !old_len || old_len > TASK_SIZE - addr)
		return -EINVAL;
	down_write(&mm->mmap_sem);
	result = do_mremap(mm, addr, old_len, new_len, flags, new_addr);
	up_write(&mm->mmap_sem);
	return result;
}
