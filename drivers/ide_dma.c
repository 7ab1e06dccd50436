/*
 * IDE transfers by bus master: the controller moves the data, by a table of
 * physical regions, while the CPU does something else.
 *
 *	prd[0]  address, bytes         bio, bio, bio (adjacent in memory)
 *	prd[1]  address, bytes         bio
 *	prd[2]  address, bytes | LAST  bio, bio
 *
 * Rules of the hardware, kept here: the table and every region are aligned to
 * 4 bytes and cross no 64 KB boundary (emulators let this pass, controllers
 * need not); 0 bytes mean 64 KB; the direction is set before START.
 */
#include "drivers/ide.h"
#include "kernel/cpu.h"
#include "kernel/printk.h"
#include "mm/page.h"
#include "mm/page_alloc.h"

#define BOUNDARY	0x10000u

/* The channel's table: a page, so no boundary runs through it.  False: no
 * memory, and the channel goes without DMA. */
bool ide_dma_init(struct ide_channel *ch)
{
	ch->prd = get_free_pages(GFP_KERNEL, 0);
	return ch->prd != NULL;
}

/* Can [start, end) be one region, length up to 64 KB within a boundary? */
static bool one_region(u32 start, u32 end)
{
	return start / BOUNDARY == (end - 1) / BOUNDARY;
}

/* Describes a bio: longer entry `n` - 1, or a new one; the entries in use. */
static unsigned add_bio(struct prd *prd, unsigned n, const struct bio *bio)
{
	u32 start = (page_to_pfn(bio->page) << PAGE_SHIFT) + bio->offset;
	u32 end = start + bio->len;

	BUG_ON((start & 3) || !one_region(start, end));
	if (n && prd[n - 1].address + prd[n - 1].bytes == start &&
	    one_region(prd[n - 1].address, end)) {
		prd[n - 1].bytes += bio->len;
		return n;
	}
	prd[n].address = start;
	prd[n].bytes = bio->len;
	prd[n].last = 0;
	return n + 1;
}

/* Describes the current piece in the table, and readies the bus master. */
void ide_dma_prepare(struct ide_channel *ch)
{
	struct request *rq = ch->rq;
	unsigned n = 0;
	struct bio *bio;

	list_for_each_entry(bio, &rq->bios, node) {
		n = add_bio(ch->prd, n, bio);
		if (rq->alone)
			break;
	}
	ch->prd[n - 1].last = PRD_LAST;
	barrier();			/* the table is in memory */
	outl(ch->bm + BM_TABLE, virt_to_phys(ch->prd));
	outb(ch->bm + BM_COMMAND, rq->write ? 0 : BM_TO_MEMORY);
	outb(ch->bm + BM_STATUS, inb(ch->bm + BM_STATUS) |
				 BM_ERROR | BM_INTERRUPT);
}

/* Lets it run, after the drive has its command. */
void ide_dma_start(struct ide_channel *ch)
{
	outb(ch->bm + BM_COMMAND, BM_START |
				  (ch->rq->write ? 0 : BM_TO_MEMORY));
}

/* Stops the bus master and clears its interrupt; called by the top half. */
void ide_dma_stop(struct ide_channel *ch)
{
	outb(ch->bm + BM_COMMAND, 0);
	outb(ch->bm + BM_STATUS, inb(ch->bm + BM_STATUS) |
				 BM_ERROR | BM_INTERRUPT);
}

/* What became of the transfer: both sides must say it is complete. */
enum ide_result ide_dma_end(struct ide_channel *ch)
{
	if (ch->status & (ST_ERR | ST_DF)) {
		if (inb(ch->io + IDE_ERROR) & ERR_ICRC)
			return IDE_DMA_ERROR;
		return IDE_DEVICE_ERROR;
	}
	if (ch->bm_status & (BM_ACTIVE | BM_ERROR))
		return IDE_DMA_ERROR;
	return ch->status & ST_DRQ ? IDE_DMA_ERROR : IDE_OK;
}
