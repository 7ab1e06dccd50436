/*
 * The wall clock: the battery-backed CMOS clock is read once at start-up, and
 * the monotonic clock runs on from there.
 */
#include "kernel/cpu.h"
#include "kernel/printk.h"
#include "kernel/time.h"
#include "lib/div64.h"

#define CMOS_INDEX	0x70
#define CMOS_DATA	0x71
#define CMOS_SECOND	0x00
#define CMOS_MINUTE	0x02
#define CMOS_HOUR	0x04
#define   HOUR_PM	0x80
#define CMOS_DAY	0x07
#define CMOS_MONTH	0x08
#define CMOS_YEAR	0x09
#define CMOS_STATUS_A	0x0a
#define   UPDATING	0x80
#define CMOS_STATUS_B	0x0b
#define   BINARY	0x04
#define   HOURS_24	0x02

#define NSEC_PER_SEC	1000000000u

struct rtc_time {
	unsigned second, minute, hour, day, month, year;
};

static u64 boot_realtime;	/* realtime_ns() when ktime_ns() was 0 */

/* A byte of the CMOS memory. */
static u8 cmos_read(u8 index)
{
	outb(CMOS_INDEX, index);
	return inb(CMOS_DATA);
}

/* A number from the clock, which counts in binary or in BCD. */
static unsigned clock_read(u8 index, bool binary)
{
	u8 value = cmos_read(index) & (index == CMOS_HOUR ? ~HOUR_PM : 0xff);

	return binary ? value : (value >> 4) * 10 + (value & 15);
}

/* Reads all fields once the clock does not change them; the wait is bounded,
 * a clock that always updates is read as it stands. */
static void rtc_read(struct rtc_time *t)
{
	u8 mode = cmos_read(CMOS_STATUS_B);
	bool binary = mode & BINARY;
	int limit = 100000;

	while ((cmos_read(CMOS_STATUS_A) & UPDATING) && --limit)
		;
	t->second = clock_read(CMOS_SECOND, binary);
	t->minute = clock_read(CMOS_MINUTE, binary);
	t->hour = clock_read(CMOS_HOUR, binary);
	t->day = clock_read(CMOS_DAY, binary);
	t->month = clock_read(CMOS_MONTH, binary);
	t->year = clock_read(CMOS_YEAR, binary);
	t->year += t->year < 70 ? 2000 : 1900;
	if (!(mode & HOURS_24))
		t->hour = t->hour % 12 +
			  (cmos_read(CMOS_HOUR) & HOUR_PM ? 12 : 0);
}

/* Seconds since 1970 of a date, by counting days: March starts the year, so
 * that the leap day comes last. */
static u32 to_seconds(const struct rtc_time *t)
{
	unsigned year = t->month > 2 ? t->year : t->year - 1;
	unsigned month = t->month > 2 ? t->month - 3 : t->month + 9;
	u32 days = year * 365 + year / 4 - year / 100 + year / 400 +
		   (month * 153 + 2) / 5 + t->day - 1 - 719468;

	return ((days * 24 + t->hour) * 60 + t->minute) * 60 + t->second;
}

/* Is it a date, or what an empty battery leaves? */
static bool plausible(const struct rtc_time *t)
{
	return t->second < 60 && t->minute < 60 && t->hour < 24 &&
	       t->day >= 1 && t->day <= 31 && t->month >= 1 && t->month <= 12;
}

/* Sets the wall clock from the CMOS clock; called by time_init(). */
void realtime_init(void)
{
	struct rtc_time t;

	rtc_read(&t);
	if (!plausible(&t)) {
		printk(KERN_WARNING "CMOS clock: not set, this is 1970\n");
		return;
	}
	set_realtime_ns((u64)to_seconds(&t) * NSEC_PER_SEC);
	printk("CMOS clock: %04u-%02u-%02u %02u:%02u:%02u\n", t.year, t.month,
	       t.day, t.hour, t.minute, t.second);
}

/* Nanoseconds since 1970. */
u64 realtime_ns(void)
{
	return boot_realtime + ktime_ns();
}

/* Sets the wall clock; the monotonic clock is not touched. */
void set_realtime_ns(u64 ns)
{
	boot_realtime = ns - ktime_ns();
}

/* The wall clock as inodes keep it. */
struct timespec32 current_time(void)
{
	struct timespec32 t;
	u32 nsec;

	t.tv_sec = div_u64_rem(realtime_ns(), NSEC_PER_SEC, &nsec);
	t.tv_nsec = nsec;
	return t;
}
