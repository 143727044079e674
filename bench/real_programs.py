#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the software PMU costs on programs that people run: CPU time natively, under cachegrind, and recorded by hardmeter as
users do, with the classes of misses, and with code left out (--l1i none). Below it, where the engine's time goes, by part
(engine_parts.py).

Usage: real_programs.py HARDMETER [RUNS [WORD...]]; WORD: only programs with it in their names.
       real_programs.py HARDMETER -- COMMAND...: only the parts, of any program.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import engine_parts
import five_programs
from cpu_time import CACHEGRIND, GEOMETRY, chosen, medians_in_turns, print_table

HERE = five_programs.HERE
# Includes the child processes of a program.
FOLLOWING = CACHEGRIND + ["--trace-children=yes"]
RATIOS = (("cachegrind", "native"), ("hardmeter", "native"), ("without code", "native"), ("cachegrind", "hardmeter"))


def recording(hardmeter, folder, *options):
    return [hardmeter, "record", "-q", "--pmu=soft", *GEOMETRY, *options, "-e", "l1_cache_miss", "-c", "10000", "-o",
            f"{folder}/perf.data", "--"]


def compiler(folder):
    """The compiler proper, with the options that g++ gives it."""
    source = f"{HERE}/programs/templates.cc"
    subprocess.run(["g++", "-O1", "-E", "-o", f"{folder}/templates.ii", source], check=True)
    proper = subprocess.run(["g++", "-print-prog-name=cc1plus"], check=True, capture_output=True, text=True).stdout.strip()
    return [proper, "-quiet", "-fpreprocessed", "-O1", f"{folder}/templates.ii", "-o", "/dev/null"]


def history(folder):
    """A repository of 300 commits."""
    git = ["git", "-C", f"{folder}/repository", "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    subprocess.run(["git", "init", "-q", f"{folder}/repository"], check=True)
    for i in range(300):
        with open(f"{folder}/repository/file{i % 20}", "a") as file:
            file.writelines(f"line {i} {j}\n" for j in range(40))
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", f"Change {i}"], check=True)
    return ["git", "-C", f"{folder}/repository", "log", "-p", "--stat"]


def java(folder):
    subprocess.run(["javac", "-d", folder, f"{HERE}/programs/Words.java"], check=True)
    return ["java", "-Xshare:auto", "-XX:+UseSerialGC", "-cp", folder, "Words"]


def programs(folder):
    """Commands by name; those that are not installed are left out, which is said."""
    os.environ["PYTHONHASHSEED"] = os.environ["PERL_HASH_SEED"] = "0"
    subprocess.run([f"{HERE}/programs/make_inputs.sh", folder], check=True)
    with open(f"{folder}/text") as text, open(f"{folder}/less", "w") as less:
        less.write(text.read(1_000_000))
    subprocess.run(["gcc", "-O2", "-o", f"{folder}/matmul", f"{HERE}/programs/matmul.c"], check=True)
    makers = {
        "python3 json": ("python3", lambda: ["python3", f"{HERE}/programs/objects.py"]),
        "cc1plus templates": ("g++", lambda: compiler(folder)),
        "node json": ("node", lambda: ["node", f"{HERE}/programs/objects.js"]),
        "git log -p --stat": ("git", lambda: history(folder)),
        "java words": ("javac", lambda: java(folder)),
        "sqlite3 query": ("sqlite3", lambda: ["sqlite3", ":memory:", f".read {HERE}/programs/query.sql"]),
        "perl hash": ("perl", lambda: ["perl", f"{HERE}/programs/hash.pl"]),
        "gzip, 1 MB": ("gzip", lambda: ["gzip", "-kc", f"{folder}/less"]),
        "bzip2, 1 MB": ("bzip2", lambda: ["bzip2", "-kc", f"{folder}/less"]),
        "matmul 400": ("gcc", lambda: [f"{folder}/matmul", "400"]),
    }
    found = {}
    for name, (needed, make) in makers.items():
        if shutil.which(needed):
            found[name] = make()
        else:
            print(f"bench: {name} is not measured: {needed} is not installed", file=sys.stderr)
    return found


def print_parts(parts):
    print("| program | " + " | ".join(engine_parts.PARTS) + " |")
    print("|---" * (1 + len(engine_parts.PARTS)) + "|")
    for program, shares in parts.items():
        print(f"| {program} | " + " | ".join(f"{100 * shares[part]:.0f} %" for part in engine_parts.PARTS) + " |")


def main():
    hardmeter, rest = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        record = recording(hardmeter, folder)
        if rest[:1] == ["--"]:
            return print_parts({rest[1]: engine_parts.parts_of(hardmeter, record + rest[1:])})
        runs, words = int(rest[0]) if rest else 3, rest[1:]
        wanted = chosen(programs(folder), words)
        if not wanted:
            sys.exit(f"bench: no program has any of these in its name: {' '.join(words)}")
        tools = {"native": [], "cachegrind": FOLLOWING, "hardmeter": record,
                 "without code": recording(hardmeter, folder, "--l1i", "none")}
        medians = medians_in_turns(wanted, tools, runs)
        parts = {name: engine_parts.parts_of(hardmeter, record + command) for name, command in wanted.items()}
    print(f"{five_programs.where_and_when()}; CPU seconds, medians of {runs} interleaved runs; {' '.join(GEOMETRY)}\n")
    print_table(medians, RATIOS, digits=1)
    print()
    print_parts(parts)
    return None


if __name__ == "__main__":
    main()
