/*
 * IDE: issuing commands and ending them.
 *
 *	ide_go:  take a request -> select -> address -> command
 *	                                        | interrupt
 *	ide_complete (softirq)  <-  ide_interrupt (top half: acknowledge)
 *	     | data by PIO, or check what the bus master did
 *	     +-> blk_end_piece, ide_go        or ide_failed (ide_error.c)
 *
 * The two drives of a channel take turns; the two channels run side by side.
 * No wait is without a bound: a drive that does not answer within some
 * thousand register reads is treated like one that timed out.
 */
#include "drivers/ide.h"
#include "kernel/cpu.h"
#include "lib/errno.h"

#define READY_SPINS	10000		/* about 10 ms on hardware */
#define LBA28_LIMIT	(1ull << 28)

#define CMD_FLUSH	0xE7
#define CMD_FLUSH_EXT	0xEA

/* Commands by [dma][write][LBA48]. */
static const u8 commands[2][2][2] = {
	{ { 0x20, 0x24 }, { 0x30, 0x34 } },	/* READ, WRITE SECTORS */
	{ { 0xC8, 0x25 }, { 0xCA, 0x35 } },	/* READ, WRITE DMA */
};

/* Reads the status up to `spins` times until its bits in `mask` are `value`;
 * false when they never were. */
bool ide_wait(struct ide_channel *ch, u8 mask, u8 value, unsigned spins)
{
	while (spins--)
		if ((inb(ch->ctl) & mask) == value)
			return true;
	return false;
}

/* Selects a drive and waits until it can take a command; false: it cannot.
 * The status is valid 400 ns after, four reads of it. */
bool ide_select(struct ide_channel *ch, unsigned unit)
{
	outb(ch->io + IDE_DEVICE, DEVICE_LBA | (unit ? DEVICE_UNIT : 0));
	ide_wait(ch, 0, 1, 4);
	return ide_wait(ch, ST_BSY | ST_DRQ, 0, READY_SPINS);
}

/* Does the piece need the long form of commands? */
static bool needs_lba48(const struct ide_drive *d, u64 sector, unsigned count)
{
	return d->lba48 && sector + count > LBA28_LIMIT;
}

/* Writes sector count and address; with LBA48 the high halves go first. */
static void write_address(struct ide_channel *ch, u64 sector, unsigned count,
			  bool lba48)
{
	u8 device = DEVICE_LBA | (ch->drive->unit ? DEVICE_UNIT : 0);

	if (lba48) {
		outb(ch->io + IDE_COUNT, (u8)(count >> 8));
		outb(ch->io + IDE_LBA_LOW, (u8)(sector >> 24));
		outb(ch->io + IDE_LBA_MID, (u8)(sector >> 32));
		outb(ch->io + IDE_LBA_HIGH, (u8)(sector >> 40));
	} else {
		device |= (u8)(sector >> 24) & 0x0F;
	}
	outb(ch->io + IDE_COUNT, (u8)count);
	outb(ch->io + IDE_LBA_LOW, (u8)sector);
	outb(ch->io + IDE_LBA_MID, (u8)(sector >> 8));
	outb(ch->io + IDE_LBA_HIGH, (u8)(sector >> 16));
	outb(ch->io + IDE_DEVICE, device);
}

/* Writes the command; the interrupt may come before this returns. */
static void issue_command(struct ide_channel *ch, u8 command)
{
	ch->state = IDE_BUSY;
	ch->interrupted = false;
	ch->expecting = true;
	ide_set_deadline(ch);
	barrier();			/* what the top half reads is set */
	outb(ch->io + IDE_COMMAND, command);
}

/* Starts the transfer of the request's next piece. */
static void issue_transfer(struct ide_channel *ch)
{
	struct request *rq = ch->rq;
	unsigned count = blk_piece_sectors(rq);
	bool lba48 = needs_lba48(ch->drive, rq->sector, count);

	/* The last try goes without DMA: it may be DMA that fails. */
	ch->dma = ch->drive->dma && rq->tries < 2;
	if (ch->dma)
		ide_dma_prepare(ch);
	else
		ide_pio_prepare(ch);
	write_address(ch, rq->sector, count, lba48);
	issue_command(ch, commands[ch->dma][rq->write][lba48]);
	if (ch->dma)
		ide_dma_start(ch);
	else
		ide_pio_start(ch);
}

