/* Shared by the parts of the checker. */
#ifndef MM_MMCHECK_H
#define MM_MMCHECK_H

#include "lib/types.h"

/* Adds a line to the report: an invariant does not hold. */
void violation(const char *fmt, ...) printf_like(1, 2);
/* The same for what may also be a transfer in progress: believed only when
 * several runs in a row find something. */
void doubt(const char *fmt, ...) printf_like(1, 2);

void check_address_spaces(void);	/* mmcheck_mm.c */
void check_reverse_map(void);		/* mmcheck_rmap.c */
void check_file_index(void);		/* mmcheck_mm.c */
void check_pages(void);			/* mmcheck_page.c */
void check_swap(void);			/* mmcheck_swap.c */
void check_shmem(void (*count)(u32 entry, int by), int by);	/* shmem.c */

#endif
