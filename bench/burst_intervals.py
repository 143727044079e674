#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many of the 95 % intervals of --detail bursts hold: each program is measured once exactly, and repeatedly in bursts with
slightly different gaps, so that the bursts are elsewhere. Usage: burst_intervals.py HARDMETER [TIMES [WORD...]]; WORD: only
programs with it in their names.
"""
import os
import sys
import tempfile

import bursts
import five_programs
from cpu_time import chosen

FEWEST_EVENTS = 1000
FUNCTIONS = 10
GAP_SLOTS, STEP = 2_000_000, 0.011


def in_bursts(times):
    """Options of each measurement: gaps around the default one, which grow as by default."""
    return [("--detail=bursts", "--bursts-per-doubling=256", f"--gap-slots={int(GAP_SLOTS * (1 + STEP * (i - times / 2)))}")
            for i in range(times)]


def held_counts(hardmeter, folder, command, times):
    """Numbers of held and of all intervals of counts, and the means of errors and of half widths, relative to the counts."""
    exact = bursts.counts(hardmeter, folder, command)["totals"]
    held, errors, widths = [], [], []
    for options in in_bursts(times):
        found = bursts.counts(hardmeter, folder, command, *options)
        for event, truth in exact.items():
            stated = found["relative_error"].get(event)
            if truth < FEWEST_EVENTS or stated is None:
                continue
            error = abs(found["totals"][event] - truth)
            held.append(error <= stated * found["totals"][event])
            errors.append(error / truth)
            widths.append(stated)
    return sum(held), len(held), sum(errors) / len(held), sum(widths) / len(held)


def held_shares(hardmeter, folder, command, times):
    """The same of the shares of the functions with the most L1 misses, errors and widths in shares."""
    exact, _ = bursts.shares(hardmeter, folder, command)
    most = sorted(exact, key=lambda key: -exact[key]["value"])[:FUNCTIONS]
    held, errors, widths = [], [], []
    for options in in_bursts(times):
        found, _ = bursts.shares(hardmeter, folder, command, *options)
        for key in most:
            share = found.get(key)
            if share is None:
                continue  # no burst has met it: the head of the report states how large it may be
            held.append(share["low"] <= exact[key]["value"] <= share["high"])
            errors.append(abs(share["value"] - exact[key]["value"]))
            widths.append((share["high"] - share["low"]) / 2)
    return sum(held), len(held), sum(errors) / len(held), sum(widths) / len(held)


def main():
    hardmeter, rest = sys.argv[1], sys.argv[2:]
    times, words = int(rest[0]) if rest else 12, rest[1:]
    os.environ["LC_ALL"] = "C"
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        print(f"{five_programs.where_and_when()}; {times} measurements in bursts of each program\n")
        print("| program | intervals of counts that hold | mean error | mean half width | of shares that hold | mean error | "
              "mean half width |\n|---|---|---|---|---|---|---|")
        for name, command in chosen(bursts.programs(folder), words).items():
            counts = held_counts(hardmeter, folder, command, times)
            shares = held_shares(hardmeter, folder, command, times)
            print(f"| {name} | {counts[0]} of {counts[1]} | {100 * counts[2]:.1f} % | {100 * counts[3]:.1f} % | {shares[0]} of "
                  f"{shares[1]} | {100 * shares[2]:.1f} points | {100 * shares[3]:.1f} points |", flush=True)


if __name__ == "__main__":
    main()
