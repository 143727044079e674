#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what it costs to record build IDs and to keep symbols.

    bench/names_cost.py HARDMETER [ROUNDS]

First: the recorder's CPU time for a process that has mapped 300 libraries, minus its time for a process without them.
The libraries stay at their paths, or are deleted, so that the recorder copies all of them. Second: the CPU time of a
build (make -j2, 200 files of C), with everything it starts and the recorder, against the same build without a recorder.
CPU times, medians of rounds in which the ways alternate, because other programs may run on this machine. Prints two
Markdown tables.
"""
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

LIBRARIES, FILES = 300, 200
LOADER = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int count, char **words) {
  char path[64];
  for (int i = 0; i < atoi(words[1]); ++i) {
    snprintf(path, sizeof path, "./lib%d.so", i);
    if (dlopen(path, RTLD_NOW) == 0) return 1;
    if (count > 2) remove(path);
  }
  puts("ready"), fflush(stdout);
  for (volatile unsigned long i = 0;; ++i) {}
}
"""
LIBRARY = "int f{0}(int n) {{ int sum = 0; for (int i = 0; i < n; ++i) sum += i * {0}; return sum; }}\n"
SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct row{0} {{ char *name; long values[{0} + 1]; }};
long sum{0}(const struct row{0} *rows, long n) {{ long sum = 0; for (long i = 0; i < n; ++i) sum += rows[i].values[i % ({0} + 1)]; return sum; }}
int main(int count, char **words) {{ struct row{0} *rows = calloc(count, sizeof *rows); printf("%ld %s\\n", sum{0}(rows, count), words[0]); return 0; }}
"""


def cpu_seconds(command, **options):
    """The CPU time of a command with all processes that it starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(map(str, command))}: {done.stderr.strip()[-300:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_libraries(folder):
    folder.mkdir()
    subprocess.run(["gcc", "-O1", "-o", str(folder / "loader"), "-x", "c", "-"], input=LOADER, text=True, check=True)
    for i in range(LIBRARIES):
        subprocess.run(["gcc", "-O1", "-g", "-shared", "-fPIC", "-o", str(folder / f"lib{i}.so"), "-x", "c", "-"],
                       input=LIBRARY.format(i), text=True, check=True)


def recorder_seconds(hardmeter, folder, libraries, deleted):
    """The recorder alone: the measured process is no child of it."""
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / "libraries"
        shutil.copytree(folder, copy)
        words = ["./loader", str(libraries), *(["delete"] if deleted else [])]
        process = subprocess.Popen(words, cwd=copy, stdout=subprocess.PIPE, text=True)
        try:
            if process.stdout.readline() != "ready\n":
                sys.exit("bench: the libraries cannot be loaded")
            return cpu_seconds([hardmeter, "record", "-q", "--pmu=linux", "-e", "clock", "-c", "10ms", "-o", f"{name}/perf.data",
                                "-p", str(process.pid), "--duration", "500ms"], env={**os.environ, "PERF_BUILDID_DIR": f"{name}/kept"})
        finally:
            process.kill()
            process.wait()


def spread(values, form="{:.2f}"):
    return f"{form.format(statistics.median(values))} ({form.format(min(values))} to {form.format(max(values))})"


def libraries_table(hardmeter, folder, rounds):
    make_libraries(folder)
    ways = {"files at their paths": False, "deleted files, all copied": True}
    costs = {way: [] for way in ways}
    for _ in range(rounds):
        for way, deleted in ways.items():
            alone = recorder_seconds(hardmeter, folder, 0, False)
            costs[way].append(recorder_seconds(hardmeter, folder, LIBRARIES, deleted) - alone)
    print(f"| {LIBRARIES} mapped libraries | CPU seconds of the recorder for them |\n| --- | ---: |")
    for way, values in costs.items():
        print(f"| {way} | {spread(values)} |", flush=True)


def make_sources(folder):
    folder.mkdir()
    for i in range(FILES):
        (folder / f"p{i}.c").write_text(SOURCE.format(i))
    (folder / "Makefile").write_text("all: $(patsubst %.c,%,$(wildcard *.c))\n%: %.c\n\tgcc -O2 -g -o $@ $<\n")


def build_seconds(prefix, folder, kept):
    for path in folder.glob("p*"):
        if path.suffix != ".c":
            path.unlink()
    shutil.rmtree(kept, ignore_errors=True)
    return cpu_seconds([*prefix, "make", "-s", "-j2"], cwd=folder, env={**os.environ, "PERF_BUILDID_DIR": str(kept)})


def build_table(hardmeter, folder, rounds):
    make_sources(folder)
    record = [hardmeter, "record", "-q", "--pmu=linux", "-e", "clock", "-c", "1ms", "-o", f"{folder}/perf.data"]
    ways = {"no recorder": [], "record --keep-symbols=never": [*record, "--keep-symbols=never", "--"], "record": [*record, "--"]}
    times = {way: [] for way in ways}
    for turn in range(rounds):
        order = list(ways)
        for way in order[turn % len(order):] + order[:turn % len(order)]:
            times[way].append(build_seconds(ways[way], folder, folder / "kept"))
    print(f"\n| make -j2, {FILES} files | CPU seconds | against no recorder |\n| --- | ---: | ---: |")
    for way, values in times.items():
        ratios = [a / b for a, b in zip(values, times["no recorder"])]
        print(f"| {way} | {spread(values)} | {spread(ratios, '{:.3f}')} |", flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    hardmeter, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        libraries_table(hardmeter, folder / "libraries", rounds)
        build_table(hardmeter, folder / "sources", rounds)


if __name__ == "__main__":
    main()
