/*
 * What a program and the children it reaped have used, and the line in which
 * zsh's `time` says it: "15.76s user 86.91s system 33% cpu 5:05.07 total".
 */
#ifndef USER_LIB_TIMES_H
#define USER_LIB_TIMES_H

#include <stdint.h>

struct times {
	uint64_t elapsed_ns;
	double user, system; /* seconds */
	long minor, major;   /* page faults */
};

struct times times_since(uint64_t start_ns);
void print_times(const struct times *times);

#endif
