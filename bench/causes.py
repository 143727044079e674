#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it costs to know why: CPU time of eight programs under the copying engine, with classes and heap blocks and without.

Both have caches, TLBs, exact registers, the branch stack of all branches, a sample every 1000 L1 misses, the recording
written. Prints a Markdown table. Usage: causes.py HARDMETER [RUNS [WORD...]]; WORD: only programs with it in their names
"""
import sys
import tempfile

import copying
import five_programs
from cpu_time import GEOMETRY, chosen, mean_ratio, medians_in_turns


def main():
    hardmeter, runs, words = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5, sys.argv[3:]
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        everything = copying.tools(hardmeter, folder)["direct"]
        split = everything.index("--pmu=soft")
        commands = {"without": everything[:split] + ["--no-classes", "--no-heap-blocks"] + everything[split:],
                    "with": everything}
        wanted = chosen(copying.programs(folder), words)
        medians = medians_in_turns(wanted, commands, runs)
    print(f"{five_programs.where_and_when()}; CPU seconds, medians of {runs} interleaved runs; {' '.join(GEOMETRY)}\n")
    print("| program | without | with | with / without |\n|---|---|---|---|")
    for program, row in medians.items():
        print(f"| {program} | {row['without']:.2f} | {row['with']:.2f} | {row['with'] / row['without']:.2f} |")
    print(f"| geometric mean | | | {mean_ratio(medians, 'with', 'without'):.2f} |")


main()
