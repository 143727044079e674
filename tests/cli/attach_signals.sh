#!/bin/bash
# SPDX-License-Identifier: MIT
# No real-time signal is lost or comes late in a process that is attached to, and none keeps a thread from leaving:
# attach_signals.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
needs_engine

# step_through: leaves the status of the steps in $status.
step_through() {
  rm -f begin
  "$programs/stepped_signals" begin >out 2>&1 &
  local tracer=$! recorder receiver
  wait_until test -s out
  receiver=$(head -n 1 out)
  "$hardmeter" record --pmu=soft -e l1_cache_miss -p "$receiver" -o data --duration 1000s >said 2>&1 &
  recorder=$!
  wait_until grep -q ^554000 "/proc/$receiver/maps"  # the engine's address
  : >begin
  end_of $tracer 600
  status=$?
  kill -INT $recorder 2>/dev/null  # it ends by itself, too, when the process has ended
  wait $recorder
}
programs=$2
# A step that meets one of the engine's own signals leaves the trap flag in the handler's frame, and the engine then faults:
# the fault of the steps. That is rare, and needs a busy machine.
for attempt in 1 2 3 4; do
  step_through
  grep -q "the copying engine faulted" out && [ $attempt -lt 4 ] || break
  skipped "attempt $attempt to step through the engine: $(grep "the copying engine faulted" out)"
done
expect "signals at each instruction: $(tail -n 1 out)" 0 $status
expect_match "signals at each instruction" "^all right" "$(tail -n 1 out)"

"$2/signal_storm" >out 2>&1 &
process=$!
wait_until test "/proc/$process/exe" -ef "$2/signal_storm"
for round in 1 2 3 4 5 6 7 8 9 10; do
  timeout 120 "$hardmeter" record --pmu=soft -e l1_cache_miss -p "$process" -o data -- sleep 0.1 >said 2>&1
  status=$?
  expect "a storm of signals, round $round: $(cat said)" 0 $status
done
kill $process
wait $process
status=$?
expect "a storm of signals: $(cat out)" 0 $status
expect_match "a storm of signals" "^all right" "$(cat out)"
finish
