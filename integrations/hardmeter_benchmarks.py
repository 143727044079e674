#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the events of each benchmark of a program, one run for each:

   hardmeter_benchmarks.py [--harness NAME] PROGRAM [--filter REGEX] [--cpu NAME] [--hardmeter FILE]   prints a table
   hardmeter_benchmarks.py [--harness NAME] PROGRAM --toml                   prints commands for hardmeter.toml

PROGRAM was built with the shim of the harness, in the folder of the same name beside this file. For Go it is the
output of `go test -c`, for Criterion.rs the file that `cargo bench --no-run` names, and for pytest-benchmark a file or
folder of tests. Each benchmark runs one iteration, or those of Google Benchmark's Iterations(N): counts need no
repetition."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EVENTS = ["instr_retired", "l1_cache_miss", "l2_cache_miss", "l3_cache_miss"]
# The shims that choose benchmarks themselves read this variable: empty, they list the benchmarks; else it is the name
# of the benchmark to run.
CHOICE = "HARDMETER_BENCHMARK"
LISTED = "hardmeter benchmark: "
# A program may need this variable to start; --reproducible hides all others.
INHERITED = [name for name in ("LD_LIBRARY_PATH",) if name in os.environ]


def fail(message):
    print(f"hardmeter_benchmarks: {message}", file=sys.stderr)
    sys.exit(1)


def run(words, variables=None):
    try:
        return subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **(variables or {})})
    except OSError as error:
        fail(f"cannot run {words[0]}: {error.strerror}")


def last_lines(done):
    return "\n  ".join((done.stderr.strip() or done.stdout.strip()).splitlines()[-3:] or ["it failed without a message"])


def exactly(name):
    """Returns a regular expression that only this name matches: of POSIX (extended), Go and Rust."""
    return "^" + re.sub(r"[][.*+?^$(){}|\\]", r"\\\g<0>", name) + "$"


class Harness:
    """A program of benchmarks. `functions`: count inside these functions, instead of the regions that the shim marks."""
    functions = []

    def __init__(self, program):
        self.program = program

    def list_command(self):
        """Returns the words and the environment variables of a run that prints the names."""
        raise NotImplementedError

    def names_in(self, output):
        """Returns the names that the run of list_command() printed."""
        raise NotImplementedError

    def command(self, name):
        """Returns the words and the environment variables of a run of one benchmark, with one iteration."""
        raise NotImplementedError

    def names(self):
        words, variables = self.list_command()
        done = run(words, variables)
        if done.returncode != 0:
            fail(f"{self.program} cannot list its benchmarks:\n  {last_lines(done)}")
        return list(dict.fromkeys(self.names_in(done.stdout)))


class GoogleBenchmark(Harness):
    def list_command(self):
        return [self.program, "--benchmark_list_tests"], {}

    def names_in(self, output):
        return output.splitlines()

    def command(self, name):
        return [self.program, f"--benchmark_filter={exactly(name)}", "--benchmark_min_time=0"], {}


class Go(Harness):
    """Runs all benchmarks to list them, because only a run finds those of b.Run."""
    COMMON = ["-test.run=^$", "-test.benchtime=1x", "-test.cpu=1"]

    def list_command(self):
        return [self.program, *self.COMMON, "-test.bench=."], {}

    def names_in(self, output):
        return re.findall(r"^(Benchmark\S*)[ \t]+1\t", output, re.M)

    def command(self, name):
        levels = "/".join(exactly(level) for level in name.split("/"))
        return [self.program, *self.COMMON, f"-test.bench={levels}"], {}


class Criterion(Harness):
    def list_command(self):
        return [self.program, "--bench", "--list"], {}

    def names_in(self, output):
        return re.findall(r"^(.*): bench(?:mark)?$", output, re.M)

    def command(self, name):
        return [self.program, "--bench", "--test", exactly(name)], {}


class Choosing(Harness):
    """A program whose shim chooses the benchmark (hardmeter_choice.h, hardmeter_pytest.py)."""

    def words(self):
        return [self.program]

    def variables(self):
        return {}

    def list_command(self):
        return self.words(), {**self.variables(), CHOICE: ""}

    def names_in(self, output):
        return [line[len(LISTED):] for line in output.splitlines() if line.startswith(LISTED)]

    def command(self, name):
        return self.words(), {**self.variables(), CHOICE: name}


class Pytest(Choosing):
    """The interpreter has no symbol by which the engine recognises regions, so the shim calls the benchmark through a
    function of the C library, and the engine counts inside this function."""
    functions = ["call_once"]

    def words(self):
        return [sys.executable, "-m", "pytest", "-p", "hardmeter_pytest", "-p", "no:cacheprovider", "--benchmark-disable", self.program]

    def variables(self):
        shim = str(pathlib.Path(__file__).resolve().with_name("pytest-benchmark"))
        # A module that one run compiles and the next one loads would change the addresses of objects.
        return {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join(filter(None, [shim, os.environ.get("PYTHONPATH")]))}


HARNESSES = {"google-benchmark": GoogleBenchmark, "catch2": Choosing, "nanobench": Choosing, "go": Go, "criterion": Criterion,
             "pytest-benchmark": Pytest}


def environment(variables):
    """Returns the settings for --env."""
    return INHERITED + [f"{key}={value}" for key, value in variables.items()]


def counts(options, harness, name):
    """Returns the totals and the modelled cycles of one benchmark's iteration."""
    words, variables = harness.command(name)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = run([options.hardmeter, "stat", "--pmu=soft", f"--cpu={options.cpu}", "--cores=1", "--reproducible",
                    *(f"--env={variable}" for variable in environment(variables)),
                    *(f"--function={function}" for function in harness.functions),
                    "-e", ",".join(EVENTS), "--json", "-o", file.name, "--", *words])
        if done.returncode != 0:
            fail(f"{name} failed:\n  {last_lines(done)}")
        result = json.load(file)
    collected = next((note for note in result["notes"] if note.startswith("collected: ")), "")
    if not collected.startswith("collected: only ") or result["totals"]["instr_retired"] == 0:
        fail(f"{name}: not only its loop was counted ({collected or 'no region began'}); mark the loop as integrations/{options.harness} describes")
    return [result["totals"][event] for event in EVENTS] + [result["cycles"]]


def table(rows):
    lines = [["benchmark", "instructions", "L1 misses", "L2 misses", "L3 misses", "modelled cycles"]]
    lines += [[name, *(f"{value:,}" for value in values)] for name, values in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join([line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])])
                     for line in lines)


def toml(harness, names):
    out = []
    for name in names:
        words, variables = harness.command(name)
        settings = {"name": re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII).strip("-."), "run": words,
                    "env": environment(variables), "function": harness.functions}
        lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in settings.items() if value]
        out.append("\n".join(["[[command]]", *lines, ""]))
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--harness", choices=HARNESSES, default="google-benchmark")
    parser.add_argument("--filter", default="", help="only the benchmarks in whose names this regular expression occurs")
    parser.add_argument("--cpu", default="zen4")
    parser.add_argument("--hardmeter", default="hardmeter")
    parser.add_argument("--toml", action="store_true")
    options = parser.parse_args()
    harness = HARNESSES[options.harness](options.program)
    names = [name for name in harness.names() if re.search(options.filter, name)]
    if not names:
        fail(f"{options.program} has no benchmark" + (f" that matches {options.filter}" if options.filter else ""))
    print(toml(harness, names) if options.toml else table([(name, counts(options, harness, name)) for name in names]))


if __name__ == "__main__":
    main()
