#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the events of each benchmark of a Google Benchmark program, one run for each:

   hardmeter_benchmarks.py PROGRAM [--filter REGEX] [--cpu NAME] [--hardmeter FILE]   prints a table
   hardmeter_benchmarks.py PROGRAM --toml                                             prints commands for hardmeter.toml

Each benchmark runs once with one iteration (--benchmark_min_time=0), or with the number that its Iterations(N) gives:
counts need no repetition. The loop of the benchmark must be `for (auto _ : hardmeter::measured(state))`."""
import argparse
import json
import re
import subprocess
import sys
import tempfile

EVENTS = ["instr_retired", "l1_cache_miss", "l2_cache_miss", "l3_cache_miss"]


def fail(message):
    print(f"hardmeter_benchmarks: {message}", file=sys.stderr)
    sys.exit(1)


def run(words):
    try:
        return subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        fail(f"cannot run {words[0]}: {error.strerror}")


def benchmarks(program, pattern):
    done = run([program, "--benchmark_list_tests", f"--benchmark_filter={pattern}"])
    names = done.stdout.split("\n")[:-1]
    if done.returncode != 0 or not names:
        fail(f"{program} lists no benchmark: {done.stderr.strip() or 'none matches the filter'}")
    return names


def arguments(program, name):
    # The filter is a POSIX extended regular expression.
    return [program, "--benchmark_filter=^" + re.sub(r"([][.*+?^$(){}|\\])", r"\\\1", name) + "$", "--benchmark_min_time=0"]


def counts(options, name):
    """Returns the totals and the modelled cycles of one benchmark's loop."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = run([options.hardmeter, "stat", "--pmu=soft", f"--cpu={options.cpu}", "--cores=1", "--reproducible",
                    "-e", ",".join(EVENTS), "--json", "-o", file.name, "--", *arguments(options.program, name)])
        if done.returncode != 0:
            fail(f"{name}: {(done.stderr.strip().splitlines() or ['it failed without a message'])[-1]}")
        result = json.load(file)
    return [result["totals"][event] for event in EVENTS] + [result["cycles"]]


def table(rows):
    lines = [["benchmark", "instructions", "L1 misses", "L2 misses", "L3 misses", "modelled cycles"]]
    lines += [[name, *(f"{value:,}" for value in values)] for name, values in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join([line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])])
                     for line in lines)


def toml(program, names):
    out = []
    for name in names:
        own = re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII).strip("-.")
        words = ", ".join(json.dumps(word, ensure_ascii=False) for word in arguments(program, name))
        out.append(f'[[command]]\nname = "{own}"\nrun = [{words}]\n')
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--filter", default=".")
    parser.add_argument("--cpu", default="zen4")
    parser.add_argument("--hardmeter", default="hardmeter")
    parser.add_argument("--toml", action="store_true")
    options = parser.parse_args()
    names = benchmarks(options.program, options.filter)
    print(toml(options.program, names) if options.toml else table([(name, counts(options, name)) for name in names]))


if __name__ == "__main__":
    main()
