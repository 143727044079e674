#!/bin/bash
# SPDX-License-Identifier: MIT
# Catch2: one row for each benchmark, and only its measured function is counted. catch2.sh HARDMETER SOURCE PROGRAM
source=$(realpath -- "$2") program=$(realpath -- "$3") harness=catch2
. "$(dirname "$0")/benchmarks.sh"
expect_lines "table/every line" "table/every second line"

# Without hardmeter Catch2 runs and times the benchmarks.
"$program" --benchmark-samples 2 >out 2>&1
status=$?
expect "natively: $(cat out)" 0 $status
expect_match "Catch2's result" '^every second line +2 ' "$(cat out)"
finish
