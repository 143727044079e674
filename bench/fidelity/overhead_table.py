# SPDX-License-Identifier: MIT
"""Overhead: the CPU time that calibrated costs add to a recording of all accesses."""
import statistics

from fidelity import measurement, programs
from fidelity.measurement import STATED, progress
from fidelity.tables import number, print_table

RECORDED = ["-q", *measurement.EXACT, "--no-heap-blocks", "-e", "l1_cache_miss", "-o", "/dev/null"]


def recording_seconds(options, costs, command):
    """Returns the CPU time of a recording, the program and its model included."""
    return measurement.cpu_seconds([options.hardmeter, "record", *RECORDED, *costs.options, "--", *command])


def measure(options):
    """Measures all programs with all costs in turns, prints a table, and returns the seconds by program and costs."""
    commands = programs.commands(f"{options.work}/inputs", options.is_chosen)
    seconds = {name: {costs.name: [] for costs in options.costs} for name in commands}
    for turn in range(options.rounds or (1 if options.quick else 3)):
        for name, command in commands.items():
            for costs in options.costs:
                seconds[name][costs.name].append(recording_seconds(options, costs, command))
        progress(f"overhead: turn {turn + 1} done")
    medians = {name: {way: statistics.median(times) for way, times in each.items()} for name, each in seconds.items()}
    ways = [costs.name for costs in options.costs]
    print("### Overhead\n\nCPU seconds of a recording of all accesses.")
    print_table(["program", *ways, *(f"{way} / {STATED.name}" for way in ways[1:])],
                [[name, *(number(each[way]) for way in ways), *(number(each[way] / each[STATED.name]) for way in ways[1:])]
                 for name, each in medians.items()])
    for way in ways[1:]:
        print(f"Median of {way} / {STATED.name}: {number(statistics.median(each[way] / each[STATED.name] for each in medians.values()))}.\n")
    return medians
