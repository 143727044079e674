#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lines that pass between threads, counted again and again on a quiet machine and beside busy loops. Prints a Markdown table.

Usage: sharing.py HARDMETER FALSE_SHARING [RUNS [LOADS...]]: RUNS (10) at each load (0 and 8 busy loops).
"""
import json
import statistics
import subprocess
import sys
import tempfile
import time

WRITES = 20_000_000


def count(hardmeter, command, cores, folder):
    """How many lines came from other cores, and for how many seconds the program ran."""
    path = f"{folder}/counted"
    began = time.monotonic()
    subprocess.run([hardmeter, "stat", "--pmu=soft", "--engine=direct", "--cpu", "zen4", "--cores", str(cores), "--json",
                    "-e", "shared_line_hit", "-o", path, "--", *command], check=True)
    with open(path) as file:
        return json.load(file)["totals"]["shared_line_hit"], time.monotonic() - began


def row(hardmeter, program, threads, load, runs, folder):
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(load)]
    try:
        results = [count(hardmeter, [program, "8", str(WRITES // threads), str(threads)], threads + 1, folder) for _ in range(runs)]
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    counts = [shared for shared, _ in results]
    middle = statistics.median(counts)
    spread = max(abs(each - middle) for each in counts) / middle
    seconds = statistics.median(seconds for _, seconds in results)
    return f"| {threads} | {load} | {middle:,.0f} | {min(counts):,} to {max(counts):,} | {100 * spread:.2f} % | {seconds:.1f} s |"


def main():
    hardmeter, program = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    loads = [int(each) for each in sys.argv[4:]] or [0, 8]
    print("| threads | busy loops beside | shared_line_hit, median | all runs | farthest from it | took |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        for threads in (2, 4):
            for load in loads:
                print(row(hardmeter, program, threads, load, runs, folder), flush=True)


main()
