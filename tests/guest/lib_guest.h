/*
 * What the test programs share beside TAP: a directory of their own, checks
 * that run in a child, and accesses to memory that may fault.
 */
#ifndef TESTS_GUEST_LIB_GUEST_H
#define TESTS_GUEST_LIB_GUEST_H

#include <stddef.h>
#include <sys/types.h>

#define PAGE 4096

/* How an access to memory ended: all 0 if it went well. */
struct fault {
	int sig, code;
	void *addr;
};

/* What a child is to do; its result becomes the exit status. */
typedef int child_fn(void *arg);

/* Files. */
void enter_test_dir(const char *name);
int make_file(const char *name, off_t size);
void fill_file(const char *name, const void *data, size_t size);
off_t file_size(const char *name);

/* Children. */
pid_t start_child(child_fn *fn, void *arg);
int wait_status(pid_t pid);
int run_child(child_fn *fn, void *arg);
int killed_by(int status);
void wait_until_ready(int fd);
void say_ready(int fd);
void sleep_ms(long ms);

/* Memory. */
unsigned long kernel_start(void);
void *map(size_t size, int prot, int flags, int fd, off_t offset);
void *map_anon(size_t size, int flags);
struct fault try_read(const volatile void *addr);
struct fault try_write(volatile void *addr);
struct fault try_call(void (*fn)(void *), void *arg);
size_t count_bytes(const void *mem, size_t size, unsigned char value);

#endif
