/*
 * ELF files made byte by byte: the smallest that runs, and what is wrong,
 * cut short or a lie. None of them may run, and none may hurt anybody but
 * the child that tried.
 *
 *	0     Elf32_Ehdr
 *	52    Elf32_Phdr        one PT_LOAD of everything, at BASE
 *	84    Elf32_Phdr        PT_NULL, for tests that need a second one
 *	116   code: exit(42)
 *	PAGE  end of the file
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define BASE 0x10000000
#define RUNS 42

/* A file to be. */
struct image {
	Elf32_Ehdr ehdr;
	Elf32_Phdr load, second;
	unsigned char code[PAGE - sizeof(Elf32_Ehdr) - 2 * sizeof(Elf32_Phdr)];
};

/* mov $1,%eax; mov $42,%ebx; int $0x80 */
static const unsigned char exit_42[] = {0xb8, 1, 0, 0, 0,    0xbb,
					RUNS, 0, 0, 0, 0xcd, 0x80};

/* movzbl BASE+0x800,%ebx; mov $1,%eax; int $0x80 */
static const unsigned char exit_bss[] = {0x0f, 0xb6,       0x1d, 0x00, 0x08,
					 0x00, BASE >> 24, 0xb8, 1,    0,
					 0,    0,          0xcd, 0x80};

/* The file that runs; what it does not use is filled with 0xff. */
static struct image good_image(void)
{
	struct image image;
	unsigned code = (unsigned char *)image.code - (unsigned char *)&image;

	memset(&image, 0xff, sizeof(image));
	image.ehdr = (Elf32_Ehdr){
		.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_386,
		.e_version = EV_CURRENT,
		.e_entry = BASE + code,
		.e_phoff = sizeof(Elf32_Ehdr),
		.e_ehsize = sizeof(Elf32_Ehdr),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_phnum = 2,
	};
	image.load = (Elf32_Phdr){
		.p_type = PT_LOAD,
		.p_vaddr = BASE,
		.p_filesz = PAGE,
		.p_memsz = PAGE,
		.p_flags = PF_R | PF_X,
		.p_align = PAGE,
	};
	image.second = (Elf32_Phdr){.p_type = PT_NULL};
	memcpy(image.code, exit_42, sizeof(exit_42));
	return image;
}

/* Executes ./elf; the errno if that fails. */
static int exec_elf(void *arg)
{
	char *argv[] = {"elf", NULL}, *envp[] = {NULL};

	(void)arg;
	execve("./elf", argv, envp);
	return errno;
}

/* Makes a file of the image's first size bytes and runs it. */
static int run_image(const struct image *image, size_t size)
{
	unlink("elf");
	fill_file("elf", image, size);
	chmod("elf", 0755);
	return run_child(exec_elf, NULL);
}

/* Is the image refused as no program at all? */
static void no_program(const struct image *image, const char *name)
{
	is(run_image(image, sizeof(*image)), ENOEXEC, "%s", name);
}

/*
 * Is the image, whose lie shows only when it is loaded, refused with some
 * errno, or its task killed?
 */
static void never_runs(const struct image *image, const char *name)
{
	int result = run_image(image, sizeof(*image));

	ok(result != RUNS && result != 0, "%s: refused or killed", name);
	if (result > 0)
		diag("%s: errno %d (%s)", name, result, strerror(result));
	else
		diag("%s: signal %d", name, -result);
}

/* What is right runs. */
static void test_good(void)
{
	struct image image = good_image();

	is(run_image(&image, sizeof(image)), RUNS, "the smallest program");
	image.load.p_filesz = image.load.p_memsz = 200;
	is(run_image(&image, 200), RUNS, "a file that ends with its code");
	image = good_image();
	memcpy(image.code, exit_bss, sizeof(exit_bss));
	image.load.p_filesz = 0x800;
	image.load.p_flags |= PF_W;
	is(run_image(&image, sizeof(image)), 0,
	   "memory behind p_filesz is zero, whatever the file has there");
	image.load.p_memsz = 64 * PAGE;
	is(run_image(&image, sizeof(image)), 0, "64 pages of bss");
}

