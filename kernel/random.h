/* Random bytes, for AT_RANDOM, getrandom(2) and /dev/urandom. */
#ifndef KERNEL_RANDOM_H
#define KERNEL_RANDOM_H

#include "lib/types.h"

void get_random_bytes(void *buf, size_t len);	/* never sleeps */

#endif
