/* MBR partition tables, primary and logical. */
#ifndef DRIVERS_PARTITION_H
#define DRIVERS_PARTITION_H

#include "lib/types.h"

#define MAX_PARTITIONS	63		/* as minor numbers of an IDE disk go */

struct partition {
	u64 start, sectors;		/* sectors 0: there is none */
	u8 type;
};

/* Reads a 512-byte sector into the parser's buffer. 0 or an error. */
typedef int (*sector_reader)(void *arg, u64 sector);

/*
 * Reads the partition table of a disk of `sectors` through `read`, which fills
 * `buf`; parts[n - 1] becomes partition n, for n up to MAX_PARTITIONS.  Returns
 * the highest number, 0 when there is no table that can be used.  Says with
 * the disk's name what it finds wrong.  Sleeps as `read` does.
 */
int parse_partitions(const char *disk, u64 sectors, sector_reader read,
		     void *arg, const u8 *buf, struct partition *parts);

#endif
