#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it costs a program that its time line is recorded: the table of the branch records' paper (its figure 9: a sample in
100 us, in 10 us, and in 100 us with branch records), by what runs on a machine without branch records: the kernel's clock, and
the software PMU with and without branch stacks.

CPU time of all processes, medians of ROUNDS, in turns. Prints a Markdown table. Usage: timeline_cost.py BUILD [ROUNDS]
"""
import pathlib
import subprocess
import sys
import tempfile

import cpu_time
import five_programs

PROGRAMS = ("bzip2, 3 MB", "perl hash", "cc1 -O2")
# The software PMU samples by instructions, as often as a processor with one instruction per cycle at 3 GHz would.
SOFTWARE = ["--pmu=soft", "-e", "instr_retired", "--no-heap-blocks", "--no-classes"]
CLOCK = ["--pmu=linux", "-e", "clock"]
COLUMNS = {
    "clock, 100 us": ([*CLOCK, "-c", "100us"], "nothing"),
    "clock, 1 ms": ([*CLOCK, "-c", "1ms"], "nothing"),
    "software PMU, hardly a sample": ([*SOFTWARE, "-c", "1000000000000"], "nothing"),
    "100 us": ([*SOFTWARE, "-c", "300000"], "software PMU, hardly a sample"),
    "10 us": ([*SOFTWARE, "-c", "30000"], "software PMU, hardly a sample"),
    "100 us, branches": ([*SOFTWARE, "-c", "300000", "-b", "call,ret"], "software PMU, hardly a sample"),
}


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    subprocess.run(["cmake", "--build", build, "--target", "product"], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        programs = {name: command for name, command in five_programs.prepare(folder).items() if name in PROGRAMS}
        record = [str(build / "bin/hardmeter"), "record", "-q", "-o", f"{folder}/recording.data"]
        tools = {"nothing": []} | {name: [*record, *words, "--"] for name, (words, _) in COLUMNS.items()}
        medians = cpu_time.medians_in_turns(programs, tools, rounds)
    print(f"{five_programs.where_and_when()}; medians of {rounds} rounds\n")
    print(f"| program | nothing, s | {' | '.join(COLUMNS)} |\n|---|{'---:|' * (len(COLUMNS) + 1)}")
    for program, row in medians.items():
        ratios = [f"{row[name] / row[base]:.3f}" for name, (_, base) in COLUMNS.items()]
        print(f"| {program} | {row['nothing']:.2f} | {' | '.join(ratios)} |")
    means = [f"{cpu_time.mean_ratio(medians, name, base):.3f}" for name, (_, base) in COLUMNS.items()]
    print(f"| *geometric mean* | | {' | '.join(means)} |")


if __name__ == "__main__":
    main()
