"""A guest with a screen and a keyboard, driven through QEMU's monitor (QMP):
type on it, read its text screen, take a picture of it. For tests of what a
person at the machine sees."""
import json
import os
import re
import socket
import subprocess
import tempfile
import time

COLUMNS, LINES = 80, 25
SHIFTED = dict(zip('!@#$%^&*()_+{}:"~|<>?', "1234567890-=[];'`\\,./"))
NAMED = {' ': 'spc', '\n': 'ret', '-': 'minus', '=': 'equal', '/': 'slash',
         '.': 'dot', ',': 'comma', ';': 'semicolon', "'": 'apostrophe',
         '[': 'bracket_left', ']': 'bracket_right', '\\': 'backslash',
         '`': 'grave_accent'}


class Machine:
    """One QEMU; use it in a with statement, which also ends it."""

    def __init__(self, *options, memory=256):
        self.work = tempfile.TemporaryDirectory(prefix='machine.')
        path = f'{self.work.name}/qmp'
        self.serial_path = f'{self.work.name}/serial'
        self.qemu = subprocess.Popen(
            ['qemu-system-i386', '-machine', 'pc', '-cpu', 'pentium3',
             '-m', str(memory), '-nic', 'none', '-display', 'none',
             '-no-reboot', '-serial', f'file:{self.serial_path}',
             '-qmp', f'unix:{path},server=on,wait=off', *options],
            stdin=subprocess.DEVNULL)
        self.socket = self.connect(path)
        self.replies = self.socket.makefile()
        self.replies.readline()
        self.command('qmp_capabilities')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.qemu.kill()
        self.qemu.wait()
        self.replies.close()
        self.socket.close()
        self.work.cleanup()

    @staticmethod
    def connect(path):
        for _ in range(100):
            try:
                s = socket.socket(socket.AF_UNIX)
                s.connect(path)
                return s
            except OSError:
                s.close()
                time.sleep(0.1)
        raise TimeoutError('QEMU does not open its monitor')

    def command(self, name, **arguments):
        """Runs a monitor command and returns its result."""
        text = json.dumps({'execute': name, 'arguments': arguments})
        self.socket.sendall(text.encode())
        for line in self.replies:
            reply = json.loads(line)
            if 'error' in reply:
                raise RuntimeError(f'{name}: {reply["error"]["desc"]}')
            if 'return' in reply:
                return reply['return']
        raise EOFError('QEMU ended')

    def press(self, *keys):
        """Presses keys together, by QEMU's names, and lets them go."""
        self.command('send-key', keys=[{'type': 'qcode', 'data': k}
                                       for k in keys])
        time.sleep(0.15)

    def type(self, text):
        for c in text:
            shift = c.isupper() or c in SHIFTED
            c = SHIFTED.get(c, c.lower())
            key = NAMED.get(c, c)
            self.press(*(['shift', key] if shift else [key]))

    def screen(self):
        """The text screen as lines without the blanks at their ends."""
        path = f'{self.work.name}/screen'
        self.command('pmemsave', val=0xB8000, size=2 * COLUMNS * LINES,
                     filename=path)
        with open(path, 'rb') as f:
            text = f.read()[::2].decode('cp437')
        return [text[i:i + COLUMNS].replace('\0', ' ').rstrip()
                for i in range(0, COLUMNS * LINES, COLUMNS)]

    def picture(self, path):
        """Writes a PNG of the screen."""
        self.command('screendump', filename=os.path.abspath(path),
                     format='png')

    def serial(self):
        """What came from the serial line so far, as plain text."""
        with open(self.serial_path, errors='replace') as f:
            return re.sub(r'\x1b\[[0-9;?]*[a-zA-Z]|\r', '', f.read())

    def wait(self, pattern, seconds):
        """Waits until a line of the screen matches; true if one did."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if any(re.search(pattern, line) for line in self.screen()):
                return True
            time.sleep(0.2)
        return False

    def wait_for_end(self, seconds):
        """Waits until QEMU ends by itself; true if it did."""
        try:
            self.qemu.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False
