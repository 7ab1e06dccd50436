/*
 * MBR partition tables.
 *
 *	sector 0:  | code 446 bytes | 4 entries of 16 | 55 AA |
 *	entry:     active, CHS, type, CHS, first sector, number of sectors
 *
 * Entries 1 to 4 are the primary partitions.  An extended one (05, 0F, 85)
 * holds a chain of tables, each with one logical partition (numbered from 5,
 * placed relative to its own table) and a link to the next table (relative to
 * the extended partition).
 *
 * A table is data from a disk and may say anything: nothing found here is
 * believed before it is compared with the size of the disk, and the chain has
 * an end however its links run.  A table with a doubtful entry is not used at
 * all, since whoever made it meant something else.
 */
#include "drivers/partition.h"
#include "kernel/printk.h"

#define TABLE_OFFSET	446
#define ENTRY_SIZE	16
#define FIRST_LOGICAL	5
#define TYPE_GPT	0xEE

/* The parse in progress. */
struct parser {
	const char *disk;
	u64 sectors;			/* of the disk */
	sector_reader read;
	void *arg;
	const u8 *buf;			/* where read() puts a sector */
	struct partition *parts;
	int last;			/* highest number in use */
};

/* One entry as it stands in a table. */
struct entry {
	u8 active, type;
	u32 start, sectors;
};

/* Four bytes, least significant first, at any address. */
static u32 get_le32(const u8 *p)
{
	return p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

/* Entry n (0..3) of the table in the buffer. */
static struct entry get_entry(const struct parser *p, unsigned n)
{
	const u8 *at = p->buf + TABLE_OFFSET + n * ENTRY_SIZE;

	return (struct entry){
		.active = at[0],
		.type = at[4],
		.start = get_le32(at + 8),
		.sectors = get_le32(at + 12),
	};
}

/* Is it a type that holds a chain of logical partitions? */
static bool is_extended(u8 type)
{
	return type == 0x05 || type == 0x0F || type == 0x85;
}

/* Does the entry describe something? */
static bool in_use(const struct entry *e)
{
	return e->type && e->sectors;
}

/* Why the sector in the buffer is no partition table, or NULL if it is one. */
static const char *table_fault(const struct parser *p)
{
	unsigned n;

	if (p->buf[510] != 0x55 || p->buf[511] != 0xAA)
		return "no partition table";
	for (n = 0; n < 4; n++) {
		struct entry e = get_entry(p, n);

		if (e.active & 0x7F)
			return "sector 0 is not a partition table";
		if (e.type == TYPE_GPT)
			return "GPT partition tables are not read";
	}
	return NULL;
}

/* Makes `e`, placed relative to `base`, partition `nr`, cut to the disk. */
static void add_partition(struct parser *p, int nr, u64 base,
			  const struct entry *e)
{
	struct partition *part = &p->parts[nr - 1];
	u64 start = base + e->start;
	u64 sectors = e->sectors;

	if (!e->start || start >= p->sectors) {
		printk(KERN_WARNING "%s%d: begins at sector %llu of %llu: "
		       "ignored\n", p->disk, nr, (unsigned long long)start,
		       (unsigned long long)p->sectors);
		return;
	}
	if (sectors > p->sectors - start) {
		printk(KERN_WARNING "%s%d: ends behind the disk: cut to it\n",
		       p->disk, nr);
		sectors = p->sectors - start;
	}
	part->start = start;
	part->sectors = sectors;
	part->type = e->type;
	p->last = max(p->last, nr);
}

/* Reads a table of the chain; false when the chain cannot go on. */
static bool read_link(struct parser *p, u64 sector)
{
	if (sector >= p->sectors || p->read(p->arg, sector)) {
		printk(KERN_WARNING "%s: unreadable extended partition table "
		       "at sector %llu\n", p->disk,
		       (unsigned long long)sector);
		return false;
	}
	if (table_fault(p)) {
		printk(KERN_WARNING "%s: bad extended partition table at "
		       "sector %llu\n", p->disk, (unsigned long long)sector);
		return false;
	}
	return true;
}

/* Follows the chain in the extended partition at `base`.  Links must run
 * forwards, and there are at most as many as there are numbers. */
static void parse_extended(struct parser *p, u64 base, int *nr)
{
	u64 table = base, next;
	unsigned links;

	for (links = FIRST_LOGICAL; links <= MAX_PARTITIONS; links++) {
		struct entry logical, link;

		if (*nr > MAX_PARTITIONS || !read_link(p, table))
			return;
		logical = get_entry(p, 0);
		link = get_entry(p, 1);
		if (in_use(&logical) && !is_extended(logical.type))
			add_partition(p, (*nr)++, table, &logical);
		if (!in_use(&link) || !is_extended(link.type))
			return;
		next = base + link.start;
		if (next <= table) {
			printk(KERN_WARNING "%s: extended partition tables "
			       "run in a circle\n", p->disk);
			return;
		}
		table = next;
	}
}

/* Enters the primary partitions, then follows the extended ones, which reuse
 * the buffer. */
static void parse_primary(struct parser *p)
{
	u64 extended[4];
	unsigned n, nr_extended = 0;
	int nr = FIRST_LOGICAL;

	for (n = 0; n < 4; n++) {
		struct entry e = get_entry(p, n);

		if (!in_use(&e))
			continue;
		if (is_extended(e.type) && e.start)
			extended[nr_extended++] = e.start;
		else
			add_partition(p, n + 1, 0, &e);
	}
	for (n = 0; n < nr_extended; n++)
		parse_extended(p, extended[n], &nr);
}

/* Reads the partition table of a disk; see partition.h. */
int parse_partitions(const char *disk, u64 sectors, sector_reader read,
		     void *arg, const u8 *buf, struct partition *parts)
{
	struct parser p = { .disk = disk, .sectors = sectors, .read = read,
			    .arg = arg, .buf = buf, .parts = parts };
	const char *fault;

	if (read(arg, 0)) {
		printk(KERN_WARNING "%s: cannot read the partition table\n",
		       disk);
		return 0;
	}
	fault = table_fault(&p);
	if (fault) {
		printk("%s: %s: only the whole disk is used\n", disk, fault);
		return 0;
	}
	parse_primary(&p);
	return p.last;
}
