#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the unit tests of all rooms: check.sh BUILD. Prints the time of each program, the slowest last, and what failed.
# The programs run side by side, each with its own output.
set -u
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run_one() {
  local name=$1 begin=$EPOCHREALTIME status=0
  "$build/bin/$name" --gtest_brief=1 >"$work/$name.out" 2>&1 || status=$?
  local end=$EPOCHREALTIME
  echo "$status $(( (${end/./} - ${begin/./}) / 1000 )) $name" >>"$work/results"
}
export -f run_one
export build work

: >"$work/results"
xargs -P "$(nproc)" -I{} bash -c 'run_one "$1"' _ {} <"$build/unit_tests.txt"

sort -k2,2n "$work/results" | while read -r _ milliseconds name; do printf "%6d ms  %s\n" "$milliseconds" "$name"; done | tail -12
failed=$(awk '$1 != 0 { print $3 }' "$work/results")
for name in $failed; do
  echo "$name failed:" >&2
  grep -v '^\[ *SKIPPED' "$work/$name.out" | tail -40 >&2
done
total=$(wc -l <"$work/results")
echo "$total programs, $(wc -w <<<"$failed") failed"
[ -z "$failed" ] && [ "$total" -gt 0 ]
