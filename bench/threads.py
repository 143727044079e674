#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether threads run in parallel: the time on the clock of one thread and of two that do the same work each.

Native, under nulgrind, and recorded by hardmeter with both engines, in turns; medians. In one program the threads shuffle
256 KiB each, in the other they walk over 1 MiB each, which the first two levels miss and the shared third has. Two threads
on two CPUs take as long as one: 1.00. Prints a Markdown table. Usage: threads.py HARDMETER [RUNS]
"""
import os
import subprocess
import sys
import tempfile
import time

import five_programs
from cpu_time import GEOMETRY, medians_in_turns, run
from copying import tools

SHOWN = ("native", "nulgrind", "valgrind", "copies only", "direct")
WORK = {"shuffle": [], "walk": ["walk"]}


def wall_seconds(command):
    begin = time.monotonic()
    run(command)
    return time.monotonic() - begin


def main():
    hardmeter, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    cpus = len(os.sched_getaffinity(0))
    if cpus < 2:
        sys.exit(f"bench: threads are not measured: it takes two CPUs, and there is {cpus}")
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        program = f"{folder}/threads"
        subprocess.run(["gcc", "-O2", "-pthread", "-o", program, f"{five_programs.HERE}/programs/threads.c"], check=True)
        chosen = {name: prefix for name, prefix in tools(hardmeter, folder).items() if name in SHOWN}
        chosen["direct, with classes"] = [hardmeter, "record", "-q", "--engine=direct", "--pmu=soft", *GEOMETRY,
                                          "-e", "l1_cache_miss", "-c", "1000", "-o", f"{folder}/perf.data", "--"]
        programs = {f"{work} {threads}": [program, threads, *words] for work, words in WORK.items() for threads in "12"}
        medians = medians_in_turns(programs, chosen, runs, wall_seconds)
    print(f"{five_programs.where_and_when()}; seconds on the clock, medians of {runs} interleaved runs\n")
    print("| work | | one thread | two threads | two / one |\n|---|---|---|---|---|")
    for work in WORK:
        for tool in chosen:
            one, two = medians[f"{work} 1"][tool], medians[f"{work} 2"][tool]
            print(f"| {work} | {tool} | {one:.2f} | {two:.2f} | {two / one:.2f} |")


if __name__ == "__main__":
    main()
