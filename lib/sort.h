/*
 * Heapsort: in place, O(n log n) at worst, no recursion, not stable.
 */
#ifndef LIB_SORT_H
#define LIB_SORT_H

#include "lib/types.h"

/* Sorts num elements of size bytes; cmp() is negative if a comes before b. */
void sort(void *base, size_t num, size_t size,
	  int (*cmp)(const void *a, const void *b));

#endif
