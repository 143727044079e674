# SPDX-License-Identifier: MIT
"""The suites by name, quick ones first."""
from suites.automake import Coreutils, Grep, Sed
from suites.gawk import Gawk
from suites.linux_selftests import LinuxSelftests
from suites.linux_test_project import LinuxTestProject
from suites.perl import Perl
from suites.python import Python
from suites.qemu import Qemu
from suites.sqlite import Sqlite
from suites.valgrind import Valgrind
from suites.zstd import Zstd

SUITES = {suite.name: suite for suite in (Qemu, Sed, Valgrind, Grep, Gawk, Python, LinuxSelftests,
                                            LinuxTestProject, Coreutils, Zstd, Sqlite, Perl)}
