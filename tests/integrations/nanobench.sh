#!/bin/bash
# SPDX-License-Identifier: MIT
# nanobench: one row for each benchmark, and only its operation is counted. nanobench.sh HARDMETER SOURCE PROGRAM
source=$(realpath -- "$2") program=$(realpath -- "$3") harness=nanobench
. "$(dirname "$0")/benchmarks.sh"
expect_lines "every line" "every second line"

# Without hardmeter nanobench runs and times the benchmarks.
"$program" >out 2>&1
status=$?
expect "natively: $(cat out)" 0 $status
expect_match "nanobench's result" '^\|.*`every second line`' "$(cat out)"
finish
