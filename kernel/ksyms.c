/* Names for code addresses, from the table that the build generates. */
#include "kernel/ksyms.h"
#include "kernel/panic.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "mm/page.h"

/* The function that holds `addr` and the offset in it, or NULL. */
const char *ksym_lookup(u32 addr, u32 *offset)
{
	extern const char _start_text[], _end_text[];
	u32 low = 0, high = nr_ksyms;

	if (addr < (u32)_start_text || addr >= (u32)_end_text || !nr_ksyms ||
	    addr < ksyms[0].addr)
		return NULL;
	while (high - low > 1) {
		u32 middle = (low + high) / 2;

		if (ksyms[middle].addr <= addr)
			low = middle;
		else
			high = middle;
	}
	*offset = addr - ksyms[low].addr;
	return ksyms[low].name;
}

/* The end of the stack that `sp` is in: the current task's, or some other,
 * of which at least the page is there. */
static const u32 *stack_end(const u32 *sp)
{
	const u32 *stack = current->kstack;

	if (sp >= stack && sp < stack + KSTACK_SIZE / 4)
		return stack + KSTACK_SIZE / 4;
	return (const u32 *)PAGE_ALIGN((u32)sp + 1);
}

/* Prints what looks like return addresses from `sp` to the end of its stack,
 * "?" because some may be left over from calls that returned. */
void print_trace(const u32 *sp)
{
	const u32 *end = stack_end(sp);
	unsigned shown = 0;
	const char *name;
	u32 offset;

	printk(KERN_ERR "Call trace:\n");
	for (sp = (u32 *)((u32)sp & ~3u); sp < end && shown < 24; sp++) {
		name = ksym_lookup(*sp, &offset);
		if (!name || !offset)
			continue;
		printk(KERN_ERR " %08x ? %s+0x%x\n", *sp, name, offset);
		shown++;
	}
}

/* Prints the symbolised return addresses of the current stack. */
void dump_stack(void)
{
	print_trace(__builtin_frame_address(0));
}
