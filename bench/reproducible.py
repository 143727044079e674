#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""By how much counts differ from run to run in different environments: with --reproducible, without it, and under cachegrind.

Usage: reproducible.py HARDMETER [RUNS [WORD...]]; WORD: only programs with it in their names.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import five_programs
from cpu_time import CACHEGRIND, GEOMETRY, chosen
from real_programs import programs

EVENTS = ("instr_retired", "l1_cache_miss", "icache_miss")
REPRODUCIBLE = ["--reproducible"]


def environments(folder, runs):
    """Environments of different sizes and users, with folders of different lengths, and random hash seeds."""
    for i in range(runs):
        variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONHASHSEED", "PERL_HASH_SEED")}
        variables |= {"USER": "u" * (i + 1), "HARDMETER_BENCH": "x" * (977 * i)}
        place = os.path.join(folder, "runs", "y" * (1 + 3 * i))
        os.makedirs(place, exist_ok=True)
        yield variables, place


def hardmeter_counts(hardmeter, options, command, variables, place):
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([hardmeter, "stat", "--pmu=soft", *GEOMETRY, *options, "--json", "-o", file.name, "--", *command],
                       env=variables, cwd=place, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        totals = json.load(file)["totals"]
    return [totals[event] for event in EVENTS]


def cachegrind_counts(command, variables, place):
    tool = [word for word in CACHEGRIND if word != "-q"] + ["--trace-children=no"]
    said = subprocess.run([*tool, *command], env=variables, cwd=place, check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    found = [re.search(pattern + r":\s+([\d,]+)", said) for pattern in (r"I\s+refs", r"D1\s+misses", r"I1\s+misses")]
    return [int(each[1].replace(",", "")) for each in found]


def spread(counts):
    """The range of each count, in per cent of the smallest."""
    return [100 * (max(values) / min(values) - 1) for values in zip(*counts)]


def text_of(spreads):
    return ", ".join("equal" if each == 0 else f"{each:.3f} %" for each in spreads)


def main():
    hardmeter, rest = os.path.abspath(sys.argv[1]), sys.argv[2:]
    runs = int(rest[0]) if rest else 20
    rows = []
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        for name, command in chosen(programs(folder), rest[1:]).items():
            ways = {
                "reproducible": lambda *at, of=command: hardmeter_counts(hardmeter, REPRODUCIBLE, of, *at),
                "without": lambda *at, of=command: hardmeter_counts(hardmeter, [], of, *at),
                "cachegrind": lambda *at, of=command: cachegrind_counts(of, *at),
            }
            rows.append([name] + [text_of(spread([count(*at) for at in environments(folder, runs)])) for count in ways.values()])
            print(f"{name}: {rows[-1][1]}", file=sys.stderr)
    print(f"{five_programs.where_and_when()}; ranges of instructions, L1 load misses and L1I misses in {runs} runs (cachegrind: D1 misses "
          f"include stores); {' '.join(GEOMETRY)}\n")
    print("| program | `--reproducible` | without | cachegrind |\n|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
