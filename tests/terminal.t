#!/usr/bin/env python3
"""The terminal as a person at the screen and keyboard knows it: editing a
line, signals, jobs, raw programs, and the modes that stty shows."""
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, 'tests')
from machine import Machine
from tap import Tap

OUT = os.environ.get('O', 'build')
BOOT = ('-kernel', f'{OUT}/kernel.elf', '-initrd', f'{OUT}/initramfs.cpio')
SECONDS = 10


class Typist(Machine):
    """A machine with a quicker hand at the keyboard, which rests after a
    line, for QEMU forgets keys that a busy host lets pile up, and after
    ESC, which else begins the next key's sequence."""

    def press(self, *keys):
        self.command('send-key', keys=[{'type': 'qcode', 'data': k}
                                       for k in keys], **{'hold-time': 15})
        time.sleep(0.5 if keys in (('ret',), ('esc',)) else 0.05)


class Terminal:
    """Types on a machine and checks what its screen then shows."""

    def __init__(self, tap, machine):
        self.tap = tap
        self.machine = machine

    def shows(self, pattern, name):
        self.tap.check(self.machine.wait(pattern, SECONDS), name,
                       *self.machine.screen())

    def clear(self):
        self.machine.type('clear\n')
        self.machine.wait('^$', 1)

    def control(self, key):
        self.machine.press('ctrl', key)


def editing(t):
    """cat reads lines that the kernel edits (the shell edits its own)."""
    m = t.machine
    m.type('cat >/tmp/a\n')
    m.type('one twoo')
    m.press('backspace')
    m.type('\nwrong')
    t.control('u')
    m.type('right word')
    t.control('w')
    m.type('end\n')
    t.control('d')
    m.type('od -c /tmp/a | head -2; wc -c /tmp/a\n')
    t.shows('^18 /tmp/a$', 'erase, kill, word erase, end of file')
    m.type('cat /tmp/a\n')
    t.shows('^right end$', 'the edited line')
    t.clear()


def signals(t):
    m = t.machine
    m.type('sleep 1000\n')
    t.control('c')
    m.type('echo status $?\n')
    t.shows('^status 130$', '^C ends the program')
    m.type('sleep 1000\n')
    t.control('z')
    t.shows('Stopped +sleep 1000', '^Z stops it')
    m.type('fg\n')
    t.control('backslash')
    m.type('echo status $?\n')
    t.shows('^status 131$', 'fg continues it and ^\\ ends it')
    t.clear()


def jobs(t):
    m = t.machine
    m.type('cat &\n')
    m.type('sleep 1; jobs\n')
    t.shows(r'Stopped \(tty input\) +cat', 'a background reader is stopped')
    m.type('kill %1; wait; stty tostop\n')
    m.type('echo never &\n')
    m.type('sleep 1; jobs; stty -tostop; kill %1; echo done\n')
    t.shows(r'Stopped \(tty output\) +echo', 'tostop stops a writer')
    t.shows('^done$', 'and the shell goes on')
    t.clear()
    m.type('(sleep 1; echo Not now) & read x < /dev/tty; echo got $x\n')
    m.type('some words\n')
    t.shows('^got some words$', '/dev/tty is the terminal')
    t.clear()


def raw(t):
    m = t.machine
    m.type('stty -icanon -echo min 0 time 5; head -c 3 | od -c; stty sane\n')
    t.shows('^0000000$', 'raw: a read without input ends after the time')
    m.type('stty -icanon min 3 time 0; dd bs=9 count=1 | od -c\n')
    m.type('xyz')
    t.shows('x +y +z$', 'raw: three bytes are enough')
    m.type('stty sane\n')
    t.clear()
    m.type('vi /tmp/b\n')
    m.wait('/tmp/b', SECONDS)
    m.type('ifirst\nlast')
    m.press('esc')
    m.press('up')
    m.type('Omiddle')
    m.press('esc')
    t.shows('^middle', 'vi on the screen, with arrow keys')
    m.type(':wq\n')
    m.type('clear; cat /tmp/b\n')
    t.shows('^last$', 'vi wrote the file')


def main():
    tap = Tap()
    with Typist(*BOOT, memory=64) as machine:
        if not machine.wait('# *$', 40):
            tap.check(False, 'a prompt', *machine.screen())
            return tap.finish()
        terminal = Terminal(tap, machine)
        for part in (editing, signals, jobs, raw):
            part(terminal)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
