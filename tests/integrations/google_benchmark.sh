#!/bin/bash
# SPDX-License-Identifier: MIT
# Google Benchmark: one row for each benchmark, and only its loop is counted. google_benchmark.sh HARDMETER SOURCE PROGRAM
source=$(realpath -- "$2") program=$(realpath -- "$3") harness=google-benchmark
. "$(dirname "$0")/benchmarks.sh"
expect_rows by_rows by_columns/iterations:2

# 512 x 512 numbers of 4 bytes: 16,384 lines. By rows each line misses the first level once; by columns each access does,
# twice. The vector is filled before the loop.
between "misses by rows" 16384 16600 "$(number 2 by_rows)"
between "misses by columns" 524288 525000 "$(number 2 by_columns/iterations:2)"
between "instructions of the loop" 1 2000000 "$(number 1 by_rows)"
expect "a filter" 2 "$(rows --filter by_rows | wc -l)"
rows --filter nothing >out 2>&1
expect "no benchmark" 1 $?
expect_match "its message" 'has no benchmark that matches nothing$' "$(cat out)"
expect_gate

# Without hardmeter the program runs as usual.
"$program" --benchmark_filter=by_rows --benchmark_min_time=0 >out 2>&1
expect "natively" 0 $?
expect_match "its own result" '^by_rows ' "$(cat out)"
finish
