#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Running servers under load: natively, and while hardmeter is attached within a budget.

PostgreSQL (pgbench), Redis (redis-benchmark), nginx, node and Java (wrk), natively and attached in turns against one server;
the medians of the pairs' ratios. Afterwards nothing of the engine may be mapped, and the server still serves. For PostgreSQL
besides: where the five functions with the most L1 misses stand in an exact recording of the same load. Prints Markdown
tables. Usage: live.py HARDMETER [PAIRS [SECONDS [WORD...]]]; WORD: only these servers. What is not installed is skipped with a
sentence.
"""
import contextlib
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Callable

import five_programs
import postgresql

HERE = os.path.dirname(os.path.abspath(__file__)) + "/live"
BUDGET, PORT = "5%", 7611
CLIENTS = "20"  # of servers other than PostgreSQL
REDIS_OPTIONS = []


@dataclass
class Server:
    name: str
    needs: list
    start: Callable  # (folder, prefix=()): returns a context of the process, or of the prefix, a command that starts it
    load: Callable  # (folder, seconds): returns the rate per second
    measured: Callable  # (process): returns the process ids to attach to, once there is load


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(each) for each in file.read().split()]


def said(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with status {done.returncode}: {done.stdout}")
    return done.stdout


@contextlib.contextmanager
def running(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    time.sleep(3)
    try:
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


@contextlib.contextmanager
def postgres(folder, prefix=()):
    binaries = postgresql.binaries()
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    with postgresql.server(binaries, folder, list(prefix)):
        postgresql.quietly([f"{binaries}/pgbench", "-h", folder, "-U", "postgres", "-i", "-q", "-s", "10", "postgres"])
        with open(f"{folder}/data/postmaster.pid", encoding="ascii") as file:
            yield int(file.readline())


def transactions(options):
    def load(folder, seconds):
        text = postgresql.quietly([f"{postgresql.binaries()}/pgbench", "-h", folder, "-U", "postgres", "-n", *options, "-c", "4",
                                   "-T", str(seconds), "postgres"])
        if "number of failed transactions: 0 " not in text:
            sys.exit(f"bench: transactions failed: {text}")
        return float(re.search(r"^tps = ([0-9.]+)", text, re.MULTILINE).group(1))
    return load


def backends(pid):
    """Of pgbench's connections."""
    def title(process):
        with open(f"/proc/{process}/cmdline", encoding="ascii", errors="replace") as file:
            return file.read()
    return [each for each in children_of(pid) if "postgres postgres [local]" in title(each)]


def redis_requests(options):
    def load(_folder, seconds):
        text = said(["redis-benchmark", "-p", str(PORT), *options, "-c", CLIENTS, "-n", str(85000 * seconds), "--csv"])
        return float(re.search(r'^"[GS]ET","([0-9.]+)"', text, re.MULTILINE).group(1))
    return load


@contextlib.contextmanager
def redis(folder, prefix=()):
    with running([*prefix, "redis-server", "--port", str(PORT), "--save", "", "--dir", folder, *REDIS_OPTIONS]) as pid:
        yield pid


def web_requests(_folder, seconds):
    text = said(["wrk", "-t1", f"-c{CLIENTS}", f"-d{seconds}", f"http://127.0.0.1:{PORT}/"])
    if "Socket errors" in text or "Non-2xx" in text:
        sys.exit(f"bench: requests failed: {text}")
    return float(re.search(r"^Requests/sec: +([0-9.]+)", text, re.MULTILINE).group(1))


@contextlib.contextmanager
def nginx(folder, prefix=()):
    with open(f"{folder}/index.html", "w", encoding="ascii") as page:
        page.write("<p>hello</p>\n" * 50)
    with open(f"{folder}/conf", "w", encoding="ascii") as conf:
        conf.write(f"worker_processes 2; daemon off; pid {folder}/pid; error_log {folder}/log; events {{ worker_connections 512; }}\n"
                   f"http {{ access_log off; server {{ listen 127.0.0.1:{PORT}; root {folder}; }} }}\n")
    os.chmod(folder, 0o755)
    with running([*prefix, "nginx", "-c", f"{folder}/conf"]) as pid:
        yield pid


@contextlib.contextmanager
def java(folder, prefix=()):
    said(["javac", "-d", folder, f"{HERE}/Server.java"])
    with running([*prefix, "java", "-Xmx512m", "-cp", folder, "Server", str(PORT)]) as pid:
        yield pid


def itself(pid):
    return [pid]


SERVERS = [
    Server("PostgreSQL, pgbench -S", ["pgbench"], postgres, transactions(["-S"]), backends),
    Server("PostgreSQL, pgbench", ["pgbench"], postgres, transactions([]), backends),
    Server("Redis, GET", ["redis-server"], redis, redis_requests(["-t", "get"]), itself),
    Server("Redis, SET of 100,000 keys", ["redis-server"], redis, redis_requests(["-t", "set", "-r", "100000", "-d", "100"]), itself),
    Server("nginx, a page", ["nginx", "wrk"], nginx, web_requests, children_of),
    Server("node, JSON", ["node", "wrk"], lambda folder, prefix=(): running([*prefix, "node", f"{HERE}/server.js", str(PORT)]), web_requests,
           itself),
    Server("Java, a map", ["javac", "wrk"], java, web_requests, itself),
]


