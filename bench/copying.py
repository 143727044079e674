#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the copying engine costs: CPU time of eight programs, native, under nulgrind, under cachegrind, under both engines.

"copies only": the copying engine models nothing. "valgrind" and "direct": everything on, with each engine: caches, TLBs,
exact registers, the branch stack, a sample every 1000 L1 misses, the recording written; but not why lines miss, which causes.py
measures. Prints a Markdown table.
Usage: copying.py HARDMETER [RUNS [WORD...]]; WORD: only programs with it in their names
"""
import os
import shutil
import subprocess
import sys
import tempfile

import five_programs
from cpu_time import CACHEGRIND, GEOMETRY, NULGRIND, chosen, medians_in_turns, print_table

SIMULATING = CACHEGRIND + ["--branch-sim=yes"]
RATIOS = (("copies only", "native"), ("direct", "native"), ("valgrind", "direct"), ("cachegrind", "direct"))


def tools(hardmeter, folder):
    sampled = ["-e", "l1_cache_miss", "-c", "1000", "-b", "any", "-o", f"{folder}/perf.data"]
    recorded = ["--pmu=soft", *GEOMETRY, "--no-classes", "--no-heap-blocks", *sampled, "--"]
    return {
        "native": [],
        "nulgrind": NULGRIND,
        "cachegrind": SIMULATING,
        "valgrind": [hardmeter, "record", "-q", "--engine=valgrind", *recorded],
        "copies only": [hardmeter, "stat", "--pmu=soft", "--engine=direct", "--copies-only", "-o", "/dev/null", "--"],
        "direct": [hardmeter, "record", "-q", "--engine=direct", *recorded],
    }


def programs(folder):
    commands = five_programs.prepare(folder)
    subprocess.run(["gcc", "-O2", "-o", f"{folder}/chase", f"{five_programs.HERE}/programs/chase.c"], check=True)
    commands["pointer chase 64 MiB"] = [f"{folder}/chase"]
    commands["python3 words"] = ["python3", f"{five_programs.HERE}/programs/words.py", f"{folder}/text"]
    os.environ["PYTHONHASHSEED"] = "0"
    if shutil.which("sqlite3"):
        commands["sqlite3 query"] = ["sqlite3", ":memory:", f".read {five_programs.HERE}/programs/query.sql"]
    else:
        print("bench: sqlite3 is not measured: it is not installed (apt install sqlite3)", file=sys.stderr)
    return commands


def main():
    hardmeter, runs, words = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5, sys.argv[3:]
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        commands = tools(hardmeter, folder)
        wanted = chosen(programs(folder), words)
        if not wanted:
            sys.exit(f"bench: no program has any of these in its name: {' '.join(words)}")
        medians = medians_in_turns(wanted, commands, runs)
    print(f"{five_programs.where_and_when()}; CPU seconds, medians of {runs} interleaved runs; {' '.join(GEOMETRY)}\n")
    print_table(medians, RATIOS)


if __name__ == "__main__":
    main()
