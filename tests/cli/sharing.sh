#!/bin/bash
# SPDX-License-Identifier: MIT
# The number of lines passed between threads depends on the program, not on the host's scheduling. The counts on an idle
# machine and on a busy one agree within 5 %: sharing.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
writer=$2/false_sharing
others=""
trap 'kill $others 2>/dev/null; rm -rf "$work"' EXIT

# count BYTES [THREADS]: prints the number of lines that came from other cores, for words BYTES bytes apart. The first
# thread has a core, too: a thread that waits for a core would begin when the host runs it.
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

# misses DETAIL: prints the number of loads that missed the first level.
misses() {
  "$hardmeter" stat --pmu=soft --detail "$1" --cores 3 --cpu zen4 --json -e l1_cache_miss -o counted -- "$writer" 8 2000000 2 </dev/null
  python3 -c 'import json; print(json.load(open("counted"))["totals"]["l1_cache_miss"])'
}
exact=$(misses exact) auto=$(misses auto)
((auto * 10 >= exact * 9 && auto * 10 <= exact * 11)) || expect "a part measured exactly before bursts: misses" "$exact, within 10 %" "$auto"

for _ in $(seq $((4 * $(nproc)))); do
  sh -c 'while :; do :; done' &
  others="$others $!"
done
for i in 1 2 3; do close_to "two threads with one line, on a busy machine" "$quiet" "$(count 8)"; done
close_to "four threads with one line, on a busy machine" "$quiet_of_four" "$(count 8 4)"
finish
