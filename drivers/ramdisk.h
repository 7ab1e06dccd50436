/* Disks in memory: /dev/ram0 and so on. */
#ifndef DRIVERS_RAMDISK_H
#define DRIVERS_RAMDISK_H

#include "lib/types.h"

/* Makes a zeroed disk of `pages` pages named ram0, ram1, ... in order of the
 * calls, for good.  0, -ENOMEM, -ENOSPC (too many).  May sleep. */
int ramdisk_register(u32 pages);

#endif
