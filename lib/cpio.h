/*
 * A reader of cpio archives in the "newc" format, the format of an initramfs.
 *
 *	header (110 characters: magic, 13 numbers of 8 hex digits)
 *	name and its NUL, padded to 4     contents, padded to 4     header ...
 *
 * The archive is somebody's file: every length is checked against the end.
 */
#ifndef LIB_CPIO_H
#define LIB_CPIO_H

#include "lib/types.h"

struct cpio_entry {
	const char *name;	/* terminated, exactly as stored */
	const void *data;	/* contents, or the target of a symlink */
	u32 size;		/* of data */
	u32 mode;		/* S_IF* and permissions */
	u32 ino, nlink;		/* one of several links has the data */
	u32 uid, gid, mtime;
	u32 rdev_major, rdev_minor;
};

/* Called for each entry, in order; a negative result ends the walk. */
typedef int cpio_fn(const struct cpio_entry *entry, void *arg);

/*
 * Walks an archive up to its TRAILER!!! entry, which is not reported.  0, the
 * callback's negative result, or -EINVAL if the archive is damaged or ends
 * early (the entries before the damage have been reported).
 */
int cpio_walk(const void *archive, size_t size, cpio_fn *fn, void *arg);

#endif
