# SPDX-License-Identifier: MIT
"""Compares what tests came to under hardmeter with what they came to natively, and prints it."""
import collections
import fnmatch
import os

from suites import modes
from suites.job import PASSED, TIMEOUT
from suites.results import differing

KNOWN = os.path.dirname(os.path.abspath(__file__)) + "/known_differences.txt"
MEASURED = ("stat", "bursts", "16 cores")


def left_out(results, job, mode, options):
    """Why a job is not run in a mode, or nothing."""
    if mode in (modes.NATIVE, modes.AGAIN):
        return ""
    if TIMEOUT in results.outcomes(modes.NATIVE, job).values():
        return f"takes longer than {options.native_limit:g} s natively"
    if results.expected_seconds(job, options.slowdown) > options.limit:
        return f"too slow for {options.limit:g} s if its CPU time grows {options.slowdown:g} times"
    return ""


def known_differences():
    """Tuples of suite, mode, job, case (patterns), and the reason."""
    with open(KNOWN, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    return [tuple(part.strip() for part in line.split("|", 4)) for line in lines]


def reason_of(known, *difference):
    for *patterns, reason in known:
        if all(fnmatch.fnmatchcase(value, pattern) for value, pattern in zip(difference, patterns)):
            return reason
    return ""


class Report:
    """What the results of a suite come to."""

    def __init__(self, suite, results, options):
        self.suite, self.results = suite, results
        self.outcomes = collections.Counter()
        self.unstable = []
        self.ran = collections.Counter()  # cases by mode
        self.left_out = collections.Counter(suite.left_out().values())
        self.differences = []  # mode, job, case, native outcome, found outcome
        self.sometimes = []  # as above, but a repetition agreed
        for job in sorted(results.found.get(modes.NATIVE, {})):
            if options.is_chosen(job) and results.has(modes.AGAIN, job):
                self.add_job(job, options)

    def add_job(self, job, options):
        native = self.results.outcomes(modes.NATIVE, job)
        unstable = differing(native, self.results.outcomes(modes.AGAIN, job))
        self.unstable += [(job, case) for case in unstable]
        self.outcomes.update(outcome.partition(":")[0] for outcome in native.values())
        reason = left_out(self.results, job, "stat", options)
        if reason:
            self.left_out[reason] += 1
        for mode in MEASURED:
            if not reason and self.results.has(mode, job):
                self.add_mode(job, mode, native, unstable)

    def add_mode(self, job, mode, native, unstable):
        """A case differs if it does in the first run and in each repetition."""
        runs = [mode] + sorted(name for name in self.results.found if name.startswith(f"{mode}, ") and self.results.has(name, job))
        self.ran[mode] += len(native)
        found = [differing(native, self.results.outcomes(run, job)) for run in runs]
        for case, (expected, came_to) in found[0].items():
            if case not in unstable:
                always = all(case in other for other in found)
                (self.differences if always else self.sometimes).append((mode, job, case, expected, came_to))

    def row(self):
        cells = [self.suite.name, sum(self.outcomes.values()), self.outcomes[PASSED], len(self.unstable), sum(self.left_out.values())]
        for mode in MEASURED:
            always, sometimes = (sum(each[0] == mode for each in kind) for kind in (self.differences, self.sometimes))
            cells.append(f"{always}{f' (+ {sometimes})' if sometimes else ''} of {self.ran[mode]}")
        return "| " + " | ".join(map(str, cells)) + " |"


def print_reports(reports):
    """Prints the table and all differences; returns the exit status."""
    print(f"| suite | cases | passed natively | unstable natively | tests not run | {' | '.join(MEASURED)} |\n"
          f"|---|{'---:|' * (4 + len(MEASURED))}")
    for report in reports:
        print(report.row())
    known, unknown = known_differences(), 0
    for report in reports:
        name = report.suite.name
        print_lines(f"{name}: not run", [f"{count} tests: {reason}" for reason, count in report.left_out.items()])
        print_lines(f"{name}: two native runs differ", [f"{job} {case}" for job, case in report.unstable])
        print_lines(f"{name}: differs in some runs", [describe(each) for each in report.sometimes])
        with_reasons = [(each, reason_of(known, name, *each[:3])) for each in report.differences]
        print_lines(f"{name}: known differences", [f"{describe(each)}: {reason}" for each, reason in with_reasons if reason])
        print_lines(f"{name}: differences", [describe(each) for each, reason in with_reasons if not reason])
        unknown += sum(not reason for _, reason in with_reasons)
    return 1 if unknown else 0


def describe(difference):
    mode, job, case, native, found = difference
    return f"{mode}: {job}{' ' + case if case else ''}: {native} natively, {found} here"


def print_lines(title, lines):
    if lines:
        print(f"\n{title}:\n" + "\n".join(f"  {line}" for line in lines))
