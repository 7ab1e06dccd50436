/*
 * The boot parameters: words and NAME=VALUE pairs on the command line.
 *
 * Rooms put their parameters into a table (BOOT_PARAM) that the linker
 * gathers.  A word that is in no table, or a value that is refused, is
 * reported with what would have been valid, and the default stays.
 */
#include "kernel/param.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "lib/string.h"

extern const struct boot_param __start_boot_params[], __stop_boot_params[];
#define for_each_param(p) \
	for (p = __start_boot_params; p < __stop_boot_params; p++)

char boot_cmdline[512];
const char *param_root, *param_swap, *param_init;
bool param_ro;
static char root_value[64], swap_value[64], init_value[64];

/* Lists every known parameter. */
static void print_known(void)
{
	const struct boot_param *p;

	printk(KERN_ERR "Known are:");
	for_each_param(p)
		printk(KERN_ERR " %s", p->name);
	printk(KERN_ERR "\n");
}

/* Gives one word to whoever takes it; more than one room may. */
static void set_param(char *word)
{
	const struct boot_param *p;
	char *value = strchr(word, '=');
	bool known = false;

	if (value)
		*value++ = '\0';
	for_each_param(p) {
		if (strcmp(p->name, word))
			continue;
		known = true;
		if (p->set(value ? value : ""))
			printk(KERN_ERR "Bad value '%s' of boot parameter "
			       "'%s': valid: %s\n", value ? value : "", word,
			       p->help);
	}
	if (known)
		return;
	printk(KERN_ERR "Unknown boot parameter '%s'.\n", word);
	print_known();
}

/* Is it the path of the kernel, which QEMU puts first? */
static bool is_kernel_path(const char *word)
{
	size_t len = strlen(word);

	if (strchr(word, '='))
		return false;
	return strchr(word, '/') ||
	       (len > 4 && !strcmp(word + len - 4, ".elf"));
}

/* Parses the command line; what follows "--" is not for the kernel. */
void parse_boot_params(const char *cmdline)
{
	static char words[sizeof(boot_cmdline)];
	char *word = words, *next;
	bool first = true;

	if (strlcpy(boot_cmdline, cmdline, sizeof(boot_cmdline)) >=
	    sizeof(boot_cmdline))
		printk(KERN_ERR "The command line is cut to %zu bytes.\n",
		       sizeof(boot_cmdline) - 1);
	strlcpy(words, boot_cmdline, sizeof(words));
	for (; word; word = next, first = false) {
		next = strchr(word, ' ');
		if (next)
			*next++ = '\0';
		if (!strcmp(word, "--"))
			return;
		if (*word && !(first && is_kernel_path(word)))
			set_param(word);
	}
}

/* Keeps a value that names something; an empty one is refused. */
static int keep(const char *value, char *buf, size_t size, const char **param)
{
	if (!*value || strlcpy(buf, value, size) >= size)
		return -EINVAL;
	*param = buf;
	return 0;
}

/* root=DEVICE */
static int set_root(const char *value)
{
	return keep(value, root_value, sizeof(root_value), &param_root);
}
BOOT_PARAM(root, "root", "/dev/hda1, LABEL=pagelab", set_root);

/* swap=DEVICE; init turns it on. */
static int set_swap(const char *value)
{
	return keep(value, swap_value, sizeof(swap_value), &param_swap);
}
BOOT_PARAM(swap, "swap", "/dev/hda2, LABEL=pagelab-swap", set_swap);

/* init=PROGRAM */
static int set_init(const char *value)
{
	return keep(value, init_value, sizeof(init_value), &param_init);
}
BOOT_PARAM(init, "init", "the path of a program", set_init);

/* ro: mount the root read-only. */
static int set_ro(const char *value)
{
	param_ro = true;
	return *value ? -EINVAL : 0;
}
BOOT_PARAM(ro, "ro", "no value", set_ro);

/* rw: mount the root writable, the default. */
static int set_rw(const char *value)
{
	param_ro = false;
	return *value ? -EINVAL : 0;
}
BOOT_PARAM(rw, "rw", "no value", set_rw);
