/*
 * A small machine for unit tests of mm/: frames of memory at the addresses
 * where the kernel's direct map has them, a mem_map for them, and what mm/
 * needs from the rest of the kernel.  One program includes this once.
 *
 *	PAGE_OFFSET  | frame 0 | frame 1 | ...  | frame n - 1 |
 *
 * The address sanitizer keeps that part of the address space for itself but
 * unused.  So the frames are mapped over it, and their shadow, which lies in
 * the unused part as well, is mapped as zeros: "all addressable".
 */
#ifndef TESTS_HOST_ARENA_H
#define TESTS_HOST_ARENA_H

#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel/printk.h"
#define sigset_t kernel_sigset_t	/* the host has one of its own */
#include "kernel/task.h"
#undef sigset_t
#include "mm/page.h"
#include "mm/vmstat.h"
#include "tests/host/tap.h"

#ifndef ARENA_WITHOUT_MAP		/* defined with mm/page_init.c */
struct page *mem_map;
u32 max_pfn;
#endif
u64 vm_stat[NR_VM_ITEMS];
static struct task this_task = { .comm = "test" };
struct task *current = &this_task;

static jmp_buf panic_jump;
static bool panic_expected;
static char panic_message[200];

#define SHADOW_OF(addr)	(((uptr)(addr) >> 3) + 0x7fff8000)

/* The sanitizer must not check the frames in memset() by its own map. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "replace_intrin=0";
}

/* Maps zeroed memory at an address; ends the program if that fails. */
static void map_at(uptr addr, size_t size)
{
	void *at = mmap((void *)addr, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
			MAP_NORESERVE, -1, 0);

	if (at != (void *)addr) {
		perror("mmap");
		exit(2);
	}
}

/* Makes n frames of zeros, without their struct pages. */
static inline void arena_map(u32 n)
{
	map_at(PAGE_OFFSET, (size_t)n * PAGE_SIZE);
	map_at(SHADOW_OF(PAGE_OFFSET), (size_t)n * PAGE_SIZE / 8);
}

/* Makes n frames, all PAGE_RESERVED. */
static inline void arena_init(u32 n)
{
	arena_map(n);
	mem_map = calloc(n, sizeof(*mem_map));
	max_pfn = n;
}

/* Goes back to PANICS(), or ends the program if no panic is expected. */
void panic(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(panic_message, sizeof(panic_message), fmt, ap);
	va_end(ap);
	if (panic_expected)
		longjmp(panic_jump, 1);
	printf("Bail out! panic: %s\n", panic_message);
	exit(2);
}

/* True if a statement panics; the message is in panic_message then. */
#define PANICS(statement) ({ \
	volatile bool panicked_ = true; \
	panic_expected = true; \
	if (!setjmp(panic_jump)) { \
		statement; \
		panicked_ = false; \
	} \
	panic_expected = false; \
	panicked_; \
})

/* Kernel messages are TAP comments. */
void printk(const char *fmt, ...)
{
	va_list ap;

	if (fmt[0] == '\001')
		fmt += 2;
	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

#endif
