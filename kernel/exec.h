/*
 * What the files of exec share: a program being prepared, its arguments, its
 * ELF headers.
 */
#ifndef KERNEL_EXEC_H
#define KERNEL_EXEC_H

#include "lib/elf.h"
#include "mm/page.h"

struct file;
struct mm;

#define ARG_PAGES	32		/* limit of argv and envp: 128 KB */
#define SCRIPT_DEPTH	4		/* interpreters that are scripts */
#define HEADER_SIZE	256		/* of a file: what decides its format */
#define MAX_PHDRS	32

/* The strings of argv, envp and the path, one after the other. */
struct exec_args {
	u8 *page[ARG_PAGES];
	u32 len;			/* bytes used */
	u32 argc, envc;
	u32 env_at, path_at;		/* where environment and path start */
};

/* A vector of strings in user or kernel memory. */
struct arg_vector {
	const char *const *v;		/* NULL: empty */
	bool kernel;
};

struct elf_image {
	struct elf32_ehdr ehdr;
	struct elf32_phdr phdr[MAX_PHDRS];
	char interp[HEADER_SIZE];	/* empty: static */
	u32 low, high;			/* bytes covered, before the bias */
	u32 phdr_at;			/* where the headers will be mapped */
	u32 bias;
};

struct exec {
	struct file *file;		/* counted; writing is denied */
	char *path;			/* as the caller named it */
	char header[HEADER_SIZE];
	u32 header_len;
	/* what scripts put before the caller's arguments */
	const char *prefix[3 * SCRIPT_DEPTH];
	unsigned nr_prefix;
	char *line[SCRIPT_DEPTH];	/* what prefix points into */
	struct exec_args args;
	struct elf_image main, interp;
	struct file *interp_file;
	u32 uid, gid;			/* effective ids of the program */
	bool secure;			/* they differ from the caller's */
	struct mm *mm;			/* the new one, until it is current's */
	u32 random_at;			/* user address of 16 random bytes */
	u32 platform_at;		/* user address of "i686" */
};

/* ---- exec_file.c ---- */
/* Opens a program; ERR_PTR(-EACCES, -ETXTBSY, ...). May sleep. */
struct file *open_exec(const char *path);
/* Opens x->path and reads its header, following #! lines.  0 or an error. */
int exec_open(struct exec *x);

/* ---- exec_args.c ---- */
/* Collects the strings.  0, -E2BIG, -EFAULT, -ENOMEM.  May sleep. */
int args_collect(struct exec *x, struct arg_vector argv,
		 struct arg_vector envp);
void args_free(struct exec_args *args);
/* Puts strings, vectors and auxv on the stack of x->mm; the user's esp, or 0
 * when out of memory. */
u32 args_place(struct exec *x, u32 stack_top);

/* ---- elf.c ---- */
/* Reads and checks all headers.  0, -ENOEXEC with a message logged that says
 * what is wrong with `name`, -EIO.  May sleep. */
int elf_read(struct elf_image *e, struct file *file, const char *name);
/* Maps the segments of the program, or of its interpreter, into current->mm.
 * 0 or an error; then the address space
 * is half made.  May sleep. */
int elf_map(struct elf_image *e, struct file *file, bool interp);

#endif
