/*
 * IDE: is there a drive, and what can it do?
 *
 * An empty channel reads 00 or FF (or 7F) from every register, so a drive is
 * believed in only when it answers IDENTIFY with 256 words:
 *
 *	27-46  model, two characters a word, swapped
 *	49     bit 8 DMA, bit 9 LBA
 *	60-61  sectors reachable with 28 bits
 *	83     bit 10 LBA48, 12 FLUSH CACHE, 13 FLUSH CACHE EXT
 *	100-3  sectors reachable with 48 bits
 *
 * Interrupts of the channel are off meanwhile.  Transfer modes and timings
 * stay as the firmware has set them.
 */
#include "drivers/ide.h"
#include "kernel/cpu.h"
#include "kernel/printk.h"
#include "lib/string.h"
#include "mm/slab.h"

#define CMD_IDENTIFY	0xEC
#define SPINS		1000
#define WAIT_TICKS	(5 * HZ)

#define ID_MODEL	27
#define ID_CAPABILITY	49
#define   CAN_DMA	0x100
#define   CAN_LBA	0x200
#define ID_SECTORS	60
#define ID_COMMANDS	83
#define   CAN_LBA48	0x0400
#define   CAN_FLUSH	0x1000
#define   CAN_FLUSH_EXT	0x2000
#define ID_SECTORS48	100

/* Sleeps while the selected drive is busy, up to WAIT_TICKS; the status. */
static u8 wait_idle(struct ide_channel *ch)
{
	struct wait_queue nobody = WAIT_QUEUE_INIT(nobody);
	unsigned ticks = 0;

	if (ide_wait(ch, ST_BSY, 0, SPINS))
		return inb(ch->ctl);
	while ((inb(ch->ctl) & ST_BSY) && ticks++ < WAIT_TICKS)
		(void)wait_event_timeout(nobody, false, 1);
	return inb(ch->ctl);
}

/* Is there anything behind the ports?  Registers of a drive hold what was
 * written to them; a floating bus does not. */
static bool anybody_there(struct ide_channel *ch, unsigned unit)
{
	u8 status;

	outb(ch->io + IDE_DEVICE, DEVICE_LBA | (unit ? DEVICE_UNIT : 0));
	ide_wait(ch, 0, 1, 4);
	status = inb(ch->ctl);
	if (status == 0xFF || status == 0x7F)
		return false;
	wait_idle(ch);
	outb(ch->io + IDE_LBA_LOW, 0x55);
	outb(ch->io + IDE_LBA_MID, 0xAA);
	return inb(ch->io + IDE_LBA_LOW) == 0x55 &&
	       inb(ch->io + IDE_LBA_MID) == 0xAA;
}

/* Sends IDENTIFY to the selected drive and reads its answer; false when it
 * has none.  ATAPI drives refuse and leave their signature. */
static bool identify(struct ide_channel *ch, unsigned unit, u16 *id)
{
	char name = (char)('a' + ch->nr * 2 + unit);
	u8 status;

	outb(ch->io + IDE_COUNT, 0);
	outb(ch->io + IDE_LBA_LOW, 0);
	outb(ch->io + IDE_LBA_MID, 0);
	outb(ch->io + IDE_LBA_HIGH, 0);
	outb(ch->io + IDE_COMMAND, CMD_IDENTIFY);
	ide_wait(ch, 0, 1, 4);
	if (!inb(ch->ctl))
		return false;
	status = wait_idle(ch);
	if (status & ST_BSY) {
		printk(KERN_WARNING "hd%c: no answer to IDENTIFY\n", name);
		return false;
	}
	if (inb(ch->io + IDE_LBA_MID) == 0x14 &&
	    inb(ch->io + IDE_LBA_HIGH) == 0xEB) {
		printk("hd%c: an ATAPI drive: not used\n", name);
		return false;
	}
	if ((status & ST_ERR) || !ide_wait(ch, ST_DRQ, ST_DRQ, SPINS))
		return false;
	insw(ch->io + IDE_DATA, id, 256);
	inb(ch->io + IDE_STATUS);
	return true;
}

/* Copies the model's name without the blanks behind it. */
static void copy_model(char *to, const u16 *id)
{
	unsigned i;

	for (i = 0; i < 20; i++) {
		to[2 * i] = (char)(id[ID_MODEL + i] >> 8);
		to[2 * i + 1] = (char)id[ID_MODEL + i];
	}
	for (i = 40; i && (to[i - 1] == ' ' || !to[i - 1]); i--)
		;
	to[i] = '\0';
}

/* A 32-bit number of two words. */
static u32 two_words(const u16 *id)
{
	return id[0] | (u32)id[1] << 16;
}

/* Fills in what the drive says it can do. */
static void read_abilities(struct ide_drive *d, const u16 *id)
{
	u16 commands = id[ID_COMMANDS];

	if ((commands & 0xC000) != 0x4000)
		commands = 0;		/* the word is not valid */
	copy_model(d->model, id);
	d->lba48 = commands & CAN_LBA48;
	d->flush_ext = d->lba48 && (commands & CAN_FLUSH_EXT);
	d->can_flush = d->flush_ext || (commands & CAN_FLUSH);
	d->dma = d->channel->prd && !ide_no_dma &&
		 (id[ID_CAPABILITY] & CAN_DMA);
	d->sectors = two_words(id + ID_SECTORS);
	if (d->lba48)
		d->sectors = two_words(id + ID_SECTORS48) |
			     (u64)two_words(id + ID_SECTORS48 + 2) << 32;
}

/* Makes a drive of an answer to IDENTIFY; NULL: no memory, or too old. */
static struct ide_drive *create_drive(struct ide_channel *ch, unsigned unit,
				      const u16 *id)
{
	struct ide_drive *d;

	if (!(id[ID_CAPABILITY] & CAN_LBA)) {
		printk(KERN_WARNING "hd%c: without LBA: not used\n",
		       (char)('a' + ch->nr * 2 + unit));
		return NULL;
	}
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		return NULL;
	d->channel = ch;
	d->unit = (u8)unit;
	read_abilities(d, id);
	return d;
}

/* Finds the drive, or NULL.  Sleeps. */
struct ide_drive *ide_probe(struct ide_channel *ch, unsigned unit)
{
	struct ide_drive *d = NULL;
	u16 *id = kmalloc(512, GFP_KERNEL);

	if (!id)
		return NULL;
	if (anybody_there(ch, unit) && identify(ch, unit, id))
		d = create_drive(ch, unit, id);
	kfree(id);
	return d;
}