def loading(server, folder, seconds):
    """The load, in the background."""
    return subprocess.Popen([sys.executable, __file__, "--load", server.name, folder, str(seconds), CLIENTS], stdout=subprocess.PIPE, text=True)


def attached(hardmeter, server, pid, folder, seconds):
    """The rate under load meanwhile, and what hardmeter said of the budget."""
    load = loading(server, folder, seconds + 2)
    time.sleep(1)
    processes = ",".join(str(each) for each in server.measured(pid))
    text = said([hardmeter, "record", "--pmu=soft", "--budget", BUDGET, "-p", processes, "-o", f"{folder}/recording", "--", "sleep",
                 str(seconds)])
    rate = float(load.communicate()[0])
    cost = re.search(r"cost at most ([0-9.]+) %", text)
    bursts = re.search(r"([0-9,]+) bursts? of", text)
    return rate, float(cost.group(1)) if cost else 0.0, int(bursts.group(1).replace(",", "")) if bursts else 0


def is_clean(processes):
    for each in processes:
        with open(f"/proc/{each}/maps", encoding="utf-8") as maps:
            if any(line.startswith("554000") for line in maps):
                return False
    return True


def functions(hardmeter, recording, options):
    text = said([hardmeter, "report", "-i", recording, "-e", "l1_cache_miss", "--json", *options])
    return [row["keys"][0] if "keys" in row else row["function"] for row in json.loads(text)["rows"]]


def places_in_exact(hardmeter, server, found, folder):
    exact = f"{folder}/exact"
    os.mkdir(f"{folder}/again")
    os.chmod(folder, 0o777)
    recorder = [hardmeter, "record", "--pmu=soft", "-q", "-e", "l1_cache_miss", "-c", "10000", "-o", exact, "--"]
    with postgres(f"{folder}/again", recorder) as pid:
        load = loading(server, f"{folder}/again", 20)
        time.sleep(5)
        backend = server.measured(pid)[0]
        load.communicate()
    order = functions(hardmeter, exact, ["--limit", "0", "--pid", str(backend)])
    return [order.index(each) + 1 if each in order else None for each in found]


def measure(hardmeter, server, pairs, seconds):
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        ratios, rates, costs, bursts = [], [], [], []
        own = f"{folder}/own"
        os.mkdir(own)
        os.chmod(folder, 0o755)
        with server.start(own) as pid:
            server.load(own, 10)
            for i in range(pairs):
                native = server.load(own, seconds + 2)
                rate, cost, count = attached(hardmeter, server, pid, own, seconds)
                rates.append(native)
                ratios.append(rate / native)
                costs.append(cost)
                bursts.append(count)
                print(f"{server.name}: pair {i + 1} of {pairs}: {rate / native:.3f}", file=sys.stderr)
            clean = is_clean([pid] + children_of(pid))
            server.load(own, 2)
        print(f"| {server.name} | {statistics.median(rates):,.0f} | {statistics.median(ratios):.3f} | {max(costs):.1f} % | "
              f"{statistics.median(bursts):,.0f} | {'nothing' if clean else '**the engine**'} |", flush=True)
        if server.measured is not backends or "-S" not in server.name:
            return None
        found = functions(hardmeter, f"{own}/recording", ["--limit", "5"])
        return list(zip(found, places_in_exact(hardmeter, server, found, folder)))


def installed(words):
    """Yields the selected servers; without words, all. Reports missing ones on standard error."""
    for server in SERVERS:
        if words and not any(word.lower() in server.name.lower() for word in words):
            continue
        missing = [each for each in server.needs if each != "pgbench" and not shutil.which(each)]
        if missing or (server.needs == ["pgbench"] and postgresql.binaries() is None):
            print(f"{server.name} is not measured: {', '.join(missing) or 'postgres'} is not installed", file=sys.stderr)
        else:
            yield server


def main():
    global CLIENTS
    if sys.argv[1] == "--load":
        CLIENTS = sys.argv[5]
        server = next(each for each in SERVERS if each.name == sys.argv[2])
        print(server.load(sys.argv[3], int(sys.argv[4])))
        return
    hardmeter = os.path.abspath(sys.argv[1])
    pairs, seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 3, int(sys.argv[3]) if len(sys.argv) > 3 else 60
    words = sys.argv[4:]
    print(f"{five_programs.where_and_when()}; --budget {BUDGET}, {seconds} s each, {pairs} pairs of native and attached in turns\n")
    print("| server | natively, a second | attached / native | cost at most (largest) | bursts | left behind |\n|---|---|---|---|---|---|")
    places = None
    for server in installed(words):
        places = measure(hardmeter, server, pairs, seconds) or places
    if places:
        print("\nPostgreSQL's five functions with the most L1 misses, and their places in an exact recording of the same load:",
              ", ".join(f"{name} {place}" for name, place in places))


if __name__ == "__main__":
    main()
