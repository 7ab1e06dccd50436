/*
 * IDE transfers by programmed I/O: the CPU moves each word, a sector for each
 * interrupt.  For controllers without a bus master, drives whose DMA fails,
 * and ide=pio.
 *
 *	read:   command, { interrupt, 512 bytes in } per sector
 *	write:  command, { 512 bytes out, interrupt } per sector
 */
#include "drivers/ide.h"
#include "kernel/cpu.h"
#include "mm/page.h"

#define DRQ_SPINS	10000

/* Points the cursor at the beginning of the current piece. */
void ide_pio_prepare(struct ide_channel *ch)
{
	ch->bio = list_first_entry(&ch->rq->bios, struct bio, node);
	ch->offset = 0;
	ch->left = blk_piece_sectors(ch->rq);
}

/* The memory of the next sector; moves the cursor behind it. */
static void *next_sector(struct ide_channel *ch)
{
	u8 *at;

	if (ch->offset == ch->bio->len) {
		ch->bio = list_next_entry(ch->bio, node);
		ch->offset = 0;
	}
	at = (u8 *)page_address(ch->bio->page) + ch->bio->offset + ch->offset;
	ch->offset += 512;
	ch->left--;
	return at;
}

/* Is the drive ready for data?  It ought to be, when it has interrupted. */
static bool wait_drq(struct ide_channel *ch)
{
	return ide_wait(ch, ST_BSY | ST_DRQ, ST_DRQ, DRQ_SPINS);
}

/* Moves a sector.  When another interrupt follows, it may come at once. */
static void move_sector(struct ide_channel *ch)
{
	ch->expecting = ch->rq->write || ch->left > 1;
	if (ch->rq->write)
		outsw(ch->io + IDE_DATA, next_sector(ch), 256);
	else
		insw(ch->io + IDE_DATA, next_sector(ch), 256);
}

/* After the command: a drive asks for the first sector of a write without an
 * interrupt.  If it does not ask, it has failed, and interrupts, or is lost,
 * and times out. */
void ide_pio_start(struct ide_channel *ch)
{
	if (ch->rq->write && wait_drq(ch))
		move_sector(ch);
}

/* After an interrupt: moves the next sector. */
enum ide_result ide_pio_step(struct ide_channel *ch)
{
	if (ch->status & (ST_ERR | ST_DF))
		return IDE_DEVICE_ERROR;
	if (!ch->left)
		return IDE_OK;
	if (!wait_drq(ch))
		return IDE_TIMEOUT;
	move_sector(ch);
	return ch->left || ch->rq->write ? IDE_MORE : IDE_OK;
}
