#!/bin/bash
# SPDX-License-Identifier: MIT
# The software PMU in a running process with threads that fault and recover. Each fault reaches its handler as natively,
# at any instruction of attach or detach: attach_faults.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
needs_engine

# attached OPTIONS...: attaches to $process; the messages are in `said`.
attached() { timeout 120 "$hardmeter" record -q --pmu=soft -e memory_loads -p "$process" -o data "$@" >said 2>&1; }

"$2/recovering" 600 14 >out 2>&1 &
process=$!
wait_until catches 11 $process "$2/recovering"
for round in $(seq 8); do
  attached --duration 50ms
  status=$?
  expect "round $round: $(cat said)" 0 $status
done
attached --budget 80% --duration 4s
status=$?
expect "episodes: $(cat said)" 0 $status
expect_samples data
expect "memory of the engine" "" "$(grep ^554000 /proc/$process/maps)"
kill $process
wait $process
status=$?
expect "the program: $(cat out)" 0 $status
expect_match "the program" "^all right" "$(cat out)"
finish
