#!/usr/bin/env python3
"""The ISO: small, boots as a CD and as a disk, from memory to a shell on the
screen, and reads the keyboard; its other menu entries."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, 'tests')
from machine import Machine
from tap import Tap

OUT = os.environ.get('O', 'build')
ISO = f'{OUT}/pagelab.iso'
CD = ('-cdrom', ISO, '-boot', 'd')
PROMPT = r'^[~/]\w* # *$'
SECONDS = 40
MB = 1 << 20


def shell(tap, name, machine):
    """Waits for the prompt and has the shell calculate."""
    if not machine.wait(PROMPT, SECONDS):
        tap.check(False, f'{name}: a prompt', *machine.screen(),
                  'serial line:', machine.serial()[-600:])
        return False
    machine.type('echo $((6*7)) Ok\n')
    tap.check(machine.wait('^42 Ok$', 10), f'{name}: a shell',
              *machine.screen())
    return True


def choose(machine, entry):
    """Takes an entry of GRUB's menu, counted from 0."""
    machine.wait('Pagelab, from memory', SECONDS)
    for _ in range(entry):
        machine.press('down')
    machine.press('ret')


def boots(tap):
    with Machine(*CD) as machine:
        if shell(tap, 'as a CD', machine):
            machine.type('poweroff\n')
            tap.check(machine.wait_for_end(20), 'poweroff ends the machine',
                      *([] if machine.qemu.poll() is not None
                        else machine.screen()))
    with Machine('-drive', f'file={ISO},format=raw,if=ide,snapshot=on') as m:
        shell(tap, 'as a disk', m)


def hole(tap):
    """15-16 MB is no memory: the kernel lives without it."""
    with Machine(*CD) as machine:
        choose(machine, 5)
        if shell(tap, 'with a hole at 15-16 MB', machine):
            machine.type('echo 1 >/proc/sys/vm/check\n')
            machine.type('cat /proc/sys/vm/check\n')
            tap.check(machine.wait('^ok$', 10), 'with a hole: a clean check',
                      *machine.screen())


def labelled(tap):
    """Root and swap are found by their labels, on whichever disk."""
    disk = f'{OUT}/iso-test.img'
    subprocess.run(['tools/mkdisk', '-d', '64', '-w', '16', f'{OUT}/root',
                    disk], check=True)
    with Machine(*CD, '-drive', f'file={disk},format=raw,if=ide') as machine:
        choose(machine, 3)
        if shell(tap, 'labelled partitions', machine):
            machine.type('cat /proc/swaps /proc/mounts\n')
            tap.check(machine.wait('partition', 10), 'labelled swap',
                      *machine.screen())
            tap.check(machine.wait('ext2', 10), 'labelled root',
                      *machine.screen())
            machine.type('poweroff\n')
            machine.wait_for_end(20)
    fsck = subprocess.run(['/sbin/e2fsck', '-fn', f'{disk}?offset={MB}'],
                          capture_output=True, text=True)
    tap.check(fsck.returncode == 0, 'labelled root: clean', fsck.stdout)
    os.remove(disk)


def main():
    tap = Tap()
    made = subprocess.run(['make', '-s', 'iso'], capture_output=True,
                          text=True)
    tap.check(made.returncode == 0, 'make iso', made.stderr)
    if made.returncode == 0:
        size = os.path.getsize(ISO)
        tap.check(size <= 4 * MB, 'at most 4 MB', size)
        boots(tap)
        hole(tap)
        labelled(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
