# SPDX-License-Identifier: MIT
"""SQLite's tests in Tcl, a file each."""
import os
import re

from suites import job as jobs
from suites.job import Job
from suites.suite import Suite

COLLECTIONS = "runs other files of tests"


class Sqlite(Suite):
    name = "sqlite"

    def build(self):
        self.debian_source("sqlite3")
        self.command("./configure -q && make -s -j$(nproc) testfixture sqlite3")

    def is_collection(self, name):
        with open(f"{self.source}/test/{name}", encoding="utf-8", errors="replace") as file:
            return "permutations.tcl" in file.read()

    def left_out(self):
        return {name: COLLECTIONS for name in os.listdir(f"{self.source}/test") if name.endswith(".test") and self.is_collection(name)}

    def jobs(self):
        left_out = self.left_out()
        for name in sorted(os.listdir(f"{self.source}/test")):
            if name.endswith(".test") and name not in left_out:
                yield Job(name, [f"{self.source}/testfixture", f"{self.source}/test/{name}"])

    def outcomes(self, ended):
        """The file's own sum, and which tests failed."""
        total = re.search(r"^(\d+) errors out of (\d+) tests", ended.output, re.MULTILINE)
        result = {"": f"{jobs.FAILED}: status {ended.status}, {total[0]}" if total else f"{jobs.FAILED}: status {ended.status}"}
        if total and total[1] == "0" and ended.status == 0:
            result[""] = f"{jobs.PASSED}: {total[2]} tests"
        failed = re.search(r"^!Failures on these tests: (.*)$", ended.output, re.MULTILINE)
        return result | {case: jobs.FAILED for case in (failed[1].split() if failed else [])}
