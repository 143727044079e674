#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an agent costs beside a busy PostgreSQL, with its usual budget (0.5 % of a CPU) and the software PMU on the server's
processes within 2 % of their CPU time.

pgbench (4 clients, SELECT) all the while; the agent's CPU time and that of its processes (wait4(2)), their memory (the
proportional set, /proc/PID/smaps_rollup, five times a second), and the transactions a second before and beside it. What the
software PMU costs the server at most is what five recordings like the agent's say. Prints Markdown. Usage: agent.py HARDMETER
[SECONDS]
"""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import live
import postgresql

QUIET_S, WINDOW_S, BUDGET = 60, 10, "2%"
EVENTS = "l1_cache_miss,l3_cache_miss,dtlb_load_miss,instr_retired"


class Transactions:
    """Of each second, from a pgbench that runs until it is stopped."""

    def __init__(self, folder):
        command = [f"{postgresql.binaries()}/pgbench", "-h", folder, "-U", "postgres", "-n", "-S", "-c", "4", "-T", "100000", "-P", "1",
                   "postgres"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.seconds = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            if found := re.match(r"progress: .* s, ([0-9.]+) tps", line):
                self.seconds.append(float(found.group(1)))

    def take(self):
        taken, self.seconds = self.seconds, []
        return taken

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.reader.join()


def tree(pid):
    try:
        return [pid] + [each for child in live.children_of(pid) for each in tree(child)]
    except OSError:
        return []


def proportional_kib(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return int(re.search(r"^Pss: +([0-9]+) kB", file.read(), re.MULTILINE).group(1))
    except (OSError, AttributeError):
        return 0


def run_agent(hardmeter, folder, seconds):
    """Its share of a CPU, the most memory in MiB, and what it said last."""
    begin, most = time.monotonic(), 0
    log = f"{folder}/agent.log"
    with open(log, "w", encoding="utf-8") as said:
        agent = subprocess.Popen([hardmeter, "agent", "--store", f"{folder}/store", "--folder", f"{folder}/spool",
                                  "--software", f"postgres={BUDGET}"], stderr=said)
    while time.monotonic() - begin < seconds:
        most = max(most, sum(proportional_kib(each) for each in tree(agent.pid)))
        time.sleep(0.2)
    agent.terminate()
    _, status, usage = os.wait4(agent.pid, 0)
    if status != 0:
        sys.exit(f"bench: the agent ended with status {status}: {open(log, encoding='utf-8').read()}")
    with open(log, encoding="utf-8") as said:
        last = said.read().splitlines()[-1]
    return (usage.ru_utime + usage.ru_stime) / (time.monotonic() - begin), most / 1024, last


def cost_of_recording(hardmeter, folder, server):
    processes = ",".join(map(str, [server, *live.children_of(server)]))
    said = live.said([hardmeter, "record", "--pmu=soft", "--budget", BUDGET, "-e", EVENTS, "-p", processes, "--duration", "10s", "-o",
                      f"{folder}/perf.data"])
    return float(re.search(r"cost at most ([0-9.]+) %", said).group(1))


def main():
    hardmeter = os.path.abspath(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 600
    folder, database = tempfile.mkdtemp(prefix="hardmeter-agent-"), tempfile.mkdtemp(prefix="hardmeter-postgres-")
    try:
        with live.postgres(database) as server:
            transactions = Transactions(database)
            time.sleep(QUIET_S)
            before = statistics.median(transactions.take())
            cpu, memory, said = run_agent(hardmeter, folder, seconds)
            beside = statistics.median(transactions.take())
            time.sleep(QUIET_S)
            after = statistics.median(transactions.take())
            costs = [cost_of_recording(hardmeter, folder, server) for _ in range(5)]
            transactions.stop()
        print(f"| over {seconds:.0f} s | measured | asked |\n|---|---|---|")
        print(f"| the agent and its processes, of one CPU | {100 * cpu:.2f} % | 0.5 % |")
        print(f"| their memory at most | {memory:.0f} MiB | 64 MiB |")
        its_turns = int(re.search(r"([0-9]+) measurements?,", said).group(1)) // 2  # the machine's turn is first
        print(f"| what the software PMU costs the server at most, of its CPU time | "
              f"{statistics.median(costs) * its_turns * WINDOW_S / seconds:.2f} % | {BUDGET.replace('%', ' %')} |")
        print(f"| the same while it measures | median {statistics.median(costs):.1f} %, at most {max(costs):.1f} % | |")
        print(f"| transactions a second, medians: a minute before and one after; beside the agent | {before:,.0f} and {after:,.0f}; "
              f"{beside:,.0f} ({2 * beside / (before + after):.3f}) | |\n")
        print(said)
        for words in (["report"], ["report", "--service", "postgres", "--limit", "5"], ["explain", "--service", "postgres", "--limit", "1"]):
            print(f"\n$ hardmeter {' '.join(words)} --store store")
            print(subprocess.run([hardmeter, *words, "--store", f"{folder}/store"], stdout=subprocess.PIPE, text=True, check=False).stdout)
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(database, ignore_errors=True)


if __name__ == "__main__":
    main()
