# SPDX-License-Identifier: MIT
"""Pairs of programs before and after an optimization: the jobs of promises.py and the examples of examples/."""
import glob
import os
import shutil
import sys
from dataclasses import dataclass, field

import five_programs
import promises
from fidelity import measurement
from fidelity.measurement import Failure, progress

ROOT = os.path.dirname(five_programs.HERE)
sys.path.append(f"{ROOT}/examples")
import measure as examples  # noqa: E402: found once its folder is in the path

HUGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}  # the C library requests huge pages
JOBS, EXAMPLES = "jobs", "examples"


@dataclass
class Pair:
    name: str
    kind: str  # JOBS or EXAMPLES
    before: list
    after: list
    machine_after: list = field(default_factory=list)  # hardmeter's options for `after`
    environment_after: dict = field(default_factory=dict)
    threads: bool = False

    def side(self, after):
        """Returns the command, the environment and hardmeter's options of one side."""
        return (self.after, self.environment_after, self.machine_after) if after else (self.before, {}, [])


def job_pairs(folder):
    """Returns the jobs of promises.py, built in `folder`."""
    pairs = []
    for job in promises.jobs(folder):
        # Equal commands differ in the size of pages only.
        environment = HUGE_PAGES if job.before == job.after else {}
        pairs.append(Pair(f"{job.program}: {job.job}", JOBS, job.before, job.after, job.machine_after, environment))
    return pairs


def build_example(name, folder):
    """Compiles an example and its optimized twin as examples/CMakeLists.txt does. Returns their paths."""
    source, = glob.glob(f"{ROOT}/examples/{name}/{name}.c*")
    compiler, twin = "gcc" if source.endswith(".c") else "g++", f"{name}_mended"
    for program, definitions in ((name, []), (twin, ["-DMENDED"])):
        measurement.run([compiler, "-O2", "-g", *definitions, source, "-o", f"{folder}/{program}", "-pthread"])
    return [f"{folder}/{name}"], [f"{folder}/{twin}"]


def example_pairs(folder, is_chosen):
    """Returns the examples, built in `folder`."""
    pairs = []
    for name, (_, machine_after) in examples.EVENTS.items():
        if not is_chosen(name):
            continue
        try:
            before, after = build_example(name, folder)
        except (Failure, FileNotFoundError) as failure:
            progress(f"pairs: SKIPPED {name}: cannot be built: {failure}")
            continue
        pairs.append(Pair(name, EXAMPLES, before, after, machine_after, threads=name in examples.OF_THREADS))
    return pairs


def runs(pair):
    """Returns whether both sides of a pair can be run here; reports the reason if not."""
    if not shutil.which(pair.before[0]):
        progress(f"pairs: SKIPPED {pair.name}: {pair.before[0]} is not installed or cannot be built")
        return False
    try:
        for after in (False, True):
            command, environment, _ = pair.side(after)
            measurement.cpu_seconds(command, environment)
    except Failure as failure:
        progress(f"pairs: SKIPPED {pair.name}: {failure}")
        return False
    return True


def all_pairs(folder, is_chosen):
    """Builds the chosen pairs in `folder`. Returns those that run here."""
    os.makedirs(folder, exist_ok=True)
    chosen = [pair for pair in job_pairs(folder) if is_chosen(pair.name)] + example_pairs(folder, is_chosen)
    return [pair for pair in chosen if runs(pair)]
