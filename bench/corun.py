#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that share a cache: what hardmeter map --pair predicts from what each does alone, against a simulation of each pair.

corun.py BUILD [--accesses N] [--only NAME,...]: takes the first accesses (3 million) of each program that is installed
(scripts/setup.sh papers installs them), and prints for some caches how many of the predictions are how near.
"""
import argparse
import datetime
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "programs"))
from papers import make_inputs, programs

CACHES = ((64, 8), (128, 8), (512, 8), (1024, 16))
FEW = 0.5  # extra misses per 1000 accesses: below this the relative error is meaningless


def record(corun, accesses, path, row, folder):
    _, program, arguments, said = row
    result = subprocess.run([corun, "stream", str(accesses), path, program, *map(str, arguments)], input=said, text=True, cwd=folder,
                            errors="replace", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}, check=False)
    if result.returncode != 0:
        sys.exit(f"{path.name}: {result.stderr.strip()[-400:]}")


def compare(corun, sets, ways, paths):
    lines = subprocess.run([corun, "compare", str(sets), str(ways), *paths], capture_output=True, text=True, check=True).stdout
    return [(line.split()[:2], [float(word) for word in line.split()[2:]]) for line in lines.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--accesses", type=int, default=3_000_000)
    parser.add_argument("--only", default="", help="names of programs, with commas between them")
    parser.add_argument("--all", action="store_true", help="print every pair")
    options = parser.parse_args()
    build = options.build.resolve()
    subprocess.run(["cmake", "--build", build, "--target", "product", "corun"], check=True, stdout=subprocess.DEVNULL)
    corun = build / "bench/corun"
    print(f"{datetime.date.today()}, {options.accesses:,} accesses of each program\n")
    print(f"| cache | predictions of more than {FEW} extra misses of 1000 accesses | within 20 % | median error | within the interval | all others within it |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_inputs(folder)
        paths = []
        for program, row in programs(folder).items():
            if row[1] is None or options.only and program not in options.only.split(","):
                continue
            paths.append(folder / f"{program}.lines")
            record(corun, options.accesses, paths[-1], row, folder)
        for sets, ways in CACHES:
            rows = compare(corun, sets, ways, paths)
            for (names, numbers) in rows if options.all else ():
                print(*names, *numbers)
            many = [numbers for _, numbers in rows if numbers[1] > FEW]
            few = [numbers for _, numbers in rows if numbers[1] <= FEW]
            errors = sorted(abs(predicted - simulated) / simulated for _, simulated, predicted, _, _ in many)
            inside = [low - 0.1 <= simulated <= high + 0.1 for _, simulated, _, low, high in many]
            others = [low - 0.1 <= simulated <= high + 0.1 for _, simulated, _, low, high in few]
            near = sum(error <= 0.2 for error in errors)
            median = f"{100 * errors[len(errors) // 2]:.0f} %" if errors else "-"
            print(f"| {sets * ways // 16} KiB, {ways} ways | {len(many)} | {near} | {median} | {sum(inside)} | {sum(others)} of {len(others)} |")


if __name__ == "__main__":
    main()
