/*
 * Address spaces: struct mm, its VMAs, and the calls that change them.
 *
 * mmap_sem is held for reading by page faults and for writing by whoever
 * changes the VMAs.  Page tables are changed by whoever does not sleep between
 * looking and changing (atomic_begin/atomic_end checks it).
 */
#ifndef MM_MM_H
#define MM_MM_H

#include "kernel/sync.h"
#include "kernel/uaccess.h"
#include "lib/rbtree.h"
#include "mm/page.h"

struct file;
struct mm;
struct task;
struct trap_frame;

/* vma->vm_flags */
#define VM_READ		0x00000001u
#define VM_WRITE	0x00000002u
#define VM_EXEC		0x00000004u
#define VM_SHARED	0x00000008u
#define VM_MAYREAD	0x00000010u	/* limits for mprotect */
#define VM_MAYWRITE	0x00000020u
#define VM_MAYEXEC	0x00000040u
#define VM_MAYSHARE	0x00000080u
#define VM_GROWSDOWN	0x00000100u
#define VM_NONLINEAR	0x00000200u
#define VM_MANYPROTS	0x00000400u
#define VM_LOCKED	0x00002000u
#define VM_SEQ_READ	0x00008000u
#define VM_RAND_READ	0x00010000u
#define VM_DONTCOPY	0x00020000u
#define VM_DONTEXPAND	0x00040000u
#define VM_ACCOUNT	0x00100000u	/* charged against overcommit */

struct vma {
	u32 vm_start;			/* first byte */
	u32 vm_end;			/* byte after the last */
	struct mm *vm_mm;
	u32 vm_flags;
	struct vma *vm_next, *vm_prev;	/* in address order */
	struct rb_node vm_rb;
	u32 rb_subtree_gap;		/* largest free gap below any VMA of
					 * the subtree rooted here, bytes */
	u32 vm_pgoff;			/* page offset in the file; anonymous:
					 * address / 4096 at creation */
	struct file *vm_file;		/* counted, or NULL: anonymous */
	union {				/* index of the file's VMAs */
		struct list_head list;	/* i_mmap=list, list_sorted */
		struct {
			struct rb_node rb;
			u32 subtree_last;
		} tree;			/* i_mmap=tree */
	} shared;
};

struct mm {
	struct vma *mmap;		/* first VMA */
	struct rb_root mm_rb;
	struct vma *mmap_cache;		/* last find_vma() result */
	u32 *pgd;			/* page directory */
	int users;			/* tasks; the last one unmaps all */
	int count;			/* users as one, plus temporary holds */
	u32 map_count;			/* VMAs */
	struct rwsem mmap_sem;
	struct list_head mmlist;	/* in all_mms */
	u32 start_code, end_code, start_data, end_data;
	u32 start_brk, brk, start_stack;
	u32 arg_start, arg_end, env_start, env_end;
	u32 rss;			/* present pages */
	u32 total_vm, locked_vm, stack_vm, exec_vm;	/* pages */
	u32 nr_ptes;			/* page-table pages */
	u32 hiwater_rss, hiwater_vm;
	u32 def_flags;			/* mlockall(MCL_FUTURE) */
	struct file *exe_file;		/* counted, or NULL */
	u32 saved_auxv[44];		/* for /proc/PID/auxv */
};

extern struct list_head all_mms;

#define MMAP_BASE	0x40000000u	/* lowest address mmap() chooses */
#define STACK_TOP	TASK_SIZE

/* ---- life of an address space ---- */
/* A new, empty one with users = count = 1, or NULL. */
struct mm *mm_alloc(void);
/* A copy of `old` for fork: VMAs duplicated, private pages copy-on-write,
 * shared-file PTEs copied.  ERR_PTR(-ENOMEM) on failure.  May sleep. */
struct mm *dup_mm(struct mm *old);
/* Drops one task's use; the last unmaps and frees.  May sleep. */
void mmput(struct mm *mm);
/* Drops a temporary hold (mm->count) taken with mm->count++. */
void mmdrop(struct mm *mm);
/* Loads the page directory of `mm` (kernel threads keep the last one). */
void switch_mm(struct mm *mm);
/* Loads the kernel's own directory if `mm` is loaded; before freeing it. */
void leave_mm(struct mm *mm);
/* The mm whose directory is loaded, or NULL: the kernel's own. */
extern struct mm *loaded_mm;

