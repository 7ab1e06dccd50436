/* Advisory locks: POSIX record locks (fcntl) and whole-file locks (flock). */
#ifndef FS_LOCKS_H
#define FS_LOCKS_H

#include "fs/vfs.h"

struct files;

/* Drops the record locks that a descriptor table has on the file's inode, as
 * every close(2) does. */
void locks_remove_posix(struct file *f, struct files *owner);
/* Drops the whole-file lock of an open file that is being released. */
void locks_remove_flock(struct file *f);
/* F_GETLK, F_SETLK, F_SETLKW on a struct flock, or flock64 if `wide`.  May
 * sleep. */
long fcntl_lock(struct file *f, unsigned cmd, void *uflock, bool wide);

#endif
