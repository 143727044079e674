# SPDX-License-Identifier: MIT
"""Suites of GNU programs that automake's harness runs: coreutils, grep, sed."""
import json
import os
import sys

from suites.job import Job
from suites.suite import Problem, Suite, is_program

# Automake's harness calls this script instead of the shell or perl. The script records the call, and does not run the
# test.
CAPTURE = f"""#!{sys.executable}
import json, os, sys
test = sys.argv[-1]
name = os.path.relpath(test, os.environ["SUITES_TOP"]).replace("/", "-")
with open(os.path.join(os.environ["SUITES_CAPTURED"], name), "w") as file:
    json.dump({{"command": sys.argv[1:], "folder": os.getcwd(), "environment": dict(os.environ)}}, file)
"""


def command_of(call):
    """The command of a captured call. A test that is a program is called without the shell that the harness was given."""
    test = call["command"][-1]
    return [test] if is_program(os.path.join(call["folder"], test)) else call["command"]


class Automake(Suite):
    """`folders`: where `make check` runs tests, below the source."""
    package = ""
    folders = ("tests",)

    def build(self):
        self.debian_source(self.package)
        self.command("./configure --disable-nls -q && make -s -j$(nproc) MAKEINFO=true")
        for folder in self.folders:
            self.capture(folder)

    def capture(self, folder):
        """Keeps the command and the environment of each test below `folder` in the suite's captured/."""
        captured = f"{self.folder}/captured"
        os.makedirs(captured, exist_ok=True)
        script = f"{self.folder}/capture"
        with open(script, "w", encoding="ascii") as file:
            file.write(CAPTURE)
        os.chmod(script, 0o755)
        perl = "$(TESTSUITE_PERL)"
        options = "$(TESTSUITE_PERL_OPTIONS)"
        compilers = (f"LOG_COMPILER='{script} $(SHELL)' SH_LOG_COMPILER='{script} $(SHELL)' "
                     f"PL_LOG_COMPILER='{script} {perl} {options}' XPL_LOG_COMPILER='{script} {perl} -T {options}'")
        self.command(f"SUITES_CAPTURED={captured} SUITES_TOP=$PWD make -k -C {folder} check {compilers} || true")

    def jobs(self):
        captured = f"{self.folder}/captured"
        names = sorted(os.listdir(captured))
        if not names:
            raise Problem(f"`make check` called no test; {self.folder}/log has the reason")
        for name in names:
            with open(f"{captured}/{name}", encoding="utf-8") as file:
                call = json.load(file)
            left = {key: value for key, value in call["environment"].items() if not key.startswith("SUITES_")}
            yield Job(name, ["sh", "-c", 'exec "$@" 9>&2', "sh", *command_of(call)], call["folder"], left, whole_environment=True)


class Coreutils(Automake):
    name = package = "coreutils"
    folders = (".",)


class Grep(Automake):
    name = package = "grep"
    folders = ("tests", "gnulib-tests")


class Sed(Automake):
    name = package = "sed"
    folders = (".",)
