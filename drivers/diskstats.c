/*
 * /proc/diskstats: what each disk has done, in Linux's columns.  Whole disks
 * only: a request may join transfers of two partitions.
 */
#include "drivers/request.h"
#include "kernel/time.h"
#include "lib/div64.h"
#include "lib/printf.h"

/* Nanoseconds as milliseconds. */
static u32 to_ms(u64 ns)
{
	return (u32)div_u64(ns, 1000000);
}

/* The line of one disk; its length. */
static int show_disk(char *buf, size_t size, const struct request_queue *q)
{
	const struct disk_stats *s = &q->stats;
	u64 busy = s->busy_ns;

	if (s->in_flight)
		busy += ktime_ns() - s->busy_since;
	return scnprintf(buf, size,
			 "%4u %7u %s %u %u %llu %u %u %u %llu %u %u %u %u\n",
			 (unsigned)(q->disk->dev >> 8),
			 (unsigned)(q->disk->dev & 255), q->disk->name,
			 s->ios[0], s->merges[0],
			 (unsigned long long)s->sectors[0], to_ms(s->ns[0]),
			 s->ios[1], s->merges[1],
			 (unsigned long long)s->sectors[1], to_ms(s->ns[1]),
			 s->in_flight, to_ms(busy), to_ms(s->ns[0] + s->ns[1]));
}

/* Formats all lines into buf; the length.  Never sleeps. */
int diskstats_show(char *buf, size_t size)
{
	struct request_queue *q;
	int len = 0;

	list_for_each_entry(q, &block_queues, node)
		len += show_disk(buf + len, size - len, q);
	return len;
}
