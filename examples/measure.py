#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures each example and its mended twin: measure.py BUILD [NAME...] prints README.md's table.

Events: exact counts on the modelled zen4, with threads the median of 5 runs. Native: what the whole program takes of
the processor, or with threads how long it takes; the median of 15 runs, each program by turns.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

EVENTS = {  # by example: the event, and options for the twin's machine
    "padded_matrix": ("l1_cache_miss", []),
    "aligned_buffers": ("l2_cache_miss", []),
    "interchange": ("l1_cache_miss", []),
    "transpose": ("l1_cache_miss", []),
    "blocking": ("l1_cache_miss", []),
    "gather": ("l1_cache_miss", []),
    "prefetch": ("l2_cache_miss", []),
    "scan": ("l3_cache_miss", []),
    "list_to_array": ("l2_cache_miss", []),
    "hot_cold_split": ("l1_cache_miss", []),
    "huge_page_table": ("dtlb_load_miss", ["--page", "2M"]),
    "straddling_struct": ("split_load_retired", []),
    "store_forward": ("mob_load_replay_retired", []),
    "cold_code": ("icache_miss", []),
    "fresh_buffers": ("l1_cache_miss", []),
    "map_look_ups": ("l1_cache_miss", []),
    "chained_table": ("l1_cache_miss", []),
    "unordered_look_ups": ("l1_cache_miss", []),
    "object_pointers": ("l1_cache_miss", []),
    "std_list": ("l1_cache_miss", []),
    "nodes_in_order": ("l1_cache_miss", []),
    "counted_pointers": ("l1_cache_miss", []),
    "long_keys": ("l1_cache_miss", []),
    "shapes": ("l1_cache_miss", []),
    "churn": ("l1_cache_miss", []),
    "false_sharing": ("shared_line_hit", []),
    "test_and_set": ("shared_line_hit", []),
}
OF_THREADS = ("false_sharing", "test_and_set")
COUNTS = 5  # of threads, which meet more often or less
RUNS = 15


def count(build, program, event, options):
    with tempfile.NamedTemporaryFile() as file:
        command = [f"{build}/bin/hardmeter", "stat", "--json", "-o", file.name, "--pmu=soft", "--cpu", "zen4", "-e", event]
        subprocess.run(command + options + ["--", program], check=True, stdout=subprocess.DEVNULL)
        return json.load(file)["totals"][event]


def native_ms(program, threads):
    begin = time.perf_counter()
    quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    process = os.posix_spawn(program, [program], os.environ, file_actions=quiet)
    usage = os.wait4(process, 0)[2]
    return 1000 * (time.perf_counter() - begin if threads else usage.ru_utime + usage.ru_stime)


def main():
    build, names = sys.argv[1], sys.argv[2:] or EVENTS
    print("| example | event | slow | mended | remains | native ms | mended ms |\n|---|---|---|---|---|---|---|")
    for name in names:
        event, options = EVENTS[name]
        slow, mended = f"{build}/examples/{name}", f"{build}/examples/{name}_mended"
        threads = name in OF_THREADS
        runs = [(count(build, slow, event, []), count(build, mended, event, options)) for _ in range(COUNTS if threads else 1)]
        before, after = (int(statistics.median(each)) for each in zip(*runs))
        counts = f"| {event} | {before:,} | {after:,} | {100 * after / before:.1f} %"
        times = [(native_ms(slow, threads), native_ms(mended, threads)) for _ in range(RUNS)]
        medians = [statistics.median(each) for each in zip(*times)]
        print(f"| {name} {counts} | {medians[0]:.1f} | {medians[1]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
