#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How large a fleet a store of some servers takes: bench/fleet_size.py HARDMETER [HOSTS [SHARDS]].

First one ClickHouse (Debian's, here) is filled with batches as agents send them, of several sizes: how many a second it
takes. Then a fleet is simulated, by default of 10,000 machines with 50 services and 16 shards, for six hours, in one of which
one shard is away: each agent measures as often as its budget lets it, keeps what its shard does not take, and sends again as
agents do, after 1 s at first and up to once a minute. A shard takes one batch after the other, each as long as was measured.

What is assumed, of a machine: 16 CPUs, half of the time busy, so 7,920 samples a measurement, and 0.6 rows a sample, as beside
PostgreSQL (bench/agent.py); 1.2 s of CPU time a measurement, a guess (beside PostgreSQL, with 1,760 samples, it is 0.45 s). What
a question costs is that of 1e8 rows (bench/store.py).
"""
import heapq
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import store

SERVICES, CPUS_BUSY, SAMPLES_A_SECOND, WINDOW_S = 50, 8, 99, 10
ROWS_A_SAMPLE, COST_S, BUDGET = 0.6, 1.2, 0.005
BYTES_A_ROW, SECONDS_A_MILLION_ROWS = 16.4, 0.95  # a service's rows, on two CPUs (bench/store.py: 1.90 s for two
                                                  # million)
BYTES_A_WAITING_ROW = 200  # in a file of an agent's folder
HOURS, AWAY = 6, (2 * 3600, 3 * 3600)
FILL_S, SENDERS = 20, 4


def batch_text(name, host, when, rows):
    lines = []
    for row in range(rows):
        service, is_total = row % SERVICES, row < SERVICES
        place = 0 if is_total else 1 + random.randrange(2000)
        lines.append("\t".join(map(str, (
            name, when, host, f"service{service}", "aa11", "l1_cache_miss", "hardware", "instructions", int(is_total),
            "" if is_total else "beef", "" if is_total else "program", 16 * place, "" if is_total else f"function_{place // 4}",
            "" if is_total else "source.cc", place, "", "", 10, 20030.0, 1e9))))
    return "\n".join(lines).encode()


def send(number, rows):
    """As an agent: whether the store has it, then all of it."""
    name, when = f"batch{number}", store.BEGIN + number % 86400
    store.ask(f"SELECT count() FROM samples WHERE is_total = 1 AND service = 'service0' AND event = 'l1_cache_miss' "
              f"AND time = toDateTime({when}) AND batch = '{name}'", "hardmeter")
    query = urllib.parse.quote(f"INSERT INTO samples ({store.COLUMNS}) FORMAT TabSeparated")
    urllib.request.urlopen(f"http://127.0.0.1:{store.HTTP}/?database=hardmeter&query={query}",
                           batch_text(name, f"host{number % 100}", when, rows), timeout=600).read()


def seconds_a_batch(hardmeter, rows):
    """Of a server that SENDERS fill for a while, and how many parts it had at most."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hardmeter-fleet-"))
    process = store.server(folder)
    try:
        subprocess.run([hardmeter, "store", "init", "--store", f"http://127.0.0.1:{store.HTTP}/hardmeter"], check=True)
        begin, sent, most = time.monotonic(), [0] * SENDERS, 0

        def fill(which):
            while time.monotonic() - begin < FILL_S:
                send(which * 10_000_000 + sent[which], rows)
                sent[which] += 1

        senders = [threading.Thread(target=fill, args=(each,)) for each in range(SENDERS)]
        for each in senders:
            each.start()
        while any(each.is_alive() for each in senders):
            most = max(most, int(store.ask("SELECT max(n) FROM (SELECT count() AS n FROM system.parts WHERE active AND database = "
                                           "'hardmeter' GROUP BY table, partition)")))
            time.sleep(0.5)
        return (time.monotonic() - begin) / sum(sent), most
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)


