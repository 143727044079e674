#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What sampling by the clock costs the program: hardmeter's recorder beside perf's, with the same fields.

The program's own time on the clock, without the recorder's start and end. In each round every recorder runs once, perf
twice: perf against itself shows the noise. "one CPU": program and recorder share it. "system": everything is recorded,
while two copies of the program keep two CPUs busy. Prints a Markdown table. Usage: recording.py HARDMETER [ROUNDS]
"""
import json
import statistics
import subprocess
import sys
import tempfile

import five_programs

REGISTERS = "AX,BX,CX,DX,SI,DI,BP,SP,IP,FLAGS,CS,SS,R8,R9,R10,R11,R12,R13,R14,R15"
PERIODS = {"1 ms": 1_000_000, "100 us": 100_000, "10 us": 10_000}


def recorders(hardmeter, period, system, folder):
    whole = ["-a"] if system else []
    perf = ["perf", "record", "-q", *whole, "-e", "cpu-clock", "-c", str(period), "--sample-cpu", "--period",
            "--sample-identifier", f"--intr-regs={REGISTERS}", "-o", f"{folder}/perf.data", "--"]
    ours = [hardmeter, "record", "-q", "--pmu=linux", *whole, "-e", "clock", "-c", str(period), "-o",
            f"{folder}/ours.data", "--"]
    return {"nothing": [], "perf": perf, "hardmeter": ours, "perf again": perf}


def seconds(prefix, script, pin):
    """Of the program, as bash in the recorded command measures it."""
    with tempfile.NamedTemporaryFile("r") as times:
        timed = ["bash", "-c", f"TIMEFORMAT=%R; {{ time {{ {script}; }} 2>/dev/null; }} 2>{times.name}"]
        done = subprocess.run([*pin, *prefix, *timed], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(prefix)} ended with status {done.returncode}: {done.stderr}")
        return float(times.read())


def recorded(hardmeter, path):
    check = subprocess.run([hardmeter, "check", "--json", "-i", path], capture_output=True, text=True).stdout
    result = json.loads(check)
    return result["samples"], result["lost"]


def rounds_of(hardmeter, system, period, folder, program, rounds):
    script = f"{program} & {program}; wait" if system else program
    pin = [] if system else ["taskset", "-c", "0"]
    times = {name: [] for name in recorders(hardmeter, period, system, folder)}
    for i in range(rounds):
        order = list(times)
        for name in order[i % len(order):] + order[:i % len(order)]:
            times[name].append(seconds(recorders(hardmeter, period, system, folder)[name], script, pin))
    return times


def row(hardmeter, place, period, times, folder):
    def ratio(a, b):
        ratios = [x / y for x, y in zip(times[a], times[b])]
        return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"
    ours, perfs = recorded(hardmeter, f"{folder}/ours.data"), recorded(hardmeter, f"{folder}/perf.data")
    medians = " | ".join(f"{statistics.median(values):.2f}" for name, values in times.items() if name != "perf again")
    return (f"| {place}, {period} | {medians} | {ratio('hardmeter', 'perf')} | {ratio('perf again', 'perf')} | "
            f"{ours[0]:,} / {perfs[0]:,} | {ours[1]:,} / {perfs[1]:,} |")


def main():
    hardmeter, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        matmul = " ".join(five_programs.prepare(folder)["matmul 500"])
        print(f"{five_programs.where_and_when()}; seconds, medians of {rounds} rounds; ratios round by round, median "
              "(least to greatest)\n")
        print("| where, period | nothing | perf | hardmeter | hardmeter / perf | perf / perf | samples, ours / perf's "
              "| lost, ours / perf's |")
        print("|---" * 8 + "|")
        for place, system in (("one CPU", False), ("system", True)):
            for name, period in PERIODS.items():
                repeat = f"for i in 1 2 3 4 5 6; do {matmul}; done" if period > 10_000 else matmul
                program = f"{{ {repeat}; }}"
                times = rounds_of(hardmeter, system, period, folder, program, rounds)
                print(row(hardmeter, place, name, times, folder), flush=True)


if __name__ == "__main__":
    main()
