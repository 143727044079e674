#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the class that is estimated from what samples of hardware hold is the class that the model knows.

One recording of each program holds both: every sample has its exact class, and the estimate of `hardmeter explain` does not
look at it, nor at anything else that hardware does not tell. Counted are hot lines: those with 1 % or more of an event's
samples and 50 or more of them; one is right where its estimate is the class of most of its misses. Prints a Markdown
table. Usage: estimates.py BUILD [-v] [NAME...]; -v shows each line that is wrong. BUILD holds the examples too.
"""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

import copying

EVENTS = "l1_cache_miss,l1_store_miss,l2_cache_miss,l3_cache_miss"
EXAMPLES = ("padded_matrix", "interchange", "blocking", "gather", "prefetch", "scan", "list_to_array", "hot_cold_split",
            "huge_page_table", "false_sharing", "test_and_set")
PERIODS = {"cc1 -O2": 199, "PostgreSQL": 997, "perl hash": 997}  # others: 2003
SHARE, SAMPLES = 0.01, 50


def programs(build, folder):
    """By name: a command."""
    found = {name: [f"{build}/examples/{name}"] for name in EXAMPLES}
    for name, command in copying.programs(folder).items():
        if name in ("sqlite3 query", "cc1 -O2", "bzip2, 3 MB", "perl hash", "python3 words"):
            found[name] = command
    if shutil.which("pg_config") or os.path.isdir("/usr/lib/postgresql"):
        found["PostgreSQL"] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples/postgresql/run.sh"),
                               f"{folder}/cluster"]
    else:
        print("estimates.py: PostgreSQL is not installed and is left out", file=sys.stderr)
    return found


def explain(build, name, command, folder):
    hardmeter, data = f"{build}/bin/hardmeter", f"{folder}/perf.data"
    if name == "PostgreSQL":
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # creates the cluster
    record = [hardmeter, "record", "-q", "--pmu=soft", "--engine=direct", "--cpu", "zen4", "-e", EVENTS, "-c",
              str(PERIODS.get(name, 2003)), "-o", data, "--"]
    subprocess.run(record + command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = subprocess.run([hardmeter, "explain", "--json", "--limit", "0", "-i", data], check=True, stdout=subprocess.PIPE)
    return json.loads(told.stdout)["events"]


def hot_lines(events):
    """Of each: where it is, what most of its misses are, and what they are estimated to be."""
    for event in events:
        for place in event["places"]:
            if place["samples"] < SAMPLES or place["share"]["value"] < SHARE or not place["classes"]:
                continue
            exact = max(place["classes"], key=lambda name: place["classes"][name]["samples"])
            guess = place["estimated_class"]
            where = f"{event['name']} {place['function']}:{place['line'] or hex(place['address'])}"
            yield where, exact, guess["class"] if guess else "unknown"


def main():
    build, names = sys.argv[1], [each for each in sys.argv[2:] if each != "-v"]
    verbose = "-v" in sys.argv[2:]
    by_class = collections.defaultdict(collections.Counter)
    print("| program | hot lines | right | unknown |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name, command in programs(build, folder).items():
            if names and name not in names:
                continue
            lines = list(hot_lines(explain(build, name, command, folder)))
            right = sum(exact == guess for _, exact, guess in lines)
            print(f"| {name} | {len(lines)} | {right} | {sum(guess == 'unknown' for *_, guess in lines)} |", flush=True)
            for where, exact, guess in lines:
                by_class[exact][guess] += 1
                if verbose and exact != guess:
                    print(f"    {where}: {exact}, estimated {guess}")
    print("\n| most misses are | lines | estimated right | estimated otherwise |\n|---|---|---|---|")
    for exact, guesses in sorted(by_class.items()):
        others = ", ".join(f"{name} {count}" for name, count in guesses.most_common() if name != exact)
        print(f"| {exact} | {guesses.total()} | {guesses[exact]} | {others} |")
    total, right = sum(each.total() for each in by_class.values()), sum(each[name] for name, each in by_class.items())
    print(f"| all | {total} | {right} ({100 * right / total:.1f} %) | |")


main()
