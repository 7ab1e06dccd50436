/*
 * A swap entry names a slot of a swap area: the area in the top 5 bits, the
 * page offset within it in the low 27.  Offset 0 is the area's header, so no
 * valid entry is 0.
 */
#ifndef MM_SWAP_ENTRY_H
#define MM_SWAP_ENTRY_H

#include "lib/types.h"

typedef struct {
	u32 val;
} swp_entry_t;

#define SWP_OFFSET_BITS		27
#define SWP_PTE_OFFSET_BITS	24	/* what a PTE can hold: 64 GB */

static inline swp_entry_t swp_entry(u32 type, u32 offset)
{
	return (swp_entry_t){ type << SWP_OFFSET_BITS | offset };
}

static inline u32 swp_type(swp_entry_t e)
{
	return e.val >> SWP_OFFSET_BITS;
}

static inline u32 swp_offset(swp_entry_t e)
{
	return e.val & ((1u << SWP_OFFSET_BITS) - 1);
}

#endif
