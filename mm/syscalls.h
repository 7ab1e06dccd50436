/* The system calls that mm/ implements; see kernel/syscall_table.c. */
#ifndef MM_SYSCALLS_H
#define MM_SYSCALLS_H

#include "kernel/linkage.h"
#include "kernel/uaccess.h"

struct mm;

asmlinkage long sys_mmap2(u32 addr, u32 len, u32 prot, u32 flags, u32 fd,
			  u32 pgoff);
asmlinkage long sys_old_mmap(const u32 __user *args);
asmlinkage long sys_munmap(u32 addr, u32 len);
asmlinkage long sys_mprotect(u32 addr, u32 len, u32 prot);
asmlinkage long sys_mremap(u32 addr, u32 old_len, u32 new_len, u32 flags,
			   u32 new_addr);
asmlinkage long sys_brk(u32 brk);
asmlinkage long sys_msync(u32 addr, u32 len, int flags);
asmlinkage long sys_madvise(u32 addr, u32 len, int advice);
asmlinkage long sys_mincore(u32 addr, u32 len, u8 __user *vec);
asmlinkage long sys_mlock(u32 addr, u32 len);
asmlinkage long sys_munlock(u32 addr, u32 len);
asmlinkage long sys_mlockall(int flags);
asmlinkage long sys_munlockall(void);
asmlinkage long sys_swapon(const char __user *path, int flags);
asmlinkage long sys_swapoff(const char __user *path);
asmlinkage long sys_fadvise64(int fd, u32 lo, u32 hi, u32 len, int advice);
asmlinkage long sys_fadvise64_64(int fd, u32 off_lo, u32 off_hi, u32 len_lo,
				 u32 len_hi, int advice);
asmlinkage long sys_readahead(int fd, u32 off_lo, u32 off_hi, u32 count);

/* Shared by the files of mm/ that change VMAs. */
extern int max_map_count;	/* VMAs an mm may have; /proc/sys/vm */
int may_expand_vm(struct mm *mm, u32 pages);
/* Counts pages that come (or go, negative) with a VMA of these flags. */
void account_vm(struct mm *mm, u32 flags, s32 pages);
/* Faults a range in, as far as possible; errors are ignored.  May sleep. */
void populate_range(struct mm *mm, u32 addr, u32 len);

#endif
