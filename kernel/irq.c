/*
 * The two 8259 interrupt controllers, edge-triggered as the PC has them.
 *
 *	IRQ 0..7   master, vectors 0x20..0x27; line 2 is the slave
 *	IRQ 8..15  slave,  vectors 0x28..0x2f
 *
 * Top halves run with interrupts off and never nest.  A controller that is
 * asked after the request went away answers with its line 7: the in-service
 * register tells such a spurious interrupt from a real one.
 */
#include "kernel/cpu.h"
#include "kernel/irq.h"
#include "kernel/trap.h"
#include "lib/errno.h"

#define MASTER		0x20
#define SLAVE		0xa0
#define DATA		1		/* offset of the data port */
#define ICW1_INIT	0x11		/* edge, cascade, ICW4 follows */
#define ICW4_8086	0x01
#define CASCADE_LINE	2
#define EOI		0x20
#define READ_ISR	0x0b
#define SHARED_MAX	4

static struct {
	irq_handler handler;
	void *dev;
} actions[NR_IRQS][SHARED_MAX];

static u16 irq_mask = 0xffff & ~(1 << CASCADE_LINE);	/* set: disabled */
u32 irq_count[NR_IRQS];
u32 irq_spurious, irq_unhandled;
const struct trap_frame *irq_frame;

/* Programs one controller: its first vector, and how it is cascaded. */
static void pic_init(u16 port, u8 vector, u8 cascade)
{
	outb(port, ICW1_INIT);
	io_delay();
	outb(port + DATA, vector);
	io_delay();
	outb(port + DATA, cascade);
	io_delay();
	outb(port + DATA, ICW4_8086);
	io_delay();
}

/* Writes the mask of all lines into both controllers. */
static void write_masks(void)
{
	outb(MASTER + DATA, irq_mask & 0xff);
	outb(SLAVE + DATA, irq_mask >> 8);
}

/* Initialises both controllers with all lines masked. */
void irq_init(void)
{
	pic_init(MASTER, IRQ_VECTOR, 1 << CASCADE_LINE);
	pic_init(SLAVE, IRQ_VECTOR + 8, CASCADE_LINE);
	write_masks();
}

/* Adds a handler to a line and unmasks it; see the header. */
int request_irq(unsigned irq, irq_handler handler, void *dev)
{
	unsigned i = 0;
	u32 flags;

	if (irq >= NR_IRQS || irq == CASCADE_LINE)
		return -EINVAL;
	while (i < SHARED_MAX && actions[irq][i].handler)
		i++;
	if (i == SHARED_MAX)
		return -EBUSY;
	flags = irq_save();
	actions[irq][i].dev = dev;
	actions[irq][i].handler = handler;
	irq_mask &= ~(1 << irq);
	write_masks();
	irq_restore(flags);
	return 0;
}

/* Is line 7 of a controller really in service? */
static bool in_service(u16 port)
{
	outb(port, READ_ISR);
	return inb(port) & 0x80;
}

/* True if the interrupt is spurious; ends what the controllers still need. */
static bool spurious(unsigned irq)
{
	if (irq == 7 && !in_service(MASTER)) {
		irq_spurious++;
		return true;
	}
	if (irq == 15 && !in_service(SLAVE)) {
		irq_spurious++;
		outb(MASTER, EOI);	/* the cascade line was real */
		return true;
	}
	return false;
}

/* Called by entry.asm, interrupts off, for the vectors of the 16 lines.  The
 * line is ended first: a new edge during the handler is not lost. */
void do_irq(struct trap_frame *tf)
{
	unsigned irq = trap_vector(tf) - IRQ_VECTOR, i;
	bool handled = false;

	if (spurious(irq))
		return;
	irq_count[irq]++;
	irq_frame = tf;
	if (irq >= 8)
		outb(SLAVE, EOI);
	outb(MASTER, EOI);
	for (i = 0; i < SHARED_MAX && actions[irq][i].handler; i++)
		handled |= actions[irq][i].handler(actions[irq][i].dev);
	if (!handled)
		irq_unhandled++;
}
