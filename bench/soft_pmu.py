#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time of five programs: native, under nulgrind, under cachegrind, and recorded by hardmeter with everything on.

All in one run, interleaved, so that what disturbs one disturbs all; medians, and ratios in the geometric mean. Prints a
Markdown table. Usage: soft_pmu.py HARDMETER [RUNS]
"""
import datetime
import math
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
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


def prepare(folder):
    subprocess.run([f"{HERE}/programs/make_inputs.sh", folder], check=True)
    for name in ("random_access", "matmul"):
        subprocess.run(["gcc", "-O2", "-o", f"{folder}/{name}", f"{HERE}/programs/{name}.c"], check=True)
    compiler = subprocess.run(["gcc", "-print-prog-name=cc1"], check=True, capture_output=True, text=True).stdout.strip()
    return {
        "random access 64 MiB": [f"{folder}/random_access"],
        "matmul 500": [f"{folder}/matmul", "500"],
        "bzip2, 3 MB": ["bzip2", "-kc", f"{folder}/text"],
        "perl hash": ["perl", f"{HERE}/programs/hash.pl"],
        "cc1 -O2": [compiler, "-O2", "-quiet", f"{folder}/program.c", "-o", "/dev/null"],
    }


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


def cpu_name():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0]}, {len(names)} CPUs" if names else platform.machine()


def main():
    hardmeter, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    os.environ["PERL_HASH_SEED"] = "0"
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        programs, commands = prepare(folder), tools(hardmeter, folder)
        medians = {}
        for program, arguments in programs.items():
            times = {tool: [] for tool in commands}
            for run in range(runs):
                for tool, prefix in commands.items():
                    times[tool].append(cpu_seconds(prefix + arguments))
                print(f"{program}: run {run + 1} of {runs}", file=sys.stderr)
            medians[program] = {tool: statistics.median(values) for tool, values in times.items()}

    version = subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip()
    print(f"{datetime.date.today()}, {cpu_name()}, Linux {platform.release()}, {version}; "
          f"CPU seconds, medians of {runs} interleaved runs; {' '.join(GEOMETRY)}\n")
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
