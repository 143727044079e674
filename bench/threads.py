#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether threads run in parallel: the time on the clock of one thread and of two that do the same work each.

Native, under nulgrind, and recorded by hardmeter with both engines, in turns; medians. Two threads on two CPUs take as long
as one: 1.00. Prints a Markdown table. Usage: threads.py HARDMETER [RUNS]
"""
import os
import subprocess
import sys
import tempfile
import time

import five_programs
from cpu_time import medians_in_turns, run
from copying import tools

SHOWN = ("native", "nulgrind", "valgrind", "copies only", "direct")


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
        medians = medians_in_turns({"one": [program, "1"], "two": [program, "2"]}, chosen, runs, wall_seconds)
    print(f"{five_programs.where_and_when()}; seconds on the clock, medians of {runs} interleaved runs\n")
    print("| | one thread | two threads | two / one |\n|---|---|---|---|")
    for tool in chosen:
        one, two = medians["one"][tool], medians["two"][tool]
        print(f"| {tool} | {one:.2f} | {two:.2f} | {two / one:.2f} |")


if __name__ == "__main__":
    main()
