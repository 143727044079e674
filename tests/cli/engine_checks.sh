#!/bin/bash
# SPDX-License-Identifier: MIT
# With HARDMETER_CHECK=1 the copying engine checks its locks, cores, signal masks, copies and counters. Programs with threads,
# signals, forks and changing code print the same as natively, and no check fails: engine_checks.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
needs_engine
programs=$2
export HARDMETER_CHECK=1

# as_natively PROGRAM...: compares the exact mode and bursts with a native run. A failed check writes to standard error, and
# ends the program with status 127.
as_natively() {
  local native detail found cores=16
  native=$(timeout 300 "$@" 2>&1 </dev/null; echo "status $?")
  for detail in exact bursts; do
    [ $detail = bursts ] && cores=8  # each core has a table: no more fit
    found=$(timeout 300 "$hardmeter" stat --engine=direct --detail $detail --cores $cores -o counted -- "$@" 2>&1 </dev/null; echo "status $?")
    expect "$* ($detail)" "$native" "$found"
    expect_match "$* ($detail): summary" "checked itself in [1-9]" "$(cat counted)"
    expect "$* ($detail): cut short" "" "$(grep 'cut short' counted)"
  done
}

for mode in signals alarms traps; do as_natively "$programs/crowd" $mode; done
for mode in killed_in_vfork memory_child killed_after_fork killed_memory_children; do as_natively "$programs/left_alone" $mode; done
for seed in 1 2 3; do as_natively "$programs/random_signals" $seed; done
for mode in vfork exec fork stack_fault; do as_natively "$programs/signal_rules" $mode; done
for way in all_threads one_thread; do as_natively "$programs/sandboxes" $way; done  # threads leave the engine
for mode in thread fexecve; do as_natively "$programs/successors" $mode; done
as_natively "$programs/forking_crowd" 20
as_natively sh -c '"$1" 1 4 | cut -d : -f 1' sh "$programs/recovering"
as_natively "$programs/changing_code" two_mappings
as_natively "$programs/hand_over" 2000 8
as_natively sh -c 'seq 20 | xargs -n 1 -P 4 /bin/true; echo $?'

# A process that is attached to and left again while it runs, also once for several episodes.
"$programs/recovering" 600 4 >out 2>&1 &
process=$!
wait_until catches 11 "$process" "$programs/recovering"
for options in "" "" "--budget 50%"; do
  timeout 120 "$hardmeter" stat --pmu=soft $options -o counted -p "$process" -- sleep 2 >said 2>&1
  expect "status of a measurement of a running process ($options; $(cat said))" 0 $?
  expect_match "a running process: summary ($options)" "checked itself in 1 program" "$(cat counted)"
done
kill -TERM "$process"
end_of "$process"
expect "status of the running process ($(cat out))" 0 $?

# The variable's other values have no effect.
for value in "" 0 yes; do
  HARDMETER_CHECK=$value "$hardmeter" stat --engine=direct -o counted -- true
  expect "HARDMETER_CHECK=$value" "" "$(grep 'checked itself' counted)"
done
finish
