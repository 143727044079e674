#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well each way of timing branches tells which function ran when.

timeline.py BUILD [--only NAME,...]: records programs (scripts/setup.sh papers installs some) under the software PMU with a sample
every 1009 instructions and their branch stacks (-b call,ret), which is taken for the truth, and shows what the ways make of one
sample every 1 ms or 100 us of the cost model's time. Prints the part of the time that goes to the wrong function, in the mean bin.
Then how often what is inferred of stacks of calls alone, and of returns alone, is right.
"""
import argparse
import datetime
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "programs"))
from papers import make_inputs, programs

WAYS = ("none", "even", "share", "ratio", "dwell", "mix")
USED = ("gzip", "bzip2", "cc1", "perl", "sqlite3", "python3", "gawk")
# The paper's figure 8: F1, F2 and F3 in turn, with 10, 30 and 10 % of the time. Its figure 12: three functions with a
# third each.
IN_TURN = """static volatile unsigned long sum;
#define WORK(name, rounds) __attribute__((noinline)) static void name(void) {{ for (int i = 0; i < rounds; ++i) sum += i; }}
{work}
__attribute__((noinline)) static void next(void) {{ {calls} }}
int main(void) {{ for (int i = 0; i < {times}; ++i) next(); return 0; }}
"""
PAPERS = {"figure 8": {"F1": 100, "F2": 300, "F3": 100, "rest": 500}, "figure 12": {"p1_f1": 300, "p1_f2": 300, "p1_f3": 300}}


def build_in_turn(folder, name, rounds):
    source = folder / f"{name.replace(' ', '_')}.c"
    work = "\n".join(f"WORK({function}, {count})" for function, count in rounds.items())
    calls = " ".join(f"{function}();" for function in rounds)
    source.write_text(IN_TURN.format(work=work, calls=calls, times=50_000_000 // sum(rounds.values())))
    program = source.with_suffix("")
    subprocess.run(["cc", "-O1", source, "-o", program], check=True)
    return (None, program, [], "")


def measure(build, folder, row):
    _, program, arguments, said = row
    recording = folder / "timeline.data"
    command = [build / "bin/hardmeter", "record", "-q", "--pmu=soft", "-e", "instr_retired", "-c", "1009", "-b", "call,ret",
               "--no-heap-blocks", "--no-classes", "-o", recording, "--", program, *map(str, arguments)]
    done = subprocess.run(command, input=said, text=True, errors="replace", cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}, check=False)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr.strip()[-400:]}")
    lines = subprocess.run([build / "bench/timeline_ways", recording], capture_output=True, text=True, check=True).stdout
    errors = {tuple(map(int, line.split()[:2])): list(map(float, line.split()[3:])) for line in lines.splitlines()}
    lines = subprocess.run([build / "bench/inferred_branches", recording], capture_output=True, text=True, check=True).stdout
    return errors, {line.split()[0]: line.split()[1:] for line in lines.splitlines()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="", help="names of programs, with commas between them")
    options = parser.parse_args()
    build = options.build.resolve()
    subprocess.run(["cmake", "--build", build, "--target", "product", "timeline_ways", "inferred_branches"], check=True, stdout=subprocess.DEVNULL)
    print(f"{datetime.date.today()}; time in the wrong function, %\n")
    print(f"| program | a sample in | bins of | {' | '.join(WAYS)} |\n|---|---:|---:|{'---:|' * len(WAYS)}")
    results, inferred = {}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_inputs(folder)
        rows = {each: row for each, row in programs(folder).items() if each in USED and row[1] is not None}
        rows |= {each: build_in_turn(folder, each, rounds) for each, rounds in PAPERS.items()}
        for program, row in rows.items():
            if options.only and program not in options.only.split(","):
                continue
            results[program], inferred[program] = measure(build, folder, row)
            for (interval, width), errors in results[program].items():
                print(f"| {program} | {interval} us | {width} us | {' | '.join(f'{error:.1f}' for error in errors)} |", flush=True)
    for interval in (1000, 100):
        for width in (10, 100, 1000, 10000):
            errors = [result[interval, width] for result in results.values() if (interval, width) in result]
            if errors:
                medians = [statistics.median(each) for each in zip(*errors)]
                print(f"| *median* | {interval} us | {width} us | {' | '.join(f'{error:.1f}' for error in medians)} |")
    print("\n| program | recorded | gaps | inferred as it was, % | missing branches found, % |\n|---|---|---:|---:|---:|")
    for program, halves in inferred.items():
        for half, (gaps, right, found) in halves.items():
            print(f"| {program} | {half} | {int(gaps):,} | {right} | {found} |")


if __name__ == "__main__":
    main()
