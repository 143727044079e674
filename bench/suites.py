#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the test suites of other projects natively and under hardmeter, and compares which tests pass.

Each test runs twice natively, under `stat`, under `record --detail bursts`, and under `stat --cores 16`. A test whose two
native runs differ is unstable and not compared. A test that differs under hardmeter is repeated: it counts as differing if
no repetition agrees. Prints a Markdown table and the differences; suites/known_differences.txt lists those that are
known, with their reasons. The exit status is 1 if there are others. Results are kept in the work folder: a run that is
interrupted goes on where it stopped. Needs root, for namespaces.
"""
import argparse
import concurrent.futures
import fnmatch
import itertools
import os
import signal
import sys

import five_programs
from suites import differences, modes
from suites import job as jobs
from suites.all_suites import SUITES
from suites.results import Results, differing
from suites.suite import Problem


def source_of(word):
    suite, _, folder = word.partition("=")
    if suite not in SUITES or not os.path.isdir(folder):
        raise argparse.ArgumentTypeError(f"no suite and folder: {word}; there are the suites {', '.join(SUITES)}")
    return suite, os.path.abspath(folder)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hardmeter", help="the program, as built")
    parser.add_argument("suites", nargs="*", help=f"which suites; all without it: {', '.join(SUITES)}")
    parser.add_argument("--work", default="/var/tmp/hardmeter-suites", help="the folder of sources and results (%(default)s)")
    parser.add_argument("--results", default="", help="the folder of results (results in the work folder)")
    parser.add_argument("--source", default=[], action="append", type=source_of, metavar="SUITE=DIR",
                        help="use the sources in a folder, such as a clone, instead of Debian's source package")
    parser.add_argument("--only", default=[], action="append", metavar="PATTERN", help="only tests whose name matches, such as 'signal*'")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only one test in N, to get an impression of a long suite")
    parser.add_argument("--parallel", type=int, default=os.cpu_count(), help="tests that run at a time (%(default)s)")
    parser.add_argument("--native-limit", type=float, default=180, metavar="S", help="seconds that a test has natively (%(default)s)")
    parser.add_argument("--limit", type=float, default=600, metavar="S", help="seconds that a test has under hardmeter (%(default)s)")
    parser.add_argument("--slowdown", type=float, default=50, metavar="N",
                        help="a test whose CPU time must not grow so many times for that is not run under hardmeter (%(default)s)")
    parser.add_argument("--repeat", type=int, default=2, metavar="N", help="how often a difference is repeated (%(default)s)")
    parser.add_argument("--report", action="store_true", help="run nothing: report what earlier runs found")
    options = parser.parse_args()
    options.is_chosen = lambda name: not options.only or any(fnmatch.fnmatch(name, pattern) for pattern in options.only)
    return options


class Runner:
    """Runs the tests of one suite in all modes, those that are not in the results yet."""
    scratch_numbers = itertools.count()

    def __init__(self, suite, options):
        self.suite, self.options = suite, options
        self.results = Results(f"{options.results}/{suite.name}")
        self.prefixes = modes.prefixes(os.path.abspath(options.hardmeter))

    def chosen(self):
        every = [job for job in self.suite.jobs() if self.options.is_chosen(job.name)]
        return every[::self.options.every]

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(self.options.parallel) as pool:
            waiting = [pool.submit(self.run_job, job) for job in self.chosen()]
            for i, done in enumerate(concurrent.futures.as_completed(waiting)):
                print(f"{self.suite.name}: {i + 1} of {len(waiting)}: {done.result()}", file=sys.stderr)

    def run_job(self, job):
        for mode in self.prefixes:
            if not self.results.has(mode, job.name) and not differences.left_out(self.results, job.name, mode, self.options):
                self.run_once(job, mode, mode)
            if mode not in (modes.NATIVE, modes.AGAIN):
                self.repeat(job, mode)
        return job.name

    def run_once(self, job, mode, kept_as):
        native = mode in (modes.NATIVE, modes.AGAIN)
        scratch = f"{self.options.work}/scratch/{os.getpid()}-{next(self.scratch_numbers)}"
        limit = self.options.native_limit if native else self.options.limit
        ended = jobs.run(job, self.suite.folder, self.prefixes[mode], limit, scratch)
        outcomes = {"": jobs.TIMEOUT} if ended.status is None else self.suite.outcomes(ended)
        self.results.add(kept_as, job.name, ended, outcomes)
        jobs.remove(scratch)

    def repeat(self, job, mode):
        """Repeats a mode that differs from the native run until a repetition agrees or all are done."""
        for repetition in [mode] + [f"{mode}, repetition {i + 1}" for i in range(self.options.repeat)]:
            if not self.results.has(repetition, job.name):
                if not self.results.has(mode, job.name):
                    return
                self.run_once(job, mode, repetition)
            if not differing(self.results.outcomes(modes.NATIVE, job.name), self.results.outcomes(repetition, job.name)):
                return


def main():
    options = arguments()
    if os.geteuid() != 0:
        sys.exit("suites: needs root: each test runs in namespaces of its own; run it with sudo")
    unknown = set(options.suites) - SUITES.keys()
    if unknown:
        sys.exit(f"suites: there is no suite {', '.join(unknown)}; there are {', '.join(SUITES)}")
    options.work = os.path.abspath(options.work)
    options.results = os.path.abspath(options.results or f"{options.work}/results")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, jobs.end_all)
    reports = []
    for name in options.suites or SUITES:
        suite = SUITES[name](options.work, dict(options.source).get(name, ""))
        try:
            if not options.report:
                suite.prepare()
                Runner(suite, options).run()
            reports.append(differences.Report(suite, Results(f"{options.results}/{name}"), options))
        except Problem as problem:
            print(f"{name}: not run: {problem}")
    print(f"{five_programs.where_and_when().rsplit(',', 1)[0]}\n")
    sys.exit(differences.print_reports(reports))


if __name__ == "__main__":
    main()
