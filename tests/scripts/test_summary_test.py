#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/test_summary.py counts each reason once for each test that gives it, and ends with what failed tests printed."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts"))
from test_summary import failed, skipped  # noqa: E402

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

FAILED = [("a", "run", "fine\n"), ("b", "fail", "".join(f"line {i}\n" for i in range(1, 31)) + "\n  \n" * 30), ("c", "fail", "")]
END = ["b failed; its output ends with:", *(f"    line {i}" for i in range(11, 31)), "c failed; its output ends with:"]

wrong = [(case, found) for case, expected in CASES if (found := list(skipped(case))) != expected]
if (found := list(failed(FAILED))) != END:
    wrong.append((FAILED, found))
for case, found in wrong:
    print(f"{case}\n  gave {found}")
sys.exit(1 if wrong else 0)
