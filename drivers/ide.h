/*
 * IDE disks: what the files ide*.c share.
 *
 * A channel has one set of registers and one interrupt for two drives, so one
 * command is in flight on it at a time.  States of a channel:
 *
 *	IDLE  -> BUSY   a command was issued (ide_go)
 *	BUSY  -> IDLE   it ended, well or not (ide_complete)
 *	BUSY  -> RESET  it timed out, or the drive was left in the middle
 *	IDLE  -> RESET  the drive was not ready for a command
 *	RESET -> IDLE   the drives came back; -> dead when they did not
 *
 * Everything runs in process context or the block softirq but the top half,
 * ide_interrupt(), which writes only the fields marked (I).
 */
#ifndef DRIVERS_IDE_H
#define DRIVERS_IDE_H

#include "drivers/block.h"
#include "drivers/request.h"
#include "kernel/time.h"

/* Registers, relative to ide_channel.io. */
#define IDE_DATA	0
#define IDE_ERROR	1
#define IDE_COUNT	2
#define IDE_LBA_LOW	3
#define IDE_LBA_MID	4
#define IDE_LBA_HIGH	5
#define IDE_DEVICE	6
#define   DEVICE_LBA	0xE0
#define   DEVICE_UNIT	0x10
#define IDE_STATUS	7		/* reading it acknowledges */
#define IDE_COMMAND	7
#define   ST_ERR	0x01
#define   ST_DRQ	0x08
#define   ST_DF		0x20
#define   ST_BSY	0x80
#define   ERR_ABRT	0x04
#define   ERR_ICRC	0x80

/* ide_channel.ctl: alternate status when read, control when written. */
#define   CTL_NIEN	0x02		/* no interrupts */
#define   CTL_SRST	0x04		/* reset both drives */

/* Bus master registers, relative to ide_channel.bm. */
#define BM_COMMAND	0
#define   BM_START	0x01
#define   BM_TO_MEMORY	0x08
#define BM_STATUS	2
#define   BM_ACTIVE	0x01
#define   BM_ERROR	0x02
#define   BM_INTERRUPT	0x04		/* this and ERROR: write 1 to clear */
#define BM_TABLE	4

enum ide_state { IDE_IDLE, IDE_BUSY, IDE_RESET };

enum ide_result {
	IDE_OK,
	IDE_MORE,			/* another interrupt will come */
	IDE_DEVICE_ERROR,		/* the drive reported an error */
	IDE_DMA_ERROR,			/* not the disk: the transfer failed */
	IDE_TIMEOUT,
};

struct prd {				/* an entry of the bus master's table */
	u32 address;
	u16 bytes;			/* 0: 64 KB */
	u16 last;			/* PRD_LAST in the last entry */
};
#define PRD_LAST	0x8000

struct ide_channel;

struct ide_drive {
	struct ide_channel *channel;
	u8 unit;			/* 0 master, 1 slave */
	bool dma;			/* transfers by bus master */
	bool lba48, can_flush, flush_ext;
	u8 dma_faults;			/* until DMA is given up */
	u64 sectors;
	char model[41];
	struct block_device bdev;
	struct request_queue *queue;
};

struct ide_channel {
	u16 io, ctl, bm;		/* ports; bm 0: no bus master */
	u8 nr, irq;
	enum ide_state state;
	bool dead;			/* did not come back from a reset */
	struct ide_drive *drives[2];	/* NULL: none */
	unsigned turn;			/* drive to look at first */

	/* the command in flight */
	struct ide_drive *drive;
	struct request *rq;
	bool dma;
	struct bio *bio;		/* PIO: where the next sector goes */
	u16 offset;
	u16 left;			/* PIO: sectors */
	struct prd *prd;
	enum ide_result why;		/* its last failure */

	/* time-outs */
	struct timer timer;
	bool timer_armed, timer_fired;
	u64 deadline;

	/* the top half */
	volatile bool expecting;	/* (I) an interrupt will come */
	volatile bool interrupted;	/* (I) it came, with this status: */
	volatile u8 status, bm_status;	/* (I) */
};

/* ide.c */
bool ide_wait(struct ide_channel *ch, u8 mask, u8 value, unsigned spins);
bool ide_select(struct ide_channel *ch, unsigned unit);
bool ide_interrupt(void *dev);		/* the top half */
void ide_go(struct ide_channel *ch);
extern const struct queue_ops ide_queue_ops;

/* ide_error.c */
void ide_failed(struct ide_channel *ch, enum ide_result why);
void ide_reset(struct ide_channel *ch);
void ide_set_deadline(struct ide_channel *ch);
void ide_handle_timer(struct ide_channel *ch);
void ide_timer_init(struct ide_channel *ch);

/* ide_dma.c */
bool ide_dma_init(struct ide_channel *ch);
void ide_dma_prepare(struct ide_channel *ch);
void ide_dma_start(struct ide_channel *ch);
void ide_dma_stop(struct ide_channel *ch);
enum ide_result ide_dma_end(struct ide_channel *ch);

/* ide_pio.c */
void ide_pio_prepare(struct ide_channel *ch);
void ide_pio_start(struct ide_channel *ch);
enum ide_result ide_pio_step(struct ide_channel *ch);

/* ide_setup.c: ide=pio was given. */
extern bool ide_no_dma;

/* ide_identify.c: finds the drive of a channel, NULL when there is none.
 * Sleeps. */
struct ide_drive *ide_probe(struct ide_channel *ch, unsigned unit);

#endif
