#!/usr/bin/env python3
"""Runs the TAP programs of tests/guest in the guest, all of them in one boot
for each policy, and reports one check a program; then the census: nothing may
be left behind, and the file system must be clean."""
import glob
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, 'tests')
from tap import Tap

POLICIES = ('rmap=pte_chain',
            'rmap=objrmap i_mmap=list_sorted',
            'rmap=objrmap i_mmap=list')
SECONDS = 400
MARK = re.compile(r'^=== (\S+) ended with (\d+)$')
OUT = os.environ.get('O', 'build')


def programs():
    sources = sorted(glob.glob('tests/guest/*.c'))
    names = [os.path.basename(s)[:-2] for s in sources]
    return [n for n in names if not n.startswith('lib_')]


def boot(names, policy):
    """Runs the programs; returns the output, what the launcher said and its
    exit status."""
    script = ''.join(f'{n}; echo "=== {n} ended with $?"\n' for n in names)
    command = ['tools/guest', '-t', str(SECONDS), '--fsck', '-m', '128',
               '-a', policy, '-c', script]
    for name in names:
        command += ['-f', f'{OUT}/tests/{name}']
    done = subprocess.run(command, capture_output=True, text=True,
                          errors='replace')
    return done.stdout, done.stderr, done.returncode


def judge(name, lines, status):
    """Why a program's TAP is not a success; an empty list if it is."""
    plan = [line for line in lines if re.match(r'1\.\.\d+', line)]
    checks = [line for line in lines if re.match(r'(not )?ok\b', line)]
    bad = [line for line in lines if not re.match(r'ok\b|1\.\.\d+$', line)]
    if not any(line.startswith('not ok') for line in bad):
        bad = []
    if status != 0:
        bad.append(f'{name} ended with {status}')
    if not plan or int(plan[0][3:].split()[0]) != len(checks):
        bad.append(f'{len(checks)} checks; the plan says {plan}')
    return bad


def report(tap, names, policy):
    output, said, status = boot(names, policy)
    lines, seen = [], set()
    for line in output.split('\n'):
        mark = MARK.match(line)
        if not mark:
            lines.append(line)
            continue
        name = mark.group(1)
        seen.add(name)
        bad = judge(name, lines, int(mark.group(2)))
        tap.check(not bad, f'{name}, {policy}', *bad)
        lines = []
    for name in names:
        if name not in seen:
            tap.check(False, f'{name}, {policy}', 'did not end',
                      *lines[-20:])
            lines = []
    tap.check(status == 0, f'the guest, {policy}',
              f'tools/guest ended with {status}', said)


def main():
    names = programs()
    if not names:
        print('1..0 # SKIP no programs in tests/guest')
        return 0
    tap = Tap()
    for policy in POLICIES:
        report(tap, names, policy)
    return tap.finish()


if __name__ == '__main__':
    raise SystemExit(main())
