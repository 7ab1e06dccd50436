/*
 * Boot parameters.  A room declares each parameter it takes; unknown words and
 * bad values are reported at boot with what is valid, and the default is kept.
 */
#ifndef KERNEL_PARAM_H
#define KERNEL_PARAM_H

#include "lib/types.h"

struct boot_param {
	const char *name;		/* of NAME=VALUE, or a bare word */
	const char *help;		/* "pte_chain, objrmap" */
	/* 0, or -EINVAL: reported with `help`.  value is "" for a bare word. */
	int (*set)(const char *value);
};

/* Place a parameter in the table that parse_boot_params() searches. */
#define BOOT_PARAM(id, name_, help_, set_) \
	static const struct boot_param boot_param_##id \
	aligned(4) __attribute__((used, section(".boot_params"))) = \
	{ name_, help_, set_ }

/* Parses `cmdline`; called once, early, before mm is up. */
void parse_boot_params(const char *cmdline);
extern char boot_cmdline[512];

/* Where the root file system, swap and init are, NULL when not given. */
extern const char *param_root, *param_swap, *param_init;
extern bool param_ro;			/* "ro": mount the root read-only */

#endif
