/* Hardware interrupts: the two 8259 controllers and their 16 lines. */
#ifndef KERNEL_IRQ_H
#define KERNEL_IRQ_H

#include "lib/types.h"

#define NR_IRQS	16

/* A top half, called with interrupts off: acknowledges its device, moves
 * bytes, calls raise_softirq(); true when its device had interrupted. */
typedef bool (*irq_handler)(void *dev);

/* Adds a handler to a line (lines may be shared) and unmasks it.  0, -EINVAL,
 * or -EBUSY when too many share.  Never sleeps, never undone. */
int request_irq(unsigned irq, irq_handler handler, void *dev);

/* Initialises both controllers with all lines masked. */
void irq_init(void);

/* What the interrupt now handled interrupted; only for top halves. */
struct trap_frame;
extern const struct trap_frame *irq_frame;

/* Counted for /proc/interrupts. */
extern u32 irq_count[NR_IRQS];
extern u32 irq_spurious, irq_unhandled;

#endif
