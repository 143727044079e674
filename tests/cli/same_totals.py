#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what each command, each format of `export`, the browser's page and perf count of the events of real
recordings, to the sample: same_totals.py HARDMETER [RECORDING...]

Without RECORDING it takes the real recordings beside the project (HARDMETER_PERFDATA names their folder), and a group
with a sampling leader that perf records now. Exits with 77 if there is nothing to compare."""
import base64
import collections
import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

import exports_formats

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
Total = collections.namedtuple("Total", "samples events")  # samples: None if the format does not contain it


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, errors="replace").stdout


def sums(pairs):
    """Total by event, of (EVENT, EVENTS) for each sample."""
    samples, events = collections.Counter(), collections.Counter()
    for event, count in pairs:
        samples[event] += 1
        events[event] += int(count)
    return {event: Total(samples[event], events[event]) for event in samples}


def events_only(pairs):
    events = collections.Counter()
    for event, count in pairs:
        events[event] += int(count)
    return {event: Total(None, events[event]) for event in events}


def of_events(events):
    return {name: Total(event["samples"], event["estimated"]) for name, event in events.items() if event["samples"]}


def of_rows(answer):
    totals = {}
    for name in answer["events"]:
        samples = sum(row["counts"].get(name, 0) for row in answer["rows"])
        if samples:
            totals[name] = Total(samples, sum(row["estimated"].get(name, 0) for row in answer["rows"]))
    return totals


class Recording:
    def __init__(self, hardmeter, path, work):
        self.hardmeter, self.path, self.work = hardmeter, path, work
        self.names = list(json.loads(self.hm("report", "--json"))["events"])

    def hm(self, *words):
        return run(self.hardmeter, words[0], "-i", self.path, *words[1:])

    def export(self, form, *words):
        path = os.path.join(self.work, "exported." + form)
        self.hm("export", "--format", form, "-o", path, *words)
        return path

    # Each of these returns a Total per event, for events with samples.

    def report(self):
        answer = json.loads(self.hm("report", "--json"))
        yield "report", of_events(answer["events"])
        yield "rows of report", of_rows(answer)
        yield "rows of report by thread", of_rows(json.loads(self.hm("report", "--json", "--sort", "thread")))

    def timeline(self, expected):
        for name in expected:
            answer = json.loads(self.hm("timeline", "--json", "-e", name, "--rate", name))
            rate = next(rate for rate in answer["rates"] if rate["event"] == name)
            yield "timeline", {name: Total(answer["samples"], expected[name].events)}
            yield "rates of timeline", {name: Total(rate["samples"], int(rate["events"]))}

    def exports(self, expected):
        with open(self.export("csv"), encoding="utf-8", newline="") as opened:
            yield "csv", sums((row["event"], row["period"] or 1) for row in csv.DictReader(opened))
        for form in ("speedscope", "chrome", "firefox"):
            with open(self.export(form), encoding="utf-8") as opened:
                pairs = list(getattr(exports_formats, form)(json.load(opened)))
                # Firefox' threads name their event only if there are several.
                only = list(expected)[0] if len(expected) == 1 else None
                yield form, events_only((only or name, count) for name, count in pairs)
        yield "callgrind", events_only(callgrind(self.export("callgrind")))
        if shutil.which("go"):
            yield "pprof", sums_of_pprof(run("go", "tool", "pprof", "-raw", self.export("pprof")))
        for name in expected:
            with open(self.export("folded", "-e", name), encoding="utf-8") as opened:
                yield "folded", events_only((name, line.rsplit(" ", 1)[1]) for line in opened)
            yield "ebs", {name: Total(dumped_samples(self.export("ebs", "-e", name)), expected[name].events)}

    def page(self):
        path = os.path.join(self.work, "page.html")
        self.hm("report", "--html", path)
        with open(path, encoding="utf-8") as opened:
            packed = re.search(r'id="hardmeter-answers">([^<]*)<', opened.read()).group(1)
        for name, answer in json.loads(zlib.decompress(base64.b64decode(packed))).items():
            if "error" in answer:
                continue
            if name.startswith(("totals", "hotspots")):
                yield "page: " + name, of_events(answer["events"])
            if name.startswith("hotspots") and answer["all_rows"] == len(answer["rows"]):
                yield "rows of page: " + name, of_rows(answer)
            if name.startswith("flame"):
                yield "page: " + name, {answer["event"]: Total(answer["samples"], answer["estimated"])}
            if name.startswith("timeline"):
                rate = next(rate for rate in answer["rates"] if rate["event"] == answer["event"])
                yield "page: " + name, {answer["event"]: Total(rate["samples"], int(rate["events"]))}
                assert answer["samples"] == rate["samples"], name

    def perf(self):
        """None if this perf does not read the recording."""
        listed = subprocess.run(["perf", "evlist", "-i", self.path], capture_output=True, text=True, check=False)
        printed = subprocess.run(["perf", "script", "-i", self.path, "-F", "event,period"], capture_output=True, text=True,
                                 errors="replace", check=False)
        if listed.returncode or printed.returncode:
            return None
        of_perf = [line for line in listed.stdout.splitlines() if line and not line.startswith("#")]
        assert len(of_perf) == len(self.names), (of_perf, self.names)
        # perf script may leave out modifiers that perf evlist has: cycles:u and cycles:uH.
        names = dict(zip((name.split(":")[0] for name in of_perf), self.names))
        assert len(names) == len(self.names), of_perf
        rows = [re.fullmatch(r"\s*(\d+)\s+(\S+?)(:\S*)?:\s*", line) for line in printed.stdout.splitlines()]
        return sums((names[row.group(2)], row.group(1)) for row in rows if row)


def callgrind(path):
    """The costs of each function's own lines: those behind a line calls= are another's."""
    with open(path, encoding="utf-8") as opened:
        lines = opened.read().splitlines()
    long = dict(re.findall(r"^event: (\S+) : (.*)$", "\n".join(lines), re.M))
    names = [long.get(name, name) for name in next(line for line in lines if line.startswith("events:")).split()[1:]]
    costs = [line.split()[2:] for before, line in zip(lines, lines[1:])
             if re.match(r"[0-9+*-]", line) and not before.startswith("calls=")]
    summary = next(line for line in lines if line.startswith("summary:")).split()[1:]
    assert [sum(map(int, column)) for column in zip(*costs)] == [int(each) for each in summary] or not costs, "summary"
    return (pair for row in costs for pair in zip(names, row))


def sums_of_pprof(text):
    lines = text.splitlines()
    start = lines.index("Samples:")
    types = [each.rsplit("/", 1)[0] for each in lines[start + 1].split()]
    sums_of = collections.Counter()
    for line in lines[start + 2:lines.index("Locations")]:
        row = re.fullmatch(r"\s*((?:\d+\s+)+\d+|\d+):.*", line)
        if row:
            sums_of.update(dict(zip(types, map(int, row.group(1).split()))))
    return {name: Total(sums_of[name + "_samples"], sums_of[name]) for name in types
            if name + "_samples" in types and sums_of[name + "_samples"]}


def dumped_samples(path):
    with open(path, encoding="utf-8", errors="replace") as opened:
        lines = opened.read().splitlines()
    stated = next(int(line.split(":")[1]) for line in lines if line.startswith("# samples collected:"))
    found = sum(1 for line in lines if line and not line.startswith("#"))
    assert stated == found, ("samples collected", stated, found)
    return found


def agrees(expected, found):
    return all(total == expected.get(name, Total(0, 0))._replace(**({"samples": None} if total.samples is None else {}))
               for name, total in found.items() if total.events)


def compare(recording):
    """Prints what differs; returns how many comparisons there were, and how many of them differ."""
    expected = of_events(json.loads(recording.hm("report", "--json"))["events"])
    found = list(recording.report()) + list(recording.timeline(expected)) + list(recording.exports(expected))
    found += list(recording.page())
    of_perf = recording.perf()
    if of_perf is None:
        print(f"SKIPPED: perf does not read {os.path.basename(recording.path)}")
    else:
        found.append(("perf script", of_perf))
    wrong = 0
    whole = ("report", "rows of report", "csv", "speedscope", "pprof", "perf script")
    for name, totals in found:
        if not agrees(expected, totals) or (name in whole and set(totals) != set(expected)):
            wrong += 1
            print(f"FAILED: {os.path.basename(recording.path)}: {name}: report has {expected}, found {totals}")
    return len(found), wrong


def real_recordings():
    first = os.environ.get("HARDMETER_PERFDATA", os.path.join(SOURCE, "../shared/perfdata"))
    return sorted(path for folder in (first, first + "-more") for path in glob.glob(os.path.join(folder, "*.perf.data")))


def record_group(work):
    """A recording of a group whose leader samples; None if perf may not record here."""
    path = os.path.join(work, "group.perf.data")
    done = subprocess.run(["perf", "record", "-q", "-o", path, "-c", "200000", "-e", "{cpu-clock:u,page-faults:u}:S", "--",
                           "sort", "--parallel=1", "-R", "/usr/include/stdlib.h"], capture_output=True, check=False)
    return path if done.returncode == 0 else None


def main():
    hardmeter = os.path.abspath(sys.argv[1])
    if not shutil.which("perf"):
        print("SKIPPED: there is no perf here, which the totals of recordings are compared with")
        return 77
    paths = sys.argv[2:] or real_recordings()
    with tempfile.TemporaryDirectory() as work:
        if len(sys.argv) == 2:
            if not paths:
                print("SKIPPED: the totals of no real recording were compared: there is no ../shared/perfdata; "
                      "set HARDMETER_PERFDATA to a folder of them")
            group = record_group(work)
            paths += [group] if group else []
        if not paths:
            return 77
        results = [compare(Recording(hardmeter, path, work)) for path in paths]
    failed = sum(wrong for _, wrong in results)
    print(f"{len(paths)} recordings, {sum(count for count, _ in results)} comparisons, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
