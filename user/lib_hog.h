/*
 * A hog: anonymous memory whose every page carries a pattern that depends on
 * the page's number and on how often it was written, so that a page that was
 * lost, stale or exchanged with another is found out.
 */
#ifndef USER_LIB_HOG_H
#define USER_LIB_HOG_H

#include <stddef.h>
#include <stdint.h>

struct hog {
	unsigned char *mem;
	uint8_t *version; /* times written, per page; shared like mem */
	size_t pages;
	size_t wrong_page; /* the first that hog_check() objected to */
};

int hog_create(struct hog *hog, size_t pages, int map_flags);
void hog_destroy(struct hog *hog);
int hog_shrink(struct hog *hog, size_t pages);
void hog_write(struct hog *hog, size_t page);
void hog_fill(struct hog *hog);
size_t hog_check(struct hog *hog);
int hog_check_page(struct hog *hog, size_t page);

#endif
