# SPDX-License-Identifier: MIT
"""The Linux kernel's selftests of its interface to programs: registers, signals, memory, futexes, sandboxes, /proc, clocks."""
import fnmatch
import os
import re
import subprocess

from suites import job as jobs
from suites.job import Job
from suites.suite import BUILD_ENVIRONMENT, Problem, Suite

# Folders of tools/testing/selftests; mm is vm before Linux 6.3. Those that are missing, or do not build, are left out.
FOLDERS = """breakpoints capabilities clone3 core exec fpu futex/functional ipc kcmp landlock membarrier memfd mincore mm mqueue openat2
perf_events pid_namespace pidfd prctl proc ptrace rlimits rseq sched seccomp sigaltstack size splice sync syscall_user_dispatch timens
timers tmpfs vDSO vm x86""".split()

# Tests that are not run, as patterns, with reasons.
LEFT_OUT = {
    "*/step_after_suspend_test": "suspends the machine",
    "*/compaction_test": "uses most of the machine's memory",
    "*/run_vmtests.sh*": "runs other tests",
    "futex/functional/run.sh": "runs other tests",
    "rseq/run_*.sh": "runs other tests for minutes",
}
SCRIPTS = ("run.sh", "run_vmtests.sh")
COMMAND = r"^\s*(?:CATEGORY=\S+ )?(?:run_test )?(\./[^$\n]+)$"  # a line of a script that runs a test, without variables
KINDS = ("OK", "FAIL", "SKIP", "PASS")
ENDS = {0: jobs.PASSED, 4: jobs.SKIPPED}  # by exit status


class LinuxSelftests(Suite):
    name = "selftests"

    def __init__(self, work, given=""):
        super().__init__(work, given)
        self.tests = f"{self.source}/tools/testing/selftests"

    def build(self):
        self.debian_source("linux")
        self.command("make -s headers")
        for folder in FOLDERS:
            self.command(f"[ ! -d {folder} ] || make -s -k -j$(nproc) -C {folder} || true", self.tests)

    def lines(self):
        """Pairs of a folder and a command line: the programs that a makefile names, and those that a script runs with arguments."""
        for folder in FOLDERS:
            listed = subprocess.run(["make", "-s", "--no-print-directory", "-C", folder, "emit_tests", "COLLECTION=test"], cwd=self.tests,
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True, env=BUILD_ENVIRONMENT, check=False)
            for name in re.findall(r"^test:(\S+)$", listed.stdout, re.MULTILINE):
                yield folder, f"./{name}"
            for script in set(SCRIPTS) & set(os.listdir(f"{self.tests}/{folder}") if listed.stdout else []):
                with open(f"{self.tests}/{folder}/{script}", encoding="utf-8") as file:
                    yield from ((folder, line) for line in re.findall(COMMAND, file.read().replace(" $COLOR", ""), re.MULTILINE))

    def all_jobs(self):
        """By name, each command line once."""
        found = {}
        for folder, line in self.lines():
            if os.access(f"{self.tests}/{folder}/{line.split()[0]}", os.X_OK):
                found.setdefault(f"{folder}/{line.removeprefix('./')}", Job("", ["sh", "-c", f"exec {line}"], f"{self.tests}/{folder}"))
        return found

    def left_out(self):
        names = self.all_jobs()
        return {name: reason for name in names for pattern, reason in LEFT_OUT.items() if fnmatch.fnmatchcase(name, pattern)}

    def jobs(self):
        left_out = self.left_out()
        every = self.all_jobs()
        if not every:
            raise Problem(f"none of its programs was built; {self.folder}/log has the reason")
        for name, job in every.items():
            if name not in left_out:
                job.name = name
                yield job

    def outcomes(self, ended):
        """Of the program and of each test that it numbers; and how many lines of the older kind it printed."""
        counts = {kind: ended.output.count(f"[{kind}]") for kind in KINDS}
        checks = "".join(f", {count} {kind}" for kind, count in counts.items() if count)
        result = {"": f"{ENDS.get(ended.status, jobs.FAILED)}: status {ended.status}{checks}"}
        for wrong, number, rest in re.findall(r"^(?:# )?(not )?ok (\d+)\b(.*)$", ended.output, re.MULTILINE):
            result[f"test {number}"] = jobs.SKIPPED if "# SKIP" in rest else jobs.FAILED if wrong else jobs.PASSED
        return result
