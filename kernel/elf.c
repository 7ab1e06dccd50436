/*
 * ELF programs: checking what a file says about itself, and mapping it.
 *
 * Nothing in the file is believed.  elf_read() refuses, before the old program
 * is given up, headers that lie: sizes beyond the file or the address space,
 * segments that overlap or come in the wrong order, offsets that cannot be
 * mapped.  What remains for elf_map() is to run out of memory.
 *
 *	file	| ehdr phdrs | text ...... | data ... |
 *	memory	      | text ...... |      | data ... | bss (zeros) |
 */
#include "fs/vfs.h"
#include "kernel/exec.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/mm.h"

#define DYN_BASE	0x80000000u	/* where an ET_DYN program goes */
#define IMAGE_LIMIT	(TASK_SIZE - (1u << 20))	/* room for the stack */

/* Logs why a program cannot run; -ENOEXEC. */
static int refuse(const char *name, const char *why)
{
	printk(KERN_INFO "exec: %s: %s\n", name, why);
	return -ENOEXEC;
}

/* Checks the ELF header.  0 or -ENOEXEC; silent when it is no ELF at all. */
static int check_ehdr(const struct elf32_ehdr *h, const char *name)
{
	if (memcmp(h->e_ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	if (h->e_ident[EI_CLASS] != ELFCLASS32)
		return refuse(name, "a 64-bit program; this is a 32-bit "
				    "machine");
	if (h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_machine != EM_386)
		return refuse(name, "a program for another CPU");
	if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
		return refuse(name, "an ELF file, but not a program");
	if (h->e_phentsize != sizeof(struct elf32_phdr) || !h->e_phnum)
		return refuse(name, "it has no usable program headers");
	if (h->e_phnum > MAX_PHDRS)
		return refuse(name, "too many program headers");
	return 0;
}

/* Reads exactly `len` bytes.  0, -ENOEXEC when the file is shorter, -EIO. */
static int read_exactly(struct file *file, void *buf, u32 len, u32 pos,
			const char *name)
{
	ssize_t n = mapping_read(file->mapping, buf, len, pos);

	if (n < 0)
		return n;
	return (u32)n == len ? 0 : refuse(name, "the file is truncated");
}

/* Checks a segment against the file and against `low`, the end of the segment
 * before it.  0 or -ENOEXEC. */
static int check_segment(const struct elf32_phdr *p, u32 low, loff_t size,
			 const char *name)
{
	if (p->p_filesz > p->p_memsz)
		return refuse(name, "a segment is larger in the file than in "
				    "memory");
	if ((u64)p->p_offset + p->p_filesz > (u64)size)
		return refuse(name, "the file is truncated: a segment lies "
				    "beyond its end");
	if (p->p_memsz > IMAGE_LIMIT || p->p_vaddr > IMAGE_LIMIT - p->p_memsz)
		return refuse(name, "a segment reaches beyond 3 GB");
	if (p->p_vaddr % PAGE_SIZE != p->p_offset % PAGE_SIZE)
		return refuse(name, "a segment's offset does not match its "
				    "address");
	if (p->p_vaddr < low)
		return refuse(name, "segments overlap or are out of order");
	if (p->p_memsz > p->p_filesz && p->p_filesz && !(p->p_flags & PF_W))
		return refuse(name, "a read-only segment has a bss");
	return 0;
}

/* Reads the name of the dynamic linker.  0 or -ENOEXEC. */
static int read_interp(struct elf_image *e, const struct elf32_phdr *p,
		       struct file *file, const char *name)
{
	int error;

	if (p->p_filesz < 2 || p->p_filesz > sizeof(e->interp))
		return refuse(name, "the interpreter's name is too long");
	error = read_exactly(file, e->interp, p->p_filesz, p->p_offset, name);
	if (!error && e->interp[p->p_filesz - 1] != '\0')
		return refuse(name, "the interpreter's name has no end");
	return error;
}

/* The headers themselves are mapped with the segment that holds them. */
static void note_phdrs(struct elf_image *e, const struct elf32_phdr *p)
{
	u32 at = e->ehdr.e_phoff - p->p_offset;

	if (e->ehdr.e_phoff >= p->p_offset && at < p->p_filesz)
		e->phdr_at = p->p_vaddr + at;
}

/* Looks at every program header.  0, -ENOEXEC, -EIO. */
static int check_phdrs(struct elf_image *e, struct file *file,
		       const char *name)
{
	u32 end = 0;
	int error = 0;

	e->low = ~0u;
	for (unsigned i = 0; i < e->ehdr.e_phnum && !error; i++) {
		const struct elf32_phdr *p = &e->phdr[i];

		if (p->p_type == PT_INTERP)
			error = read_interp(e, p, file, name);
		if (p->p_type != PT_LOAD || p->p_memsz == 0)
			continue;
		error = check_segment(p, end, file->inode->size, name);
		note_phdrs(e, p);
		e->low = min(e->low, p->p_vaddr & PAGE_MASK);
		end = p->p_vaddr + p->p_memsz;
	}
	if (error)
		return error;
	e->high = PAGE_ALIGN(end);
	if (!end)
		return refuse(name, "it has nothing to load");
	if (e->ehdr.e_entry < e->low || e->ehdr.e_entry >= end)
		return refuse(name, "it starts outside of its segments");
	if (e->ehdr.e_type == ET_EXEC && e->low == 0)
		return refuse(name, "it wants to be at address 0");
	return 0;
}

/* Reads and checks all headers; see kernel/exec.h. */
int elf_read(struct elf_image *e, struct file *file, const char *name)
{
	struct elf32_ehdr *h = &e->ehdr;
	ssize_t n = mapping_read(file->mapping, h, sizeof(*h), 0);
	int error;

	e->interp[0] = '\0';
	e->phdr_at = 0;
	if (n < 0)
		return n;
	if ((u32)n < SELFMAG || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	if ((u32)n < sizeof(*h))
		return refuse(name, "the file is truncated");
	error = check_ehdr(h, name);
	if (!error)
		error = read_exactly(file, e->phdr,
				     h->e_phnum * sizeof(struct elf32_phdr),
				     h->e_phoff, name);
	return error ? error : check_phdrs(e, file, name);
}

/* The protection a segment asks for. */
static u32 segment_prot(const struct elf32_phdr *p)
{
	return (p->p_flags & PF_R ? PROT_READ : 0) |
	       (p->p_flags & PF_W ? PROT_WRITE : 0) |
	       (p->p_flags & PF_X ? PROT_EXEC : 0);
}

/* Maps the part of a segment that is in the file, and pages of zeros for the
 * rest.  mmap_sem is held. 0 or an error. */
static int map_segment(const struct elf32_phdr *p, u32 bias,
		       struct file *file)
{
	u32 start = (p->p_vaddr + bias) & PAGE_MASK;
	u32 offset = p->p_vaddr % PAGE_SIZE;
	u32 file_end = PAGE_ALIGN(p->p_vaddr + bias + p->p_filesz);
	u32 end = PAGE_ALIGN(p->p_vaddr + bias + p->p_memsz);
	long addr;

	if (p->p_filesz) {
		addr = do_mmap(file, start, p->p_filesz + offset,
			       segment_prot(p),
			       MAP_PRIVATE | MAP_FIXED | MAP_DENYWRITE,
			       (p->p_offset - offset) >> PAGE_SHIFT);
		if (IS_ERR((void *)addr))
			return addr;
	} else {
		file_end = start;
	}
	if (end <= file_end)
		return 0;
	return do_brk(file_end, end - file_end);
}

/* Zeroes the rest of the last file page, where the bss begins. */
static int clear_tail(const struct elf32_phdr *p, u32 bias)
{
	u32 start = p->p_vaddr + bias + p->p_filesz;

	if (p->p_memsz == p->p_filesz || p->p_filesz == 0 ||
	    start % PAGE_SIZE == 0)
		return 0;
	return clear_user((void *)start, PAGE_ALIGN(start) - start);
}

/* Where a position-independent image goes; 0 in *bias for others. */
static int choose_bias(struct elf_image *e, bool interp)
{
	u32 addr = DYN_BASE;

	e->bias = 0;
	if (e->ehdr.e_type != ET_DYN)
		return 0;
	if (interp)
		addr = get_unmapped_area(current->mm, e->high - e->low);
	if (!addr || addr > IMAGE_LIMIT - (e->high - e->low))
		return -ENOMEM;
	e->bias = addr - e->low;
	return 0;
}

/* Notes in the mm where code and data are. */
static void note_segment(struct mm *mm, const struct elf32_phdr *p, u32 bias)
{
	u32 start = p->p_vaddr + bias, end = start + p->p_filesz;

	if (p->p_flags & PF_X) {
		if (!mm->start_code)
			mm->start_code = start;
		mm->end_code = end;
	}
	mm->start_data = max(mm->start_data, start);
	mm->end_data = max(mm->end_data, end);
}

/* Maps the segments; see kernel/exec.h. */
int elf_map(struct elf_image *e, struct file *file, bool interp)
{
	struct mm *mm = current->mm;
	const struct elf32_phdr *p, *last = e->phdr + e->ehdr.e_phnum;
	int error;

	down_write(&mm->mmap_sem);
	error = choose_bias(e, interp);
	for (p = e->phdr; p < last && !error; p++) {
		if (p->p_type != PT_LOAD || p->p_memsz == 0)
			continue;
		error = map_segment(p, e->bias, file);
		if (!interp)
			note_segment(mm, p, e->bias);
	}
	if (!interp)
		mm->start_brk = mm->brk = e->high + e->bias;
	up_write(&mm->mmap_sem);
	for (p = e->phdr; p < last && !error; p++)
		if (p->p_type == PT_LOAD && p->p_memsz)
			error = clear_tail(p, e->bias);
	return error;
}
