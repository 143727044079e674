#!/bin/bash
# SPDX-License-Identifier: MIT
# A measured program gets its signals as natively, and system calls with bad addresses fail as natively.
. "$(dirname "$0")/common.sh"
programs=$2

# same WHAT PROGRAM...: checks that it prints and ends as natively.
same() {
  local what=$1 native found detail
  shift
  native=$("$@" 2>&1; echo "status $?")
  for detail in exact bursts; do
    found=$(timeout 300 "$hardmeter" stat --pmu=soft --detail "$detail" -o stat.txt -- "$@" 2>&1; echo "status $?")
    [ "$native" = "$found" ] && continue
    expect "$what, $detail" "as natively" "$(diff <(echo "$native") <(echo "$found") | head -n 8)"
  done
}

same "bad pointers" "$programs/bad_pointers"
for seed in 1 2 3 4 5 6 7 8; do
  same "random signals from seed $seed" "$programs/random_signals" "$seed"
done
for mode in pending masks stack clear vfork burst exec fork stack_fault; do
  same "$mode" "$programs/signal_rules" "$mode"
done
finish
