#!/bin/bash
# SPDX-License-Identifier: MIT
# How often lines pass between threads follows from the program, not from how the host runs them: the counts of a quiet
# machine and of one where other programs want all CPUs are the same within 5 %: sharing.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
writer=$2/false_sharing
others=""
trap 'kill $others 2>/dev/null; rm -rf "$work"' EXIT

# count BYTES [THREADS]: lines that came from other cores, of words so many bytes apart. There is a core for the first
# thread, too: one that waits for a core begins when the host runs it.
count() {
  local threads=${2:-2}
  "$hardmeter" stat --pmu=soft --cores $((threads + 1)) --cpu zen4 --json -e shared_line_hit -o counted -- "$writer" "$1" 2000000 "$threads" </dev/null ||
    echo "status $?"
  python3 -c 'import json; print(json.load(open("counted"))["totals"]["shared_line_hit"])'
}

# close_to WHAT EXPECTED FOUND: within 5 %.
close_to() {
  (($3 * 100 >= $2 * 95 && $3 * 100 <= $2 * 105)) || expect "$1" "$2, within 5 %" "$3"
}

apart=$(count 4096)
((apart < 200)) || expect "threads with lines of their own" "less than 200" "$apart"
quiet=$(count 8) quiet_of_four=$(count 8 4)
((quiet > 1000)) || expect "two threads with one line" "more than 1000" "$quiet"
((quiet_of_four > quiet)) || expect "four threads with one line" "more than $quiet" "$quiet_of_four"
for _ in $(seq $((4 * $(nproc)))); do
  sh -c 'while :; do :; done' &
  others="$others $!"
done
for i in 1 2 3; do close_to "two threads with one line, on a busy machine" "$quiet" "$(count 8)"; done
close_to "four threads with one line, on a busy machine" "$quiet_of_four" "$(count 8 4)"
finish
