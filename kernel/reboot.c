/*
 * The ways to end, and reboot(2).  There is no ACPI here: power-off knows the
 * ports of the emulators, and on a real machine says that it is safe to turn
 * it off; restart asks the keyboard controller, then forces a triple fault.
 */
#include "kernel/cpu.h"
#include "kernel/printk.h"
#include "kernel/reboot.h"
#include "kernel/task.h"
#include "fs/vfs.h"
#include "lib/errno.h"

#define MAGIC1		0xfee1dead
#define MAGIC2		672274793	/* and three birthdays after it */
#define MAGIC2A		85072278
#define MAGIC2B		369367448
#define MAGIC2C		537993216

#define CMD_RESTART	0x01234567
#define CMD_HALT	0xcdef0123
#define CMD_CAD_ON	0x89abcdef
#define CMD_CAD_OFF	0x00000000
#define CMD_POWER_OFF	0x4321fedc
#define CMD_RESTART2	0xa1b2c3d4

#define QEMU_PM		0x604
#define BOCHS_PM	0xb004
#define PM_SOFT_OFF	0x2000
#define BOCHS_SHUTDOWN	0x8900
#define KEYBOARD_STATUS	0x64
#define KEYBOARD_RESET	0xfe

/* Stops for good, interrupts off. */
void machine_halt(void)
{
	for (;;) {
		irq_disable();
		__asm__ volatile("hlt");
	}
}

/* Switches the machine off, or says that a person may. */
void machine_power_off(void)
{
	const char *s;
	int i;

	outw(QEMU_PM, PM_SOFT_OFF);
	outw(BOCHS_PM, PM_SOFT_OFF);
	for (s = "Shutdown"; *s; s++)
		outb(BOCHS_SHUTDOWN, *s);
	for (i = 0; i < 300000; i++)	/* the power takes its time */
		io_delay();
	printk(KERN_ERR "It is now safe to turn off your computer.\n");
	machine_halt();
}

/* Restarts the machine. */
void machine_restart(void)
{
	struct {
		u16 limit;
		u32 base;
	} packed none = { 0, 0 };
	int limit = 100000;

	irq_disable();
	while ((inb(KEYBOARD_STATUS) & 2) && --limit)
		;
	outb(KEYBOARD_STATUS, KEYBOARD_RESET);
	for (limit = 0; limit < 100000; limit++)
		io_delay();
	__asm__ volatile("lidt %0; int3" : : "m" (none));
	machine_halt();
}

/* Is it one of the numbers that show the caller means it? */
static bool magic_ok(u32 magic1, u32 magic2)
{
	return magic1 == MAGIC1 &&
	       (magic2 == MAGIC2 || magic2 == MAGIC2A || magic2 == MAGIC2B ||
		magic2 == MAGIC2C);
}

/* reboot(2): writes everything back, then ends as asked.  -EPERM, -EINVAL. */
asmlinkage long sys_reboot(u32 magic1, u32 magic2, u32 cmd,
			   unused_arg void *arg)
{
	if (!capable())
		return -EPERM;
	if (!magic_ok(magic1, magic2))
		return -EINVAL;
	switch (cmd) {
	case CMD_CAD_ON:
	case CMD_CAD_OFF:
		return 0;
	case CMD_RESTART:
	case CMD_RESTART2:
		sync_filesystems(true);
		printk("Restarting.\n");
		machine_restart();
	case CMD_POWER_OFF:
		sync_filesystems(true);
		printk("Power off.\n");
		machine_power_off();
	case CMD_HALT:
		sync_filesystems(true);
		printk("System halted.\n");
		machine_halt();
	default:
		return -EINVAL;
	}
}
