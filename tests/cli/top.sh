#!/bin/bash
# SPDX-License-Identifier: MIT
# `hardmeter top` of a running process, as text and on a terminal: top.sh HARDMETER PROGRAMS
. "$(dirname "$0")/tmux.sh"
needs_engine

"$2/busy_process" 600 2 >out 2>&1 &
process=$!
wait_until catches 15 $process "$2/busy_process"

# On a busy machine both screens may come before the first sample.
for _ in $(seq 20); do
  timeout 120 "$hardmeter" top --budget 50% -p $process -n 2 -d 2 >text 2>said
  status=$?
  ! grep -qE "share +samples" text || break
done
expect "as text: $(cat said)" 0 $status
expect "as text: two views" 2 "$(grep -c '^hardmeter top:' text)"
expect_match "as text" "cost at most" "$(cat text)"
expect_match "as text" "share +samples +events +function" "$(cat text)"

open 100 40 "$tool top --pmu=soft --budget 50% -p $process"
shows "hardmeter top  busy_process .* cost at most .* of 50 %"
shows "share +samples +events +per second +function"
shows "^ +why  "
keys l
shows "share +samples +events +per second +line"
keys w
wait_until eval '! on_screen "^ +why  "'
keys q
shows "ended with 0"
expect "nothing is left there" "" "$(grep ^554000 /proc/$process/maps)"

open 100 30 "$tool top --pmu=soft -p $process"
shows "hardmeter top  busy_process"
kill $process
shows "the processes have ended|ended before|has ended"
wait $process
status=$?
expect "the program: $(cat out)" 0 $status

"$hardmeter" top -- true >said 2>&1
expect "a command" 2 $?
expect_match "a command" "top shows running processes" "$(cat said)"
finish
