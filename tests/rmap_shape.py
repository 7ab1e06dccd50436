"""What the published experiments must show at any size: right answers, a
clean check, a clean file system, and the counters of each reverse map in the
shape of 2003. Used by tests/bench.t and tests/long/bench.t."""
import json
import os
import re
import subprocess
import tempfile

from tap import Tap


def measure(*options):
    """Runs bench/run; returns the rows and what it said on stderr."""
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(['bench/run', '-o', out, *options], text=True,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        path = f'{out}/results.jsonl'
        if not os.path.exists(path):
            return [], done.stderr
        with open(path) as f:
            return [json.loads(line) for line in f], done.stderr


def option(row, letter):
    return int(re.search(rf' -{letter} (\d+)', row['command']).group(1))


def average(row, what):
    f = row['figures']
    return f[what] / f['rmap_walks'] if f['rmap_walks'] else 0


def judge_chains(tap, row, name):
    """A walk visits at most one PTE for each task that maps the page."""
    visited = average(row, 'rmap_ptes_visited')
    mappers = option(row, 't') + 1
    tap.check(0 < visited <= mappers,
              f'{name}: PTEs a walk at most {mappers}', visited)


def judge_objrmap(tap, row, name):
    """A walk of the sorted list goes, on average, through half of all VMAs
    of the file: those of every window in every task that maps it."""
    windows, tasks = option(row, 'n'), option(row, 't')
    expected = windows * (tasks + 1) / 2
    visited = average(row, 'rmap_vmas_visited')
    tap.check(0.5 * expected < visited < 1.5 * expected,
              f'{name}: VMAs a walk about {expected:.0f}', visited)
    useful = average(row, 'rmap_vmas_useful')
    tap.check(0 < useful <= tasks + 1,
              f'{name}: useful VMAs a walk at most {tasks + 1}', useful)


def judge_tree(tap, row, name):
    """The interval tree visits hardly more VMAs than map the page."""
    f = row['figures']
    visited = f['rmap_vmas_visited'] / max(f['rmap_vmas_useful'], 1)
    tap.check(1 <= visited < 3,
              f'{name}: VMAs visited for a useful one below 3', visited)


def run(*options):
    """Measures and judges all rows; returns the exit status."""
    tap = Tap()
    rows, said = measure(*options)
    tap.check(rows, 'there are rows', said)
    for row in rows:
        name = f'{row["title"]}, {row["name"]}'
        tap.check(not row['error'], f'{name}: completes', row['error'], said)
        if not row['figures']:
            continue
        if row['name'] == 'pte_chain':
            judge_chains(tap, row, name)
        elif row['name'] == 'objrmap_tree':
            judge_tree(tap, row, name)
        elif '-r' not in row['command'].split():
            judge_objrmap(tap, row, name)
    return tap.finish()