/* ---- VMAs (mm/vma.c) ---- */
/* The first VMA with vm_end > addr, or NULL. */
struct vma *find_vma(struct mm *mm, u32 addr);
/* A zeroed VMA that belongs to mm, not linked; NULL: no memory. */
struct vma *vma_alloc(struct mm *mm, unsigned gfp);
void vma_free(struct vma *vma);		/* drops its file; not linked */
/* Into the mm's list and tree, and the file's index. */
void vma_link(struct mm *mm, struct vma *vma);
void vma_unlink(struct mm *mm, struct vma *vma);
/* Cuts `vma` at addr: it keeps [vm_start, addr).  0 or -ENOMEM. */
int vma_split(struct vma *vma, u32 addr);
/* Cuts *vma at start and end, as far as they lie inside; *vma becomes the part
 * within [start, end).  0 or -ENOMEM. */
int vma_isolate(struct vma **vma, u32 start, u32 end);
/* Changes the bounds of a linked VMA; pgoff follows vm_start. */
void vma_resize(struct vma *vma, u32 start, u32 end);
/* Joins neighbours of [start, end) that became alike; the one at start. */
void vma_merge_range(struct mm *mm, u32 start, u32 end);
/* Where a new mapping of `len` bytes may go; 0: no room. */
u32 get_unmapped_area(struct mm *mm, u32 len);

/* ---- page tables of VMAs (mm/memory.c) ---- */
/* Removes the PTEs of [start, end) of one VMA.  Never sleeps. */
void zap_page_range(struct vma *vma, u32 start, u32 end);
/* Fork: fills `dst` with the PTEs of `src`. 0 or -ENOMEM.  May sleep. */
int copy_page_range(struct vma *dst, struct vma *src);

#define PROT_READ	1
#define PROT_WRITE	2
#define PROT_EXEC	4
#define MAP_SHARED	0x01
#define MAP_PRIVATE	0x02
#define MAP_FIXED	0x10
#define MAP_ANONYMOUS	0x20
#define MAP_GROWSDOWN	0x100
#define MAP_DENYWRITE	0x800
#define MAP_LOCKED	0x2000
#define MAP_NORESERVE	0x4000
#define MAP_POPULATE	0x8000
#define MAP_NONBLOCK	0x10000
#define MAP_STACK	0x20000
#define MAP_FIXED_NOREPLACE 0x100000

/* Is the result of do_mmap() and friends an error rather than an address? */
#define IS_ERR_VALUE(x)	unlikely((u32)(x) >= (u32)-4095)

/* Maps into the current task's mm; the address or a negative errno.  pgoff in
 * pages.  Caller holds mmap_sem for writing.  May sleep. */
long do_mmap(struct file *file, u32 addr, u32 len, u32 prot, u32 flags,
	     u32 pgoff);
int do_munmap(struct mm *mm, u32 addr, u32 len);
/* Maps zeroed anonymous memory at addr (brk, bss).  Same locking.  0/-errno.*/
int do_brk(u32 addr, u32 len);

/* For exec: a new mm with a stack VMA of one page at STACK_TOP. 0/-ENOMEM. */
int setup_stack(struct mm *mm, u32 stack_top);
/* Copies `len` bytes of kernel memory to user address `to` of another, not
 * yet running mm (argument strings).  0 or -EFAULT, -ENOMEM. */
int copy_to_mm(struct mm *mm, u32 to, const void *from, size_t len);
/* Reads from any mm (proc cmdline).  Bytes copied, short on a fault. */
size_t copy_from_mm(struct mm *mm, void *to, u32 from, size_t len);

/* ---- faults (mm/fault.c) ---- */
enum fault_result {
	FAULT_MINOR,
	FAULT_MAJOR,			/* had to wait for a disk */
	FAULT_SIGBUS,
	FAULT_OOM,
};
/* Makes addr of `vma` present (and writable). mmap_sem held. May sleep. */
enum fault_result handle_mm_fault(struct vma *vma, u32 addr, bool write);
/* Faults in [start, end) as mlock does; 0, -EFAULT, -ENOMEM. */
int make_pages_present(struct mm *mm, u32 start, u32 end);
/* Called by the page-fault trap with CR2 and the CPU's error code. Resolves
 * the fault, or raises SIGSEGV/SIGBUS, or goes on at the exception table. */
void do_page_fault(struct trap_frame *tf, u32 address, u32 error_code);

/* ---- start-up ---- */
/* Everything in mm/ that needs no task: allocator, slab, caches, policies. */
void mm_init(void);
/* kswapd and the flusher; after the scheduler runs. */
void mm_start_threads(void);

/* ---- system calls (see kernel/syscall_table.c) ---- */
/* mmap2, mmap (old), munmap, mprotect, mremap, brk, msync, madvise, mincore,
 * mlock, munlock, mlockall, munlockall, swapon, swapoff, remap_file_pages,
 * fadvise64_64, readahead are defined in mm/. */

#endif
