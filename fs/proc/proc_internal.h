/* What the files of fs/proc share: entries, their inodes, their text. */
#ifndef FS_PROC_PROC_INTERNAL_H
#define FS_PROC_PROC_INTERNAL_H

#include "fs/vfs.h"

struct task;
struct vm_tunable;

/* Text that is being formatted.  len counts also what did not fit: when it
 * reaches size, everything is formatted again into more room. */
struct proc_out {
	char *buf;
	size_t size, len;
};
void proc_printf(struct proc_out *o, const char *fmt, ...) printf_like(2, 3);
void proc_put_bytes(struct proc_out *o, const void *bytes, size_t len);

/*
 * A name in /proc.  Tables of entries end with a NULL name.  A file of the
 * system has `format` or `show`, a file of a task has `show`, which gets the
 * task and never sleeps, so the task stays.
 */
struct proc_entry {
	const char *name;
	mode_t mode;			/* type and permissions */
	/* The text of a file or link: its length, cut to size. */
	int (*format)(char *buf, size_t size);
	/* 0 or an error; t is NULL for a file of the system. */
	int (*show)(struct proc_out *o, struct task *t);
	/* Takes what was written, without blanks around it.  0 or an error. */
	int (*write)(struct task *t, char *text);
	const struct vm_tunable *tunable;	/* a file that is a number */
	/* The dentry behind a magic link, with a reference; ERR_PTR.  Never
	 * sleeps. */
	struct dentry *(*follow)(struct task *t);
	const struct proc_entry *children;	/* of a directory */
	const struct inode_ops *iops;	/* NULL: the usual ones of its type */
	const struct file_ops *fops;
};

/* inode->private */
struct proc_inode {
	const struct proc_entry *entry;
	pid_t pid;			/* 0: of the system */
	u64 start_ns;			/* tells the task from later ones */
	unsigned fd;			/* of a link in fd/ */
};

/* ---- inode.c ---- */
static inline struct proc_inode *proc_inode(const struct inode *inode)
{
	return inode->private;
}
/* The task an inode belongs to, or NULL when it is gone or there is none. */
struct task *proc_task(const struct inode *inode);
/* May the current task look into the memory and files of `t`? */
bool proc_may_look(const struct task *t);
/* A new inode with a reference; ERR_PTR(-ENOMEM).  t NULL: of the system; it
 * may be gone afterwards, as this may sleep. */
struct inode *proc_new_inode(struct super_block *sb,
			     const struct proc_entry *entry,
			     const struct task *t, u32 ino);
/* The parts of directory operations: a lookup in entry->children, and the
 * dots and children of an iterate(), false: the buffer is full. */
struct inode *proc_lookup(struct inode *dir, const char *name, unsigned len);
bool proc_emit_dots(struct file *f, struct dir_context *ctx);
bool proc_emit_children(struct file *f, struct dir_context *ctx);
/* inode_ops.revalidate: the task still lives. */
bool proc_revalidate(struct dentry *d);
/* A name that is a decimal number, or -1. */
int proc_number(const char *name, unsigned len);
/* inode_ops.readlink of a link with a follow operation. */
int proc_magic_readlink(struct inode *inode, char *buf, size_t size);

/* ---- text.c ---- */
extern const struct file_ops proc_text_fops;	/* of most files */
/* Copies from a buffer that holds bytes [base, base + have) of a file; the
 * number, 0: outside, or -EFAULT. */
ssize_t proc_copy(void *ubuf, size_t len, loff_t *pos, const char *buf,
		  loff_t base, size_t have);

/* ---- root.c ---- */
extern const struct proc_entry proc_root_entry;

/* ---- pid.c, fd.c: directories of tasks ---- */
extern const struct proc_entry proc_pid_entry;
extern const struct inode_ops proc_fd_iops;
extern const struct file_ops proc_fd_fops;
/* Positions of numbered names in listings come after those of all tables. */
#define PROC_NUMBERS	0x1000
/* Inode numbers of tasks: the pid above, what it is below. */
#define PROC_PID_INO(pid)	((u32)(pid) << 16)
#define PROC_TID_INO		0x4000u
#define PROC_FD_INO		0x8000u

/* ---- files of a task ---- */
int proc_status(struct proc_out *o, struct task *t);
int proc_stat(struct proc_out *o, struct task *t);	/* of the process */
int proc_thread_stat(struct proc_out *o, struct task *t);
int proc_statm(struct proc_out *o, struct task *t);
int proc_limits(struct proc_out *o, struct task *t);
int proc_auxv(struct proc_out *o, struct task *t);
extern const struct file_ops proc_maps_fops, proc_cmdline_fops,
			     proc_environ_fops;
char proc_state(const struct task *t);		/* 'R', 'S', ... */
/* The signals a task ignores and catches. */
void get_handled_signals(const struct task *t, u64 *ignored, u64 *caught);

/* What an address space consists of, in pages. */
struct mm_usage {
	u32 anon, file, shmem;		/* resident, by kind */
	u32 swap;			/* entries in swap */
	u32 data, text;			/* virtual */
};
struct mm;
/* Counts by walking VMAs and page tables; never sleeps. */
void mm_usage(const struct mm *mm, struct mm_usage *u);

/* ---- files of the system (system.c, cpuinfo.c, sys.c) ---- */
int proc_cpuinfo(struct proc_out *o, struct task *t);
int proc_uptime(struct proc_out *o, struct task *t);
int proc_loadavg(struct proc_out *o, struct task *t);
int proc_kernel_stat(struct proc_out *o, struct task *t);
int proc_interrupts(struct proc_out *o, struct task *t);
int proc_version(struct proc_out *o, struct task *t);
int proc_boot_cmdline(struct proc_out *o, struct task *t);
int proc_devices(struct proc_out *o, struct task *t);
int proc_partitions(struct proc_out *o, struct task *t);
extern const struct file_ops proc_kmsg_fops;
extern const struct proc_entry proc_sys_entries[];
/* Fills the table of /proc/sys/vm; once. */
void proc_sys_vm_init(void);
extern struct proc_entry proc_sys_vm_entries[];

#endif
