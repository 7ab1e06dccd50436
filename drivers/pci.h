/* PCI: what is on the bus, by configuration mechanism 1. */
#ifndef DRIVERS_PCI_H
#define DRIVERS_PCI_H

#include "lib/types.h"

struct pci_device {
	u8 bus, slot, function;
	u8 class, subclass, prog_if;
	u16 vendor, device;
	u8 irq;				/* as the firmware routed it */
};

/* Configuration registers; offset is rounded down to the access size. */
#define PCI_COMMAND		0x04
#define   PCI_COMMAND_IO	0x01
#define   PCI_COMMAND_MASTER	0x04
#define PCI_BAR(n)		(0x10 + 4 * (n))

/* Finds every device; once.  Nothing is found where there is no PCI. */
void pci_init(void);

/* The n-th device of a class, in bus order, or NULL. */
const struct pci_device *pci_find_class(u8 class, u8 subclass, unsigned n);

u32 pci_read32(const struct pci_device *d, u8 offset);
u16 pci_read16(const struct pci_device *d, u8 offset);
void pci_write16(const struct pci_device *d, u8 offset, u16 value);

/* The first I/O port of a base address register, 0 when it has none. */
u16 pci_io_port(const struct pci_device *d, unsigned bar);

/* Lets the device use its ports and read and write memory on its own. */
void pci_enable_bus_master(const struct pci_device *d);

#endif
