#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the intervals of running servers hold: many short measurements within a budget, and exact ones of the same load.

Each server of live.py is first started twice under `record --detail exact`, which measures each instruction once the server
has been under load for a while. Then it runs natively under the same load, and is measured again and again for some seconds
(`record --budget 5% -p`; 20 % for node and Java). Of the ten functions with the most L1 misses in the exact recordings: how many of the short
measurements state a 95 % interval that holds the function's exact share? A function that a measurement does not show counts
as not held. Prints a Markdown table. Usage: live_intervals.py HARDMETER [ROUNDS [SECONDS [WORD...]]]: 50 rounds of 5 seconds;
WORD: only these servers. What is not installed is skipped with a sentence.

The exact recordings and the measured server have the same addresses (`setarch -R`): at others, other lines are in the same set of
the first level. The modelled processor is the same on each host.

The work for a request must not depend on the server's speed, because the exact recording slows it down. So servers with an event
loop have one client, as a slow server would find several requests at each turn of its loop. Redis runs its timers rarely
(hz 1), and does not measure its own latencies, which lie in other buckets of its histogram if it is slow.
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
SAME_ADDRESSES = ["setarch", "-R"]
# Servers with much code, which is copied anew in each episode, have few bursts within 5 %.
BUDGETS = {"node, JSON": "20%", "Java, a map": "20%"}
WARM_SECONDS, EXACT_SECONDS = 10, 30  # before and during an exact recording


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


def record(hardmeter, server, pid, path, seconds):
    """A short measurement of the running server."""
    processes = ",".join(str(each) for each in server.measured(pid))
    live.said([hardmeter, "record", "-q", "--pmu=soft", *MACHINE, "-e", EVENT, "--budget",
               BUDGETS.get(server.name, live.BUDGET), "-p", processes, "-o", path, "--duration", f"{seconds}s"])


def rows(hardmeter, path, options=()):
    """By function: its row. Empty, if there are too few bursts for shares."""
    text = live.said([hardmeter, "report", "-i", path, "-e", EVENT, "--json", "--limit", "0", "--sort", "dso,function", *options])
    return {(row["dso"], row["function"]): row for row in json.loads(text)["rows"] if row["share"][EVENT] is not None}


def own_folder(folder):
    """Its name has the same length each time, as the server keeps it in its memory."""
    own = tempfile.mkdtemp(dir=folder)
    os.chmod(own, 0o755)
    return own


def exact_shares(hardmeter, server, folder):
    """Of a server of its own, which ends afterwards. Of PostgreSQL only the backends' shares."""
    path, own = f"{folder}/exact", own_folder(folder)
    recorder = [hardmeter, "record", "-q", "--pmu=soft", *MACHINE, "--detail", "exact", "-D", str(1000 * WARM_SECONDS), "-e", EVENT, "-c", "1000",
                "-o", path, "--"]
    with server.start(own, recorder) as pid, under_load(server, own, 4 * (WARM_SECONDS + EXACT_SECONDS)):
        time.sleep(WARM_SECONDS + EXACT_SECONDS)
        processes = server.measured(pid) if server.measured is live.backends else []
    counts = collections.Counter()
    for options in [["--pid", str(each)] for each in processes] or [[]]:
        for name, row in rows(hardmeter, path, options).items():
            counts[name] += row["counts"][EVENT]
    return {name: count / counts.total() for name, count in counts.items()}


def holds(row, share):
    interval = row["share"][EVENT]
    return interval["low"] <= share <= interval["high"]


def measure(hardmeter, server, rounds, seconds):
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        os.chmod(folder, 0o777)
        first, last = (exact_shares(hardmeter, server, folder) for _ in range(2))
        own, path = own_folder(folder), f"{folder}/recording"
        with server.start(own, SAME_ADDRESSES) as pid:
            server.load(own, WARM_SECONDS)
            with under_load(server, own, rounds * (seconds + 10)):
                measured = []
                for each in range(rounds):
                    record(hardmeter, server, pid, path, seconds)
                    measured.append(rows(hardmeter, path))
                    print(f"{server.name}: {each + 1} of {rounds}", file=sys.stderr)
    shares = {name: (first.get(name, 0) + last.get(name, 0)) / 2 for name in first.keys() | last.keys()}
    names = sorted(shares, key=shares.get, reverse=True)[:FUNCTIONS]
    counted = [each for each in measured if each]
    held = {name: sum(name in each and holds(each[name], shares[name]) for each in counted) for name in names}
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
