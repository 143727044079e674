#!/bin/bash
# SPDX-License-Identifier: MIT
# However a run ends, a readable recording is left, and the program continues.
. "$(dirname "$0")/common.sh"

cat >worker.sh <<'P'
: >started
i=0
while [ $i -lt "$1" ]; do i=$((i + 1)); done
: >done
exit 5
P
set -m  # a job is a process group
obey=(env --default-signal=INT)  # also where whoever started the tests ignores Ctrl-C
start() {  # ROUNDS OUTPUT; $job is hardmeter itself, and its process group
  rm -f started done
  "${obey[@]}" "$hardmeter" record -e memory_loads -c 100000 -o "$2" -- sh worker.sh "$1" 2>said &
  job=$!
  wait_until test -e started
  sleep 0.5
}

start 10000000 terminal.data  # Ctrl-C: everybody in the process group gets the signal
kill -INT -- "-$job"
wait "$job"
expect "status after Ctrl-C" 130 $?
expect_match "it says so" interrupted "$(cat said)"
expect_samples terminal.data

start 10000000 recorder.data  # the recorder alone
kill -INT "$job"
wait "$job"
expect "the program ended by SIGTERM" 143 $?
expect_samples recorder.data
expect "the program did not go on" "" "$(ls done 2>/dev/null)"

start 10000000 target.data  # the program is killed
kill -KILL "$(pgrep -g "$job" -f 'worker.sh 10000000' | grep -vx "$job" | head -n 1)"
wait "$job"
expect "status of a killed program" 137 $?
expect_samples target.data

start 100000 lost.data  # the recorder is killed: the program goes on to its end
kill -KILL "$job"
wait "$job"
expect "status of a killed recorder" 137 $?
wait_until test -e done
expect_samples lost.data 1
"$hardmeter" report -i lost.data >lost.txt 2>said
expect_match "who measured a recording cut short" 'software PMU' "$(cat lost.txt)"
expect_match "its events by their names" 'memory_loads' "$(cat lost.txt)"
expect_match "what is missing" 'did not finish.*totals' "$(cat lost.txt said)"
finish
