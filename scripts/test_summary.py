#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ends a ctest run: which tests were skipped and why, one line for each reason, most frequent first, and then the last
that each failed test printed, as the end of a log is what is read first: test_summary.py JUNIT-FILE, which is what
`ctest --output-junit` wrote.

A test that is skipped as a whole says why behind GoogleTest's "Skipped", or in a line that begins with "SKIPPED: ".
A test that runs may leave out a part of itself: it says so in a line that begins with "SKIPPED: ", too.
"""
import collections
import re
import sys
import xml.etree.ElementTree

OF_GOOGLETEST = re.compile(r": Skipped\n(.+?)(?:\n\n|\n\[|\Z)", re.DOTALL)
OF_SCRIPTS = re.compile(r"^SKIPPED: (.+)$", re.MULTILINE)
LINES_OF_A_FAILURE, FAILURES = 20, 10
SUFFIX = re.compile(r"; not (tested|compared)$")  # which the heading says already


def reasons_in(output):
    found = [" ".join(text.split()) for text in OF_GOOGLETEST.findall(output) + OF_SCRIPTS.findall(output)]
    return [SUFFIX.sub("", text) for text in found]


def skipped(testcases):
    """The lines for (name, status, output) of each test; none where nothing was skipped."""
    whole, part = collections.Counter(), collections.Counter()
    skipped = partly = 0
    for name, status, output in testcases:
        reasons = reasons_in(output)
        if status in ("notrun", "disabled"):
            skipped += 1
            whole[reasons[0] if reasons else f"{name} does not say why"] += 1
        elif reasons:
            partly += 1
            part.update(reasons)
    total = len(testcases)
    if skipped:
        yield f"{skipped} of {total} tests were skipped:"
        yield from (f"{count:6}  {reason}" for reason, count in whole.most_common())
    if partly:
        yield f"{partly} of {total} tests left out a part:"
        yield from (f"{count:6}  {reason}" for reason, count in part.most_common())


def failed(testcases):
    """What the first failed tests printed last."""
    for name, output in [(name, output) for name, status, output in testcases if status == "fail"][:FAILURES]:
        yield f"{name} failed; its output ends with:"
        lines = [line for line in output.splitlines() if line.strip()]  # the empty rows of a screen tell nothing
        yield from (f"    {line}" for line in lines[-LINES_OF_A_FAILURE:])


def read(path):
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        output = case.find("system-out")
        yield case.get("name"), case.get("status"), "" if output is None else output.text or ""


def main():
    testcases = list(read(sys.argv[1]))
    print("\n" + "\n".join(list(skipped(testcases)) or ["No test was skipped."]))
    for line in failed(testcases):
        print(line)


if __name__ == "__main__":
    main()
