#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --detail bursts costs and how far its counts are from the exact ones, on programs that run for seconds.

CPU time natively, with copies that only touch (no burst ever begins), in bursts, and exactly; then, for each event that
happens more often than once in 1,000 instructions, the estimate beside the exact count, and whether that lies in the
estimate's 95 % interval; the same of the shares of functions and classes, and of caches of other sizes (--sizes). Usage: bursts.py HARDMETER [RUNS [WORD...]];
RUNS 0: no costs; WORD: only programs with it in their names.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import five_programs
from cpu_time import GEOMETRY, chosen, medians_in_turns, print_table

HERE = f"{five_programs.HERE}/programs"
EVENTS = ("l1_cache_miss", "l1_store_miss", "l2_cache_miss", "l3_cache_miss", "dtlb_load_miss", "icache_miss", "itlb_miss")
NEVER = str(10**15)  # slots
SIZED, SIZED_WAYS = (512, 1024, 2048, 4096, 8192), 16  # 512 KiB to 8 MiB


def programs(folder, times=1):
    """Commands by name, of some seconds each; those of interpreters repeat their work so many times."""
    os.environ["PYTHONHASHSEED"] = os.environ["PERL_HASH_SEED"] = "0"
    subprocess.run([f"{HERE}/make_inputs.sh", folder], check=True)
    with open(f"{folder}/text") as text, open(f"{folder}/long", "w") as long:
        content = text.read()
        for _ in range(8):
            long.write(content)
    for name in ("random_access", "matmul"):
        subprocess.run(["gcc", "-O2", "-o", f"{folder}/{name}", f"{HERE}/{name}.c"], check=True)
    again = f"source = open('{HERE}/objects.py').read()\nfor _ in range({8 * times}): exec(source)"
    queries = [f".read {HERE}/query.sql", ".open :memory:"] * 3 * times
    all_of_them = {
        "python3 json": ["python3", "-c", again],
        "perl hash": ["perl", "-e", f"do $ARGV[0] for 1 .. {15 * times}", f"{HERE}/hash.pl"],
        "sqlite3 query": ["sqlite3", ":memory:", *queries],
        "node json": ["node", "-e", f"for (let i = 0; i < {8 * times}; ++i) require('vm').runInThisContext('(() => {{' + "
                                    f"require('fs').readFileSync('{HERE}/objects.js') + '}})()')"],
        "gzip, 24 MB": ["gzip", "-kc", f"{folder}/long"],
        "bzip2, 24 MB": ["bzip2", "-kc", f"{folder}/long"],
        "random access 64 MiB": [f"{folder}/random_access"],
        "matmul 800": [f"{folder}/matmul", "800"],
    }
    found = {name: command for name, command in all_of_them.items() if shutil.which(command[0])}
    for name in all_of_them.keys() - found.keys():
        print(f"bench: {name} is not measured: it is not installed", file=sys.stderr)
    return found


