/* host-test: drivers/partition.c */
/*
 * drivers/partition: tables as fdisk makes them, and tables that lie: beyond
 * the disk, in a circle, unreadable, foreign, random.
 */
#include <string.h>

#include "drivers/partition.h"
#include "kernel/printk.h"
#include "tests/host/tap.h"

#define DISK_SECTORS	4096u

static u8 disk[DISK_SECTORS][512];
static u8 *buf;				/* just as long as a sector */
static struct partition parts[MAX_PARTITIONS];
static u64 bad_sector;			/* cannot be read */
static u32 nr_reads;
static bool quiet;			/* no messages wanted */

/* Kernel messages are TAP comments. */
void printk(const char *fmt, ...)
{
	va_list ap;

	if (quiet)
		return;
	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt[0] == '\001' ? fmt + 2 : fmt, ap);
	va_end(ap);
}

static int read_sector(void *arg, u64 sector)
{
	nr_reads++;
	if (arg != disk || sector >= DISK_SECTORS || sector == bad_sector)
		return -5;
	memcpy(buf, disk[sector], 512);
	return 0;
}

static void put_le32(u8 *to, u32 value)
{
	to[0] = (u8)value;
	to[1] = (u8)(value >> 8);
	to[2] = (u8)(value >> 16);
	to[3] = (u8)(value >> 24);
}

/* Writes entry n of the table in a sector, which becomes a table by it. */
static void entry(u32 sector, unsigned n, u8 type, u32 start, u32 count)
{
	u8 *at = disk[sector] + 446 + 16 * n;

	at[4] = type;
	put_le32(at + 8, start);
	put_le32(at + 12, count);
	disk[sector][510] = 0x55;
	disk[sector][511] = 0xAA;
}

static void blank(void)
{
	memset(disk, 0, sizeof(disk));
	bad_sector = ~0ull;
}

static int parse(void)
{
	memset(parts, 0, sizeof(parts));
	nr_reads = 0;
	return parse_partitions("hdx", DISK_SECTORS, read_sector, disk, buf,
				parts);
}

/* Is partition n just this? */
static void is_part(unsigned n, u64 start, u64 count, u8 type)
{
	const struct partition *p = &parts[n - 1];

	if (!ok(p->start == start && p->sectors == count && p->type == type,
		"partition %u: %llu sectors at %llu, type %02x", n,
		(unsigned long long)count, (unsigned long long)start, type))
		printf("# found %llu at %llu, type %02x\n",
		       (unsigned long long)p->sectors,
		       (unsigned long long)p->start, p->type);
}

static void test_primary(void)
{
	blank();
	entry(0, 0, 0x83, 64, 1000);
	entry(0, 2, 0x82, 2000, 500);
	disk[0][446] = 0x80;
	is(parse(), 3, "two primary partitions, the third the last");
	is_part(1, 64, 1000, 0x83);
	is_part(2, 0, 0, 0);
	is_part(3, 2000, 500, 0x82);
	is(nr_reads, 1, "one sector was read");
}

static void test_logical(void)
{
	blank();
	entry(0, 0, 0x83, 64, 100);
	entry(0, 1, 0x05, 1000, 3000);
	entry(1000, 0, 0x83, 10, 200);
	entry(1000, 1, 0x05, 500, 400);
	entry(1500, 0, 0x82, 20, 300);
	entry(1500, 1, 0x05, 1000, 400);
	entry(2000, 0, 0x07, 30, 400);
	is(parse(), 7, "three logical partitions");
	is_part(1, 64, 100, 0x83);
	is_part(2, 0, 0, 0);
	is_part(5, 1010, 200, 0x83);
	is_part(6, 1520, 300, 0x82);
	is_part(7, 2030, 400, 0x07);
}

