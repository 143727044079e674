#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How short an episode hardmeter timeline finds, and how often it says that there is one where there is none.

episodes.py BUILD [RUNS]. Of examples/episode, 5 s long, with an episode of each length: in how many of RUNS (3) runs it is found,
with a sample about every 1 ms and every 100 us, with what the branch stacks tell and by the samples alone (--way none); under the
software PMU, as a machine without LBR has no other stacks. Then real programs that do the same over and over, sampled by the
clock: how many episodes are found in them, in RUNS runs each.
"""
import datetime
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

LENGTHS_MS = (0.1, 0.2, 0.3, 0.5, 1, 2, 5)
PERIODS = {"1 ms": 1_200_000, "100 us": 120_000}  # instructions between samples, for about these intervals in the
                                                  # example
SECONDS = 5
STEADY = {
    "python3": ["python3", "-c", "import json\nd = {str(i): [i] * 5 for i in range(300)}\nfor _ in range(30000): json.loads(json.dumps(d))"],
    "perl": ["perl", "-e", "for my $i (1 .. 2000000) { my %h = map { $_ => $i } 1 .. 12; my $s = join ',', sort keys %h; }"],
    "gawk": ["gawk", "BEGIN { for (i = 0; i < 5000000; i++) { s = sprintf(\"%d:%d\", i, i * 7); split(s, a, \":\"); n += a[1] } print n }"],
    "sqlite3": ["sqlite3", ":memory:", "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 40000000)"
                " SELECT sum(x * 3 % 7) FROM c"],
    "bzip2": ["sh", "-c", "head -c 400000000 /dev/zero | bzip2 -9 | wc -c"],
}


def episodes(hardmeter, recording, *options):
    command = [hardmeter, "timeline", "-i", recording, "--json", *options]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def is_found(line):
    return any("rebuild_index" in each.get("function", "") for episode in line["episodes"] for each in episode["unusual"])


def find_lengths(hardmeter, folder, runs):
    program = folder / "episode"
    source = pathlib.Path(__file__).resolve().parent.parent / "examples/episode/episode.cc"
    subprocess.run(["c++", "-O2", "-g", source, "-o", program], check=True)
    print(f"| a sample in | found in | {' | '.join(f'{length:g} ms' for length in LENGTHS_MS)} |")
    print(f"|---|---|{'---:|' * len(LENGTHS_MS)}")
    for name, period in PERIODS.items():
        found = {"branch stacks": [], "samples alone": []}
        for length in LENGTHS_MS:
            counts = dict.fromkeys(found, 0)
            for _ in range(runs):
                recording = folder / "episode.data"
                subprocess.run([hardmeter, "record", "-q", "--pmu=soft", "-e", "instr_retired", "-c", str(period), "-b", "call,ret",
                                "--no-heap-blocks", "--no-classes", "-o", recording, "--", program, str(SECONDS), str(length)],
                               check=True, stdout=subprocess.DEVNULL)
                counts["branch stacks"] += is_found(episodes(hardmeter, recording))
                counts["samples alone"] += is_found(episodes(hardmeter, recording, "--way", "none"))
            for way, count in counts.items():
                found[way].append(count)
        for way, counts in found.items():
            print(f"| {name} | {way} | {' | '.join(f'{count} of {runs}' for count in counts)} |", flush=True)


def count_false_alarms(hardmeter, folder, runs):
    print("\n| program | s | samples | episodes in each run |\n|---|---:|---:|---|")
    for name, command in STEADY.items():
        if shutil.which(command[0]) is None:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        found, samples, seconds = [], 0, 0
        for _ in range(runs):
            recording = folder / "steady.data"
            subprocess.run([hardmeter, "record", "-q", "-e", "clock", "-c", "100us", "-o", recording, "--", *command],
                           check=True, stdout=subprocess.DEVNULL)
            line = episodes(hardmeter, recording)
            found.append(len(line["episodes"]))
            samples, seconds = line["samples"], line["end_at"] / 1e9
        print(f"| {name} | {seconds:.1f} | {samples:,} | {', '.join(map(str, found))} |", flush=True)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    subprocess.run(["cmake", "--build", build, "--target", "product"], check=True, stdout=subprocess.DEVNULL)
    print(f"{datetime.date.today()}; an episode in {SECONDS} s, {runs} runs each\n")
    with tempfile.TemporaryDirectory() as name:
        find_lengths(build / "bin/hardmeter", pathlib.Path(name), runs)
        count_false_alarms(build / "bin/hardmeter", pathlib.Path(name), runs)


if __name__ == "__main__":
    main()