def counts(hardmeter, folder, command, *options):
    path = f"{folder}/counts.json"
    done = subprocess.run([hardmeter, "stat", "--json", "-o", path, "--pmu=soft", "--engine=direct", *GEOMETRY, *options, "--",
                           *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with status {done.returncode}")
    with open(path) as file:
        return json.load(file)


def print_accuracy(wanted, hardmeter, folder):
    print("| program | event | per 1000 instructions | error | stated | holds |\n|---|---|---|---|---|---|")
    held = cases = 0
    errors = {}
    for name, command in wanted.items():
        exact, bursts = counts(hardmeter, folder, command), counts(hardmeter, folder, command, "--detail=bursts")
        for event in EVENTS:
            rate = exact["per_thousand_instructions"].get(event, 0)
            if rate < 1:
                continue
            error = bursts["totals"][event] / exact["totals"][event] - 1
            stated = bursts["relative_error"].get(event)
            holds = stated is not None and abs(error) * exact["totals"][event] <= stated * bursts["totals"][event]
            cases, held = cases + 1, held + holds
            errors.setdefault(event, []).append(abs(error))
            print(f"| {name} | {event} | {rate:.2f} | {100 * error:+.1f} % | ± {100 * (stated or 0):.1f} % | "
                  f"{'yes' if holds else 'no'} |", flush=True)
    print(f"\n{held} of {cases} intervals hold; mean of the errors: " + ", ".join(
        f"{event} {100 * sum(each) / len(each):.1f} %" for event, each in errors.items()))


def misses_by_size(hardmeter, folder, command, *options):
    """Misses of caches for data of SIZED sets, and half their intervals, and all accesses."""
    path = f"{folder}/sizes.data"
    done = subprocess.run([hardmeter, "record", "-q", "-o", path, "--pmu=soft", "--engine=direct", *GEOMETRY, *options,
                           f"--sizes={SIZED[0]}-{SIZED[-1]},{SIZED_WAYS}", "--", *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = subprocess.run([hardmeter, "map", "--sizes", "--json", "-i", path], stdout=subprocess.PIPE)
    if done.returncode != 0 or told.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with status {done.returncode}")
    said = json.loads(told.stdout)
    errors = said.get("misses_error")
    return [(misses[-1], errors[i][-1] if errors else 0) for i, misses in enumerate(said["misses"])], said["accesses"]


def print_sizes(wanted, hardmeter, folder):
    print("\n| program | cache | misses in 1000 accesses | error | stated | holds |\n|---|---|---|---|---|---|")
    held = cases = 0
    all_errors = []
    for name, command in wanted.items():
        exact, accesses = misses_by_size(hardmeter, folder, command)
        bursts, _ = misses_by_size(hardmeter, folder, command, "--detail=bursts")
        for sets, (misses, _), (estimate, stated) in zip(SIZED, exact, bursts):
            if misses * 1000 < accesses:
                continue
            error = estimate / misses - 1
            holds = abs(estimate - misses) <= stated
            cases, held = cases + 1, held + holds
            all_errors.append(abs(error))
            print(f"| {name} | {sets * SIZED_WAYS * 64 >> 10} KiB | {1000 * misses / accesses:.2f} | {100 * error:+.1f} % | "
                  f"± {100 * stated / max(estimate, 1):.1f} % | {'yes' if holds else 'no'} |", flush=True)
    print(f"\n{held} of {cases} intervals hold; mean of the errors {100 * sum(all_errors) / max(cases, 1):.1f} %")


def told(hardmeter, view, path, *options):
    done = subprocess.run([hardmeter, view, "--json", "-i", path, *options], stdout=subprocess.PIPE)
    return json.loads(done.stdout) if done.returncode == 0 else sys.exit(f"bench: {view} ended with status {done.returncode}")


def shares(hardmeter, folder, command, *options):
    """Of the L1 misses: what each function has, with its interval, and what each class has."""
    path = f"{folder}/shares.data"
    subprocess.run([hardmeter, "record", "-q", "-o", path, "--pmu=soft", "--engine=direct", *GEOMETRY, "-e", "l1_cache_miss",
                    *options, "--", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    functions = {(row["dso"], row["function"]): row["share"]["l1_cache_miss"]
                 for row in told(hardmeter, "report", path, "--limit", "1000")["rows"]}
    classes = {}
    for place in told(hardmeter, "explain", path, "--limit", "1000")["events"][0]["places"]:
        for name, each in place["classes"].items():
            classes[name] = classes.get(name, 0) + each["samples"]
    return functions, {name: samples / sum(classes.values()) for name, samples in classes.items()}


def print_shares(wanted, hardmeter, folder):
    print("\n| program | functions with 5 % of the L1 misses | in their intervals | greatest error | greatest error of a class |\n"
          "|---|---|---|---|---|")
    for name, command in wanted.items():
        functions, classes = shares(hardmeter, folder, command)
        estimates, estimated_classes = shares(hardmeter, folder, command, "--detail=bursts")
        none = {"value": 0, "low": 0, "high": 1}
        large = [(share["value"], estimates.get(key, none)) for key, share in functions.items() if share["value"] >= 0.05]
        held = sum(each["low"] <= exact <= each["high"] for exact, each in large)
        error = max((abs(each["value"] - exact) for exact, each in large), default=0)
        class_error = max(abs(estimated_classes.get(each, 0) - share) for each, share in classes.items())
        print(f"| {name} | {len(large)} | {held} | {100 * error:.1f} points | {100 * class_error:.1f} points |", flush=True)


def main():
    hardmeter, rest = sys.argv[1], sys.argv[2:]
    runs, words = int(rest[0]) if rest else 3, rest[1:]
    base = [hardmeter, "stat", "-o", "/dev/null", "--pmu=soft", "--engine=direct", *GEOMETRY]
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        wanted = chosen(programs(folder), words)
        tools = {"native": [], "touching": [*base, "--detail=bursts", "--gap-slots", NEVER, "--"],
                 "bursts": [*base, "--detail=bursts", "--"]}
        print(f"{five_programs.where_and_when()}; CPU seconds, medians of {runs} interleaved runs; {' '.join(GEOMETRY)}\n")
        if runs > 0:
            print_table(medians_in_turns(wanted, tools, runs), (("touching", "native"), ("bursts", "native")))
        print()
        print_accuracy(wanted, hardmeter, folder)
        print_shares(wanted, hardmeter, folder)
        print_sizes(wanted, hardmeter, folder)


if __name__ == "__main__":
    main()
