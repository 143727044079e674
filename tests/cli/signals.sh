#!/bin/bash
# SPDX-License-Identifier: MIT
# However a run ends, a recording that can be read is left, and the program is let go.
. "$(dirname "$0")/common.sh"

cat >worker.py <<'P'
import sys, time
open("started", "w").close()
end = time.monotonic() + float(sys.argv[1])
numbers = list(range(20000))
while time.monotonic() < end:
    numbers.sort(key=lambda n: (n * 7919) % 20011)
open("done", "w").close()
sys.exit(5)
P
set -m  # a job is a process group, and its SIGINT is not ignored
start() {  # SECONDS OUTPUT; $job is hardmeter itself, and its process group
  rm -f started done
  "$hardmeter" record -c 5000 -o "$2" -- python3 worker.py "$1" 2>said &
  job=$!
  wait_until test -e started
  sleep 0.5
}

start 30 terminal.data  # Ctrl-C: everybody in the process group gets the signal
kill -INT -- "-$job"
wait "$job"
expect "status after Ctrl-C" 130 $?
expect_match "it says so" interrupted "$(cat said)"
expect_samples terminal.data

start 30 recorder.data  # the recorder alone
kill -INT "$job"
wait "$job"
expect "the program ended by SIGTERM" 143 $?
expect_samples recorder.data
expect "the program did not go on" "" "$(ls done 2>/dev/null)"

start 30 target.data  # the program is killed
kill -KILL "$(pgrep -g "$job" -f 'worker.py 30' | grep -vx "$job" | head -n 1)"
wait "$job"
expect "status of a killed program" 137 $?
expect_samples target.data

start 4 lost.data  # the recorder is killed: the program goes on to its end
kill -KILL "$job"
wait "$job"
expect "status of a killed recorder" 137 $?
wait_until test -e done
expect_samples lost.data
finish
