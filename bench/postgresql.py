#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PostgreSQL's transactions per second: native, and with the server under the copying engine.

A temporary cluster, `pgbench -i` and a warm-up for each server, then `pgbench -c 4`, the client itself native; medians of
runs against one server of each kind, the servers in turns. Prints a Markdown table. Usage: postgresql.py HARDMETER [RUNS
[SECONDS]]; skipped with a sentence where PostgreSQL is not installed.
"""
import contextlib
import glob
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import five_programs
from copying import tools

SCALE, CLIENTS, WARM_UP_SECONDS = "5", "4", "5"
SHOWN = ("native", "copies only", "direct")


def binaries():
    """PostgreSQL's folder of programs, the newest; None where there is none."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
    complete = [path for path in folders if all(os.path.exists(f"{path}/{name}") for name in ("postgres", "pgbench"))]
    return complete[-1] if complete else None


def as_user(command):
    """PostgreSQL does not run as root."""
    return (["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []) + command


def quietly(command):
    done = subprocess.run(as_user(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with status {done.returncode}: {done.stdout}")
    return done.stdout


@contextlib.contextmanager
def server(bin_folder, folder, prefix):
    """A running server in a cluster of its own: its socket's folder."""
    quietly([f"{bin_folder}/initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "postgres", "--no-sync"])
    command = [f"{bin_folder}/postgres", "-D", f"{folder}/data", "-k", folder, "-h", "", "-c", "fsync=off", "-c", "jit=off",
               "-c", "autovacuum=off"]
    with open(f"{folder}/log", "w") as log:
        process = subprocess.Popen(as_user(prefix + command), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        wait_until_ready(bin_folder, folder, process)
        yield folder
    finally:
        stop(folder, process)


def wait_until_ready(bin_folder, folder, process):
    for _ in range(600):
        ready = subprocess.run([f"{bin_folder}/pg_isready", "-q", "-h", folder])
        if ready.returncode == 0:
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    with open(f"{folder}/log") as log:
        sys.exit(f"bench: the server did not begin: {log.read()}")


def stop(folder, process):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        with open(f"{folder}/data/postmaster.pid") as file:
            os.kill(int(file.readline()), signal.SIGINT)  # postgres(1): a fast shutdown
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit("bench: the server did not end within a minute")


def transactions_per_second(bin_folder, folder, seconds):
    said = quietly([f"{bin_folder}/pgbench", "-h", folder, "-U", "postgres", "-c", CLIENTS, "-T", str(seconds), "-n", "postgres"])
    return float(re.search(r"^tps = ([0-9.]+)", said, re.MULTILINE).group(1))


def measure(bin_folder, folder, commands, runs, seconds):
    rates = {tool: [] for tool in commands}
    with contextlib.ExitStack() as stack:
        folders = {}
        for tool, prefix in commands.items():
            own = f"{folder}/{tool.replace(' ', '-')}"
            quietly(["mkdir", own])
            folders[tool] = stack.enter_context(server(bin_folder, own, prefix))
            quietly([f"{bin_folder}/pgbench", "-h", own, "-U", "postgres", "-i", "-q", "-s", SCALE, "postgres"])
            transactions_per_second(bin_folder, own, WARM_UP_SECONDS)
        for i in range(runs):
            for tool, own in folders.items():
                rates[tool].append(transactions_per_second(bin_folder, own, seconds))
            print(f"pgbench: run {i + 1} of {runs}", file=sys.stderr)
    return {tool: statistics.median(values) for tool, values in rates.items()}


def main():
    hardmeter, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    bin_folder = binaries()
    if bin_folder is None:
        print("PostgreSQL is not measured: there is no postgres with pgbench here (apt install postgresql)")
        return
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        commands = {name: prefix for name, prefix in tools(hardmeter, folder).items() if name in SHOWN}
        medians = measure(bin_folder, folder, commands, runs, seconds)
    version = subprocess.run([f"{bin_folder}/postgres", "--version"], capture_output=True, text=True).stdout.strip()
    print(f"{five_programs.where_and_when()}; {version}, pgbench -c {CLIENTS}, scale {SCALE}, medians of {runs} interleaved "
          f"runs of {seconds} s after a warm-up\n")
    print("| server | transactions a second | native / it |\n|---|---|---|")
    for tool, rate in medians.items():
        print(f"| {tool} | {rate:,.0f} | {medians['native'] / rate:.2f} |")


if __name__ == "__main__":
    main()
