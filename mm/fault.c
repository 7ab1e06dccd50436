/*
 * The page fault: from CR2 to a PTE, or to a signal.
 *
 *	do_page_fault --> find_vma, permissions, stack growth
 *	  handle_mm_fault --> what does the PTE hold?
 *	    none, anonymous VMA   zero page (read) or a fresh page (write)
 *	    none, file VMA        page cache; private write: a copy
 *	    file offset           the same, at the PTE's offset
 *	    swap entry            swap cache, or read from swap
 *	    present, read-only    copy on write, or first write to a shared page
 *
 * mmap_sem is held for reading, so VMAs stay; page tables may change whenever
 * this sleeps, so each path looks at the PTE again after its last sleep and,
 * if it changed, simply returns: the access is repeated and faults again.
 *
 * Invariants
 *  1. A writable PTE of a shared file mapping maps a page whose disk blocks are
 *     allocated: the disk cannot be full when it is written back.
 *  2. A page found before truncate and installed after it would be lost:
 *     truncate_count is sampled first and compared last (McCracken, 2003).
 *
 * Watch it in gdb: break handle_mm_fault if addr == 0x40000000.
 */
#include "fs/vfs.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/trap.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/fault.h"
#include "mm/lru.h"
#include "mm/mm.h"
#include "mm/page_alloc.h"
#include "mm/rmap.h"
#include "mm/swap.h"
#include "mm/vmstat.h"

/* A frame full of zeros, mapped read-only wherever memory was only read. */
static u8 zero_frame[PAGE_SIZE] aligned(4096);

/* The PTE bits of a page that is being written. */
static u32 write_prot(const struct vma *vma)
{
	return vm_page_prot(vma->vm_flags) | PTE_RW | PTE_DIRTY;
}

/* Puts a page into an empty PTE.  The caller's reference becomes the PTE's. */
static void install_page(struct vma *vma, pte_t *ptep, struct page *page,
			 u32 prot)
{
	*ptep = mk_pte(page, prot);
	vma->vm_mm->rss++;
	rmap->add(page, ptep);
}

/* A fresh anonymous page, not yet on the LRU; NULL: no memory.  Sleeps. */
static struct page *alloc_anon_page(unsigned gfp)
{
	struct page *page = alloc_page(GFP_USER | gfp);

	if (!page)
		return NULL;
	page->type = PAGE_USER;
	page->flags = PG_ANON | PG_SWAPBACKED | PG_UPTODATE;
	return page;
}

/* Puts a fresh anonymous page into a PTE. */
static void install_anon(struct vma *vma, u32 addr, pte_t *ptep,
			 struct page *page)
{
	page->index = vma->vm_pgoff + ((addr - vma->vm_start) >> PAGE_SHIFT);
	install_page(vma, ptep, page, write_prot(vma));
	lru->add_active(page);
}

/* First touch of anonymous memory. */
static enum fault_result anonymous_fault(struct vma *vma, u32 addr,
					 pte_t *ptep, bool write)
{
	struct page *page;

	if (!write) {
		*ptep = mk_pte(virt_to_page(zero_frame),
			       vm_page_prot(vma->vm_flags & ~VM_SHARED));
		return FAULT_MINOR;
	}
	page = alloc_anon_page(__GFP_ZERO);
	if (!page)
		return FAULT_OOM;
	if (!pte_none(*ptep)) {
		put_page(page);
		return FAULT_MINOR;
	}
	install_anon(vma, addr, ptep, page);
	return FAULT_MINOR;
}

/* Bytes of the page that its file has; 0: truncated meanwhile. */
static unsigned bytes_in_file(const struct page *page)
{
	loff_t left = page->mapping->host->size -
		      ((loff_t)page->index << PAGE_SHIFT);

	return left < 0 ? 0 : (unsigned)min(left, (loff_t)PAGE_SIZE);
}

/*
 * Before a shared mapping of a page becomes writable: has its blocks, up to
 * the end of the file, allocated.  0; -EAGAIN: truncated meanwhile; -ENOSPC,
 * -EIO, -ENOMEM.
 */
