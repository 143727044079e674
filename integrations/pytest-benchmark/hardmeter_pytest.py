# SPDX-License-Identifier: MIT
"""pytest-benchmark under hardmeter: only the function that the fixture `benchmark` measures is counted.

hardmeter_benchmarks.py --harness pytest-benchmark loads this plugin of pytest; tests need no change. The measured
function runs inside call_once of the C library, which no other code in a Python process usually calls, and hardmeter
counts only inside it (--function=call_once)."""
import ctypes
import functools
import os

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

CHOICE = os.environ.get("HARDMETER_BENCHMARK")

# PyDLL and PYFUNCTYPE keep the interpreter's lock, which takes the fewest instructions.
_CALLBACK = ctypes.PYFUNCTYPE(None)
_call_once = ctypes.PyDLL(None).call_once
_call_once.argtypes = [ctypes.POINTER(ctypes.c_int), _CALLBACK]
_call_once.restype = None


def counted(function):
    """Returns the function, which then runs inside call_once. Calls may nest."""
    @functools.wraps(function)
    def run(*args, **kwargs):
        outcome = []

        def call():
            try:
                outcome.append((function(*args, **kwargs), None))
            except BaseException as error:  # pylint: disable=broad-except  # raised again below
                outcome.append((None, error))

        _call_once(ctypes.byref(ctypes.c_int(0)), _CALLBACK(call))
        result, error = outcome[0]
        if error is not None:
            raise error
        return result
    return run


def _count_measured_function(method):
    measure = getattr(BenchmarkFixture, method)

    @functools.wraps(measure)
    def with_counting(self, function, *args, **kwargs):
        return measure(self, counted(function), *args, **kwargs)
    setattr(BenchmarkFixture, method, with_counting)


for _method in ("__call__", "pedantic"):
    _count_measured_function(_method)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Keeps the chosen benchmark. If the choice is empty, prints the benchmarks' names and ends pytest."""
    if CHOICE is None:
        return
    benchmarks = [item for item in items if "benchmark" in getattr(item, "fixturenames", ())]
    if CHOICE == "":
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        for item in benchmarks:
            reporter.write_line(f"hardmeter benchmark: {item.nodeid}")
        pytest.exit("the benchmarks are listed", returncode=0)
    items[:] = [item for item in benchmarks if item.nodeid == CHOICE]
