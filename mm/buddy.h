/* The binary buddy system below mm/page_alloc.c: free blocks by order. */
#ifndef MM_BUDDY_H
#define MM_BUDDY_H

#include "mm/page_alloc.h"

void buddy_init(void);
/* A free block of 2^order frames, taken off its list, or NULL. */
struct page *buddy_alloc(unsigned order);
/* Gives a block back and joins it with its free buddies. */
void buddy_free(struct page *page, unsigned order);
/* True when `page` heads a free block; its order is page->private. */
bool buddy_is_free_head(const struct page *page);

#endif
