# SPDX-License-Identifier: MIT
"""gawk's tests: each is a target of a makefile, which leaves a file `_NAME` if the test fails."""
import re

from suites.job import Job
from suites.suite import Suite

TEST = 'make -s NAME && for left in _NAME _NAME.*; do [ ! -e "$left" ] || exit 1; done'


class Gawk(Suite):
    name = "gawk"

    def build(self):
        self.debian_source("gawk")
        # Debian's source lacks the manual, from which the programs in awklib are made.
        self.command("./configure --disable-nls -q && sed -i '/^SUBDIRS = / s/ doc awklib / /' Makefile && "
                     "make -s -j$(nproc) MAKEINFO=true")

    def names(self):
        """The targets behind BASIC_TESTS and the other lists of tests that `make check` goes by."""
        with open(f"{self.source}/test/Makefile", encoding="utf-8") as file:
            text = file.read().replace("\\\n", " ")
        lists = re.findall(r"^(BASIC|UNIX|GAWK_EXT|SHLIB|MPFR|LOCALE_CHARSET|MACHINE)_TESTS\s*=(.*)$", text, re.MULTILINE)
        targets = set(re.findall(r"^([a-z][a-z0-9_-]*)::?(?:\s|$)", text, re.MULTILINE))
        with open(f"{self.source}/test/Maketests", encoding="utf-8") as file:
            targets |= set(re.findall(r"^([A-Za-z][A-Za-z0-9_-]*):", file.read(), re.MULTILINE))
        return sorted(targets & {word for _, words in lists for word in words.split()})

    def jobs(self):
        for name in self.names():
            yield Job(name, ["sh", "-c", TEST.replace("NAME", name)], f"{self.source}/test")
