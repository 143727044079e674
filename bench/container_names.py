#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares how many samples have names when a program runs inside a container and outside.

    bench/container_names.py HARDMETER [ROOT]

The container is a mount namespace whose root folder is ROOT (unshare and pivot_root), and a PID namespace. ROOT is a
tree of debootstrap with perl-base and libstdc++6; without it, scripts/distributions/mirror.sh names the mirror from
which debootstrap makes one of this system's release. Programs are started from their files in ROOT both times: outside
with ROOT's loader and libraries, and inside as the container has them. A sample counts as named if its row is a
function; rows such as [p+0x1180] have no name. Debian's programs are stripped, so some rows have no name outside either:
the last column counts the samples inside with a name, or in such a row. Prints a Markdown table. Needs root.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct node { struct node *next; long key; };
static int by_key(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static long walk(const struct node *at) { long sum = 0; for (; at; at = at->next) sum += at->key; return sum; }
int main(int count, char **words) {
  enum { kNodes = 1 << 16 };
  struct node *nodes = calloc(kNodes, sizeof *nodes);
  int *keys = calloc(kNodes, sizeof *keys);
  long sum = 0, seconds = count > 1 ? atol(words[1]) : 3;
  for (int i = 1; i < kNodes; ++i) nodes[i].key = i, nodes[i].next = i % 64 && i + 977 < kNodes ? &nodes[i + 977] : 0;
  for (time_t end = time(0) + seconds; time(0) < end;) {
    for (int i = 0; i < 200; ++i) sum += walk(&nodes[i]);
    for (int i = 0; i < kNodes; ++i) keys[i] = (int)(i * 40503L % 65521);
    qsort(keys, kNodes, sizeof *keys, by_key);
    memmove(keys, keys + 1, (kNodes - 1) * sizeof *keys);
  }
  printf("%ld\n", sum & 1);
}
"""
PERL = "my $end = time + shift; my %seen; for (my $i = 0; time < $end; ++$i) { $seen{$i % 100000} = \"$i\"; }"
WORDS = r"""
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
int main(int count, char **words) {
  std::map<std::string, long> seen;
  long sum = 0;
  for (time_t end = time(nullptr) + (count > 1 ? atol(words[1]) : 3); time(nullptr) < end;) {
    for (int i = 0; i < 20000; ++i) sum += ++seen["word " + std::to_string(i * 7919 % 20000)];
  }
  std::printf("%ld\n", sum & 1);
}
"""
PROGRAMS = {"C": ["/app/lists"], "C++": ["/app/words"], "Perl": ["/usr/bin/perl", "-e", PERL]}
ENTER = 'mount --bind "$1" "$1" && cd "$1" && mount -t proc proc proc && mkdir -p .old && pivot_root . .old && umount -l .old && shift && exec "$@"'


ROW = re.compile(r"\s*(?:-|[\d.]+%(?: ±[\d.]+| \(too few samples\))?)\s+([\d,]+)\s+([\d,]+)\s+(\S.*)")  # of top


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **options)


def make_root(folder):
    mirror = run(["bash", "-c", f". {HERE}/../scripts/distributions/mirror.sh; echo $mirror"]).stdout.strip()
    release = run(["bash", "-c", ". /etc/os-release; echo $VERSION_CODENAME"]).stdout.strip()
    if not mirror or shutil.which("debootstrap") is None:
        sys.exit("bench: there is no debootstrap or no mirror; give the folder of a root that it has made")
    root = folder / "root"
    made = run(["debootstrap", "--variant=minbase", "--include=libstdc++6,perl-base", release, str(root), mirror])
    if made.returncode != 0:
        sys.exit(f"bench: debootstrap failed: {made.stdout[-300:]}")
    return root


def build(root):
    (root / "app").mkdir(exist_ok=True)
    for program, compiler, language, text in (("lists", "gcc", "c", SOURCE), ("words", "g++", "c++", WORDS)):
        with tempfile.TemporaryDirectory() as name:
            subprocess.run([compiler, "-O1", "-x", language, "-o", f"{name}/{program}", "-"], input=text, text=True, check=True)
            (root / "app" / program).unlink(missing_ok=True)  # it may still run
            shutil.copy(f"{name}/{program}", root / "app" / program)


def command_of(root, program, seconds, inside):
    path, *words = PROGRAMS[program]
    words = [*words, str(seconds)]
    if inside:
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "enter", str(root), path, *words]
    libraries = ":".join(f"{root}/{each}" for each in ("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"))
    return [f"{root}/lib64/ld-linux-x86-64.so.2", "--library-path", libraries, f"{root}{path}", *words]


def process_of(parent, inside):
    """Returns the program's process: the child of unshare if it is inside."""
    if not inside:
        return parent.pid
    for _ in range(200):
        children = pathlib.Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        if children and os.readlink(f"/proc/{children[0]}/exe").rsplit("/", 1)[-1] not in ("sh", "dash", "unshare", "mount"):
            return int(children[0])
        time.sleep(0.05)
    sys.exit("bench: the container did not start")


@contextlib.contextmanager
def running(root, program, inside):
    parent = subprocess.Popen(command_of(root, program, 600, inside), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process = process_of(parent, inside)
        time.sleep(1)  # the program has started
        yield process
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()


def is_name(function):
    return not function.startswith("[") and not re.fullmatch(r"0x[0-9a-f]+", function)


@dataclass
class Named:
    """Samples with names in percent, the number of samples, and the rows without names."""
    share: float | None
    samples: int
    unnamed: dict


def named_in(rows):
    """`rows`: (function, samples)."""
    total = sum(samples for _, samples in rows)
    unnamed = {function: samples for function, samples in rows if not is_name(function)}
    return Named(100 * (total - sum(unnamed.values())) / total if total else None, total, unnamed)


def as_outside(outside, inside):
    """The percentage of the samples inside that have a name, or are in a row that has none outside either."""
    if inside.share is None:
        return None
    lost = sum(samples for function, samples in inside.unnamed.items() if function not in outside.unnamed)
    return 100 - 100 * lost / inside.samples


def recorded(hardmeter, comm):
    text = run([hardmeter, "report", "--json", "-i", "perf.data", "--sort", "function", "--comm", comm]).stdout
    rows = json.loads(text)["rows"] if text else []
    return named_in([(row["function"], sum(row["counts"].values())) for row in rows])


def screen(text):
    """The rows of the last table of top: share, samples, events, function."""
    tables, rows = [], None
    for line in text.splitlines():
        if re.match(r"\s*(share|self)\b.*function", line):
            rows = []
            tables.append(rows)
        elif rows is not None and (found := ROW.match(line)):
            rows.append((found[3], int(found[1].replace(",", ""))))
        elif not line.strip():
            rows = None
    return named_in(max(tables, key=lambda each: sum(count for _, count in each), default=[]))


def ways(hardmeter):
    def record(*options):
        def measure(process, comm):
            done = run([hardmeter, "record", "-q", *options, "-o", "perf.data", "-p", str(process), "--duration", "2s"])
            return recorded(hardmeter, comm) if done.returncode == 0 else Named(None, 0, {})
        return measure

    def top(process, _comm):
        return screen(run([hardmeter, "top", "-n", "5", "-p", str(process)]).stdout)

    def agent(_process, comm):
        run(["rm", "-rf", "spool", "store"])
        run([hardmeter, "agent", "--folder", "spool", "--store", "store", "--window", "2s", "--budget", "100%", "--windows", "1"])
        text = run([hardmeter, "report", "--store", "store", "--json", "--service", comm, "--sort", "function"]).stdout
        rows = json.loads(text)["rows"] if text else []
        return named_in([(row["keys"][0], row["samples"]) for row in rows])

    return {"record -p": record("--pmu=linux", "-e", "clock", "-c", "1ms"), "record --pmu=soft -p": record("--pmu=soft", "-e", "l1_cache_miss"),
            "top": top, "agent": agent}


def started(hardmeter, root, program, inside):
    """`run` starts the program. unshare and the shell in front of it are other commands."""
    command = command_of(root, program, 2, inside)
    run([hardmeter, "run", "-q", "-o", "perf.data", "--pmu=soft", "-e", "l1_cache_miss", "--", *command])
    return recorded(hardmeter, comm_of(program, inside))


def comm_of(program, inside):
    return PROGRAMS[program][0].rsplit("/", 1)[-1] if inside else "ld-linux-x86-64"[:15]


def cell(result):
    return "-" if result.share is None else f"{result.share:.1f} % of {result.samples:,}"


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("hardmeter", type=os.path.abspath)
    words.add_argument("root", nargs="?", type=pathlib.Path)
    words.add_argument("--program", choices=list(PROGRAMS), help="only this one")
    options = words.parse_args()
    worst = 100.0
    with tempfile.TemporaryDirectory() as name:
        root = (options.root or make_root(pathlib.Path(name))).resolve()
        build(root)
        os.chdir(name)
        os.environ.update({"HOME": name, "PERF_BUILDID_DIR": f"{name}/kept", "XDG_CONFIG_HOME": f"{name}/config"})
        print("| program | command | outside | inside | named as outside |\n| --- | --- | ---: | ---: | ---: |")
        for program in [options.program] if options.program else PROGRAMS:
            results = {"run": [started(options.hardmeter, root, program, inside) for inside in (False, True)]}
            for inside in (False, True):
                with running(root, program, inside) as process:
                    for way, measure in ways(options.hardmeter).items():
                        results.setdefault(way, []).append(measure(process, comm_of(program, inside)))
            for way, (outside, inside) in results.items():
                same = as_outside(outside, inside)
                worst = min(worst, same) if same is not None else worst
                print(f"| {program} | {way} | {cell(outside)} | {cell(inside)} | {'-' if same is None else f'{same:.1f} %'} |", flush=True)
    print(f"\nThe minimum is {worst:.1f} %; the goal is 99 %.")


if __name__ == "__main__":
    main()
