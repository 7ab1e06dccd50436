/*
 * PCI enumeration by configuration mechanism 1: the address of a register goes
 * to port 0xCF8, its contents are then at 0xCFC.
 *
 *	0xCF8:	1 0000000 bbbbbbbb sssss fff oooooo 00
 *		          bus      slot  fn  register
 *
 * Buses behind a bridge are found through the bridge's secondary bus number,
 * which the firmware has set.  Devices are found once, at boot, and the table
 * is constant afterwards.  Drivers match by class, not by vendor: disk
 * controllers of one class have one register layout.
 */
#include "drivers/pci.h"
#include "kernel/cpu.h"
#include "kernel/printk.h"

#define CONFIG_ADDRESS	0xCF8
#define CONFIG_DATA	0xCFC
#define CONFIG_ENABLE	0x80000000u

#define PCI_ID		0x00
#define PCI_CLASS	0x08		/* revision, prog-if, subclass, class */
#define PCI_HEADER	0x0C		/* header type in byte 2 */
#define   HEADER_MULTI	0x80
#define PCI_BUSES	0x18		/* bridge: secondary bus in byte 1 */
#define PCI_INTERRUPT	0x3C
#define CLASS_BRIDGE	0x06
#define SUBCLASS_PCI	0x04

#define MAX_DEVICES	64
#define MAX_BUSES	32		/* a bound on the recursion */

static struct pci_device devices[MAX_DEVICES];
static unsigned nr_devices;

/* Selects a register of a device for the data port. */
static void select_register(const struct pci_device *d, u8 offset)
{
	outl(CONFIG_ADDRESS, CONFIG_ENABLE | (u32)d->bus << 16 |
	     (u32)d->slot << 11 | (u32)d->function << 8 | (offset & 0xFC));
}

/* Reads the register at `offset`; all ones when there is no device. */
u32 pci_read32(const struct pci_device *d, u8 offset)
{
	select_register(d, offset);
	return inl(CONFIG_DATA);
}

/* Reads half a register. */
u16 pci_read16(const struct pci_device *d, u8 offset)
{
	select_register(d, offset);
	return inw(CONFIG_DATA + (offset & 2));
}

/* Writes half a register. */
void pci_write16(const struct pci_device *d, u8 offset, u16 value)
{
	select_register(d, offset);
	outw(CONFIG_DATA + (offset & 2), value);
}

/* The first port of an I/O base address register; 0: unset, or memory. */
u16 pci_io_port(const struct pci_device *d, unsigned bar)
{
	u32 value = pci_read32(d, PCI_BAR(bar));

	return value & 1 ? (u16)(value & 0xFFFC) : 0;
}

/* Firmware need not have set the bus-master bit, and without it transfers
 * seem to succeed but move nothing. */
void pci_enable_bus_master(const struct pci_device *d)
{
	u16 command = pci_read16(d, PCI_COMMAND);

	pci_write16(d, PCI_COMMAND,
		    command | PCI_COMMAND_IO | PCI_COMMAND_MASTER);
}

/* The n-th device of a class, in bus order, or NULL. */
const struct pci_device *pci_find_class(u8 class, u8 subclass, unsigned n)
{
	const struct pci_device *d;

	for (d = devices; d < devices + nr_devices; d++)
		if (d->class == class && d->subclass == subclass && !n--)
			return d;
	return NULL;
}

/* Fills in what a function's registers say; false when there is none. */
static bool read_device(struct pci_device *d)
{
	u32 id = pci_read32(d, PCI_ID), class;

	if ((u16)id == 0xFFFF || (u16)id == 0)
		return false;
	class = pci_read32(d, PCI_CLASS);
	d->vendor = (u16)id;
	d->device = (u16)(id >> 16);
	d->class = (u8)(class >> 24);
	d->subclass = (u8)(class >> 16);
	d->prog_if = (u8)(class >> 8);
	d->irq = (u8)pci_read32(d, PCI_INTERRUPT);
	return true;
}

static void scan_bus(u8 bus, unsigned depth);

/* Enters one function in the table and looks behind it if it is a bridge.
 * False when there is no such function. */
static bool scan_function(u8 bus, u8 slot, u8 function, unsigned depth)
{
	struct pci_device d = { .bus = bus, .slot = slot,
				.function = function };

	if (!read_device(&d))
		return false;
	if (nr_devices < MAX_DEVICES)
		devices[nr_devices++] = d;
	if (d.class == CLASS_BRIDGE && d.subclass == SUBCLASS_PCI) {
		u8 behind = (u8)(pci_read32(&d, PCI_BUSES) >> 8);

		if (behind > bus)
			scan_bus(behind, depth + 1);
	}
	return true;
}

/* Enters every device of a bus; only some have functions besides 0. */
static void scan_bus(u8 bus, unsigned depth)
{
	struct pci_device d = { .bus = bus };
	u8 function;

	if (depth >= MAX_BUSES)
		return;
	for (d.slot = 0; d.slot < 32; d.slot++) {
		if (!scan_function(bus, d.slot, 0, depth))
			continue;
		if (!(pci_read32(&d, PCI_HEADER) >> 16 & HEADER_MULTI))
			continue;
		for (function = 1; function < 8; function++)
			scan_function(bus, d.slot, function, depth);
	}
}

/* Is there a mechanism 1 bridge?  Its address register can be read back. */
static bool pci_present(void)
{
	outl(CONFIG_ADDRESS, CONFIG_ENABLE);
	return inl(CONFIG_ADDRESS) == CONFIG_ENABLE;
}

/* Finds every device.  Never sleeps. */
void pci_init(void)
{
	if (!pci_present()) {
		printk("pci: no bus\n");
		return;
	}
	scan_bus(0, 0);
	printk("pci: %u devices\n", nr_devices);
}
