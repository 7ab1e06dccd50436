/*
 * The newc walker.  Positions are offsets from the start of the archive, and
 * a length is compared with what is left before anything is read, so that no
 * number in the archive can make a sum overflow.
 */
#include "lib/cpio.h"
#include "lib/errno.h"
#include "lib/string.h"

#define CPIO_MAGIC_LEN	6
#define CPIO_FIELDS	13
#define CPIO_HEADER_LEN	(CPIO_MAGIC_LEN + CPIO_FIELDS * 8)
#define CPIO_TRAILER	"TRAILER!!!"

/* The numbers of a header, in the archive's order. */
enum cpio_field {
	CPIO_INO, CPIO_MODE, CPIO_UID, CPIO_GID, CPIO_NLINK, CPIO_MTIME,
	CPIO_FILESIZE, CPIO_DEVMAJOR, CPIO_DEVMINOR, CPIO_RDEVMAJOR,
	CPIO_RDEVMINOR, CPIO_NAMESIZE, CPIO_CHECK,
};

/* An archive and how far it has been read. */
struct cpio_reader {
	const char *archive;
	size_t size, at;
};

/* Parses exactly eight hexadecimal digits; -EINVAL for anything else. */
static int parse_hex8(const char *s, u32 *result)
{
	u32 value = 0, i;

	for (i = 0; i < 8; i++) {
		if (s[i] >= '0' && s[i] <= '9')
			value = value << 4 | (u32)(s[i] - '0');
		else if (s[i] >= 'a' && s[i] <= 'f')
			value = value << 4 | (u32)(s[i] - 'a' + 10);
		else if (s[i] >= 'A' && s[i] <= 'F')
			value = value << 4 | (u32)(s[i] - 'A' + 10);
		else
			return -EINVAL;
	}
	*result = value;
	return 0;
}

/* The next len bytes, and moves behind them; NULL if there are fewer. */
static const char *take(struct cpio_reader *in, size_t len)
{
	const char *data = in->archive + in->at;

	if (len > in->size - in->at)
		return NULL;
	in->at += len;
	return data;
}

/* Moves to the next multiple of four, or to the end if that comes first. */
static void align_reader(struct cpio_reader *in)
{
	size_t pad = -in->at & 3;

	in->at += min(pad, in->size - in->at);
}

/* Reads a header's numbers. */
static int read_header(struct cpio_reader *in, u32 field[CPIO_FIELDS])
{
	const char *header = take(in, CPIO_HEADER_LEN);
	int i;

	if (!header)
		return -EINVAL;
	if (memcmp(header, "070701", CPIO_MAGIC_LEN) &&
	    memcmp(header, "070702", CPIO_MAGIC_LEN))
		return -EINVAL;
	for (i = 0; i < CPIO_FIELDS; i++)
		if (parse_hex8(header + CPIO_MAGIC_LEN + i * 8, &field[i]))
			return -EINVAL;
	return 0;
}

/* Reads a name of len characters with its NUL; NULL if it has none. */
static const char *read_name(struct cpio_reader *in, u32 len)
{
	const char *name = take(in, len);

	if (!name || !len || memchr(name, '\0', len) != name + len - 1)
		return NULL;
	align_reader(in);
	return name;
}

/* Reads one entry, with name and contents. */
static int read_entry(struct cpio_reader *in, struct cpio_entry *entry)
{
	u32 field[CPIO_FIELDS];

	if (read_header(in, field))
		return -EINVAL;
	entry->name = read_name(in, field[CPIO_NAMESIZE]);
	if (!entry->name)
		return -EINVAL;
	entry->size = field[CPIO_FILESIZE];
	entry->data = take(in, entry->size);
	if (!entry->data)
		return -EINVAL;
	align_reader(in);
	entry->mode = field[CPIO_MODE];
	entry->ino = field[CPIO_INO];
	entry->nlink = field[CPIO_NLINK];
	entry->uid = field[CPIO_UID];
	entry->gid = field[CPIO_GID];
	entry->mtime = field[CPIO_MTIME];
	entry->rdev_major = field[CPIO_RDEVMAJOR];
	entry->rdev_minor = field[CPIO_RDEVMINOR];
	return 0;
}

/* Walks an archive. */
int cpio_walk(const void *archive, size_t size, cpio_fn *fn, void *arg)
{
	struct cpio_reader in = { archive, size, 0 };
	struct cpio_entry entry;
	int error;

	for (;;) {
		if (read_entry(&in, &entry))
			return -EINVAL;
		if (!strcmp(entry.name, CPIO_TRAILER))
			return 0;
		error = fn(&entry, arg);
		if (error < 0)
			return error;
	}
}
