/* /proc: the state of the system and its tasks as files. */
#ifndef FS_PROC_PROC_H
#define FS_PROC_PROC_H

void proc_init(void);		/* registers the file system; once */

#endif
