/*
 * Finding a swap device by its label: mkswap's header is the first page, with
 * the label at 1052 and SWAPSPACE2 in its last ten bytes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "user/lib_label.h"
#include "user/lib_util.h"

#define LABEL_OFFSET 1052
#define LABEL_SIZE   16

/* Does the device hold a swap header with this label? */
static int has_label(const char *path, const char *label)
{
	char page[PAGE_SIZE];
	int fd = open(path, O_RDONLY), found;

	if (fd < 0)
		return 0;
	found = read(fd, page, sizeof(page)) == sizeof(page) &&
		!memcmp(page + PAGE_SIZE - 10, "SWAPSPACE2", 10) &&
		!strncmp(page + LABEL_OFFSET, label, LABEL_SIZE);
	close(fd);
	return found;
}

/* Looks through the devices of /proc/partitions; see lib_label.h. */
int find_swap_label(const char *label, char *path, size_t size)
{
	char line[128], name[64];
	int result = -1;
	FILE *f;

	if (!*label || strlen(label) > LABEL_SIZE)
		return -1;
	f = fopen("/proc/partitions", "r");
	while (f && result < 0 && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*u %*u %*u %63s", name) != 1)
			continue;
		snprintf(path, size, "/dev/%s", name);
		if (has_label(path, label))
			result = 0;
	}
	if (f)
		fclose(f);
	return result;
}
