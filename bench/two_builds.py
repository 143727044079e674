#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the copying engine costs in two builds of hardmeter, in turns: CPU time of programs counted exactly, and in bursts.

Prints a Markdown table: seconds, and for each kind of run the new build's divided by the old one's.
Usage: two_builds.py OLD NEW [RUNS [WORD...]]; OLD, NEW: the tools; WORD: only programs with it in their names
"""
import sys
import tempfile

import bursts
import five_programs
from cpu_time import GEOMETRY, chosen, medians_in_turns, print_table

DETAIL = {"exact": [], "bursts": ["--detail", "bursts"]}


def counting(hardmeter, detail):
    return [hardmeter, "stat", "--pmu=soft", "--engine=direct", *GEOMETRY, *DETAIL[detail], "-o", "/dev/null", "--"]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    old, new = sys.argv[1:3]
    runs, words = int(sys.argv[3]) if len(sys.argv) > 3 else 5, sys.argv[4:]
    with tempfile.TemporaryDirectory() as folder:
        wanted = chosen({**five_programs.prepare(folder), **bursts.programs(folder)}, words)
        tools = {f"{build}, {detail}": counting(tool, detail) for detail in DETAIL
                 for build, tool in (("old", old), ("new", new))}
        medians = medians_in_turns(wanted, tools, runs)
    print(f"{five_programs.where_and_when()}; CPU seconds, medians of {runs} interleaved runs\n")
    print_table(medians, [(f"new, {detail}", f"old, {detail}") for detail in DETAIL], digits=3)


if __name__ == "__main__":
    main()
