#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `explain` promises at the first place of real programs, and what the change that it names saves there.

Each program of promises/ is recorded, changed as its first place is told to be, and recorded again; both must print the same.
Prints a Markdown table. Usage: promises.py HARDMETER [WORD...]; WORD: only jobs with it in their names. Needs, beside what
the build needs: gfortran liblapack-dev libgsl-dev r-base-core octave python3-numpy python3-scipy nodejs lua5.4
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import five_programs

HERE = os.path.dirname(os.path.abspath(__file__)) + "/promises"
PYTHON = "/usr/bin/python3"
MACHINE = ["--pmu=soft", "--cpu", "zen4"]
TOLERANCE = 0.2  # fraction of the promise


@dataclass
class Job:
    program: str
    job: str
    before: list
    after: list
    change: str
    event: str = "l1_cache_miss"
    machine_after: list = field(default_factory=list)


def jobs(folder):
    """Builds those that are to be built, in `folder`."""
    build = [("gfortran", ["-O2", f"{HERE}/hessenberg.f90", "-o", f"{folder}/hessenberg", "-llapack", "-lblas"]),
             ("gcc", ["-O2", f"{HERE}/transform.c", "-o", f"{folder}/transform", "-lgsl", "-lgslcblas", "-lm"])]
    for compiler, arguments in build:
        if shutil.which(compiler):
            subprocess.run([compiler] + arguments, check=False, stderr=subprocess.DEVNULL)
    with open(f"{folder}/lines", "w", encoding="ascii") as lines:
        for i in range(1, 200001):
            print(i * 7919 % 200003, i * 104729 % 1000, f"user{i % 777}", file=lines)

    def two(command, before, after):
        return command + [before], command + [after]

    huge_pages = {"event": "dtlb_load_miss", "machine_after": ["--page", "2M"]}
    sort, lua = ["sort", "--parallel=1", f"{folder}/lines"], ["lua5.4", f"{HERE}/records.lua"]
    return [
        Job("LAPACK 3.11", "DGGHRD, 256 by 256", *two([f"{folder}/hessenberg"], "256", "264"), "columns 264 elements apart, not 256"),
        Job("GSL 2.7", "Fourier transform, 256 by 256", *two([f"{folder}/transform"], "256", "260"), "rows 260 numbers apart, not 256"),
        Job("R 4.2", "dist() of 512 rows", *two(["Rscript", f"{HERE}/distances.R"], "512", "520"), "8 more rows, dropped afterwards"),
        Job("R 4.2", "t(x) %*% y", *two(["Rscript", f"{HERE}/regression.R"], "product", "crossprod"), "crossprod(x, y), which does not transpose"),
        Job("Octave 7.3", "max of each series", *two(["octave-cli", f"{HERE}/largest.m"], "rows", "columns"), "series are columns, not rows"),
        Job("numpy 1.24", "cumsum of columns", *two([PYTHON, f"{HERE}/cumulated.py"], "C", "F"), 'order="F"'),
        Job("numpy 1.24", "one field of records", *two([PYTHON, f"{HERE}/weather.py"], "records", "columns"), "an array for each field"),
        Job("scipy 1.10", "blur down columns", *two([PYTHON, f"{HERE}/blur.py"], "1024", "1032"), "rows 1032 floats apart, not 1024"),
        Job("CPython 3.11", "bytes[x::row]", *two([PYTHON, f"{HERE}/turned.py"], "1024", "1088"), "rows 1088 bytes apart, not 1024"),
        Job("node 18", "sum of a Float32Array", *two(["node", f"{HERE}/brightness.js"], "columns", "rows"), "loops interchanged"),
        Job("GNU sort 9.1", "200,000 lines", sort, sort, "huge pages", **huge_pages),
        Job("Lua 5.4", "table.sort", lua, lua, "huge pages", **huge_pages),
    ]


def places(hardmeter, machine, event, command, folder):
    """What it printed, and what `explain` says of its places, hottest first."""
    path = f"{folder}/perf.data"
    record = [hardmeter, "record", "-q", *machine, "-e", event, "-o", path, "--", *command]
    printed = subprocess.run(record, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    told = subprocess.run([hardmeter, "explain", "--json", "-i", path, "--limit", "100000"], check=True, stdout=subprocess.PIPE)
    events = json.loads(told.stdout)["events"]
    return printed, events[0]["places"] if events else []


def count(hardmeter, machine, event, command, folder):
    path = f"{folder}/counts.json"
    stat = [hardmeter, "stat", "--json", "-o", path, *machine, "-e", event, "--", *command]
    subprocess.run(stat, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(path, encoding="utf-8") as file:
        return json.load(file)["totals"][event]


def percent(low, high):
    one, other = f"{100 * low:.1f} %", f"{100 * high:.1f} %"
    return one if one == other else f"{one} to {other}" if low else f"up to {other}"


def is_kept(saved, low, high):
    return (1 - TOLERANCE) * (low or high) <= saved


def row(hardmeter, job, folder):
    machine_after = MACHINE + job.machine_after
    printed, before = places(hardmeter, MACHINE, job.event, job.before, folder)
    printed_after, after = places(hardmeter, machine_after, job.event, job.after, folder)
    if printed != printed_after:
        sys.exit(f"{job.program}, {job.job}: the change changes what it prints")
    if not before or not (before[0]["advice"] or {}).get("gain"):
        return f"| {job.program}: {job.job} | {job.event} | no first place with a promise | | {job.change} | | | | | no |"
    first = before[0]
    def key(place):
        return place["function"], place["dso"], place["instruction"], place["line"]
    left = sum(place["estimated"] for place in after if key(place) == key(first))
    gain, share = first["advice"]["gain"], first["share"]["value"]
    there = 1 - left / first["estimated"]
    in_all = 1 - count(hardmeter, machine_after, job.event, job.after, folder) / count(hardmeter, MACHINE, job.event, job.before, folder)
    low, high = gain["low"], gain["high"]
    kept = is_kept(there, low, high) and is_kept(in_all, low * share, high * share)
    return (f"| {job.program}: {job.job} | {job.event} | `{first['function'][:40]}`, {100 * share:.0f} % | {first['advice']['pattern']} "
            f"| {job.change} | {percent(low, high)} | {100 * there:.1f} % | {percent(low * share, high * share)} | {100 * in_all:.1f} % "
            f"| {'yes' if kept else 'no'} |")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    hardmeter, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.environ |= {"LC_ALL": "C", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    print(f"{five_programs.where_and_when().rsplit(',', 1)[0]}; {' '.join(MACHINE)}\n")
    print("| program: job | event | first place | pattern | change | promised there | saved there | promised of all | saved of all | kept |\n"
          "|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        for job in jobs(folder):
            if words and not any(word in f"{job.program}: {job.job}" for word in words):
                continue
            if not shutil.which(job.before[0]):
                print(f"left out: {job.program}: {job.before[0]} is not installed", file=sys.stderr)
                continue
            print(row(hardmeter, job, folder), flush=True)


if __name__ == "__main__":
    main()
