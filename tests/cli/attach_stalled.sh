#!/bin/bash
# SPDX-License-Identifier: MIT
# A recorder that is stopped, or blocked on its output, does not block the attached program: attach_stalled.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_engine

# Spins until `go` exists, then makes more samples than a ring holds.
cat >work.sh <<'SH'
while [ ! -e go ]; do :; done
for ((i = 0; i < 60000; i++)); do :; done
touch finished
SH

begin() {
  rm -f go finished
  bash work.sh &
  process=$!
  wait_until test "/proc/$process/exe" -ef "$(command -v bash)"
}

# expect_end WHAT: the program ends in any state of the recorder.
expect_end() {
  touch go
  wait_until test -e finished || expect "$1: the program" "goes on" "waits for the recorder"
  kill -CONT $recorder
  end_of $process
}

begin
"$hardmeter" record --pmu=soft -e memory_loads -c 100 -p $process -o data >said 2>&1 &
recorder=$!
wait_until has_samples data
kill -STOP $recorder
expect_end "a recorder that is stopped"
end_of $recorder
status=$?
expect "a recorder that was stopped: $(cat said)" 0 $status
expect_match "what was lost" "[0-9]+ records were lost: the recorder read none for seconds" "$(cat said)"
expect_match "what the recording lacks" '"records": [1-9]' "$("$hardmeter" report --json -i data | grep -A4 '"lost"')"

begin
mkfifo pipe
"$hardmeter" record --pmu=soft -e memory_loads -c 100 -p $process -o - 2>said >pipe &
recorder=$!
exec 3<pipe
timeout 120 head -c 65536 <&3 >data
expect_end "recorder with blocked output"
timeout 120 cat <&3 >>data
exec 3<&-
end_of $recorder
status=$?
expect "recorder with blocked output: $(cat said)" 0 $status
expect_match "what was lost" "[0-9]+ records were lost" "$(cat said)"
finish
