#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Misses of five programs, counted by hardmeter and by cachegrind on the same caches. Prints a Markdown table.

Cachegrind counts an access over two lines once where both miss; hardmeter says how many those are. Both tools put things of
their own into the program's environment, which moves its stack: cachegrind's counts are the range over four places of the
stack in a line. Usage: agreement.py HARDMETER
"""
import json
import os
import subprocess
import sys
import tempfile

import five_programs

PADDINGS = (1, 17, 33, 49)
ROWS = (("I1", "icache_miss", "split_fetch_miss", 2), ("D1 loads", "l1_cache_miss", "split_load_miss", 5),
        ("D1 stores", "l1_store_miss", "split_store_miss", 8), ("LL loads", "l2_cache_miss", None, 6))


def cachegrind(command, folder, padding):
    """The counts of cachegrind's summary line: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw, from 1."""
    path = f"{folder}/cachegrind.out"
    subprocess.run(["setarch", "-R", "valgrind", "-q", "--tool=cachegrind", "--cache-sim=yes", "--vex-guest-chase=no",
                    "--run-libc-freeres=no", "--run-cxx-freeres=no", f"--cachegrind-out-file={path}", "--I1=32768,8,64",
                    "--D1=32768,8,64", "--LL=33554432,16,64"] + command, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env={**os.environ, "HARDMETER_BENCH_PADDING": "x" * padding})
    with open(path) as file:
        summary = next(line for line in file if line.startswith("summary:"))
    return [0] + [int(word) for word in summary.split()[1:]]


def hardmeter(program, command, folder):
    path = f"{folder}/stat.json"
    # Cachegrind does not see what system calls do.
    subprocess.run(["setarch", "-R", program, "stat", "--no-syscall-memory", "--json", "-o", path, "--l1i", "32K,8,64", "--l1d", "32K,8,64",
                    "--l2", "32M,16,64", "--l3", "none", "--"] + command, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    with open(path) as file:
        return json.load(file)["totals"]


def beyond(value, least, most):
    """How far the value is outside the range, in percent of it."""
    outside = max(value - most, 0) - max(least - value, 0)
    return "within" if outside == 0 else f"{100 * outside / most:+.3f} % ({outside:+,})"


def main():
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        lines = []
        for name, command in five_programs.prepare(folder).items():
            ours = hardmeter(sys.argv[1], command, folder)
            theirs = [cachegrind(command, folder, padding) for padding in PADDINGS]
            for label, event, split_event, column in ROWS:
                split = ours[split_event] if split_event else 0
                counts = [each[column] for each in theirs]
                lines.append(f"| {name} | {label} | {ours[event]:,} | {split:,} | {min(counts):,} to {max(counts):,} | "
                             f"{beyond(ours[event] - split, min(counts), max(counts))} |")
            print(f"{name}: compared", file=sys.stderr)
    print(f"{five_programs.where_and_when()}; I1 and D1 32 KiB 8-way, LL 32 MiB 16-way\n")
    print("| program | misses | hardmeter | second lines among them | cachegrind | without second lines |")
    print("|---|---|---|---|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
