# SPDX-License-Identifier: MIT
"""CPython's tests of threads, signals, processes and memory, with the distribution's own python3."""
import collections
import json
import os
import re
import subprocess
import xml.etree.ElementTree

from suites import job as jobs
from suites.job import Job
from suites.suite import Problem, Suite

PYTHON = "/usr/bin/python3"
MODULES = """test_asyncio test_concurrent_futures test_ctypes test_epoll test_faulthandler
test_fcntl test_fork1 test_mmap test_multiprocessing_fork test_multiprocessing_forkserver test_multiprocessing_main_handling
test_multiprocessing_spawn test_os test_poll test_popen test_posix test_pty test_queue test_resource test_select test_selectors
test_signal test_socket test_subprocess test_thread test_threadedtempfile test_threading test_threading_local test_threadsignals
test_wait3 test_wait4""".split()
LARGE = 12  # minimum cases of a class that becomes a separate job


class Python(Suite):
    name = "python3"

    def __init__(self, work, given=""):
        super().__init__(work, given)
        program = "import sys; print('%d.%d' % sys.version_info[:2])"
        version = subprocess.run([PYTHON, "-c", program], capture_output=True, text=True, check=True)
        self.version = version.stdout.strip()
        self.library = f"{self.folder}/library"

    def build(self):
        """The test packages are not installed, but unpacked beside the parts of them that the standard library has."""
        self.command(f"""
            apt-get -o APT::Sandbox::User=root download libpython{self.version}-testsuite
            dpkg -x libpython{self.version}-testsuite_*.deb unpacked
            for package in test ctypes; do
              mkdir -p library
              cp -a /usr/lib/python{self.version}/$package unpacked/usr/lib/python{self.version}/$package library/
            done""", self.folder)
        with open(f"{self.folder}/cases.json", "w", encoding="utf-8") as file:
            json.dump({module: self.listed(module) for module in MODULES}, file)

    def listed(self, module):
        """The names of its test cases."""
        found = subprocess.run([PYTHON, "-m", "test", "--list-cases", module], env=os.environ | {"PYTHONPATH": self.library},
                               stdout=subprocess.PIPE, text=True, check=False, cwd=self.folder)
        return [line for line in found.stdout.splitlines() if re.fullmatch(r"(test|ctypes)\.[\w.]+", line)]

    def jobs(self):
        """One for each large class of tests, and one for the other classes of a file: to begin takes much of the time."""
        with open(f"{self.folder}/cases.json", encoding="utf-8") as file:
            modules = json.load(file)
        for module, cases in modules.items():
            classes = collections.Counter(case.rpartition(".")[0] for case in cases)
            files = collections.defaultdict(list)
            for each, number in classes.items():
                files[each if number >= LARGE else each.rpartition(".")[0]].append(each)
            if not files:
                raise Problem(f"python3 lists no tests of {module}: {PYTHON} -m test --list-cases {module}")
            for name, members in sorted(files.items()):
                patterns = [word for each in members for word in ("-m", f"{each}.*")]
                yield Job(name.removeprefix("test."), [PYTHON, "-m", "test", "-v", "--junit-xml", "result.xml", *patterns, module], "",
                          {"PYTHONPATH": self.library, "PYTHONDONTWRITEBYTECODE": "1"})

    def outcomes(self, ended):
        """Of each method, and of the whole class."""
        result = {"": jobs.PASSED if ended.status == 0 else f"{jobs.FAILED}: status {ended.status}"}
        path = f"{ended.folder}/result.xml"
        if not os.path.exists(path):
            return result
        for case in xml.etree.ElementTree.parse(path).iter("testcase"):
            kinds = {child.tag for child in case}
            is_skipped = "skipped" in kinds or case.get("result") == "skipped"
            outcome = jobs.FAILED if kinds & {"failure", "error"} else jobs.SKIPPED if is_skipped else jobs.PASSED
            result[case.get("name", "").rpartition(".")[2]] = outcome
        return result