class Shard:
    def __init__(self, is_away):
        self.is_away = is_away  # during that hour
        self.free_at = self.busy_s = 0.0

    def take(self, now, service_s):
        """When it has taken it; None while it is away."""
        if AWAY[0] <= now < AWAY[1] and self.is_away:
            return None
        self.free_at = max(self.free_at, now) + service_s
        self.busy_s += service_s
        return self.free_at


def simulate(hosts, shards, rows, service_s):
    """How busy a shard is; how long a batch waits; the most that one machine keeps; when all is as before after the hour."""
    chance = random.Random(1)
    all_shards = [Shard(is_away=each == 0) for each in range(shards)]
    period = COST_S / BUDGET
    events = [(chance.uniform(0, period), host, "measure", 0) for host in range(hosts)]
    heapq.heapify(events)
    waiting = [[] for _ in range(hosts)]  # creation time of each batch
    delays, most_waiting, whole_again = [], 0, 0.0
    while events:
        now, host, what, retry = heapq.heappop(events)
        if now > HOURS * 3600:
            continue
        if what == "measure":
            waiting[host].append(now)
            most_waiting = max(most_waiting, len(waiting[host]))
            heapq.heappush(events, (now + period * chance.uniform(0.9, 1.1), host, "measure", 0))
            if len(waiting[host]) > 1:
                continue  # a transfer is in progress, or waits for its next try
        if not waiting[host]:
            continue
        done = all_shards[host % shards].take(now, service_s)
        if done is None:
            retry = min(max(2 * retry, 1), 60)
            heapq.heappush(events, (now + retry * chance.uniform(0.5, 1.5), host, "send", retry))
            continue
        delays.append(done - waiting[host].pop(0))
        if now >= AWAY[1] and host % shards == 0 and delays[-1] > 60:
            whole_again = max(whole_again, done - AWAY[1])
        if waiting[host]:
            heapq.heappush(events, (done, host, "send", 0))
    return (max(each.busy_s for each in all_shards) / (HOURS * 3600), statistics.median(delays),
            most_waiting * rows * BYTES_A_WAITING_ROW / 2**20, whole_again)


def main():
    hardmeter = os.path.abspath(sys.argv[1])
    hosts = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    shards = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    all_rows = int(CPUS_BUSY * SAMPLES_A_SECOND * WINDOW_S * ROWS_A_SAMPLE) + SERVICES
    measured = {}
    print("| rows of a batch | batches a second that one server takes here | rows a second | parts at most |\n|---|---|---|---|")
    for rows in (300, 1000, all_rows):
        measured[rows], parts = seconds_a_batch(hardmeter, rows)
        print(f"| {rows:,} | {1 / measured[rows]:.1f} | {rows / measured[rows]:,.0f} | {parts} |", flush=True)
    per_second = hosts * BUDGET / COST_S
    print(f"\n{hosts:,} machines, {SERVICES} services, {shards} shards: {per_second:.1f} batches a second, {per_second / shards:.2f} for each "
          "shard\n")
    print("| `--rows` | rows a day | on disk a day | each shard is busy | a batch waits, median | one machine keeps at most, while its "
          "shard is away for an hour | all sent, after that | 20 lines of a service, one day, on two CPUs a shard |\n|---|---|---|---|---|---|---|---|")
    for rows, service_s in measured.items():
        busy, delay, kept, again = simulate(hosts, shards, rows, service_s)
        a_day = per_second * 86400 * rows
        question = a_day / SERVICES / shards / 1e6 * SECONDS_A_MILLION_ROWS
        print(f"| {rows:,} | {a_day / 1e9:.2f} billion | {a_day * BYTES_A_ROW / 1e9:,.0f} GB | {100 * busy:.0f} % | {1000 * delay:,.0f} ms | "
              f"{kept:.0f} MiB | {again:,.0f} s | {question:.0f} s |", flush=True)


if __name__ == "__main__":
    main()
