#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What events cost that need few models or none: CPU time over native, beside the tools that count instructions.

Usage: selected_events.py HARDMETER [RUNS [WORD...]]; WORD: only programs with it in their names.
"""
import sys
import tempfile

import five_programs
from cpu_time import GEOMETRY, chosen, geometric_mean, medians_in_turns
from real_programs import programs

PROGRAMS = ("python3 json", "gzip, 1 MB", "perl hash", "cc1plus templates")
VALGRIND = ["valgrind", "-q", "--trace-children=yes"]


def tools(hardmeter, folder):
    """What stands before a program's command, by name."""
    def measuring(command, *options):
        return [hardmeter, command, "--pmu=soft", *GEOMETRY, *options, "-o", f"{folder}/result", "--"]

    def recording(event, *options):
        return measuring("record", "-q", "-e", event, *options)

    return {
        "native": [],
        "valgrind --tool=none": VALGRIND + ["--tool=none"],
        "cachegrind --cache-sim=no": VALGRIND + ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"],
        "callgrind": VALGRIND + ["--tool=callgrind", "--callgrind-out-file=/dev/null"],
        "stat -e instr_retired": measuring("stat", "-e", "instr_retired"),
        "record -e instr_retired -c 100000": recording("instr_retired", "-c", "100000"),
        "record -e memory_loads -c 100000": recording("memory_loads", "-c", "100000"),
        "record -e branch_mispredict -c 10000": recording("branch_mispredict", "-c", "10000"),
        "stat -e icache_miss": measuring("stat", "-e", "icache_miss"),
        "record -e dtlb_load_miss": recording("dtlb_load_miss"),
        "record -e l1_cache_miss": recording("l1_cache_miss"),
        "record -e l1_cache_miss --l1i none": recording("l1_cache_miss", "--l1i", "none"),
        "record -e clock": recording("clock"),
    }


def print_ratios(medians):
    names = list(medians)
    print("| command | " + " | ".join(names) + " | geometric mean |")
    print("|---" * (len(names) + 2) + "|")
    for tool in list(medians[names[0]])[1:]:
        ratios = [medians[name][tool] / medians[name]["native"] for name in names]
        print(f"| `{tool}` | " + " | ".join(f"{ratio:.1f}" for ratio in ratios) + f" | {geometric_mean(ratios):.1f} |")


def main():
    hardmeter, rest = sys.argv[1], sys.argv[2:]
    runs = int(rest[0]) if rest else 3
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        wanted = chosen({name: command for name, command in programs(folder).items() if name in PROGRAMS}, rest[1:])
        if not wanted:
            sys.exit(f"bench: no program has any of these in its name: {' '.join(rest[1:])}")
        medians = medians_in_turns(wanted, tools(hardmeter, folder), runs)
    print(f"{five_programs.where_and_when()}; CPU time over native, medians of {runs} interleaved runs; {' '.join(GEOMETRY)}\n")
    print_ratios(medians)


if __name__ == "__main__":
    main()
