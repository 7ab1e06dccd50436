/* The archive that the boot loader may hand over as a root file system. */
#ifndef FS_INITRAMFS_H
#define FS_INITRAMFS_H

#include "lib/types.h"

/* Is there an archive? */
bool initramfs_present(void);
/* Unpacks it into the current root.  0, or an error after a message that says
 * what was unpacked before. */
int initramfs_unpack(void);

#endif
