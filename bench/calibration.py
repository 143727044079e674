#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well repeated calibrations of this machine agree. Prints a Markdown table with each quantity: its median over all runs, and
how far the farthest run is from it. Quantities below half a nanosecond are compared with half a nanosecond, because the measurement
does not resolve them. Usage: calibration.py HARDMETER [RUNS]: 10 runs.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

import five_programs

SMALLEST_NS = 0.5


def quantities(profile):
    """By name: the value."""
    found = {"clock, GHz": profile["core_ghz"]["value"]}
    for level in profile["levels"]:
        for each in level["overlap"]:
            found[f"{level['name']}, {each['chains']} chases"] = each["ns"]["value"]
        found[f"{level['name']}, store"] = level["store_ns"]["value"]
        for name, rate in (level["bytes_per_ns"] or {}).items():
            found[f"{level['name']}, {name}, GB/s"] = rate["value"]
    for walk in profile["walks"]:
        pages = "" if walk["huge_pages"] else ", 4 KiB pages"
        found[f"walk by {walk['stride_bytes']} bytes, {walk['streams']} streams{pages}"] = walk["ns"]["value"]
    for name, value in {**profile["hazards"], "second_tlb_ns": profile["second_tlb_ns"], "page_walk_ns": profile["page_walk_ns"],
                        "modified_line_ns": profile["modified_line_ns"]}.items():
        if value:
            found[name.removesuffix("_ns").replace("_", " ")] = value["value"]
    return found


def main():
    hardmeter = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    profiles = []
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        for _ in range(runs):
            path = f"{folder}/machine.json"
            subprocess.run([hardmeter, "calibrate", "-o", path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(path, encoding="utf-8") as file:
                profiles.append(json.load(file))
    all_values = [quantities(profile) for profile in profiles]
    apart = {}
    print(f"{five_programs.where_and_when()}; {runs} runs of at most {max(p['elapsed_ns'] for p in profiles) / 1e9:.1f} s\n")
    print("| quantity (ns unless another unit is given) | median | farthest run from it |\n|---|---:|---:|")
    for name in all_values[0]:
        values = [each[name] for each in all_values if name in each]
        middle = statistics.median(values)
        apart[name] = max(abs(value - middle) for value in values) / max(abs(middle), SMALLEST_NS)
        print(f"| {name} | {middle:.2f} | {100 * apart[name]:.1f} % |")
    print(f"\n{sum(each <= 0.05 for each in apart.values())} of {len(apart)} quantities within 5 %. "
          f"Named as unsteady by at least one run: {len({name for p in profiles for name in p['unsteady']})}.")


main()
