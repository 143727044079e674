#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long the first screen of a long time line takes, and any window of it after that, and how much memory.

Records SQLite once with 32 branches a sample, makes recordings of so many million samples of it, and runs report and timeline on
each in turn; medians. Windows are found in the loaded time line (timeline_windows). The memory of the mapped file, whose pages the
system may take back, is counted too. Prints a Markdown table. Usage: long_timeline.py BUILD [RUNS [MILLIONS...]]
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import five_programs
from loading import run

BRANCHES = 32


def record(build, folder):
    fill = pathlib.Path(__file__).resolve().parent.parent / "examples/sqlite/fill.sql"
    path = f"{folder}/small.data"
    subprocess.run([build / "bin/hardmeter", "record", "-q", "--pmu=soft", "-e", "instr_retired", "-c", "20000", "-b", "call,ret",
                    "--no-heap-blocks", "--no-classes", "-o", path, "--", "sqlite3", ":memory:", f".read {fill}"],
                   check=True, stdout=subprocess.DEVNULL)
    return path


def row(build, millions, path, runs):
    hardmeter = str(build / "bin/hardmeter")
    commands = {"report": [hardmeter, "report", "-i", path], "timeline": [hardmeter, "timeline", "-i", path]}
    results = {name: [] for name in commands}
    for i in range(runs):
        for name, command in commands.items():
            results[name].append(run(command))
        print(f"{path}: run {i + 1} of {runs}", file=sys.stderr)
    report, timeline = (statistics.median(seconds for seconds, _, _ in results[name]) for name in ("report", "timeline"))
    memory = statistics.median(mib for _, _, mib in results["timeline"])
    file = os.path.getsize(path) / 2**20
    count, median, longest = subprocess.run([build / "bench/timeline_windows", path], check=True, capture_output=True,
                                            text=True).stdout.split()
    return (f"| {millions} M | {file:,.0f} | {report:.2f} | {timeline:.2f} | {timeline / report:.2f} | {memory:,.0f} | "
            f"{memory / file:.2f} | {count} | {median} | {longest} |")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    sizes = [int(size) for size in sys.argv[3:]] or [1, 5]
    subprocess.run(["cmake", "--build", build, "--target", "product", "multiply_recording", "timeline_windows"], check=True,
                   stdout=subprocess.DEVNULL)
    print(f"{five_programs.where_and_when()}; {BRANCHES} branches a sample; medians of {runs} interleaved runs\n")
    print("| samples | file, MiB | report, s | timeline, s | timeline / report | peak, MiB | peak / file | windows | median, ms | longest, ms |")
    print("|---:" * 10 + "|")
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        small = record(build, folder)
        for millions in sizes:
            large = f"{folder}/{millions}.data"
            subprocess.run([build / "bin/multiply_recording", small, large, str(millions * 1000000), str(BRANCHES)], check=True)
            print(row(build, millions, large, runs), flush=True)
            os.remove(large)


if __name__ == "__main__":
    main()
