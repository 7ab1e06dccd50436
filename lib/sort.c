/*
 * Heapsort.  The first pass makes a heap, each parent not before its children
 * (those of element i are 2i + 1 and 2i + 2); then the top, the last of all
 * in order, is swapped to the end, and the heap is one shorter.
 */
#include "lib/sort.h"

/* Exchanges two elements of size bytes. */
static void swap_bytes(u8 *a, u8 *b, size_t size)
{
	u8 byte;

	while (size--) {
		byte = *a;
		*a++ = *b;
		*b++ = byte;
	}
}

/* Sinks element top of a heap of num until no child comes after it. */
static void sift_down(u8 *base, size_t top, size_t num, size_t size,
		      int (*cmp)(const void *a, const void *b))
{
	size_t child;

	while ((child = 2 * top + 1) < num) {
		if (child + 1 < num && cmp(base + child * size,
					   base + (child + 1) * size) < 0)
			child++;
		if (cmp(base + top * size, base + child * size) >= 0)
			return;
		swap_bytes(base + top * size, base + child * size, size);
		top = child;
	}
}

/* Sorts in place. */
void sort(void *base, size_t num, size_t size,
	  int (*cmp)(const void *a, const void *b))
{
	u8 *first = base;
	size_t i;

	for (i = num / 2; i-- > 0;)
		sift_down(first, i, num, size, cmp);
	for (i = num; i-- > 1;) {
		swap_bytes(first, first + i * size, size);
		sift_down(first, 0, i, size, cmp);
	}
}
