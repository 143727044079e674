#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attaches to servers that recover from faults, and lets them go, again and again, while clients compare every answer.

A Java virtual machine (null pointers, safepoints), Go (nil pointers), node (traps of WebAssembly), PostgreSQL and Redis. Each
fifth recorder is killed. After each round the server must live, and nothing of the engine may be left in it. For each
server: rounds, wrong or missing answers, and the latency that clients see natively and meanwhile. Prints a Markdown table;
ends with 1 if a server ended, gave a wrong answer or kept something. Usage: attach_servers.py HARDMETER [ROUNDS [WORD...]];
WORD: only these servers. What is not installed is skipped with a sentence.
"""
import contextlib
import http.client
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import postgresql

HERE = os.path.dirname(os.path.abspath(__file__)) + "/live"
PORT, CLIENTS, COUNT = 7633, 2, 2000
SUM = sum(i * i for i in range(COUNT))


class Http:
    """A connection that is kept."""
    def __init__(self, _place):
        self.connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)

    def ask(self):
        self.connection.request("GET", f"/{COUNT}")
        return self.connection.getresponse().read() == str(SUM).encode()


class Redis:
    def __init__(self, _place):
        self.socket = socket.create_connection(("127.0.0.1", PORT), timeout=60)
        self.number = 0

    def ask(self):
        self.number += 1
        key, value = f"key:{id(self)}:{self.number % 1000}", f"value:{self.number}"
        self.socket.sendall(f"SET {key} {value}\r\nGET {key}\r\n".encode())
        expected = f"+OK\r\n${len(value)}\r\n{value}\r\n".encode()
        answer = b""
        while len(answer) < len(expected):
            part = self.socket.recv(4096)
            if not part:
                raise ConnectionError("closed")
            answer += part
        return answer == expected


class Postgres:
    def __init__(self, place):
        self.shell = subprocess.Popen(["psql", "-h", place, "-U", "postgres", "-AtqX"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)

    def ask(self):
        self.shell.stdin.write(f"select sum(i::bigint * i) from generate_series(0, {COUNT - 1}) i;\n")
        return self.shell.stdout.readline().strip() == str(SUM)


class Client(threading.Thread):
    def __init__(self, kind, place):
        super().__init__(daemon=True)
        self.connection, self.over = kind(place), False
        self.latencies, self.failures = [], []

    def run(self):
        while not self.over:
            began = time.monotonic()
            try:
                if not self.connection.ask():
                    self.failures.append("wrong answer")
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(repr(error))
                return
            self.latencies.append(time.monotonic() - began)


@contextlib.contextmanager
def running(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", PORT), timeout=1):
                break
            time.sleep(0.1)
        yield lambda: [process.pid]
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(60)


def java(folder):
    subprocess.run(["javac", "-d", folder, f"{HERE}/Recovering.java"], check=True)
    return running(["java", "-Xmx256m", "-XX:-OmitStackTraceInFastThrow", "-cp", folder, "Recovering", str(PORT)])


def go(folder):
    subprocess.run(["go", "build", "-o", f"{folder}/server", f"{HERE}/recovering.go"], check=True)
    return running([f"{folder}/server", str(PORT)])


@contextlib.contextmanager
def postgres(folder):
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    with postgresql.server(postgresql.binaries(), folder, []):
        with open(f"{folder}/data/postmaster.pid", encoding="ascii") as file:
            pid = int(file.readline())

        def backends():
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
                everybody = [int(each) for each in children.read().split()]
            return [each for each in everybody if "[local]" in open(f"/proc/{each}/cmdline", encoding="utf-8").read()]
        yield backends


SERVERS = {
    "Java": (["javac"], java, Http),
    "Go": (["go"], go, Http),
    "node": (["node"], lambda _folder: running(["node", f"{HERE}/recovering.js", str(PORT)]), Http),
    "PostgreSQL": (["psql", "pgbench"], postgres, Postgres),
    "Redis": (["redis-server"], lambda folder: running(["redis-server", "--port", str(PORT), "--save", "", "--dir", folder]), Redis),
}


def left_in(process):
    """What is left of the engine."""
    with open(f"/proc/{process}/maps", encoding="utf-8") as maps:
        found = [line.strip() for line in maps if line.startswith("554000") or "/hardmeter-" in line]
    for entry in os.listdir(f"/proc/{process}/fd"):
        with contextlib.suppress(OSError):
            found += [each for each in [os.readlink(f"/proc/{process}/fd/{entry}")] if "/hardmeter-" in each]
    return found


def round_of(hardmeter, processes, folder, number):
    """Returns what was wrong."""
    command = [hardmeter, "record", "--pmu=soft", "-q", "-e", "l1_cache_miss", "-p", ",".join(map(str, processes)), "-o",
               f"{folder}/recording"]
    kills = number % 5 == 0
    if kills:
        recorder = subprocess.Popen(command + ["--budget", "50%", "--", "sleep", "60"], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.05, 0.6))
        recorder.kill()
        recorder.wait()
    else:
        done = subprocess.run(command + ["--duration", "100ms"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120)
        if done.returncode != 0 and "nothing was measured: no thread" not in done.stdout:
            return f"status {done.returncode}: {done.stdout.strip()}"
    for _ in range(200 if kills else 1):
        left = [line for each in processes for line in left_in(each)]
        if not left:
            return ""
        time.sleep(0.1)
    return f"left after {'a killed' if kills else 'a'} recorder: {left[0]}"


def percentile(latencies, share):
    ordered = sorted(latencies)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 if ordered else float("nan")


def measure(hardmeter, name, rounds, folder):
    _, start, kind = SERVERS[name]
    problems = []
    with start(folder) as processes:
        clients = [Client(kind, folder) for _ in range(CLIENTS)]
        for each in clients:
            each.start()
        time.sleep(3)
        for each in clients:
            each.latencies.clear()
        time.sleep(max(5.0, rounds * 0.2))
        native = [latency for each in clients for latency in each.latencies]
        for each in clients:
            each.latencies.clear()
        done = 0
        for number in range(1, rounds + 1):
            try:
                problem = round_of(hardmeter, processes(), folder, number)
            except (OSError, subprocess.TimeoutExpired) as error:
                problem = repr(error)
            if problem:
                problems.append(f"round {number}: {problem}")
                print(f"{name}: {problems[-1]}", file=sys.stderr)
            if any(each.failures for each in clients) or not processes():
                break
            done = number
        for each in clients:
            each.over = True
        meanwhile = [latency for each in clients for latency in each.latencies]
        failures = [failure for each in clients for failure in each.failures]
    print(f"| {name} | {done} | {len(meanwhile):,} | {len(failures)} | {len(problems)} | "
          f"{percentile(native, 0.5):.2f} / {percentile(native, 0.999):.2f} | "
          f"{percentile(meanwhile, 0.5):.2f} / {percentile(meanwhile, 0.999):.2f} |", flush=True)
    for failure in failures[:3]:
        print(f"{name}: {failure}", file=sys.stderr)
    return done == rounds and not failures and not problems


def main():
    hardmeter = os.path.realpath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    names = [name for name in SERVERS if not sys.argv[3:] or name in sys.argv[3:]]
    print("| server | rounds | answers | wrong | problems | native p50 / p99.9, ms | attached p50 / p99.9, ms |")
    print("|---|---|---|---|---|---|---|", flush=True)
    good = True
    for name in names:
        missing = [each for each in SERVERS[name][0] if shutil.which(each) is None]
        if missing:
            print(f"bench: {name} is skipped: {missing[0]} is not installed", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory(prefix="attach-servers-") as folder:
            os.chmod(folder, 0o755)
            good = measure(hardmeter, name, rounds, folder) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
