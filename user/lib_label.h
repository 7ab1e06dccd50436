/* Finding a swap device by its label. */
#ifndef USER_LIB_LABEL_H
#define USER_LIB_LABEL_H

#include <stddef.h>

/* The path of the first device whose swap header has the label; 0, or -1. */
int find_swap_label(const char *label, char *path, size_t size);

#endif
