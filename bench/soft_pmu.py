#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time of five programs: native, under nulgrind, under cachegrind, and recorded by hardmeter with everything on.

All in one run, interleaved, so that what disturbs one disturbs all; medians, and ratios in the geometric mean. Prints a
Markdown table. Usage: soft_pmu.py HARDMETER [RUNS]
"""
import sys
import tempfile

import five_programs
from cpu_time import CACHEGRIND, GEOMETRY, NULGRIND, mean_ratio, medians_in_turns


def tools(hardmeter, folder):
    record = [hardmeter, "record", "-q", *GEOMETRY, "-e", "l1_cache_miss", "-b", "call,ret", "-o", f"{folder}/perf.data"]
    return {
        "native": [],
        "nulgrind": NULGRIND,
        "cachegrind": CACHEGRIND,
        "hardmeter": record + ["-c", "1000", "--"],
        "hardmeter, no samples": record + ["-c", "1000000000000", "--"],
    }


def main():
    hardmeter, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        commands = tools(hardmeter, folder)
        medians = medians_in_turns(five_programs.prepare(folder), commands, runs)

    print(f"{five_programs.where_and_when()}; CPU seconds, medians of {runs} interleaved runs; "
          f"{' '.join(GEOMETRY)}\n")
    print("| program | " + " | ".join(commands) + " | cachegrind / hardmeter | hardmeter / nulgrind |")
    print("|---" * (len(commands) + 3) + "|")
    for program, row in medians.items():
        print(f"| {program} | " + " | ".join(f"{row[tool]:.2f}" for tool in commands) +
              f" | {row['cachegrind'] / row['hardmeter']:.2f} | {row['hardmeter'] / row['nulgrind']:.2f} |")
    print("| geometric mean" + " |" * (len(commands) + 1) + f" {mean_ratio(medians, 'cachegrind', 'hardmeter'):.2f} | "
          f"{mean_ratio(medians, 'hardmeter', 'nulgrind'):.2f} |")
    print(f"\nWriting the samples costs {100 * (mean_ratio(medians, 'hardmeter', 'hardmeter, no samples') - 1):.1f} % "
          "(geometric mean, a sample every 1000 L1 misses).")


if __name__ == "__main__":
    main()
