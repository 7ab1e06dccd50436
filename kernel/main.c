/*
 * From the first C code to the first program.
 *
 * kmain() runs on the boot stack as the task that will be the idle loop, and
 * must not sleep.  What may sleep (disks, the root file system) is done by the
 * kernel thread that becomes process 1.
 */
#include "boot/multiboot.h"
#include "drivers/block.h"
#include "drivers/serial.h"
#include "drivers/tty.h"
#include "drivers/vga.h"
#include "fs/fcntl.h"
#include "fs/file.h"
#include "kernel/console.h"
#include "kernel/cpu.h"
#include "kernel/desc.h"
#include "kernel/e820.h"
#include "kernel/irq.h"
#include "kernel/linkage.h"
#include "kernel/loadavg.h"
#include "kernel/param.h"
#include "kernel/printk.h"
#include "kernel/task.h"
#include "kernel/time.h"
#include "lib/errno.h"
#include "mm/mm.h"

asmlinkage void kmain(u32 magic, u32 info);

/* Names the CPU. */
static void cpu_print(void)
{
	u32 vendor[4] = { 0 }, leaf, signature, unused;

	cpuid(0, &leaf, &vendor[0], &vendor[2], &vendor[1]);
	cpuid(1, &signature, &unused, &unused, &unused);
	printk("CPU: %s family %u model %u stepping %u%s%s\n",
	       (const char *)vendor, signature >> 8 & 15, signature >> 4 & 15,
	       signature & 15, cpu_features & CPU_PGE ? ", global pages" : "",
	       cpu_features & CPU_FXSR ? ", FXSAVE" : "");
}

/* Opens the console as descriptors 0, 1 and 2 of the init thread. */
static void open_console(void)
{
	struct file *f = file_open("/dev/console", O_RDWR, 0);
	int i;

	if (IS_ERR(f)) {
		printk(KERN_ERR "/dev/console cannot be opened (error %ld); "
		       "init starts without it\n", PTR_ERR(f));
		return;
	}
	for (i = 0; i < 3; i++) {
		int fd = get_unused_fd(0, false);

		if (fd >= 0)
			fd_install(fd, get_file(f));
	}
	fput(f);
}

/* Turns the calling thread into the program at `path`.  0 or an error. */
static int run_init(const char *path)
{
	const char *const argv[] = { path, NULL };
	const char *const envp[] = { "HOME=/", "TERM=linux", NULL };

	return kernel_execve(path, argv, envp);
}

/* Becomes the first program: what init= names, else the first that is there;
 * panics with the cure when it cannot. */
static void start_program(void)
{
	static const char *const programs[] = {
		"/sbin/init", "/init", "/bin/sh",
	};
	unsigned i;
	int error;

	if (param_init) {
		error = run_init(param_init);
		if (error)
			panic("init=%s cannot be run (error %d); it must be a "
			      "static i386 program", param_init, error);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		error = run_init(programs[i]);
		if (!error)
			return;
		if (error != -ENOENT)
			printk(KERN_ERR "%s cannot be run (error %d)\n",
			       programs[i], error);
	}
	panic("no init found: name a static i386 program with init=PATH, or "
	      "put one at /sbin/init, /init or /bin/sh");
}

/* Process 1: starts what may sleep, then becomes the first program. */
static int init_thread(unused_arg void *arg)
{
	block_init();
	mm_start_threads();
	mount_root();
	open_console();
	start_program();
	return 0;
}

/* The first C code, called by boot/entry.asm with interrupts off. */
asmlinkage void kmain(u32 magic, u32 info)
{
	desc_init();
	serial_console_init();
	vga_console_init();
	printk("Pagelab, a kernel to see virtual memory work "
	       "(compiler " __VERSION__ ")\n");
	multiboot_copy(magic, info);
	parse_boot_params(multiboot_cmdline);
	console_select();
	printk("Command line: %s\n", boot_cmdline);
	cpu_print();
	e820_init();
	e820_print();
	mm_init();
	task_init();
	irq_init();
	time_init();
	irq_enable();
	vfs_init();
	serial_init();
	vga_init();
	tty_init();
	loadavg_init();
	start_init(init_thread);
	idle_loop();
}
