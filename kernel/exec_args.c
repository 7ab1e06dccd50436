/*
 * The arguments of a program: collected from the caller into pages of kernel
 * memory, then placed on the new stack:
 *
 *	TASK_SIZE  0 0 0 0
 *		   path, environment strings, argument strings
 *		   "i686", 16 random bytes
 *		   auxiliary vector
 *		   envp[], NULL
 *		   argv[], NULL
 *	esp ->	   argc				(16-byte aligned)
 */
#include "kernel/cpu.h"
#include "kernel/exec.h"
#include "kernel/random.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/mm.h"
#include "mm/slab.h"

/* Copies a piece of a string; as strncpy_from_user(). */
static ssize_t copy_piece(char *to, const char *from, size_t size, bool kernel)
{
	size_t len;

	if (!kernel)
		return strncpy_from_user(to, from, size);
	len = strnlen(from, size);
	memcpy(to, from, len == size ? size : len + 1);
	return len == size ? -ENAMETOOLONG : (ssize_t)len;
}

/* Appends one string.  0, -E2BIG, -EFAULT, -ENOMEM. */
static int add_string(struct exec_args *a, const char *s, bool kernel)
{
	for (;;) {
		u32 index = a->len / PAGE_SIZE, at = a->len % PAGE_SIZE;
		size_t room = PAGE_SIZE - at;
		ssize_t n;

		if (index == ARG_PAGES)
			return -E2BIG;
		if (!a->page[index]) {
			a->page[index] = get_free_pages(GFP_KERNEL, 0);
			if (!a->page[index])
				return -ENOMEM;
		}
		n = copy_piece((char *)a->page[index] + at, s, room, kernel);
		if (n >= 0) {
			a->len += n + 1;
			return 0;
		}
		if (n != -ENAMETOOLONG)
			return n;
		s += room;
		a->len += room;
	}
}

/* Appends the strings of a vector from `first` on; their number, or error. */
static int add_vector(struct exec_args *a, struct arg_vector v, u32 first)
{
	int n = 0;

	if (!v.v)
		return 0;
	for (u32 i = 0;; i++) {
		const char *s;
		int error;

		if (v.kernel)
			s = v.v[i];
		else if (get_user(s, v.v + i))
			return -EFAULT;
		if (!s)
			return n;
		if (i < first)
			continue;
		error = add_string(a, s, v.kernel);
		if (error)
			return error;
		n++;
		if (fatal_signal_pending())
			return -EINTR;
		cond_resched();
	}
}

/* Collects what the program is given.  A script's interpreter gets the prefix
 * in place of argv[0]. */
int args_collect(struct exec *x, struct arg_vector argv,
		 struct arg_vector envp)
{
	struct exec_args *a = &x->args;
	int n, error = 0;

	for (unsigned i = 0; i < x->nr_prefix && !error; i++)
		error = add_string(a, x->prefix[i], true);
	if (error)
		return error;
	n = add_vector(a, argv, x->nr_prefix ? 1 : 0);
	if (n < 0)
		return n;
	a->argc = x->nr_prefix + n;
	if (!a->argc) {			/* programs rely on argv[0] */
		a->argc = 1;
		error = add_string(a, "", true);
	}
	a->env_at = a->len;
	n = error ? error : add_vector(a, envp, 0);
	if (n < 0)
		return n;
	a->envc = n;
	a->path_at = a->len;
	return add_string(a, x->path, true);
}

/* Frees the pages. */
void args_free(struct exec_args *a)
{
	for (int i = 0; i < ARG_PAGES && a->page[i]; i++)
		free_pages_at(a->page[i], 0);
}

/* The offset behind the string that starts at `at`. */
static u32 next_string(const struct exec_args *a, u32 at)
{
	for (;;) {
		u32 in_page = at % PAGE_SIZE, n = PAGE_SIZE - in_page;
		const u8 *s = a->page[at / PAGE_SIZE] + in_page;
		const u8 *end = memchr(s, 0, n);

		if (end)
			return at + (end - s) + 1;
		at += n;
	}
}

/* Fills in `n` pointers to strings and a NULL; the offset behind them. */
static u32 fill_vector(const struct exec_args *a, u32 **slot, u32 n, u32 at,
		       u32 base)
{
	while (n--) {
		*(*slot)++ = base + at;
		at = next_string(a, at);
	}
	*(*slot)++ = 0;
	return at;
}

