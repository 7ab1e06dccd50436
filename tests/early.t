#!/usr/bin/env python3
"""Before there is a shell: a CPU that is too old, a machine without a serial
port, a screen that is the only console, and panics that leave QEMU."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, 'tests')
from machine import Machine
from tap import Tap

OUT = os.environ.get('O', 'build')
KERNEL = ('-kernel', f'{OUT}/kernel.elf')
INITRD = ('-initrd', f'{OUT}/initramfs.cpio')
PANIC = 255     # what isa-debug-exit makes of the kernel's 0x7f


def old_cpu(tap):
    """The refusal is told on both consoles, before anything is used that the
    CPU does not have."""
    for cpu in ('486', 'pentium'):
        with Machine(*KERNEL, '-cpu', cpu) as machine:
            tap.check(machine.wait('has no CMOV', 10),
                      f'{cpu}: refused on the screen', *machine.screen())
            tap.check('has no CMOV' in machine.serial(),
                      f'{cpu}: refused on the serial line', machine.serial())


def no_serial_port(tap):
    """COM1 is elsewhere; nothing may wait for it."""
    with Machine(*KERNEL, *INITRD, '-append', 'init=/bin/false', '-global',
                 'isa-serial.iobase=0x2e8') as machine:
        tap.check(machine.wait('Kernel panic', 20),
                  'no serial port: boots on the screen', *machine.screen())


def serial_only(tap):
    """console=ttyS0 keeps the kernel's messages off the screen."""
    with Machine(*KERNEL, *INITRD, '-append',
                 'console=ttyS0 init=/no/such') as machine:
        machine.wait_for_end(5)
        tap.check('Kernel panic' in machine.serial(), 'console=ttyS0: told',
                  machine.serial())
        tap.check(not any('panic' in line for line in machine.screen()),
                  'console=ttyS0: not on the screen', *machine.screen())


def panic_exit(tap):
    """panic=exit ends QEMU with a status of its own."""
    run = subprocess.run(
        ['timeout', '-k', '5', '30', 'qemu-system-i386', '-cpu', 'pentium3',
         '-display', 'none', '-nic', 'none', '-no-reboot', '-serial', 'stdio',
         '-device', 'isa-debug-exit,iobase=0xf4,iosize=4', *KERNEL, *INITRD,
         '-append', 'console=ttyS0 panic=exit init=/no/such'],
        stdin=subprocess.DEVNULL, capture_output=True, text=True)
    tap.check(run.returncode == PANIC, 'panic=exit: the status',
              run.returncode, run.stdout, run.stderr)


def main():
    tap = Tap()
    old_cpu(tap)
    no_serial_port(tap)
    serial_only(tap)
    panic_exit(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
