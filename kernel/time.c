/*
 * Time.  The PIT interrupts HZ times a second (jiffies, time slices); between
 * ticks the CPU's time-stamp counter (TSC), whose rate is measured against the
 * PIT at start-up, gives nanoseconds.
 *
 * CPU time is charged in TSC cycles at each crossing between user and kernel
 * mode (entry.asm) and at each task switch: all cycles since tsc_last belong
 * to whoever ran.  Without a TSC a whole tick goes to whom it interrupts.
 */
#include "kernel/cpu.h"
#include "kernel/irq.h"
#include "kernel/panic.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "kernel/trap.h"
#include "lib/div64.h"

#define PIT_HZ		1193182u
#define PIT_CHANNEL0	0x40
#define PIT_CHANNEL2	0x42
#define PIT_COMMAND	0x43
#define PIT_RATE0	0x34		/* channel 0, 16 bits, mode 2 */
#define PIT_ONESHOT2	0xb0		/* channel 2, 16 bits, mode 0 */
#define PIT_LATCH2	0x80
#define GATE_PORT	0x61		/* bit 0 gate, bit 1 speaker */
#define CALIBRATION	(PIT_HZ / 50)	/* PIT cycles, 20 ms */

#define NSEC_PER_TICK	(1000000000u / HZ)
#define NSEC_SHIFT	22

volatile u32 jiffies;
u32 tsc_khz;
u64 tsc_last;			/* at the last crossing; entry.asm */

static u64 tsc_start;
static u32 tsc_mult;		/* nanoseconds per cycle << NSEC_SHIFT */

/* A moment on both clocks. */
struct moment {
	u64 tsc;
	u32 count;			/* PIT cycles counted so far */
};

/* Starts channel 2 counting down from its largest value. */
static void start_counting(void)
{
	outb(GATE_PORT, (inb(GATE_PORT) & ~2) | 1);
	outb(PIT_COMMAND, PIT_ONESHOT2);
	outb(PIT_CHANNEL2, 0xff);
	outb(PIT_CHANNEL2, 0xff);
}

/* Reads both clocks together.  Of several tries the quickest counts: whatever
 * comes between the two readings makes a try longer. */
static struct moment read_moment(void)
{
	struct moment m = { 0, 0 };
	u64 before, span, best = UINT64_MAX;
	u32 count;
	int i;

	for (i = 0; i < 5; i++) {
		before = rdtsc();
		outb(PIT_COMMAND, PIT_LATCH2);
		span = rdtsc() - before;
		count = inb(PIT_CHANNEL2);
		count |= inb(PIT_CHANNEL2) << 8;
		if (span < best) {
			best = span;
			m.tsc = before + span / 2;
			m.count = 0xffff - count;
		}
	}
	return m;
}

/* The TSC's rate in kHz; 0 when there is no usable TSC or no PIT. */
static u32 calibrate(void)
{
	struct moment start, end;
	u32 limit = 1000000;

	if (!(cpu_features & CPU_TSC))
		return 0;
	start_counting();
	start = read_moment();
	do
		end = read_moment();
	while (end.count - start.count < CALIBRATION && --limit);
	if (!limit || end.count <= start.count)
		return 0;
	return div_u64((end.tsc - start.tsc) * PIT_HZ,
		       (end.count - start.count) * 1000);
}

/* Makes entry.asm jump over each use of the TSC. */
static void patch_out_tsc(void)
{
	extern u8 *const tsc_sites[][2], *const tsc_sites_end[][2];
	u8 *const (*site)[2];

	for (site = tsc_sites; site < tsc_sites_end; site++) {
		(*site)[0][0] = 0xeb;			/* jmp short */
		(*site)[0][1] = (*site)[1] - (*site)[0] - 2;
	}
}

/* Gives the tick to the user or system time of the task it interrupted. */
static void charge_tick(void)
{
	if (user_mode(irq_frame))
		current->time.user += NSEC_PER_TICK;
	else
		current->time.system += NSEC_PER_TICK;
}

/* Top half of the PIT. */
static bool tick(unused_arg void *dev)
{
	jiffies++;
	if (!tsc_khz)
		charge_tick();
	scheduler_tick();
	raise_softirq(SOFTIRQ_TIMER);
	return true;
}

/* TSC cycles (without a TSC: already nanoseconds) as nanoseconds. */
u64 cycles_to_ns(u64 cycles)
{
	return tsc_khz ? mul_u64_u32_shr(cycles, tsc_mult, NSEC_SHIFT) : cycles;
}

/* Monotonic nanoseconds since start-up. */
u64 ktime_ns(void)
{
	if (!tsc_khz)
		return (u64)jiffies * NSEC_PER_TICK;
	return cycles_to_ns(rdtsc() - tsc_start);
}

/* Charges the cycles since the last crossing to current's system time. */
void account_system_time(void)
{
	u64 now;

	if (!tsc_khz)
		return;
	now = rdtsc();
	current->time.system += now - tsc_last;
	tsc_last = now;
}

/* Calibrates the TSC, reads the clock and starts the ticks. */
void time_init(void)
{
	const u32 divisor = (PIT_HZ + HZ / 2) / HZ;

	tsc_khz = calibrate();
	if (tsc_khz) {
		tsc_mult = div_u64(1000000ull << NSEC_SHIFT, tsc_khz);
		tsc_start = tsc_last = rdtsc();
		printk("CPU: TSC at %u.%03u MHz\n", tsc_khz / 1000,
		       tsc_khz % 1000);
	} else {
		patch_out_tsc();
		printk("CPU: no usable TSC, time comes from the ticks\n");
	}
	timers_init();
	realtime_init();
	outb(PIT_COMMAND, PIT_RATE0);
	outb(PIT_CHANNEL0, divisor & 0xff);
	outb(PIT_CHANNEL0, divisor >> 8);
	if (request_irq(0, tick, NULL))
		panic("the timer's interrupt is taken");
}