/* Adds one entry to the auxiliary vector. */
static u32 *aux(u32 *p, u32 type, u32 value)
{
	p[0] = type;
	p[1] = value;
	return p + 2;
}

/* Fills in the auxiliary vector; behind its end. */
static u32 *fill_auxv(const struct exec *x, u32 *p, u32 strings)
{
	const struct elf_image *e = &x->main;
	bool interp = x->interp_file;

	p = aux(p, AT_HWCAP, cpu_features);
	p = aux(p, AT_PAGESZ, PAGE_SIZE);
	p = aux(p, AT_CLKTCK, HZ);
	p = aux(p, AT_PHDR, e->phdr_at + e->bias);
	p = aux(p, AT_PHENT, sizeof(struct elf32_phdr));
	p = aux(p, AT_PHNUM, e->ehdr.e_phnum);
	p = aux(p, AT_BASE, interp ? x->interp.bias + x->interp.low : 0);
	p = aux(p, AT_FLAGS, 0);
	p = aux(p, AT_ENTRY, e->ehdr.e_entry + e->bias);
	p = aux(p, AT_UID, current->uid);
	p = aux(p, AT_EUID, x->uid);
	p = aux(p, AT_GID, current->gid);
	p = aux(p, AT_EGID, x->gid);
	p = aux(p, AT_SECURE, x->secure);
	p = aux(p, AT_RANDOM, x->random_at);
	p = aux(p, AT_EXECFN, strings + x->args.path_at);
	p = aux(p, AT_PLATFORM, x->platform_at);
	return aux(p, AT_NULL, 0);
}

#define AUX_WORDS	(2 * 18)

/* Copies the collected strings to user address `to`.  0 or an error. */
static int place_strings(struct mm *mm, const struct exec_args *a, u32 to)
{
	int error = 0;

	for (u32 at = 0; at < a->len && !error; at += PAGE_SIZE)
		error = copy_to_mm(mm, to + at, a->page[at / PAGE_SIZE],
				   min(a->len - at, PAGE_SIZE));
	return error;
}

/* Copies "i686" and random bytes below the strings; their address, or 0. */
static u32 place_extras(struct exec *x, struct mm *mm, u32 strings)
{
	u8 extra[24] = "i686";
	u32 at = (strings - sizeof(extra)) & ~15u;

	get_random_bytes(extra + 8, 16);
	x->platform_at = at;
	x->random_at = at + 8;
	return copy_to_mm(mm, at, extra, sizeof(extra)) ? 0 : at;
}

/* Builds argc, argv, envp and auxv and copies them to just below `top`; the
 * user's esp, or 0 when out of memory. */
static u32 place_vectors(struct exec *x, struct mm *mm, u32 top, u32 strings)
{
	struct exec_args *a = &x->args;
	u32 words = 1 + a->argc + 1 + a->envc + 1 + AUX_WORDS;
	u32 *table = kmalloc(words * 4, GFP_KERNEL), *p = table;
	u32 esp = (top - words * 4) & ~15u, at;

	if (!table)
		return 0;
	*p++ = a->argc;
	at = fill_vector(a, &p, a->argc, 0, strings);
	fill_vector(a, &p, a->envc, at, strings);
	memcpy(mm->saved_auxv, p,
	       (fill_auxv(x, p, strings) - p) * sizeof(u32));
	if (copy_to_mm(mm, esp, table, words * 4))
		esp = 0;
	kfree(table);
	return esp;
}

/* Places everything on the stack of current->mm; the user's esp, or 0. */
u32 args_place(struct exec *x, u32 stack_top)
{
	struct mm *mm = current->mm;
	u32 strings = stack_top - 4 - x->args.len, at;

	if (place_strings(mm, &x->args, strings))
		return 0;
	at = place_extras(x, mm, strings);
	if (!at)
		return 0;
	mm->arg_start = strings;
	mm->arg_end = mm->env_start = strings + x->args.env_at;
	mm->env_end = strings + x->args.path_at;
	mm->start_stack = place_vectors(x, mm, at, strings);
	return mm->start_stack;
}
