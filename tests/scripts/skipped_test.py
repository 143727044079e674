#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/skipped.py counts each reason once for each test that gives it."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts"))
from skipped import summary  # noqa: E402

GOOGLETEST = """[ RUN      ] Sharing.PerfFindsTheLines
/source/sharing_test.cc:29: Skipped
there is no perf here; not tested

[  SKIPPED ] Sharing.PerfFindsTheLines (0 ms)
[  SKIPPED ] 1 test, listed below:
"""

CASES = [
    ([("a", "run", "all as expected\n"), ("b", "fail", "")], []),
    (
        [("a", "notrun", GOOGLETEST), ("b", "notrun", "SKIPPED: there is no perf here\n"), ("c", "notrun", ""), ("d", "run", "")],
        ["3 of 4 tests were skipped:", "     2  there is no perf here", "     1  c does not say why"],
    ),
    (
        [("a", "run", "x\nSKIPPED: groff is not installed\nSKIPPED: zsh is not installed\n"), ("b", "run", "it was SKIPPED: no\n")],
        ["1 of 2 tests left out a part:", "     1  groff is not installed", "     1  zsh is not installed"],
    ),
]

wrong = [(case, found) for case, expected in CASES if (found := list(summary(case))) != expected]
for case, found in wrong:
    print(f"{case}\n  gave {found}")
sys.exit(1 if wrong else 0)
