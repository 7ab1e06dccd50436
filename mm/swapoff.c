/*
 * Emptying a swap area: every slot in use is read into the swap cache and
 * every PTE and shmem slot that names it gets the page instead.
 *
 * Cost: slots in use times the PTEs of all address spaces, because nothing
 * leads from a slot to the PTEs that name it.
 */
#include "kernel/sched.h"
#include "kernel/task.h"
#include "lib/errno.h"
#include "mm/filemap.h"
#include "mm/lru.h"
#include "mm/mm.h"
#include "mm/rmap.h"
#include "mm/shmem.h"
#include "mm/swap.h"
#include "mm/vmstat.h"

/* Replaces one swap PTE by the page, which is locked. */
static void unuse_pte(struct vma *vma, pte_t *ptep, struct page *page,
		      swp_entry_t e)
{
	get_page(page);
	page->flags |= PG_ANON | PG_SWAPBACKED;
	*ptep = mk_pte(page, vm_page_prot(vma->vm_flags) & ~PTE_ACCESSED);
	vma->vm_mm->rss++;
	rmap->add(page, ptep);
	swap_free(e);
}

/* Replaces the entry wherever one VMA has it.  0 or -ENOMEM. */
static int unuse_vma(struct vma *vma, struct page *page, swp_entry_t e)
{
	pte_t wanted = swp_entry_to_pte(e);
	u32 addr = vma->vm_start;

	while (addr < vma->vm_end) {
		pte_t *ptep = pte_lookup(vma->vm_mm->pgd, addr);

		if (!ptep) {
			addr = (addr & TABLE_MASK) + TABLE_SIZE;
			if (!addr)
				break;
			continue;
		}
		if (*ptep == wanted) {
			if (rmap_prepare() < 0)
				return -ENOMEM;
			if (*ptep == wanted)
				unuse_pte(vma, ptep, page, e);
		}
		addr += PAGE_SIZE;
	}
	return 0;
}

/* Replaces the entry in one address space.  0 or -ENOMEM.  May sleep. */
static int unuse_mm(struct mm *mm, struct page *page, swp_entry_t e)
{
	int error = 0;

	unlock_page(page);
	down_read(&mm->mmap_sem);
	lock_page(page);
	if (page->flags & PG_SWAPCACHE && page->private == e.val)
		for (struct vma *v = mm->mmap; v && !error; v = v->vm_next)
			if (!v->vm_file || !(v->vm_flags & VM_SHARED))
				error = unuse_vma(v, page, e);
	up_read(&mm->mmap_sem);
	return error;
}

/* The address space after `mm` on the list, held; drops `mm`. */
static struct mm *next_mm(struct mm *mm)
{
	struct list_head *link = mm ? mm->mmlist.next : all_mms.next;
	struct mm *next = NULL;

	if (link != &all_mms) {
		next = list_entry(link, struct mm, mmlist);
		next->users++;
	}
	if (mm)
		mmput(mm);
	return next;
}

/* Replaces the entry in every address space while anyone refers to it. */
static int unuse_entry(struct page *page, swp_entry_t e)
{
	struct mm *mm = next_mm(NULL);
	int error = 0;

	while (mm && !error && swap_count(e) > 1) {
		error = unuse_mm(mm, page, e);
		if (!error)
			mm = next_mm(mm);
	}
	if (mm)
		mmput(mm);
	return error;
}

/* Empties one slot.  0, -ENOMEM, -EIO, -EBUSY.  May sleep. */
static int empty_slot(swp_entry_t e)
{
	struct page *page = read_swap_cache(e);
	int error;

	if (!page)
		return swap_count(e) ? -ENOMEM : 0;
	if (IS_ERR(page))
		return PTR_ERR(page);
	lock_page(page);
	wait_on_page_writeback(page);
	error = unuse_entry(page, e);
	if (!error && page->flags & PG_SWAPCACHE && page->private == e.val &&
	    swap_count(e) == 1) {
		delete_from_swap_cache(page);
		set_page_dirty(page);
	}
	unlock_page(page);
	put_page(page);
	return error;
}

/* Removes every page from an area; 0 or an error.  May sleep. */
int try_to_unuse(u32 type)
{
	struct swap_area *a = &swap_areas[type];

	for (unsigned round = 0; a->inuse; round++) {
		int error = shmem_unuse(type);

		for (u32 i = 1; i < a->max; i++) {
			if (!error && a->map[i] && a->map[i] <= SWAP_MAP_MAX)
				error = empty_slot(swp_entry(type, i));
			if (error)
				return error;
			if (fatal_signal_pending())
				return -EINTR;
			cond_resched();
		}
		if (round == 100)
			return -EBUSY;
	}
	return 0;
}
