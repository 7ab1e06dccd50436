/*
 * IDE: what happens when a command fails.
 *
 *	drive reports error  ->  try again, bio by bio, the last time by PIO
 *	DMA went wrong       ->  reset, try again; after 3 faults the drive's
 *	                         transfers go by PIO for good
 *	no answer in time    ->  reset, try again; then everything of it fails
 *	no end of reset      ->  the channel is dead: all its requests fail
 *
 * A piece that failed MAX_TRIES times ends with -EIO.  Errors are said once a
 * piece when it is given up; faults of DMA and time-outs each time.
 *
 * One timer watches a channel.  It is not set and cancelled for each command:
 * when it fires it looks whether the command that is then in flight is late.
 */
#include "drivers/ide.h"
#include "kernel/cpu.h"
#include "kernel/printk.h"
#include "lib/errno.h"

#define MAX_TRIES	3
#define MAX_DMA_FAULTS	3

#define SECOND		1000000000ull
#define COMMAND_TIME	(10 * SECOND)
#define FLUSH_TIME	(60 * SECOND)	/* a large cache takes its time */
#define RESET_TIME	(30 * SECOND)	/* a disk may have to spin up */
#define RESET_POLL	(SECOND / 20)

static const char *const reasons[] = {
	[IDE_DEVICE_ERROR] = "error",
	[IDE_DMA_ERROR] = "DMA error",
	[IDE_TIMEOUT] = "time-out",
};

/* The timer, a softirq: leaves the work to the block softirq, in which bios
 * may be ended. */
static void timer_expired(struct timer *t)
{
	struct ide_channel *ch = container_of(t, struct ide_channel, timer);

	ch->timer_armed = false;
	ch->timer_fired = true;
	raise_softirq(SOFTIRQ_BLOCK);
}

/* Once for each channel. */
void ide_timer_init(struct ide_channel *ch)
{
	timer_init(&ch->timer, timer_expired);
}

/* Sets the timer, wherever it stood before. */
static void arm_timer(struct ide_channel *ch, u64 when)
{
	ch->timer_armed = true;
	timer_set(&ch->timer, when);
}

/* The command about to be issued has from now until the deadline. */
void ide_set_deadline(struct ide_channel *ch)
{
	ch->deadline = ktime_ns() + (ch->rq->flush ? FLUSH_TIME
						   : COMMAND_TIME);
	if (!ch->timer_armed)
		arm_timer(ch, ch->deadline);
}

/* Says what failed. */
static void report(struct ide_channel *ch, enum ide_result why)
{
	const struct request *rq = ch->rq;

	printk(KERN_ERR "%s: %s: %s at sector %llu, status %02x error %02x "
	       "bus master %02x\n", ch->drive->bdev.name,
	       rq->flush ? "flush" : rq->write ? "write" : "read",
	       reasons[why], (unsigned long long)rq->sector, ch->status,
	       inb(ch->io + IDE_ERROR), ch->dma ? ch->bm_status : 0);
}

/* A fault of DMA rather than of the disk: too many, and the drive does
 * without, beginning with this request. */
static void count_dma_fault(struct ide_channel *ch)
{
	struct ide_drive *d = ch->drive;

	if (!d->dma || ++d->dma_faults < MAX_DMA_FAULTS)
		return;
	printk(KERN_WARNING "%s: DMA failed %u times: using PIO\n",
	       d->bdev.name, d->dma_faults);
	d->dma = false;
	ch->rq->tries = 0;
}

/* Ends the current piece with an error when it was tried often enough. */
static void give_up(struct ide_channel *ch)
{
	if (!ch->rq || ch->rq->tries < MAX_TRIES)
		return;
	report(ch, ch->why);
	if (ch->why == IDE_TIMEOUT)
		ch->rq->alone = false;
	if (blk_end_piece(ch->drive->queue, ch->rq, -EIO))
		ch->rq = NULL;
}

/* Counts a failure of the current command; ide_go() tries it again unless it
 * has come to its end here.  Leaves the channel BUSY, or in RESET. */
void ide_failed(struct ide_channel *ch, enum ide_result why)
{
	struct request *rq = ch->rq;

	ch->expecting = false;
	ch->why = why;
	rq->tries++;
	if (why == IDE_DEVICE_ERROR && !rq->alone && rq->nr_bios > 1) {
		rq->alone = true;
		rq->tries = 0;
	} else if (why != IDE_DEVICE_ERROR) {
		if (rq->tries < MAX_TRIES)
			report(ch, why);
		if (ch->dma)
			count_dma_fault(ch);
	}
	if (why != IDE_DEVICE_ERROR)
		ide_reset(ch);
	else
		give_up(ch);
}

/* Resets both drives of the channel and polls by timer until they are back. */
void ide_reset(struct ide_channel *ch)
{
	unsigned i;

	printk(KERN_WARNING "ide%u: reset\n", ch->nr);
	ch->state = IDE_RESET;
	ch->expecting = false;
	if (ch->bm)
		ide_dma_stop(ch);
	outb(ch->ctl, CTL_SRST | CTL_NIEN);
	for (i = 0; i < 10; i++)
		io_delay();
	outb(ch->ctl, 0);
	ch->deadline = ktime_ns() + RESET_TIME;
	arm_timer(ch, ktime_ns() + RESET_POLL);
}

/* The drives are back, or gone for good. */
static void end_reset(struct ide_channel *ch, bool ready)
{
	ch->state = IDE_IDLE;
	if (ready) {
		give_up(ch);
		ide_go(ch);
		return;
	}
	printk(KERN_ERR "ide%u: no answer to a reset: given up\n", ch->nr);
	ch->dead = true;
	ch->why = IDE_TIMEOUT;
	if (ch->rq)
		ch->rq->tries = MAX_TRIES;
	give_up(ch);
	raise_softirq(SOFTIRQ_BLOCK);
}

/* During a reset: looks whether it is over. */
static void poll_reset(struct ide_channel *ch)
{
	bool ready = !(inb(ch->ctl) & ST_BSY);

	if (ready || ktime_ns() >= ch->deadline)
		end_reset(ch, ready);
	else
		arm_timer(ch, ktime_ns() + RESET_POLL);
}

/* A command is late.  If the drive is done, only its interrupt was lost. */
static void time_out(struct ide_channel *ch)
{
	u32 flags = irq_save();
	bool lost = ch->expecting && ide_interrupt(ch);

	irq_restore(flags);
	if (lost) {
		printk(KERN_WARNING "%s: lost interrupt\n",
		       ch->drive->bdev.name);
		ide_set_deadline(ch);
	} else if (!ch->interrupted) {
		ide_failed(ch, IDE_TIMEOUT);
	}
}

/* The timer fired: called in the block softirq. */
void ide_handle_timer(struct ide_channel *ch)
{
	ch->timer_fired = false;
	if (ch->state == IDE_RESET)
		poll_reset(ch);
	else if (ch->state == IDE_BUSY && ktime_ns() >= ch->deadline)
		time_out(ch);
	else if (ch->state == IDE_BUSY && !ch->timer_armed)
		arm_timer(ch, ch->deadline);
}
