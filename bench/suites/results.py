# SPDX-License-Identifier: MIT
"""What was found so far: a file of lines for each suite and mode, so that a run that was interrupted goes on."""
import json
import os
import re

from suites.job import TIMEOUT


class Results:
    """Of one suite. `found[mode][job]` has the outcomes of the job's cases, by name, and its seconds."""

    def __init__(self, folder):
        self.folder = folder
        self.found = {}
        os.makedirs(folder, exist_ok=True)
        for entry in sorted(os.listdir(folder)):
            if entry.endswith(".jsonl"):
                with open(f"{folder}/{entry}", encoding="utf-8") as file:
                    self.found[entry[:-6]] = {line["job"]: line for line in map(json.loads, file)}

    def has(self, mode, job):
        return job in self.found.get(mode, {})

    def outcomes(self, mode, job):
        return self.found[mode][job]["outcomes"]

    def expected_seconds(self, job, slowdown):
        """How long the job takes if its CPU time grows that many times."""
        native = self.found["native"][job]
        return native["seconds"] + slowdown * native["cpu"]

    def add(self, mode, job, ended, outcomes):
        """Keeps a result and, beside it, what the test printed."""
        line = {"job": job, "seconds": round(ended.seconds, 2), "cpu": round(ended.cpu, 2), "status": ended.status, "outcomes": outcomes}
        self.found.setdefault(mode, {})[job] = line
        with open(f"{self.folder}/{mode}.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        os.makedirs(f"{self.folder}/{mode}", exist_ok=True)
        with open(f"{self.folder}/{mode}/{re.sub('[^A-Za-z0-9._-]', '_', job)}", "w", encoding="utf-8") as file:
            file.write(ended.output[-200_000:])


def differing(one, other):
    """The cases of a job that two runs do not agree on: pairs of outcomes by case."""
    for run in (one, other):
        if run.get("") == TIMEOUT:
            return {} if one.get("") == other.get("") else {"": (one.get("", "ended"), other.get("", "ended"))}
    cases = sorted(one.keys() | other.keys())
    return {case: (one.get(case, "missing"), other.get(case, "missing")) for case in cases if one.get(case) != other.get(case)}
