#!/bin/bash
# SPDX-License-Identifier: MIT
# Any end of a run leaves a readable recording, and the program continues.
. "$(dirname "$0")/common.sh"

cat >worker.sh <<'P'
echo $$ >worker
while [ ! -e enough ]; do :; done
: >done
exit 5
P
set -m  # a job is a process group
obey=(env --default-signal=INT)  # also if the parent of the tests ignores Ctrl-C
start() {  # OUTPUT; $job is hardmeter itself, and its process group; $worker is its program, which already has samples
  rm -f worker enough done
  "${obey[@]}" "$hardmeter" record -e memory_loads -c 100000 -o "$1" -- sh worker.sh 2>said &
  job=$!
  wait_until has_samples "$1"
  worker=$(cat worker)
}
ended() {  # STATUS WHAT
  end_of "$job"
  expect "status after $2" "$1" $?
  expect "the program is gone after $2" "" "$(ls -d "/proc/$worker" 2>/dev/null)"
}

start terminal.data  # Ctrl-C: the whole process group gets the signal
kill -INT -- "-$job"
ended 130 "Ctrl-C"
expect_match "it says so" interrupted "$(cat said)"
expect_samples terminal.data

start recorder.data  # the recorder alone: it ends the program by SIGTERM
kill -INT "$job"
ended 143 "an interruption of the recorder"
expect_samples recorder.data

start target.data  # the program is killed
kill -KILL "$worker"
ended 137 "a killed program"
expect_samples target.data

start lost.data  # the recorder is killed: the program continues to its end
kill -KILL "$job"
wait "$job"
expect "status of a killed recorder" 137 $?
: >enough
wait_until test -e done
expect_samples lost.data 1
"$hardmeter" report -i lost.data >lost.txt 2>said
expect_match "who measured a recording cut short" 'software PMU' "$(cat lost.txt)"
expect_match "its events by their names" 'memory_loads' "$(cat lost.txt)"
expect_match "what is missing" 'did not finish.*totals' "$(cat lost.txt said)"
finish
