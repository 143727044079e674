#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long reports of large recordings take, and how much memory, beside perf's on the same files.

Records a C++ program with deep inlining once, with call chains and branches, and makes of it recordings of so many
million samples. Each command runs in turn, so that what disturbs one disturbs all; medians. Prints a Markdown table.
Usage: loading.py HARDMETER MULTIPLY_RECORDING [RUNS [MILLIONS...]]
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

import five_programs

SIZES = [1, 5, 20]
PERF_TABLE = "perf report --stdio"


def commands(hardmeter, path):
    perf, ours = ["perf", "report", "--stdio", "-i", path], [hardmeter, "report", "-i", path]
    return {
        PERF_TABLE: perf,
        "... --no-children -g none --no-inline": perf + ["--no-children", "-g", "none", "--no-inline"],
        "perf script": ["perf", "script", "-i", path],
        "hardmeter report": ours,
        "hardmeter report --sort line --limit 100": ours + ["--sort", "line", "--limit", "100"],
        "hardmeter report -g": ours + ["-g"],
    }


def run(command):
    """Seconds on the clock, CPU seconds, and the peak of its memory (with the pages of the mapped file) in MiB."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit(f"bench: {' '.join(command)} ended with status {status}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def record(hardmeter, folder):
    here = os.path.dirname(os.path.abspath(__file__))
    program, path = f"{folder}/inlines", f"{folder}/small.data"
    subprocess.run(["g++", "-std=c++20", "-O2", "-g", "-pthread", "-o", program, f"{here}/programs/inlines.cc"], check=True)
    subprocess.run([hardmeter, "record", "-q", "-g", "-b", "any", "-e", "l1_cache_miss,branch_mispredict", "-c", "100",
                    "-o", path, "--", program, "4"], check=True, stdout=subprocess.DEVNULL)
    return path


def measure(hardmeter, path, runs):
    results = {name: [] for name in commands(hardmeter, path)}
    for i in range(runs):
        for name, command in commands(hardmeter, path).items():
            results[name].append(run(command))
        print(f"{path}: run {i + 1} of {runs}", file=sys.stderr)
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in results.items()}


def print_rows(millions, medians):
    table, script = medians[PERF_TABLE], medians["perf script"]
    for name, (seconds, cpu, memory) in medians.items():
        print(f"| {millions} M | `{name}` | {seconds:.2f} | {cpu:.2f} | {memory:,.0f} | {table[0] / seconds:.1f} | "
              f"{script[0] / seconds:.1f} |", flush=True)


def main():
    hardmeter, multiply = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    sizes = [int(size) for size in sys.argv[4:]] or SIZES
    print(f"{five_programs.where_and_when()}; seconds, medians of {runs} interleaved runs\n")
    print("| samples | command | seconds | CPU seconds | peak MiB | perf report / it | perf script / it |")
    print("|---" * 7 + "|")
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        small = record(hardmeter, folder)
        for millions in sizes:
            large = f"{folder}/{millions}.data"
            subprocess.run([multiply, small, large, str(millions * 1000000)], check=True)
            print_rows(millions, measure(hardmeter, large, runs))
            os.remove(large)


if __name__ == "__main__":
    main()
