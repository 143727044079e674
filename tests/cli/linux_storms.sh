#!/bin/bash
# SPDX-License-Identifier: MIT
# The kernel's PMU under stress: nothing hangs, no memory grows, no file stays open, and the recording is readable.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/linux.sh"
need_root_and_perf_events
set -m  # a job is a process group
obey=(env --default-signal=INT)  # also if the parent of the tests ignores Ctrl-C

lost() { "$hardmeter" check --json -i "$1" | python3 -c 'import json,sys; print(json.load(sys.stdin)["lost"])'; }
record() { timeout 600 "$hardmeter" record -e clock "$@" 2>said; }
# Rings that hold all records: a slow reader loses nothing.
large=(-m 16384)

# Many threads.
record "${large[@]}" -c 100us -o often.data -- "$programs/targets" spin 200 10
expect_status 0 "200 threads, a sample every 100 us"
expect_samples often.data
expect "samples lost" 0 "$(lost often.data)"
record "${large[@]}" -c 1ms -o threads.data -- "$programs/targets" idle 1000 500
expect_status 0 "1000 threads"
"$hardmeter" check --json -i threads.data >threads.json
expect "threads told of" 1000 "$(python3 -c 'import json; print(json.load(open("threads.json"))["records"]["FORK"])')"
expect "records lost" 0 "$(lost threads.data)"

# A process with 1000 threads needs a file for each thread and CPU, more than a shell's usual limit. The command that
# runs meanwhile keeps its limit and inherits no file of hardmeter.
"$programs/targets" idle 1000 600000 &
process=$!
wait_until has_threads "$process" 1001
(ulimit -Sn 256 && record -c 1ms -o attached.data -p "$process") &
recorder=$!
larger_than() { [ "$(stat -c %s "$1")" -gt "$2" ]; }
wait_until larger_than attached.data 65536  # the recording contains the threads
kill "$process"
wait "$process" 2>/dev/null
wait "$recorder"
expect_status 0 "a process with 1000 threads, 256 files"
expect "threads told of" 1000 "$("$hardmeter" check --json -i attached.data | python3 -c 'import json,sys; print(json.load(sys.stdin)["records"]["FORK"])')"
files() { (ulimit -Sn 256 && "$@" sh -c 'ulimit -n; ls /proc/$$/fd'); }
expect "limit and files of a command" "$(files)" "$(files "$hardmeter" record -q -a -e clock -o files.data --)"

# Many processes.
record "${large[@]}" -c 1ms -o tree.data -- "$programs/targets" tree 9
expect_status 0 "512 processes at once"
expect "forks told of" 511 "$("$hardmeter" check --json -i tree.data | python3 -c 'import json,sys; print(json.load(sys.stdin)["records"]["FORK"])')"
expect "records lost" 0 "$(lost tree.data)"

# 10,000 short processes, measured with -a. The recorder's own memory (without the rings) stays constant until they end.
# After that the recorder reads the executed files.
"$hardmeter" record -q -a -e clock -c 1ms "${large[@]}" -o short.data -- "$programs/targets" children 10000 2>said &
recorder=$!
own_kib() { awk '/^RssAnon/ { print $2 }' "/proc/$recorder/status" 2>/dev/null; }
wait_until larger_than short.data 1000000
first=$(own_kib)
last=$first
while now=$(own_kib) && pgrep -P "$recorder" targets >running; do last=$now; sleep 0.2; done
end_of "$recorder"
expect_status 0 "10,000 processes"
expect_between "KiB that the recorder grew by, from ${first:-nothing}" -1000 500 "$((${last:-9999} - ${first:-0}))"
expect_samples short.data
expect "records lost" 0 "$(lost short.data)"

# The recording survives any end of the recorder.
start() {  # OUTPUT COMMAND...; $job is hardmeter itself, and its process group
  local output=$1
  shift
  "${obey[@]}" "$hardmeter" record -e clock -c 1ms "${large[@]}" -o "$output" -- "$@" 2>said &
  job=$!
  wait_until has_samples "$output"
  child=$(pgrep -P "$job" targets)
}
ended() {  # WHAT STATUS
  end_of "$job"
  expect_status "$2" "$1"
}
start interrupted.data "$programs/targets" spin 2 60000
kill -INT -- "-$job"
ended "Ctrl-C" 130
expect_match "it says so" interrupted "$(cat said)"
expect_samples interrupted.data

start killed.data "$programs/targets" spin 2 60000
kill -KILL "$child"
ended "a killed target" 137
expect_samples killed.data

start stopped.data "$programs/targets" spin 2 60000
kill -STOP "$child"
kill -TERM "$job"
ended "a stopped target that is asked to end" 143
expect_samples stopped.data

start recorder.data "$programs/targets" spin 2 60000
kill -KILL "$job"
ended "a killed recorder" 137
expect_samples recorder.data 1
expect_match "its file" '[0-9]%.*targets' "$("$hardmeter" report -i recorder.data)"
kill "$child"
expect "the target went on" 0 $?
wait_until eval "! test -e /proc/$child"

# A zombie process counts as ended.
sh -c '"$0" spin 1 60000 & echo $! >zombie; exec sleep 600' "$programs/targets" &
parent=$!
wait_until test -s zombie
record "${large[@]}" -c 1ms -o zombie.data -p "$(cat zombie)" &
recorder=$!
wait_until has_samples zombie.data
kill "$(cat zombie)"
wait "$recorder"
expect_status 0 "a process that nobody waits for"
kill "$parent"
expect_samples zombie.data

# A disk that fills up.
if mkdir mounted && mount -t tmpfs -o size=3m none mounted 2>/dev/null; then
  trap 'umount "$work/mounted"; rm -rf "$work"' EXIT
  record -c 100us -o mounted/full.data -- "$programs/targets" spin 2 3000
  expect_status 1 "a full disk"
  expect_match "the sentence" '^hardmeter: cannot write mounted/full.data: No space left on device' "$(cat said)"
  expect_samples mounted/full.data 1
else
  skipped "no small disk can be mounted here"
fi
finish
