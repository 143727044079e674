#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The evaluation of Ogawa and Hiraki, "An Estimation for CPU cache usage condition with TLB Information", on real programs.

run.py BUILD [--instructions N] [--interval N] [--results FOLDER] [--only NAME,...]: runs each program that is installed
(scripts/setup.sh papers installs them) for so many instructions (100 million, measured every 5 million), keeps a file of
figures for each in the folder, and writes the paper's figures there: data, plots and tables. A program whose file is there is
not run again.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

import plots

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "programs"))
from papers import make_inputs, programs


def show_progress(name, done, wanted):
    if sys.stderr.isatty():
        filled = int(30 * min(1, done / wanted))
        sys.stderr.write(f"\r\x1b[K{name:12} [{'#' * filled}{'.' * (30 - filled)}] {done / 1e6:.0f} of {wanted / 1e6:.0f} million")
        sys.stderr.flush()


def measure(build, name, row, options, path):
    _, program, arguments, said = row
    part = path.with_suffix(".part")
    command = [build / "bench/tlb_paper", str(options.instructions), str(options.interval), part, program, *map(str, arguments)]
    with tempfile.TemporaryFile("w+") as standard_input, tempfile.TemporaryFile("w+") as errors, tempfile.TemporaryDirectory() as cwd:
        standard_input.write(said)
        standard_input.seek(0)
        process = subprocess.Popen(command, stdin=standard_input, stdout=subprocess.PIPE, stderr=errors, text=True,
                                   errors="replace", cwd=cwd, env={**os.environ, "LC_ALL": "C"})
        for line in process.stdout:  # the program's own output is mixed in
            if line.strip().isdigit():
                show_progress(name, int(line), options.instructions)
        if process.wait() != 0 or not part.exists():
            errors.seek(0)
            sys.exit(f"{name}: {errors.read().strip()[-400:] or 'no result'}")
    part.rename(path)
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")


def read(path):
    with open(path, encoding="utf-8") as file:
        file.readline()
        return {tuple(row[:6]): float(row[6]) for row in list(csv.reader(file))[1:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--instructions", type=int, default=100_000_000)
    parser.add_argument("--interval", type=int, default=5_000_000)
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("tlb_paper_results"))
    parser.add_argument("--only", default="", help="names of programs, with commas between them")
    parser.add_argument("--no-build", action="store_true", help="the build is up to date")
    options = parser.parse_args()
    build = options.build.resolve()
    if not options.no_build:
        subprocess.run(["cmake", "--build", build, "--target", "product", "tlb_paper"], check=True, stdout=subprocess.DEVNULL)
    options.results.mkdir(parents=True, exist_ok=True)
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        make_inputs(pathlib.Path(folder))
        for name, row in programs(pathlib.Path(folder)).items():
            if options.only and name not in options.only.split(","):
                continue
            path = options.results.resolve() / f"{name}.csv"
            if row[1] is None and not path.exists():
                print(f"{name}: not installed here, left out", file=sys.stderr)
                continue
            if not path.exists():
                measure(build, name, row, options, path)
            results[name] = read(path)
    if not results:
        sys.exit("none of the programs is installed: scripts/setup.sh papers")
    print(plots.write_all(results, options.results))


if __name__ == "__main__":
    main()
