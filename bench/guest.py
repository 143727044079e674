#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The engine for guests (--pmu=guest): what the kernel must miss, what programs miss, and what it costs.

- known: what the kernel's copying functions must load to read a file, pass data through a pipe, and copy the pages of a
  forked process, with what they missed, less what they miss without this work. No line is in the first level any more
  when it is used again.
- agreement: misses of programs in user mode, with those that the copying engine counts for the same geometry.
- cost: CPU time of a start, and of programs without the start's, over native.
Prints Markdown tables. Usage: guest.py HARDMETER [known] [agreement] [cost]
"""
import json
import os
import subprocess
import sys
import tempfile

import five_programs
from cpu_time import GEOMETRY, cpu_seconds

LINE, PAGE, MIB = 64, 4096, 1 << 20
PIPE = """
import os, sys
a, b = os.pipe()
block = bytes(65536)
for _ in range(256 if sys.argv[1] == "work" else 0):
    os.write(b, block)
    os.read(a, 65536)
"""
FORK = """
import mmap, os, sys
pages = 4096
memory = mmap.mmap(-1, pages * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for i in range(pages):
    memory[i * 4096] = 1
if os.fork() == 0:
    for i in range(pages if sys.argv[1] == "work" else 0):
        memory[i * 4096] = 2
    os._exit(0)
os.wait()
"""


def known_work(folder):
    """For each name: a command, the same without the work, and the lines that copying functions load for it."""
    with open(f"{folder}/data", "wb") as file:
        file.write(os.urandom(64 * MIB))
    dd, python = ["dd", f"if={folder}/data", "of=/dev/null", "bs=64k"], ["/usr/bin/python3", "-c"]
    return {
        "read a file of 64 MiB": ([*dd, "count=1024"], [*dd, "count=0"], 64 * MIB // LINE),
        "write and read a pipe, 16 MiB": ([*python, PIPE, "work"], [*python, PIPE, "none"], 2 * 16 * MIB // LINE),
        "copy 4,096 pages after a fork": ([*python, FORK, "work"], [*python, FORK, "none"], 4096 * PAGE // LINE),
    }


def programs(folder):
    five = five_programs.prepare(folder)
    return {
        "gzip": ["gzip", "-c", f"{folder}/text"],
        "bzip2": five["bzip2, 3 MB"],
        "perl hash": five["perl hash"],
        "cc1 -O2": five["cc1 -O2"],
        "python3 json": ["/usr/bin/python3", "-c", "import json; a = [{'k': i, 'v': str(i)} for i in range(40000)]; json.loads(json.dumps(a))"],
    }


def quietly(command):
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def misses_of_copying(hardmeter, folder, command):
    event = "l1_cache_miss"
    recording = f"{folder}/recording"
    quietly([hardmeter, "record", "--pmu=guest", *GEOMETRY, "-k", "-e", event, "-c", "100", "-o", recording, "--", *command])
    report = subprocess.run([hardmeter, "report", "-i", recording, "--json"], check=True, capture_output=True, text=True)
    rows = json.loads(report.stdout)["rows"]
    return sum(row["estimated"].get(event, 0) for row in rows if "copy" in row["function"])


def print_known(hardmeter, folder):
    print("| work | lines that it loads | misses of the copying functions | difference |\n|---|---:|---:|---:|")
    for name, (command, without, lines) in known_work(folder).items():
        misses = misses_of_copying(hardmeter, folder, command) - misses_of_copying(hardmeter, folder, without)
        print(f"| {name} | {lines:,} | {misses:,} | {misses / lines - 1:+.1%} |", flush=True)
    print()


def counts(hardmeter, folder, options, command):
    quietly([hardmeter, "stat", *options, *GEOMETRY, "--json", "-o", f"{folder}/counts", "--", *command])
    with open(f"{folder}/counts") as file:
        return json.load(file)["totals"]


def print_agreement(hardmeter, folder):
    events = ["instr_retired", "memory_loads", "l1_cache_miss", "l2_cache_miss", "dtlb_load_miss"]
    print("| program | " + " | ".join(events) + " |\n|---" * 1 + "|---:" * len(events) + "|")
    for name, command in programs(folder).items():
        guest = counts(hardmeter, folder, ["--pmu=guest", "-u"], command)
        direct = counts(hardmeter, folder, ["--pmu=soft", "--engine=direct"], command)
        cells = [f"{guest[each] / max(direct[each], 1) - 1:+.1%}" for each in events]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print()


def print_cost(hardmeter, folder):
    prefix = [hardmeter, "stat", "--pmu=guest", *GEOMETRY, "-o", "/dev/null", "--"]
    start = cpu_seconds([*prefix, "true"])
    print(f"A start with its end (`true`): {start:.1f} s of CPU time.\n")
    print("| program | native | guest, without the start | guest / native |\n|---|---:|---:|---:|")
    work = programs(folder)
    work["dd, 1 GiB of zeros"] = ["dd", "if=/dev/zero", "of=/dev/null", "bs=64k", "count=16384"]
    for name, command in work.items():
        native = min(cpu_seconds(command) for _ in range(3))
        guest = cpu_seconds([*prefix, *command]) - start
        print(f"| {name} | {native:.2f} | {guest:.1f} | {guest / native:.0f} |", flush=True)
    print()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    hardmeter, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.environ.update(PYTHONHASHSEED="0", PERL_HASH_SEED="0")  # both sides compared have the same tables
    tables = {"known": print_known, "agreement": print_agreement, "cost": print_cost}
    with tempfile.TemporaryDirectory() as folder:
        for name, print_table in tables.items():
            if not words or name in words:
                print_table(hardmeter, folder)
    print(five_programs.where_and_when().rsplit(",", 1)[0])


if __name__ == "__main__":
    main()