static int make_page_writable(struct page *page)
{
	struct address_space *m = page->mapping;
	int error = 0;

	if ((page->flags & PG_MAPPEDTODISK) || !m || !m->ops->prepare_write)
		return 0;
	lock_page(page);
	if (page->mapping != m || !bytes_in_file(page))
		error = -EAGAIN;
	else if (!(page->flags & PG_MAPPEDTODISK))
		error = m->ops->prepare_write(page, 0, bytes_in_file(page));
	unlock_page(page);
	return error;
}

/* PTE bits for a page of a shared mapping; read-only while blocks lack. */
static u32 shared_prot(const struct vma *vma, const struct page *page,
		       bool write)
{
	if (write)
		return write_prot(vma);
	if (!(page->flags & PG_MAPPEDTODISK) && page->mapping &&
	    page->mapping->ops->prepare_write)
		return vm_page_prot(vma->vm_flags) & ~PTE_RW;
	return vm_page_prot(vma->vm_flags);
}

/* A private write to a file page: installs a copy. */
static enum fault_result cow_file_page(struct vma *vma, u32 addr,
				       pte_t *ptep, pte_t entry,
				       struct page *page, u32 truncations)
{
	struct page *copy = alloc_anon_page(0);

	if (!copy) {
		put_page(page);
		return FAULT_OOM;
	}
	memcpy(page_address(copy), page_address(page), PAGE_SIZE);
	put_page(page);
	if (*ptep != entry ||
	    vma->vm_file->mapping->truncate_count != truncations) {
		put_page(copy);
		return FAULT_MINOR;
	}
	install_anon(vma, addr, ptep, copy);
	return FAULT_MINOR;
}

/* What a failed make_page_writable() means for the faulting task. */
static enum fault_result writable_error(int error)
{
	if (error == -EAGAIN)
		return FAULT_MINOR;
	return error == -ENOMEM ? FAULT_OOM : FAULT_SIGBUS;
}

/* A page of a file, at file page `pgoff`. */
static enum fault_result file_fault(struct vma *vma, u32 addr, pte_t *ptep,
				    pte_t entry, u32 pgoff, bool write)
{
	struct address_space *m = vma->vm_file->mapping;
	u32 truncations = m->truncate_count;
	enum fault_result result = FAULT_MINOR;
	struct page *page = filemap_fault(vma, pgoff, &result);
	int error = 0;

	if (!page)
		return result;
	if (write && !(vma->vm_flags & VM_SHARED)) {
		enum fault_result cow = cow_file_page(vma, addr, ptep, entry,
						      page, truncations);
		return cow == FAULT_MINOR ? result : cow;
	}
	if (write)
		error = make_page_writable(page);
	if (!error)
		error = rmap_prepare();
	if (error || *ptep != entry || m->truncate_count != truncations) {
		put_page(page);
		return error ? writable_error(error) : result;
	}
	install_page(vma, ptep, page, shared_prot(vma, page, write));
	return result;
}

/* Maps a locked, valid page of the swap cache in place of its swap entry. */
static void install_swap_page(struct vma *vma, pte_t *ptep,
			      struct page *page, bool write)
{
	u32 prot = vm_page_prot(vma->vm_flags);
	swp_entry_t entry = pte_to_swp_entry(*ptep);

	page->flags |= PG_ANON | PG_SWAPBACKED;
	swap_free(entry);
	if (vm_swap_full())
		remove_exclusive_swap_page(page);
	if (write && can_share_swap_page(page))
		prot = write_prot(vma);
	install_page(vma, ptep, page, prot);
	mark_page_accessed(page);
}

