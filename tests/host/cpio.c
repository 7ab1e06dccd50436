/* host-test: lib/cpio.c lib/string.c */
/*
 * lib/cpio: an archive made by hand, then every truncation and random damage
 * of it in a buffer of exactly its size (the sanitizer sees a read too far).
 */
#include <string.h>

#include "lib/cpio.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "tests/host/tap.h"

static char archive[4096];
static size_t archive_len;

static void append(const void *data, size_t len)
{
	memcpy(archive + archive_len, data, len);
	archive_len = round_up(archive_len + len, 4ul);
}

/* Appends an entry whose numbers tell which is which. */
static void add(const char *name, u32 mode, const char *data)
{
	char header[111];

	snprintf(header, sizeof(header),
		 "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x",
		 1, mode, 2, 3, 4, 5, (u32)strlen(data), 6, 7, 8, 9,
		 (u32)strlen(name) + 1, 0);
	memcpy(archive + archive_len, header, 110);
	archive_len += 110;
	append(name, strlen(name) + 1);
	append(data, strlen(data));
}

/* What the walk has reported. */
struct seen {
	int entries, stop_at;
	char names[256];
	bool right;
	u32 bytes;		/* touched, so that a bad length is noticed */
};

/* Notes an entry and reads all of it. */
static int note(const struct cpio_entry *entry, void *arg)
{
	struct seen *seen = arg;
	u32 i;

	strlcat(seen->names, entry->name, sizeof(seen->names));
	strlcat(seen->names, " ", sizeof(seen->names));
	for (i = 0; i < entry->size; i++)
		seen->bytes += ((const u8 *)entry->data)[i];
	seen->right = entry->ino == 1 && entry->uid == 2 && entry->gid == 3 &&
		      entry->nlink == 4 && entry->mtime == 5 &&
		      entry->rdev_major == 8 && entry->rdev_minor == 9;
	return ++seen->entries == seen->stop_at ? -EACCES : 0;
}

/* Walks a copy of the first len bytes that ends where its memory ends. */
static int walk_copy(const char *data, size_t len, struct seen *seen)
{
	char *copy = malloc(len);
	int error;

	memcpy(copy, data, len);
	error = cpio_walk(copy, len, note, seen);
	free(copy);
	return error;
}

static void test_good(void)
{
	struct seen seen = { .entries = 0 };

	add(".", 040755, "");
	add("bin", 040755, "");
	add("bin/sh", 0100755, "#!program");
	add("link", 0120777, "bin/sh");
	add("f", 0100644, "12345678");
	add("TRAILER!!!", 0, "");
	is(cpio_walk(archive, archive_len, note, &seen), 0, "a good archive");
	ok(!strcmp(seen.names, ". bin bin/sh link f "), "all names, in order");
	ok(seen.right, "the numbers are in their fields");
	seen = (struct seen){ .stop_at = 2 };
	is(cpio_walk(archive, archive_len, note, &seen), -EACCES,
	   "the callback's error comes back");
	is(seen.entries, 2, "and ends the walk");
	seen = (struct seen){ .entries = 0 };
	is(cpio_walk(archive, sizeof(archive), note, &seen), 0,
	   "what follows the trailer is ignored");
}

static void test_truncated(void)
{
	size_t len, bad = 0, trailer = archive_len - 3;	/* less padding */

	for (len = 0; len < archive_len; len++) {
		struct seen seen = { .entries = 0 };

		bad += walk_copy(archive, len, &seen) != -EINVAL &&
		       len < trailer;
	}
	is((long)bad, 0, "cut off anywhere before the end: -EINVAL");
}

static void test_damaged(void)
{
	char copy[sizeof(archive)];
	int step, i, odd = 0, error;

	for (step = 0; step < 20000; step++) {
		struct seen seen = { .entries = 0 };

		memcpy(copy, archive, archive_len);
		for (i = 0; i < 3; i++)
			copy[rnd_below((u32)archive_len)] =
				rnd() & 1 ? "0123456789abcdefF"[rnd_below(17)]
					  : (char)rnd();
		error = walk_copy(copy, archive_len, &seen);
		odd += error != 0 && error != -EINVAL;
	}
	is(odd, 0, "20000 damaged archives: no read outside");
}

/* Puts a text over the archive, expects a refusal, and takes it back. */
static void refuses(size_t at, const char *text, const char *name)
{
	struct seen seen = { .entries = 0 };
	char before[16];

	memcpy(before, archive + at, strlen(text));
	memcpy(archive + at, text, strlen(text));
	is(walk_copy(archive, archive_len, &seen), -EINVAL, name);
	memcpy(archive + at, before, strlen(text));
}

int main(void)
{
	test_good();
	test_truncated();
	test_damaged();
	refuses(0, "070707", "another format");
	refuses(6, "0000000g", "a digit that is none");
	refuses(6 + 6 * 8, "ffffffff", "contents of 4 GB");
	refuses(6 + 11 * 8, "ffffffff", "a name of 4 GB");
	refuses(6 + 11 * 8, "00000000", "a name of no bytes");
	refuses(6 + 11 * 8, "00000001", "a name without its end");
	refuses(6 + 11 * 8, "00000003", "a name with an end inside");
	return done();
}
