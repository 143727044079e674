#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `hardmeter run` costs on programs of about 20 seconds: CPU time against a native run, and the size of the recording.

Usage: long_runs.py HARDMETER [RUNS [WORD...]]; WORD: only programs with it in their names.
"""
import os
import statistics
import sys
import tempfile

import bursts
from cpu_time import chosen, cpu_seconds

TIMES = 8
INTERPRETERS = ("python3", "perl", "sqlite3", "node")


def measure(hardmeter, folder, command):
    """CPU seconds natively and under `run`, and the recording's size in MB."""
    path = f"{folder}/recording.data"
    native = cpu_seconds(command)
    return native, cpu_seconds([hardmeter, "run", "-o", path, "--", *command]), os.path.getsize(path) / 1e6


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    hardmeter, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print("| program | native | `run` | `run` / native | MB |\n| --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, command in chosen(bursts.programs(folder, TIMES), sys.argv[3:]).items():
            if not name.startswith(INTERPRETERS):
                continue
            rounds = [measure(hardmeter, folder, command) for _ in range(runs)]
            native, run, size = (statistics.median(each) for each in zip(*rounds))
            ratios = sorted(b / a for a, b, _ in rounds)
            print(f"| {name} | {native:.1f} | {run:.1f} | {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) | {size:.0f} |",
                  flush=True)


if __name__ == "__main__":
    main()
