# SPDX-License-Identifier: MIT
"""perl's own tests below t/, a file each."""
import glob
import os
import re

from suites import job as jobs
from suites.job import Job
from suites.suite import Suite

FOLDERS = ("base", "comp", "cmd", "io", "re", "opbasic", "op", "uni", "mro", "lib", "class")


class Perl(Suite):
    name = "perl"

    def build(self):
        self.debian_source("perl")
        self.command("./Configure -des -Dusedevel -Dusethreads && make -s -j$(nproc) test_prep")

    def jobs(self):
        """The script's first line names perl's switches."""
        for path in sorted(path for folder in FOLDERS for path in glob.glob(f"{self.source}/t/{folder}/*.t")):
            with open(path, encoding="latin-1") as file:
                switches = re.search(r"^#!.*perl(.*)$", file.readline())
            test = os.path.relpath(path, f"{self.source}/t")
            yield Job(test, ["./perl", *(switches[1].split() if switches else []), "-I../lib", test], f"{self.source}/t",
                      {"PERL_CORE": "1", "PERL_SKIP_TTY_TEST": "1", "NO_NETWORK_TESTING": "1"})

    def outcomes(self, ended):
        """Of the file: how it ended and how many tests it planned; besides, which of them failed."""
        lines = re.findall(r"^(not )?ok (\d+)(.*)$", ended.output, re.MULTILINE)
        failed = [number for wrong, number, rest in lines if wrong and "# TODO" not in rest]
        passed = ended.status == 0 and not failed and lines
        sum_up = jobs.PASSED if passed else jobs.FAILED if lines or ended.status else jobs.SKIPPED
        return {"": f"{sum_up}: status {ended.status}, {len(lines)} tests"} | {f"test {number}": jobs.FAILED for number in failed}