/* A page that is in swap. */
static enum fault_result swap_fault(struct vma *vma, pte_t *ptep, pte_t entry,
				    bool write)
{
	enum fault_result result = FAULT_MINOR;
	struct page *page = swap_in(pte_to_swp_entry(entry), &result);

	if (!page)
		return *ptep == entry ? FAULT_OOM : FAULT_MINOR;
	lock_page(page);
	if (rmap_prepare() < 0)
		result = FAULT_OOM;
	else if (!(page->flags & PG_UPTODATE))
		result = FAULT_SIGBUS;
	else if (*ptep == entry && (page->flags & PG_SWAPCACHE)) {
		install_swap_page(vma, ptep, page, write);
		unlock_page(page);
		return result;
	}
	unlock_page(page);
	put_page(page);
	return result;
}

/* Replaces a read-only PTE by one to a private copy of its page. */
static enum fault_result copy_on_write(struct vma *vma, u32 addr, pte_t *ptep,
				       pte_t entry)
{
	struct page *old = pte_page(entry), *copy;
	bool zero = old->type == PAGE_RESERVED;

	if (!zero)
		get_page(old);
	copy = alloc_anon_page(zero ? __GFP_ZERO : 0);
	if (copy && !zero)
		memcpy(page_address(copy), page_address(old), PAGE_SIZE);
	if (!copy || *ptep != entry) {
		if (copy)
			put_page(copy);
	} else {
		if (!zero) {
			rmap->remove(old, ptep);
			vma->vm_mm->rss--;
			put_page(old);
		}
		install_anon(vma, addr, ptep, copy);
		flush_tlb_page(vma->vm_mm, addr);
	}
	if (!zero)
		put_page(old);
	return copy ? FAULT_MINOR : FAULT_OOM;
}

/* Makes a PTE writable where it stands. */
static void reuse_pte(struct vma *vma, u32 addr, pte_t *ptep)
{
	*ptep |= PTE_RW | PTE_DIRTY | PTE_ACCESSED;
	flush_tlb_page(vma->vm_mm, addr);
}

/* May the faulting task keep this anonymous page for itself? */
static bool sole_owner(struct page *page)
{
	bool sole;

	if (!(page->flags & PG_ANON) || !trylock_page(page))
		return false;
	sole = can_share_swap_page(page);
	unlock_page(page);
	return sole;
}

/* First write to a page of a shared mapping. */
static enum fault_result shared_write_fault(struct vma *vma, u32 addr,
					    pte_t *ptep, pte_t entry)
{
	struct page *page = pte_page(entry);
	int error;

	get_page(page);
	error = make_page_writable(page);
	if (!error && *ptep == entry)
		reuse_pte(vma, addr, ptep);
	put_page(page);
	return error ? writable_error(error) : FAULT_MINOR;
}

/* A write to a present, read-only PTE. */
static enum fault_result wp_fault(struct vma *vma, u32 addr, pte_t *ptep,
				  pte_t entry)
{
	if (vma->vm_flags & VM_SHARED)
		return shared_write_fault(vma, addr, ptep, entry);
	if (sole_owner(pte_page(entry))) {
		reuse_pte(vma, addr, ptep);
		return FAULT_MINOR;
	}
	return copy_on_write(vma, addr, ptep, entry);
}

/* Makes addr of `vma` present (and writable).  mmap_sem held.  May sleep. */
enum fault_result handle_mm_fault(struct vma *vma, u32 addr, bool write)
{
	pte_t *ptep = pte_alloc(vma->vm_mm, addr);
	pte_t entry;

	if (unlikely(!ptep))
		return FAULT_OOM;
	entry = *ptep;
	if (pte_present(entry)) {
		if (write && !pte_write(entry))
			return wp_fault(vma, addr, ptep, entry);
		*ptep |= PTE_ACCESSED;
		flush_tlb_page(vma->vm_mm, addr);
		return FAULT_MINOR;
	}
	if (pte_swap(entry))
		return swap_fault(vma, ptep, entry, write);
	if (!vma->vm_file)
		return anonymous_fault(vma, addr, ptep, write);
	if (pte_file(entry))
		return file_fault(vma, addr, ptep, entry, pte_to_pgoff(entry),
				  write);
	return file_fault(vma, addr, ptep, entry, vma->vm_pgoff +
			  ((addr - vma->vm_start) >> PAGE_SHIFT), write);
}
