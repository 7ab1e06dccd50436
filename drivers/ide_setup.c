/*
 * IDE: finding the controller, and registering its disks.
 *
 * Any PCI device of class IDE will do (also RAID and "other" ones, which is
 * what some firmware calls them), whoever made it: the registers are the same.
 * Each of its two channels is where IDE has always been, or, in native mode,
 * where the base address registers say.  Without such a device the old ports
 * are tried all the same, by PIO.
 *
 *	           ports      control  irq   disks         major
 *	channel 0  1F0 BAR0   3F6      14    hda hdb       3
 *	channel 1  170 BAR2   376      15    hdc hdd       22
 */
#include "drivers/ide.h"
#include "drivers/pci.h"
#include "kernel/cpu.h"
#include "kernel/irq.h"
#include "kernel/param.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "lib/printf.h"
#include "lib/string.h"

#define CLASS_STORAGE	0x01
#define SUBCLASS_IDE	0x01
#define SUBCLASS_RAID	0x04
#define SUBCLASS_OTHER	0x80
#define PROG_MASTER	0x80		/* has a bus master, in BAR4 */

bool ide_no_dma;
static bool ide_off;
static struct ide_channel channels[2];

/* Parses ide=. */
static int set_ide(const char *value)
{
	if (!strcmp(value, "pio"))
		ide_no_dma = true;
	else if (!strcmp(value, "dma"))
		ide_no_dma = false;
	else
		return -EINVAL;
	return 0;
}

BOOT_PARAM(ide, "ide", "dma, pio", set_ide);

/* Parses noide. */
static int set_noide(const char *value)
{
	if (*value)
		return -EINVAL;
	ide_off = true;
	return 0;
}

BOOT_PARAM(noide, "noide", "no value: disks are not touched", set_noide);

/* Is the channel of this device where its base address registers say? */
static bool is_native(const struct pci_device *pci, unsigned nr)
{
	if (pci->subclass == SUBCLASS_IDE)
		return pci->prog_if & (nr ? 0x04 : 0x01);
	return pci_io_port(pci, 2 * nr) && pci_io_port(pci, 2 * nr + 1);
}

/* Where the channel's registers are, on a controller or (NULL) without. */
static void find_ports(struct ide_channel *ch, const struct pci_device *pci)
{
	u16 master = 0;

	ch->io = ch->nr ? 0x170 : 0x1F0;
	ch->ctl = ch->nr ? 0x376 : 0x3F6;
	ch->irq = ch->nr ? 15 : 14;
	if (!pci)
		return;
	if (is_native(pci, ch->nr)) {
		ch->io = pci_io_port(pci, 2 * ch->nr);
		ch->ctl = pci_io_port(pci, 2 * ch->nr + 1) + 2;
		ch->irq = pci->irq;
	}
	if (pci->subclass != SUBCLASS_IDE || (pci->prog_if & PROG_MASTER))
		master = pci_io_port(pci, 4);
	if (master && ide_dma_init(ch))
		ch->bm = master + 8 * ch->nr;
}

/* Makes the drive a disk and reads its partition table.  Sleeps. */
static int register_drive(struct ide_drive *d)
{
	struct ide_channel *ch = d->channel;

	snprintf(d->bdev.name, sizeof(d->bdev.name), "hd%c",
		 'a' + ch->nr * 2 + d->unit);
	d->bdev.dev = (ch->nr ? 22 : 3) << 8 | d->unit * 64;
	d->bdev.sectors = d->sectors;
	d->bdev.driver = d;
	d->queue = blk_create_queue(&d->bdev, &ide_queue_ops, d);
	if (!d->queue)
		return -ENOMEM;
	printk("%s: %s, %u MB, %s%s\n", d->bdev.name, d->model,
	       (u32)(d->sectors >> 11), d->dma ? "DMA" : "PIO",
	       d->lba48 ? ", LBA48" : "");
	return register_disk(&d->bdev);
}

/* Registers the channel's disks, after its interrupts are on. */
static void register_drives(struct ide_channel *ch)
{
	unsigned unit;

	for (unit = 0; unit < 2; unit++) {
		struct ide_drive *d = ch->drives[unit];

		if (d && register_drive(d))
			printk(KERN_ERR "%s: out of memory\n", d->bdev.name);
	}
}

/* Looks for the drives of a channel and takes its interrupt.  Sleeps. */
static void start_channel(struct ide_channel *ch)
{
	outb(ch->ctl, CTL_NIEN);
	ch->drives[0] = ide_probe(ch, 0);
	ch->drives[1] = ide_probe(ch, 1);
	if (!ch->drives[0] && !ch->drives[1])
		return;
	ide_timer_init(ch);
	if (request_irq(ch->irq, ide_interrupt, ch)) {
		printk(KERN_ERR "ide%u: interrupt line %u cannot be had: "
		       "disks not used\n", ch->nr, ch->irq);
		return;
	}
	outb(ch->ctl, 0);
	register_drives(ch);
}

/* The first controller, or NULL; others are reported. */
static const struct pci_device *find_controller(void)
{
	static const u8 subclasses[] = { SUBCLASS_IDE, SUBCLASS_RAID,
					 SUBCLASS_OTHER };
	const struct pci_device *first = NULL, *pci;
	unsigned i, n;

	for (i = 0; i < ARRAY_SIZE(subclasses); i++)
		for (n = 0; (pci = pci_find_class(CLASS_STORAGE, subclasses[i],
						  n)); n++) {
			if (first)
				printk("ide: a further controller %04x:%04x "
				       "is not used\n", pci->vendor,
				       pci->device);
			else
				first = pci;
		}
	return first;
}

/* Finds the IDE disks.  Sleeps. */
void ide_init(void)
{
	const struct pci_device *pci;
	unsigned nr;

	if (ide_off) {
		printk("ide: off\n");
		return;
	}
	pci = find_controller();
	if (pci)
		pci_enable_bus_master(pci);
	for (nr = 0; nr < 2; nr++) {
		channels[nr].nr = (u8)nr;
		find_ports(&channels[nr], pci);
		start_channel(&channels[nr]);
	}
}
