/*
 * The parts of the 32-bit ELF format that exec reads, and the auxiliary
 * vector it hands to a program.  Layouts and numbers are the System V i386
 * ABI's; see elf(5).
 */
#ifndef LIB_ELF_H
#define LIB_ELF_H

#include "lib/types.h"

#define EI_NIDENT	16
#define EI_CLASS	4	/* indices in e_ident */
#define EI_DATA		5
#define EI_VERSION	6
#define EI_OSABI	7

#define ELFMAG		"\177ELF"
#define SELFMAG		4
#define ELFCLASS32	1
#define ELFCLASS64	2
#define ELFDATA2LSB	1
#define EV_CURRENT	1

#define ET_REL		1	/* e_type */
#define ET_EXEC		2
#define ET_DYN		3
#define ET_CORE		4

#define EM_386		3	/* e_machine */

#define PT_NULL		0	/* p_type */
#define PT_LOAD		1
#define PT_DYNAMIC	2
#define PT_INTERP	3
#define PT_NOTE		4
#define PT_PHDR		6
#define PT_TLS		7
#define PT_GNU_STACK	0x6474E551

#define PF_X		1	/* p_flags */
#define PF_W		2
#define PF_R		4

struct elf32_ehdr {
	u8 e_ident[EI_NIDENT];
	u16 e_type;
	u16 e_machine;
	u32 e_version;
	u32 e_entry;
	u32 e_phoff;
	u32 e_shoff;
	u32 e_flags;
	u16 e_ehsize;
	u16 e_phentsize;
	u16 e_phnum;
	u16 e_shentsize;
	u16 e_shnum;
	u16 e_shstrndx;
};

struct elf32_phdr {
	u32 p_type;
	u32 p_offset;
	u32 p_vaddr;
	u32 p_paddr;
	u32 p_filesz;
	u32 p_memsz;
	u32 p_flags;
	u32 p_align;
};

#define AT_NULL		0	/* the auxiliary vector: pairs (type, value) */
#define AT_IGNORE	1
#define AT_EXECFD	2
#define AT_PHDR		3
#define AT_PHENT	4
#define AT_PHNUM	5
#define AT_PAGESZ	6
#define AT_BASE		7
#define AT_FLAGS	8
#define AT_ENTRY	9
#define AT_UID		11
#define AT_EUID		12
#define AT_GID		13
#define AT_EGID		14
#define AT_PLATFORM	15
#define AT_HWCAP	16
#define AT_CLKTCK	17
#define AT_SECURE	23
#define AT_RANDOM	25
#define AT_EXECFN	31
#define AT_SYSINFO	32
#define AT_SYSINFO_EHDR	33

#endif
