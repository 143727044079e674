#!/bin/bash
# SPDX-License-Identifier: MIT
# pytest-benchmark: one row for each test with the fixture, and only the measured function is counted.
# pytest_benchmark.sh HARDMETER SOURCE
source=$(realpath -- "$2") harness=pytest-benchmark
. "$(dirname "$0")/benchmarks.sh"
"$python" -B -c 'import pytest_benchmark' 2>/dev/null || { skipped "pytest-benchmark: there is no module pytest_benchmark for $python"; exit 77; }
program=test_example.py
cp "$source/integrations/pytest-benchmark/test_example.py" suite
max_instructions=22000000  # about five for each byte
expect_lines test_example.py::test_every_line test_example.py::test_half_of_the_lines

# The shim passes arguments, results and exceptions on. Tests without the fixture are no benchmarks.
cat >suite/test_values.py <<'END'
import pytest

def divide(a, b=1):
    return a // b

@pytest.mark.parametrize("number", [4, 6])
def test_result(benchmark, number):
    assert benchmark(divide, number, b=2) == number // 2

def test_exception(benchmark):
    with pytest.raises(ZeroDivisionError):
        benchmark(divide, 1, b=0)

def test_nested(benchmark):
    assert benchmark(lambda: sum(map(divide, range(9)))) == 36

def test_other():
    assert False

def test_failing(benchmark):
    assert benchmark(divide, 1) == 2

def test_unused(benchmark):
    pass
END
program=test_values.py
rows --filter 'result|exception|nested' >out 2>&1
status=$?
expect "status; it said: $(cat out)" 0 $status
expect "its rows" "test_values.py::test_result[4]|test_values.py::test_result[6]|test_values.py::test_exception|test_values.py::test_nested|" "$(names_in out)"
rows --filter failing >out 2>&1
expect "status of a test that fails" 1 $?
expect_match "its message" '^hardmeter_benchmarks: test_values.py::test_failing failed:$' "$(cat out)"
expect_match "its reason" '^  FAILED .* assert 1 == 2$' "$(cat out)"
rows --filter unused >out 2>&1
expect "status of a fixture that is not used" 1 $?
expect_match "its message" '^hardmeter_benchmarks: test_values.py::test_unused: not only its loop was counted \(collected: only inside call_once \(entered 0 times\)\); ' "$(cat out)"

# Without the shim the tests run as usual.
"$python" -B -m pytest -p no:cacheprovider --benchmark-max-time=0.01 suite/test_example.py >out 2>&1
status=$?
expect "natively: $(cat out)" 0 $status
expect_match "pytest-benchmark's result" '^test_every_line +[0-9]' "$(cat out)"
finish
