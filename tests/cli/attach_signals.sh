#!/bin/bash
# SPDX-License-Identifier: MIT
# No real-time signal is lost in a measured process, at whatever instruction of the engine it arrives: attach_signals.sh
# HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
"$hardmeter" stat --engine=direct -o counted -- true 2>direct || { skipped "the copying engine cannot run here: $(cat direct)"; exit 77; }

"$2/stepped_signals" begin >out 2>&1 &
tracer=$!
wait_until test -s out
receiver=$(head -n 1 out)
"$hardmeter" record --pmu=soft -e l1_cache_miss -p "$receiver" -o data -- sleep 1000 >said 2>&1 &
recorder=$!
wait_until grep -q ^554000 "/proc/$receiver/maps"  # the engine's address
: >begin
wait $tracer
status=$?
expect "signals at each instruction: $(tail -n 1 out)" 0 $status
expect_match "signals at each instruction" "^all right" "$(tail -n 1 out)"
kill -INT $recorder
wait $recorder
finish
