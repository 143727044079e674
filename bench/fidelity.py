#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares hardmeter's modelled cycles with the clock: on kernels of known behaviour, on the functions of programs, and on pairs
of programs before and after an optimization.

kernels: the real and the modelled cycles of an access, for loops with known memory behaviour.
programs: the functions' shares of time, by samples of the clock, against their shares of modelled cycles.
pairs: the time that an optimization saves against the modelled cycles that it saves.
overhead: the CPU time that calibrated costs add to a recording.

The model counts every access (--detail exact), with stated latencies and, with --as, with the costs of a calibrated machine.
Prints Markdown tables; progress goes to standard error.
"""
import argparse
import importlib
import json
import os
import subprocess
import sys
import time

import five_programs
from fidelity import measurement

PARTS = {"kernels": "fidelity.kernel_table", "programs": "fidelity.program_table", "pairs": "fidelity.pair_table",
         "overhead": "fidelity.overhead_table"}
# Programs must do the same work in each run.
ENVIRONMENT = {"LC_ALL": "C", "PERL_HASH_SEED": "0", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hardmeter", help="the program, as built")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"parts to measure; default: all ({', '.join(PARTS)})")
    parser.add_argument("--as", dest="machine", metavar="MACHINE", help="also model with the costs of this machine, for example host")
    parser.add_argument("--rounds", type=int, help="number of native runs of each program (default: 5 to 11, depending on the part)")
    parser.add_argument("--only", action="append", default=[], metavar="WORD",
                        help="only kernels, programs and pairs with this word in their names; repeatable")
    parser.add_argument("--parallel", type=int, default=os.cpu_count(), metavar="N", help="modelled runs at a time (default: %(default)s)")
    parser.add_argument("--work", default="/var/tmp/hm-fidelity", help="folder for inputs and built programs (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write all results there")
    parser.add_argument("--quick", action="store_true", help="few and short runs, to test the benchmark itself")
    options = parser.parse_args()
    unknown = set(options.parts) - PARTS.keys()
    if unknown:
        parser.error(f"no part is named {', '.join(sorted(unknown))}; the parts are {', '.join(PARTS)}")
    if not os.access(options.hardmeter, os.X_OK):
        parser.error(f"{options.hardmeter} is no program; build hardmeter first")
    options.hardmeter, options.work = os.path.abspath(options.hardmeter), os.path.abspath(options.work)
    options.costs = measurement.costs_of(options.machine)
    options.is_chosen = lambda name: not options.only or any(word in name for word in options.only)
    return options


def conditions(options):
    """Returns the machine, the load and the versions, as one line."""
    version = subprocess.run([options.hardmeter, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    machine = five_programs.where_and_when().rsplit(",", 1)[0]
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return f"{machine}; {version}; load {load}" + (f"; --as {options.machine}" if options.machine else "")


def check_costs(options):
    """Raises Failure if hardmeter cannot model with the costs, for example because this machine is not calibrated."""
    for costs in options.costs:
        measurement.counts(options.hardmeter, costs, ["true"])


def measure_part(part, options):
    """Measures one part, prints its tables, and returns its results."""
    began = time.monotonic()
    result = importlib.import_module(PARTS[part]).measure(options)
    print(f"Measured in {time.monotonic() - began:.0f} s; load afterwards {os.getloadavg()[0]:.1f}.\n", flush=True)
    return result


def main():
    options = arguments()
    os.makedirs(options.work, exist_ok=True)
    os.environ |= ENVIRONMENT
    try:
        check_costs(options)
    except measurement.Failure as failure:
        sys.exit(f"fidelity: {failure}")
    results = {"conditions": conditions(options)}
    print(results["conditions"] + "\n", flush=True)
    for part in options.parts or PARTS:
        try:
            results[part] = measure_part(part, options)
        except measurement.Failure as failure:
            sys.exit(f"fidelity: {part}: {failure}")
        if options.json:  # after each part, so that an interrupted run keeps its results
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