/* Issues the command for the current request; false: drive not ready. */
static bool issue(struct ide_channel *ch)
{
	if (!ide_select(ch, ch->drive->unit))
		return false;
	if (ch->rq->flush) {
		ch->dma = false;
		issue_command(ch, ch->drive->flush_ext ? CMD_FLUSH_EXT
						       : CMD_FLUSH);
	} else {
		issue_transfer(ch);
	}
	return true;
}

/* Takes a request from the drive whose turn it is, or else from the other. */
static bool pick(struct ide_channel *ch)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		struct ide_drive *d = ch->drives[ch->turn];

		ch->turn ^= 1;
		if (!d || !d->queue)
			continue;
		ch->rq = blk_next_request(d->queue);
		ch->drive = d;
		if (ch->rq)
			return true;
	}
	return false;
}

/* Ends a flush that a drive without the command need not do. */
static bool skip_flush(struct ide_channel *ch)
{
	if (!ch->rq->flush || ch->drive->can_flush)
		return false;
	blk_end_piece(ch->drive->queue, ch->rq, 0);
	ch->rq = NULL;
	return true;
}

/* Keeps the channel busy: issues the current request, or the next. */
void ide_go(struct ide_channel *ch)
{
	while (ch->state == IDE_IDLE && !ch->dead && (ch->rq || pick(ch))) {
		if (skip_flush(ch))
			continue;
		if (!issue(ch)) {
			ch->rq->tries++;
			ch->why = IDE_TIMEOUT;
			ide_reset(ch);
		}
	}
}

/* queue_ops.kick: there is work. */
static void ide_kick(struct request_queue *q)
{
	struct ide_drive *d = q->driver;

	if (d->channel->dead)
		raise_softirq(SOFTIRQ_BLOCK);
	else
		ide_go(d->channel);
}

/* The top half: acknowledges and records.  The bus master's status is read
 * before it is stopped, which clears ACTIVE: an engine that is still active
 * when the drive is done has not moved what it should have. */
bool ide_interrupt(void *dev)
{
	struct ide_channel *ch = dev;

	if (ch->dma) {
		ch->bm_status = inb(ch->bm + BM_STATUS);
		if (!(ch->bm_status & BM_INTERRUPT))
			return false;
		ide_dma_stop(ch);
	}
	ch->status = inb(ch->io + IDE_STATUS);
	if (!ch->expecting || (ch->status & ST_BSY))
		return false;
	ch->expecting = false;
	ch->interrupted = true;
	raise_softirq(SOFTIRQ_BLOCK);
	return true;
}

/* What became of the command that interrupted. */
static enum ide_result command_result(struct ide_channel *ch)
{
	if (ch->dma)
		return ide_dma_end(ch);
	if (!ch->rq->flush)
		return ide_pio_step(ch);
	return ch->status & (ST_ERR | ST_DF) ? IDE_DEVICE_ERROR : IDE_OK;
}

/* Goes on with the command that interrupted: ends it, or moves more data. */
static void handle_interrupt(struct ide_channel *ch)
{
	enum ide_result result;

	ch->interrupted = false;
	if (ch->state != IDE_BUSY)
		return;
	result = command_result(ch);
	if (result == IDE_MORE)
		return;
	if (result != IDE_OK)
		ide_failed(ch, result);
	else if (blk_end_piece(ch->drive->queue, ch->rq, 0))
		ch->rq = NULL;
	if (ch->state == IDE_BUSY)
		ch->state = IDE_IDLE;
	ide_go(ch);
}

/* Nothing comes back from a dead channel but errors. */
static void fail_all(struct request_queue *q)
{
	struct request *rq;

	while ((rq = blk_next_request(q)))
		blk_end_piece(q, rq, -EIO);
}

/* queue_ops.complete: the block softirq. */
static void ide_complete(struct request_queue *q)
{
	struct ide_drive *d = q->driver;
	struct ide_channel *ch = d->channel;

	if (ch->interrupted)
		handle_interrupt(ch);
	if (ch->timer_fired)
		ide_handle_timer(ch);
	if (ch->dead)
		fail_all(q);
}

const struct queue_ops ide_queue_ops = {
	.kick = ide_kick,
	.complete = ide_complete,
};
