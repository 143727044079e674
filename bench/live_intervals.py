#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the intervals of running servers hold: many short measurements within a budget, and exact ones of the same process.

Each server of live.py is warmed up and stays under load. It is first measured for some seconds in bursts that leave out one
instruction in a thousand (`--burst-slots 1000000 --gap-slots 1000`), which is nearly exact. Then it is measured again and
again for some seconds within a budget (`record --budget 5% -p`; 20 % for node and Java), and at last nearly exactly once
more. Of the ten functions with the most L1 misses in the exact measurements: how many of the short ones state a 95 % interval
that holds the function's exact share, or a share between the two exact ones, where these differ? A function that a short
measurement does not show counts as not held. Prints a Markdown table. Usage: live_intervals.py HARDMETER [ROUNDS [SECONDS
[WORD...]]]: 50 rounds of 5 seconds; WORD: only these servers. What is not installed is skipped with a sentence.

All measurements are of one process, because at other addresses other lines are in the same set of the first level, and
because compilers of JavaScript and Java do not generate the same code each time. The modelled processor is the same on each
host. The work for a request must not depend on the server's speed, because the exact measurement slows it down. So servers
with an event loop have one client, as a slow server would find several requests at each turn of its loop. Redis runs its
timers rarely (hz 1), and does not measure its own latencies, which lie in other buckets of its histogram if it is slow.
"""
import collections
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import five_programs
import live

live.CLIENTS = "1"
live.REDIS_OPTIONS = ["--hz", "1", "--latency-tracking", "no"]

EVENT, FUNCTIONS = "l1_cache_miss", 10
MACHINE = ["--cpu", "zen4"]
# Servers with much code, which is copied anew in each episode, have few bursts within 5 %.
BUDGETS = {"node, JSON": "20%", "Java, a map": "20%"}
NEARLY_EXACT = ["--detail", "bursts", "--burst-slots", "1000000", "--gap-slots", "1000", "-c", "1000"]
WARM_SECONDS, EXACT_SECONDS = 20, 30


@contextlib.contextmanager
def under_load(server, folder, seconds):
    load = subprocess.Popen([sys.executable, live.__file__, "--load", server.name, folder, str(seconds), live.CLIENTS],
                            stdout=subprocess.DEVNULL, start_new_session=True)
    time.sleep(2)
    try:
        yield
    finally:
        os.killpg(load.pid, signal.SIGKILL)
        load.wait()


def record(hardmeter, server, pid, path, seconds, options):
    processes = ",".join(str(each) for each in server.measured(pid))
    live.said([hardmeter, "record", "-q", "--pmu=soft", *MACHINE, "-e", EVENT, *options, "-p", processes, "-o", path,
               "--duration", f"{seconds}s"])


def rows(hardmeter, path):
    """By function: its row. Empty, if there are too few bursts for shares."""
    text = live.said([hardmeter, "report", "-i", path, "-e", EVENT, "--json", "--limit", "0", "--sort", "dso,function"])
    return {(row["dso"], row["function"]): row for row in json.loads(text)["rows"] if row["share"][EVENT] is not None}


def exact_shares(hardmeter, server, pid, path):
    record(hardmeter, server, pid, path, EXACT_SECONDS, NEARLY_EXACT)
    counts = collections.Counter({name: row["counts"][EVENT] for name, row in rows(hardmeter, path).items()})
    return {name: count / counts.total() for name, count in counts.items()}


def holds(row, shares):
    interval = row["share"][EVENT]
    return interval["low"] <= max(shares) and interval["high"] >= min(shares)


def measure(hardmeter, server, rounds, seconds):
    budget = ["--budget", BUDGETS.get(server.name, live.BUDGET)]
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        own, path = f"{folder}/own", f"{folder}/recording"
        os.mkdir(own)
        os.chmod(folder, 0o755)
        with server.start(own) as pid:
            server.load(own, WARM_SECONDS)
            with under_load(server, own, rounds * (seconds + 10) + 4 * EXACT_SECONDS):
                first = exact_shares(hardmeter, server, pid, path)
                measured = []
                for each in range(rounds):
                    record(hardmeter, server, pid, path, seconds, budget)
                    measured.append(rows(hardmeter, path))
                    print(f"{server.name}: {each + 1} of {rounds}", file=sys.stderr)
                last = exact_shares(hardmeter, server, pid, path)
    shares = {name: (first.get(name, 0) + last.get(name, 0)) / 2 for name in first.keys() | last.keys()}
    names = sorted(shares, key=shares.get, reverse=True)[:FUNCTIONS]
    counted = [each for each in measured if each]
    held = {name: sum(name in each and holds(each[name], (first.get(name, 0), last.get(name, 0))) for each in counted) for name in names}
    widths = [each[name]["share"][EVENT]["high"] - each[name]["share"][EVENT]["low"] for each in counted for name in names if name in each]
    apart = max(abs(first.get(name, 0) - last.get(name, 0)) for name in names)
    worst = min(names, key=held.get)
    print(f"| {server.name} | {rounds} | {rounds - len(counted)} | {100 * sum(held.values()) / max(1, len(counted) * len(names)):.1f} % | "
          f"{worst[1]}: {held[worst]} of {len(counted)}, {100 * shares[worst]:.1f} % | ± {50 * statistics.median(widths or [0]):.1f} | "
          f"{100 * apart:.1f} |", flush=True)
    for name in names:
        print(f"{server.name}: {name[1]}: exactly {100 * first.get(name, 0):.2f} % and {100 * last.get(name, 0):.2f} %, "
              f"holds {held[name]}, seen {sum(name in each for each in counted)}, mean "
              f"{100 * statistics.fmean([each[name]['share'][EVENT]['value'] for each in counted if name in each] or [0]):.2f} %",
              file=sys.stderr)


def main():
    hardmeter = os.path.abspath(sys.argv[1])
    rounds, seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 50, int(sys.argv[3]) if len(sys.argv) > 3 else 5
    words = sys.argv[4:]
    print(f"{five_programs.where_and_when()}; {rounds} measurements of {seconds} s each\n")
    print("| server | measurements | with too few bursts | intervals that hold | the function that holds least often | half width, points "
          "| exact ones apart, points |\n|---|---|---|---|---|---|---|")
    for server in live.installed(words):
        measure(hardmeter, server, rounds, seconds)


main()
