#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time of five programs: native, under nulgrind, under cachegrind, and recorded by hardmeter with everything on.

All in one run, interleaved, so that what disturbs one disturbs all; medians, and ratios in the geometric mean. Prints a
Markdown table. Usage: soft_pmu.py HARDMETER [RUNS]
"""
import math
import resource
import statistics
import subprocess
import sys
import tempfile

import five_programs

# The same first level and last level for both; hardmeter has a second level between them, cachegrind cannot.
CACHEGRIND = ["valgrind", "-q", "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null",
              "--I1=32768,8,64", "--D1=32768,8,64", "--LL=33554432,16,64"]
GEOMETRY = ["--cpu", "zen4"]


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with status {done.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tools(hardmeter, folder):
    record = [hardmeter, "record", "-q", *GEOMETRY, "-e", "l1_cache_miss", "-b", "call,ret", "-o", f"{folder}/perf.data"]
    return {
        "native": [],
        "nulgrind": ["valgrind", "-q", "--tool=none"],
        "cachegrind": CACHEGRIND,
        "hardmeter": record + ["-c", "1000", "--"],
        "hardmeter, no samples": record + ["-c", "1000000000000", "--"],
    }


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def main():
    hardmeter, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        programs, commands = five_programs.prepare(folder), tools(hardmeter, folder)
        medians = {}
        for program, arguments in programs.items():
            times = {tool: [] for tool in commands}
            for run in range(runs):
                for tool, prefix in commands.items():
                    times[tool].append(cpu_seconds(prefix + arguments))
                print(f"{program}: run {run + 1} of {runs}", file=sys.stderr)
            medians[program] = {tool: statistics.median(values) for tool, values in times.items()}

    print(f"{five_programs.where_and_when()}; CPU seconds, medians of {runs} interleaved runs; "
          f"{' '.join(GEOMETRY)}\n")
    print("| program | " + " | ".join(commands) + " | cachegrind / hardmeter | hardmeter / nulgrind |")
    print("|---" * (len(commands) + 3) + "|")
    for program, row in medians.items():
        print(f"| {program} | " + " | ".join(f"{row[tool]:.2f}" for tool in commands) +
              f" | {row['cachegrind'] / row['hardmeter']:.2f} | {row['hardmeter'] / row['nulgrind']:.2f} |")
    def ratio(a, b):
        return geometric_mean([row[a] / row[b] for row in medians.values()])
    print("| geometric mean" + " |" * (len(commands) + 1) +
          f" {ratio('cachegrind', 'hardmeter'):.2f} | {ratio('hardmeter', 'nulgrind'):.2f} |")
    print(f"\nWriting the samples costs {100 * (ratio('hardmeter', 'hardmeter, no samples') - 1):.1f} % "
          "(geometric mean, a sample every 1000 L1 misses).")


if __name__ == "__main__":
    main()