/* Headers that say it is something else. */
static void test_wrong_kind(void)
{
	struct image image = good_image();

	image.ehdr.e_ident[1] = 'F';
	no_program(&image, "wrong magic");
	image = good_image();
	image.ehdr.e_ident[EI_CLASS] = ELFCLASS64;
	image.ehdr.e_machine = EM_X86_64;
	no_program(&image, "a 64-bit program");
	image = good_image();
	image.ehdr.e_machine = EM_SPARC;
	no_program(&image, "a program for SPARC");
	image = good_image();
	image.ehdr.e_type = ET_REL;
	no_program(&image, "an object file");
	image.ehdr.e_type = ET_CORE;
	no_program(&image, "a core file");
	image = good_image();
	image.ehdr.e_phentsize = 31;
	no_program(&image, "program headers of an odd size");
	image = good_image();
	image.ehdr.e_phnum = 0;
	no_program(&image, "no program headers");
	image.ehdr.e_phnum = 0xffff;
	no_program(&image, "65535 program headers");
	image = good_image();
	image.ehdr.e_phoff = 0x7ffffff0;
	no_program(&image, "program headers far behind the end");
	image.ehdr.e_phoff = PAGE - 10;
	no_program(&image, "program headers over the end");
}

/* Files that stop too early. */
static void test_truncated(void)
{
	static const size_t sizes[] = {0, 1, 4, 16, 51, 52, 83, 115};
	struct image image = good_image();
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		is(run_image(&image, sizes[i]), ENOEXEC, "a file of %zu bytes",
		   sizes[i]);
	image.load.p_offset = 16 * PAGE;
	never_runs(&image, "a segment that begins behind the end");
}

/* Sizes and addresses that cannot be. */
static void test_lies(void)
{
	struct image image = good_image();

	image.load.p_filesz = 2 * PAGE;
	never_runs(&image, "p_filesz above p_memsz");
	image = good_image();
	image.load.p_filesz = image.load.p_memsz = 0xfffff000;
	never_runs(&image, "a segment of 4 GB");
	image.load.p_filesz = PAGE;
	never_runs(&image, "bss of 4 GB");
	image = good_image();
	image.load.p_vaddr = 0xfffff000;
	never_runs(&image, "a segment in the kernel");
	image.load.p_vaddr = 0xffffe000;
	image.load.p_memsz = 4 * PAGE;
	never_runs(&image, "a segment that wraps around");
	image = good_image();
	image.load.p_offset = 0xfffff000;
	never_runs(&image, "p_offset at the end of everything");
	image = good_image();
	image.ehdr.e_entry = 0xfffffff0;
	never_runs(&image, "an entry point in the kernel");
	image.ehdr.e_entry = 0;
	never_runs(&image, "an entry point at 0");
	image = good_image();
	image.load.p_type = PT_NOTE;
	never_runs(&image, "nothing to load");
	image = good_image();
	image.load.p_offset = 12;
	never_runs(&image, "an offset that does not fit the address");
}

/* Dynamic programs: refused, or given to an interpreter that is not there. */
static void test_dynamic(void)
{
	struct image image = good_image();
	int result;

	image.second = (Elf32_Phdr){
		.p_type = PT_INTERP,
		.p_offset = 0x900,
		.p_filesz = 13,
		.p_memsz = 13,
	};
	memcpy((char *)&image + 0x900, "/no/ld-no.so", 13);
	never_runs(&image, "an interpreter that is not there");
	image.second.p_offset = 0x7fff0000;
	never_runs(&image, "an interpreter's name behind the end");
	image.second.p_offset = 0x900;
	image.second.p_filesz = 0;
	never_runs(&image, "an interpreter's name of no length");
	image.second.p_filesz = 0x7fffffff;
	never_runs(&image, "an interpreter's name of 2 GB");
	image = good_image();
	image.ehdr.e_type = ET_DYN;
	image.ehdr.e_entry -= BASE;
	image.load.p_vaddr = 0;
	result = run_image(&image, sizeof(image));
	ok(result == RUNS || result == ENOEXEC,
	   "a shared object without interpreter runs or is no program");
}

int main(void)
{
	enter_test_dir("t_elf");
	test_good();
	test_wrong_kind();
	test_truncated();
	test_lies();
	test_dynamic();
	return done();
}
