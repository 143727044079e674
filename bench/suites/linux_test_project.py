# SPDX-License-Identifier: MIT
"""The system call tests of the Linux Test Project."""
import os
import re

from suites import job as jobs
from suites.job import Job
from suites.suite import Suite

SOURCE = os.environ.get("LTP_SOURCE", "https://github.com/linux-test-project/ltp")  # a folder or a git address
RELEASE = "20260529"
KINDS = ("TPASS", "TFAIL", "TBROK", "TWARN", "TCONF")
ENDS = {0: jobs.PASSED, 32: jobs.SKIPPED}  # by exit status


class LinuxTestProject(Suite):
    name = "ltp"

    def build(self):
        """Debian has no package of it any more."""
        if not os.path.exists(self.source):
            self.command(f"git clone -q --branch {RELEASE} '{SOURCE}' '{self.source}'", self.folder)
        self.command("make -s autotools && ./configure -q && make -s -k -j$(nproc) -C testcases/kernel/syscalls all || "
                     "[ -x testcases/kernel/syscalls/fork/fork01 ]")

    def programs(self):
        """Where each test program is."""
        return {name: folder for folder, _, names in os.walk(f"{self.source}/testcases") for name in names
                if os.access(f"{folder}/{name}", os.X_OK)}

    def jobs(self):
        programs = self.programs()
        helpers = ":".join(sorted(set(programs.values())))
        lib = f"{self.source}/testcases/lib"
        with open(f"{self.source}/runtest/syscalls", encoding="utf-8") as file:
            lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
        for name, program, *rest in lines:
            if program in programs:
                folder = programs[program]
                environment = {"LTPROOT": self.source, "LTP_TIMEOUT_MUL": "20", "LTP_RUNTIME_MUL": "0.1", "KCONFIG_SKIP_CHECK": "1",
                               "LTP_COLORIZE_OUTPUT": "0", "LTP_DATAROOT": f"{folder}/datafiles",
                               "PATH": f"{os.environ['PATH']}:{folder}:{lib}"}
                yield Job(name, ["/bin/sh", "-c", f'exec {program} "$@"', "sh", *rest], "", environment)

    def outcomes(self, ended):
        """How the program ended, with the numbers of its checks; the checks have no names."""
        counts = {kind: len(re.findall(rf"\b{kind}\b", ended.output)) for kind in KINDS}
        checks = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "no checks"
        return {"": f"{ENDS.get(ended.status, jobs.FAILED)}: status {ended.status}, {checks}"}
