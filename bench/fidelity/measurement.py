# SPDX-License-Identifier: MIT
"""Runs commands natively on one CPU, and on hardmeter's model."""
import concurrent.futures
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

EXACT = ["--pmu=soft", "--detail", "exact", "--no-classes"]
# Cycles include mispredicted branches if branch_mispredict is among the events.
COUNTED = "clock,branch_mispredict,instr_retired"
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}


class Failure(Exception):
    """A command has failed; the message names the command."""


@dataclass(frozen=True)
class Costs:
    """The costs that the model's cycles consist of, and hardmeter's options that select them."""
    name: str
    options: tuple


STATED = Costs("stated", ())


def costs_of(machine):
    """Returns the costs to measure with: the stated ones, and those of a calibrated machine if one is named."""
    return [STATED] + ([Costs(f"as {os.path.basename(machine)}", ("--as", machine))] if machine else [])


@contextlib.contextmanager
def pinned(turn):
    """Pins the processes that the block starts to one CPU of this process. The CPU alternates with `turn`."""
    cpus = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cpus)[turn % len(cpus)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cpus)


def run(command, environment=None, **streams):
    """Runs a command to its end. Raises Failure with its last messages if its status is not 0."""
    streams = {**QUIET, "stderr": subprocess.PIPE, **streams}
    try:
        done = subprocess.run(command, env={**os.environ, **(environment or {})}, check=False, **streams)
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace")[-300:].strip()
        raise Failure(f"{' '.join(command)} ended with status {done.returncode}: {last}")
    return done


def cpu_seconds(command, environment=None):
    """Runs a command to its end; returns the CPU time of the command and of its children, user and kernel mode."""
    started = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})}, **QUIET)
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode != 0:
        raise Failure(f"{' '.join(command)} ended with status {started.returncode}")
    return usage.ru_utime + usage.ru_stime


def counts(hardmeter, costs, command, options=(), environment=None):
    """Returns the exact counts of a command's events on the model, by event."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        run([hardmeter, "stat", *EXACT, *costs.options, *options, "--json", "-o", file.name, "-e", COUNTED, "--", *command], environment)
        return json.load(file)["totals"]


def in_parallel(function, arguments, workers):
    """Calls a function with each tuple of arguments, `workers` at a time. Returns the results in the order of the arguments."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(function, *each) for each in arguments]
        try:
            return [each.result() for each in waiting]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def progress(text):
    print(f"fidelity: {text}", file=sys.stderr, flush=True)
