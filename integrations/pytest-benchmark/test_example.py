# SPDX-License-Identifier: MIT
"""Two benchmarks that read 64 bytes of each line of a table. Filling the table is not counted."""
import pytest

LINES = 65536


@pytest.fixture(name="table")
def filled_table():
    return bytes(1) * (64 * LINES)


def test_every_line(benchmark, table):
    assert benchmark(table.count, 1) == 0


def test_half_of_the_lines(benchmark, table):
    assert benchmark.pedantic(table.count, setup=lambda: ((1, 0, 32 * LINES), {})) == 0
