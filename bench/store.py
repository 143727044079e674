#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Questions to full stores: bench/store.py HARDMETER [MILLIONS_OF_ROWS [RUNS]].

ClickHouse (Debian's, a server of its own in a temporary folder) with so many rows, 100 by default, and SQLite with a tenth:
a hundred machines, each measured a hundred times a day for ten days, with fifty services; each measurement has of each
service a total and nineteen places, of two thousand, some far more often than others. On the sixth day there is a new
release. Asked are the command lines that a person would type, from start to end."""
import datetime
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HOSTS, SERVICES, SLOTS, WINDOWS, DAYS = 100, 50, 20, 1000, 10
BEGIN = 1_760_000_000 // 86400 * 86400
HTTP, TCP = 28123, 29000
COLUMNS = ("batch, time, host, service, release, event, source, unit, is_total, build_id, module, offset, function, file, "
           "line, miss_class, object, samples, count, load")


def server(folder):
    (folder / "config.xml").write_text(
        f"<yandex><logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>"
        f"<http_port>{HTTP}</http_port><tcp_port>{TCP}</tcp_port><listen_host>127.0.0.1</listen_host>"
        f"<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><users_config>users.xml</users_config>"
        "<default_profile>default</default_profile><default_database>default</default_database>"
        "<mark_cache_size>268435456</mark_cache_size></yandex>")
    (folder / "users.xml").write_text(
        "<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password><networks>"
        "<ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>")
    process = subprocess.Popen(["clickhouse-server", f"--config-file={folder}/config.xml"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            ask("SELECT 1")
            return process
        except OSError:
            time.sleep(0.1)
    sys.exit("ClickHouse does not start")


def ask(sql, database="default"):
    return urllib.request.urlopen(f"http://127.0.0.1:{HTTP}/?database={database}", sql.encode(), timeout=3600).read().decode()


def fill_clickhouse(rows):
    """In pieces of a day, as a part has rows of one."""
    per_day = HOSTS * SERVICES * SLOTS * WINDOWS // DAYS
    measured = f"""
      SELECT intDiv(number, {SERVICES * SLOTS}) AS batch_number, number % {SERVICES * SLOTS} AS r, intDiv(r, {SLOTS}) AS s,
        r % {SLOTS} AS slot, batch_number % {HOSTS} AS h, intDiv(batch_number, {HOSTS}) AS w,
        toUInt32(floor(2000 * pow((intHash32(number) % 1000003) / 1000003, 3))) AS place,
        intHash32(batch_number * 64 + s) AS chance, 1 + intHash32(number + 7) % 20 AS n FROM numbers({per_day}) """
    for day in range(DAYS):
        if day * per_day >= rows:
            break
        source = measured.replace(f"numbers({per_day})", f"numbers({day * per_day}, {per_day})")
        ask(f"""INSERT INTO samples ({COLUMNS}) SELECT concat('b', toString(batch_number)),
          toDateTime({BEGIN} + w * {86400 * DAYS // WINDOWS}), concat('host', toString(h)), concat('service', toString(s)),
          {"'bb22'" if day >= 5 else "'aa11'"}, 'l1_cache_miss', 'hardware', 'instructions', (slot = 0) AS is_total_,
          slot = 0 ? '' : 'beef', slot = 0 ? '' : 'program', slot = 0 ? 0 : place * 16,
          slot = 0 ? '' : concat('function_', toString(intDiv(place, 4))), slot = 0 ? '' : 'source.cc', slot = 0 ? 0 : place,
          '', '', slot = 0 ? 200 : n, (slot = 0 ? 200 : n) * 2003.0, 1e9 + chance FROM ({source})""", "hardmeter")


def fill_sqlite(path, rows):
    """The same measurements of one machine a tenth as many services see: rows of 10 services on 10 machines."""
    database = sqlite3.connect(path)
    text = {}

    def number(word):
        if word not in text:
            text[word] = database.execute("INSERT INTO texts (text) VALUES (?)", (word,)).lastrowid
        return text[word]

    empty = number("")
    places = [database.execute("INSERT INTO places (build_id, module, offset, function, file, line) VALUES (?,?,?,?,?,?)",
                               (empty, empty, 0, empty, empty, 0)).lastrowid]
    for place in range(2000):
        places.append(database.execute(
            "INSERT INTO places (build_id, module, offset, function, file, line) VALUES (?,?,?,?,?,?)",
            (number("beef"), number("program"), place * 16, number(f"function_{place // 4}"), number("source.cc"),
             place)).lastrowid)
    hosts, services = 10, SERVICES
    series = {}
    for host in range(hosts):
        for service in range(services):
            for release in ("aa11", "bb22"):
                series[host, service, release] = database.execute(
                    "INSERT INTO series (host, service, release, event, source, unit) VALUES (?,?,?,?,?,?)",
                    (f"host{host}", f"service{service}", release, "l1_cache_miss", "hardware", "instructions")).lastrowid

    def all_rows():
        made = chance = 0
        for window in range(WINDOWS):
            release = "aa11" if window < WINDOWS // 2 else "bb22"
            when = BEGIN + window * 86400 * DAYS // WINDOWS
            for host in range(hosts):
                batch = window * hosts + host + 1
                for service in range(services):
                    chance = (chance * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
                    load, seen = 1e9 + (chance >> 34), set()
                    yield series[host, service, release], 1, when, batch, places[0], empty, empty, 200, 400600.0, load
                    while len(seen) < SLOTS - 1:
                        chance = (chance * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
                        place = int(2000 * ((chance >> 11) / (1 << 53)) ** 3)
                        if place in seen:
                            continue
                        seen.add(place)
                        yield (series[host, service, release], 0, when, batch, places[1 + place], empty, empty, 10, 20030.0,
                               load)
                    made += SLOTS
                    if made >= rows:
                        return

    database.executemany("INSERT INTO samples VALUES (?,?,?,?,?,?,?,?,?,?)", all_rows())
    database.executemany("INSERT INTO batches VALUES (?,?,?)",
                         ((n, f"b{n}", BEGIN + (n - 1) // hosts * 86400 * DAYS // WINDOWS)
                          for n in range(1, WINDOWS * hosts + 1)))
    # Makes the hourly sums as for a store that an earlier version filled: with `hardmeter store init`.
    database.executescript("DROP TABLE hours; DROP TABLE settings; PRAGMA user_version = 1;")
    database.commit()
    database.close()


def moment(day):
    return datetime.datetime.fromtimestamp(BEGIN + day * 86400).strftime("%Y-%m-%d %H:%M:%S")


def measure(hardmeter, store, runs):
    day = ["--from", moment(0), "--to", moment(1)]
    questions = {
        "the services, all days": ["report"],
        "20 lines of a service, one day": ["report", "--service", "service7", "--sort", "line", "--limit", "20", *day],
        "20 lines of a service, all days": ["report", "--service", "service7", "--sort", "line", "--limit", "20"],
        "two releases of a service": ["diff", "--service", "service7", "--build", "aa11..bb22", "--limit", "20"],
    }
    for name, words in questions.items():
        seconds = []
        for _ in range(runs):
            begin = time.monotonic()
            subprocess.run([hardmeter, *words, "--store", store], check=True, stdout=subprocess.DEVNULL)
            seconds.append(time.monotonic() - begin)
        print(f"| {name} | {statistics.median(seconds):.2f} | {max(seconds):.2f} |", flush=True)


def main():
    hardmeter = os.path.abspath(sys.argv[1])
    rows = int(float(sys.argv[2] if len(sys.argv) > 2 else 100) * 1e6)
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hardmeter-store-"))
    process = None
    try:
        process = server(folder)
        store = f"http://127.0.0.1:{HTTP}/hardmeter"
        subprocess.run([hardmeter, "store", "init", "--store", store], check=True)
        begin = time.monotonic()
        fill_clickhouse(rows)
        filled = time.monotonic() - begin
        count = int(ask("SELECT count() FROM samples", "hardmeter"))
        size = int(ask("SELECT sum(bytes_on_disk) FROM system.parts WHERE database = 'hardmeter' AND active"))
        print(f"ClickHouse {ask('SELECT version()').strip()}: {count:,} rows, {size / count:.1f} bytes each, made in {filled:.0f} s\n")
        print("| question | median s | longest s |\n|---|---|---|")
        measure(hardmeter, store, runs)
        process.kill()
        store = f"{folder}/sqlite"
        subprocess.run([hardmeter, "store", "init", "--store", store], check=True)
        begin = time.monotonic()
        fill_sqlite(f"{store}/hardmeter.sqlite", rows // 10)
        subprocess.run([hardmeter, "store", "init", "--store", store], check=True)
        filled = time.monotonic() - begin
        size = os.path.getsize(f"{store}/hardmeter.sqlite")
        print(f"\nSQLite {sqlite3.sqlite_version}: {rows // 10:,} rows, {size / (rows // 10):.1f} bytes each, made in {filled:.0f} s\n")
        print("| question | median s | longest s |\n|---|---|---|")
        measure(hardmeter, store, runs)
    finally:
        if process:
            process.kill()
            process.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
