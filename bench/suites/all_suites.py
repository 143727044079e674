# SPDX-License-Identifier: MIT
"""The suites by name, quick ones first."""
from suites.automake import Coreutils, Grep, Sed
from suites.gawk import Gawk
from suites.linux_test_project import LinuxTestProject
from suites.perl import Perl
from suites.python import Python
from suites.sqlite import Sqlite
from suites.zstd import Zstd

SUITES = {suite.name: suite for suite in (Sed, Grep, Gawk, Python, LinuxTestProject, Coreutils, Zstd, Sqlite, Perl)}