static void test_no_table(void)
{
	blank();
	is(parse(), 0, "a blank disk");
	entry(0, 0, 0x83, 64, 1000);
	disk[0][511] = 0;
	is(parse(), 0, "a bad signature");
	disk[0][511] = 0xAA;
	disk[0][446] = 0x41;
	is(parse(), 0, "a boot sector that is no table");
	disk[0][446] = 0;
	bad_sector = 0;
	is(parse(), 0, "an unreadable table");
	blank();
	entry(0, 0, 0xEE, 1, ~0u);
	is(parse(), 0, "a GPT's protective entry");
}

static void test_beyond(void)
{
	blank();
	entry(0, 0, 0x83, 4000, 1000);
	entry(0, 1, 0x83, 4096, 1);
	entry(0, 2, 0x83, ~0u, ~0u);
	entry(0, 3, 0x83, 0, 100);
	is(parse(), 1, "what begins on the disk counts, but not at sector 0");
	is_part(1, 4000, 96, 0x83);
	is_part(2, 0, 0, 0);
	is_part(3, 0, 0, 0);
	is_part(4, 0, 0, 0);
}

static void test_bad_chains(void)
{
	blank();
	entry(0, 0, 0x0F, 1000, 3000);
	entry(1000, 0, 0x83, 10, 20);
	entry(1000, 1, 0x05, 500, 400);
	is(parse(), 5, "a chain that leads to no table");
	entry(1000, 1, 0x05, 0, 400);
	is(parse(), 5, "a chain that leads to its own beginning");
	entry(1000, 1, 0x05, 100, 400);
	entry(1100, 0, 0x83, 10, 20);
	entry(1100, 1, 0x05, 50, 400);
	entry(1050, 0, 0x83, 10, 20);
	entry(1050, 1, 0x05, 100, 400);
	is(parse(), 6, "a chain in a circle");
	bad_sector = 1100;
	is(parse(), 5, "a chain with an unreadable table");
	blank();
	entry(0, 0, 0x85, 5000, 10);
	is(parse(), 0, "an extended partition beyond the disk");
	entry(0, 0, 0x05, 0, 4000);
	is(parse(), 0, "an extended partition at sector 0");
}

static void test_long_chain(void)
{
	u32 i;

	blank();
	entry(0, 0, 0x05, 10, 4000);
	for (i = 0; i < 1000; i++) {
		entry(10 + 2 * i, 0, 0x83, 1, 1);
		entry(10 + 2 * i, 1, 0x05, 2 * (i + 1), 2);
	}
	is(parse(), MAX_PARTITIONS, "numbers end at 63");
	is_part(MAX_PARTITIONS, 10 + 2 * (MAX_PARTITIONS - 5) + 1, 1, 0x83);
	for (i = 0; i < 1000; i++)
		entry(10 + 2 * i, 0, 0, 0, 0);
	is(parse(), 0, "a chain of empty tables");
	ok(nr_reads < 70, "is not followed to its end");
}

/* Is what was found on the disk, and its numbers in range? */
static bool all_inside(int last)
{
	int n;

	if (last < 0 || last > MAX_PARTITIONS)
		return false;
	for (n = 0; n < MAX_PARTITIONS; n++) {
		const struct partition *p = &parts[n];

		if (p->sectors && (n >= last || !p->start ||
				   p->start >= DISK_SECTORS ||
				   p->sectors > DISK_SECTORS - p->start))
			return false;
	}
	return true;
}

static void test_random(void)
{
	static const u8 types[] = { 0, 0x05, 0x0F, 0x83, 0x82, 0x85, 0x05 };
	u32 round, i, bad = 0;

	quiet = true;
	for (round = 0; round < 3000; round++) {
		for (i = 0; i < 4 * 64; i++)
			entry(i / 4, i % 4, types[rnd_below(7)], rnd_below(64),
			      rnd_below(20) ? rnd_below(100) : rnd());
		bad += !all_inside(parse());
	}
	is(bad, 0, "random tables give partitions inside the disk");
}

int main(void)
{
	buf = malloc(512);
	test_primary();
	test_logical();
	test_no_table();
	test_beyond();
	test_bad_chains();
	test_long_chain();
	test_random();
	free(buf);
	return done();
}
