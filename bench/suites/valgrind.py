# SPDX-License-Identifier: MIT
"""Valgrind's test programs, run without Valgrind: instructions, signals, threads, synchronization."""
import glob
import os

from suites.job import Job
from suites.suite import Problem, Suite, status_and_output

FOLDERS = ("none/tests", "none/tests/amd64", "none/tests/linux", "none/tests/amd64-linux", "helgrind/tests", "drd/tests",
           "memcheck/tests/amd64")
MADE_IN = ("none/tests", "helgrind/tests", "drd/tests", "memcheck/tests")  # their makefiles descend into the other folders
SKIPPED = 77

# $1: the condition of the test, a shell command, $2: the program and its arguments, $3: assignments of variables.
RUN = f'(eval "$1") >/dev/null 2>&1 || exit {SKIPPED}; eval "$3 exec $2"'


class Valgrind(Suite):
    name = "valgrind"

    def build(self):
        self.debian_source("valgrind")
        self.command("./configure -q --enable-only64bit && make -s -C tests check")
        for folder in MADE_IN:
            self.command(f"make -s -k -j$(nproc) -C {folder} check || true")

    def jobs(self):
        """A program that several tools test is run once for each set of arguments."""
        seen = set()
        for path in sorted(path for folder in FOLDERS for path in glob.glob(f"{self.source}/{folder}/*.vgtest")):
            lines = lines_of(path)
            folder = os.path.dirname(path)
            program = lines.get("prog")  # some tests are of Valgrind's options
            if not program or not os.access(f"{folder}/{program}", os.X_OK):
                continue
            key = (os.path.realpath(f"{folder}/{program}"), lines.get("args"), lines.get("env"))
            if key not in seen:
                seen.add(key)
                name = os.path.relpath(path, self.source).removesuffix(".vgtest").replace("/tests/", "/")
                line = f"./{program} {lines.get('args', '')}"
                yield Job(name, ["sh", "-c", RUN, "sh", lines.get("prereq", "true"), line, lines.get("env", "")], folder)
        if not seen:
            raise Problem(f"none of its programs was built; {self.folder}/log has the reason")

    def outcomes(self, ended):
        return status_and_output(ended)


def lines_of(path):
    """The values of a .vgtest file by name."""
    with open(path, encoding="utf-8") as file:
        pairs = [line.partition(":") for line in file if ":" in line and not line.startswith("#")]
    return {name.strip(): value.strip() for name, _, value in pairs}
