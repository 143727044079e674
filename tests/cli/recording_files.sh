#!/bin/bash
# SPDX-License-Identifier: MIT
# Sizes of recordings: --max-size, --rotate, -z, and periods that grow with the samples.
. "$(dirname "$0")/common.sh"
programs=${2:?the folder of the test programs}
record=("$hardmeter" record --pmu=soft)

# of JSON KEY...: prints a member of the file.
of() { python3 -c 'import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2:]: value = value[key]
print(value)' "$@"; }
size_of() { stat -c %s "$1"; }
has_perf() { command -v perf >/dev/null; }
samples_of() { "$hardmeter" check --json -i "$1" | python3 -c 'import json,sys; print(json.load(sys.stdin)["samples"])'; }
# shares FILE: prints the shares of early and late in l1_cache_miss, with their intervals, in percent.
shares() {
  "$hardmeter" report --json -i "$1" | python3 -c 'import json, sys
for row in json.load(sys.stdin)["rows"]:
    share = row["share"]["l1_cache_miss"]
    if row["function"] in ("early", "late"): print(row["function"], *(round(100 * share[key], 2) for key in ("value", "low", "high")))'
}

# A size limit: recording stops there, the program continues, and every result mentions the limit.
"${record[@]}" -e l1_cache_miss -c 100 --max-size 100K -o limited.data "$programs/phases" 2000000 4000000 2>said
expect "status" 0 $?
expect_match "that it stopped" '^\[ recording: stopped at 100 KiB \(--max-size\): it contains the first [0-9.]+ s of [0-9.]+ s' "$(cat said)"
size=$(size_of limited.data)
[ "$size" -gt 90000 ] && [ "$size" -lt 140000 ] || expect "the size" "about 102400" "$size"
expect_samples limited.data
expect "samples in the message" "$(samples_of limited.data)" "$(sed -n 's/^.* record: \([0-9,]*\) sample.*/\1/p' said | tr -d ,)"
expect_match "the head of its report" '^# recording: stopped at 100 KiB' "$("$hardmeter" report -i limited.data | head -20)"
"$hardmeter" report --json -i limited.data >limited.json
expect "the limit in JSON" 102400 "$(of limited.json recording stopped max_bytes)"
expect "that only a part was sampled" True "$(python3 -c 'import json
stopped = json.load(open("limited.json"))["recording"]["stopped"]
print(0 < stopped["reached_ns"] < stopped["elapsed_ns"])')"
expect_match "exact counts of the whole run" '"l1_cache_miss": 600[0-9]{4}' "$("$hardmeter" check --json -i limited.data; strings limited.data | grep -o '"l1_cache_miss":[0-9]*' | sed 's/:/: /')"
"${record[@]}" -e l1_cache_miss -c 100 --max-size 10M -o whole.data "$programs/phases" 200000 400000 2>said
expect "messages about a limit that was not reached" "" "$(grep stopped said)"
for words in "--max-size none" "--max-size 0" "--rotate 20X" "--rotate 20M,0" "--compression-level=23" "--rotate 1M --max-size 2M"; do
  "${record[@]}" $words -o wrong.data true >/dev/null 2>said
  expect "status of $words" 2 $?
  expect "files after $words" "" "$(ls wrong.data* 2>/dev/null)"
done

# Compressed recordings are smaller, with the same contents.
"${record[@]}" -q -e l1_cache_miss -c 100 -o plain.data "$programs/phases" 1000000 2000000
"${record[@]}" -q -e l1_cache_miss -c 100 -z -o small.data "$programs/phases" 1000000 2000000
[ $((3 * $(size_of small.data))) -lt "$(size_of plain.data)" ] ||
  expect "the size" "a third of $(size_of plain.data)" "$(size_of small.data)"
expect_samples small.data
expect "samples" "$(samples_of plain.data)" "$(samples_of small.data)"
expect "its report" "$(shares plain.data)" "$(shares small.data)"
if has_perf; then
  perf_samples() { PERF_CONFIG=/dev/null perf script -F event,ip -i "$1" 2>/dev/null | grep -c l1_cache_miss; }
  expect "samples that perf finds" "$(samples_of small.data)" "$(perf_samples small.data)"
  expect_match "perf's report" ' (late|early)$' "$(PERF_CONFIG=/dev/null perf report --stdio --no-children -i small.data 2>&1)"
  "${record[@]}" -q -e l1_cache_miss -c 100 -z -o - "$programs/phases" 100000 200000 >piped
  expect "samples in a pipe that perf finds" "$(samples_of piped)" "$(PERF_CONFIG=/dev/null perf script -F event,ip -i - <piped 2>/dev/null | grep -c l1_cache_miss)"
else
  skipped "perf is not installed"
fi
"${record[@]}" -q -e l1_cache_miss -c 100 -z -o killed.data "$programs/phases" 100000000 100000000 &
recorder=$!
wait_until has_samples killed.data
wait_until eval '[ "$(size_of killed.data)" -gt 100000 ]'
kill -KILL "$recorder"
wait "$recorder" 2>/dev/null
expect_samples killed.data 1
expect_match "the report of one that was killed" '%.* early ' "$("$hardmeter" report -i killed.data)"

# What was counted until shortly before the recorder was killed is in the recording.
"${record[@]}" -q --detail bursts -o counts.data "$programs/phases" 100000000 100000000 &
recorder=$!
has_enough_bursts() { "$hardmeter" report -i counts.data | grep -qE '%.* early '; }
wait_until has_enough_bursts
kill -KILL "$recorder"
wait "$recorder" 2>/dev/null
expect_samples counts.data 1
report=$("$hardmeter" report -i counts.data)
expect_match "the report of bursts" '%.* early ' "$report"
expect_match "its verdict" '^# memory waits: +[0-9.]+%' "$report"
expect_match "its counts" 'totals are those counted until shortly before the end' "$report"

# Several files, each of which is readable alone; the last ones are kept.
"${record[@]}" -e l1_cache_miss -c 100 --rotate=300K,3 -o part.data "$programs/phases" 1000000 2000000 2>said
expect "status" 0 $?
expect_match "where it is" 'written to [0-9]+ files, of which the last 3 are kept: part.data.[0-9]{16} to part.data.[0-9]{16} \]' "$(cat said)"
parts=(part.data.*)
expect "files that are kept" 3 "${#parts[@]}"
for part in "${parts[@]}"; do
  expect_samples "$part"
  expect_match "the functions of $part" '%.* (early|late) +phases' "$("$hardmeter" report -i "$part")"
  expect_match "which part $part is" '^# recording: part [0-9]+ of a recording in several files: ' "$("$hardmeter" report -i "$part" | head -20)"
  if has_perf; then
    expect_match "perf's report of $part" ' phases +phases +\[\.\] (late|early)' "$(PERF_CONFIG=/dev/null perf report --stdio --no-children -i "$part" 2>&1)"
  fi
done
"$hardmeter" report --json -i "${parts[2]}" >part.json
expect "which part it is in JSON" True "$(python3 -c 'import json
part = json.load(open("part.json"))["recording"]["part"]
print(part["number"] > 3 and part["begin_ns"] < part["end_ns"])')"
"${record[@]}" -e l1_cache_miss --rotate=1h -o one.data "$programs/phases" 100000 200000 2>said
one=(one.data.*)
expect "files of a short run" 1 "${#one[@]}"
expect "lines about parts in its report" "" "$("$hardmeter" report -i "${one[0]}" | grep 'part ')"
"${record[@]}" -q -e l1_cache_miss -c 100 -z --rotate=1s -o killed.rotated "$programs/phases" 1000000000 1000000000 &
recorder=$!
wait_until eval '[ "$(ls killed.rotated.* | wc -l)" -gt 2 ]'
wait_until has_samples "$(ls killed.rotated.* | tail -1)"
kill -KILL "$recorder"
wait "$recorder" 2>/dev/null
for part in killed.rotated.*; do
  expect_match "the report of $part" '%.* early +phases' "$("$hardmeter" report -i "$part" 2>/dev/null)"
done

# Forked processes and threads that began in an earlier file.
"${record[@]}" -q -e memory_loads -c 1000 --rotate=200K -o tree.data bash -c "
  for i in 1 2 3; do (for ((j = 0; j < 20000; j++)); do :; done) & done; wait"
for part in tree.data.*; do
  expect "samples of $part without a program" "" "$("$hardmeter" report -i "$part" | grep '%.*\[unknown\]$')"
done

# Growing periods: few samples, and the shares stay right although the phases have different periods.
"${record[@]}" -e l1_cache_miss -o grown.data "$programs/phases" 15000000 45000000 2>said
expect_match "that periods grew" '^\[ periods: grew with the samples, [0-9]+-fold for l1_cache_miss; -c PERIOD sets a fixed period \]' "$(cat said)"
samples=$(samples_of grown.data)
[ "$samples" -gt 6000 ] && [ "$samples" -le 20000 ] || expect "samples" "at most 20000" "$samples"
shares grown.data >grown
while read -r name value low high; do
  [ "$name" = early ] && exact=25 || exact=75
  expect "$name: $value ($low to $high) of $exact %" 1 "$(python3 -c "print(int($low <= $exact <= $high and abs($value - $exact) < 0.5))")"
done <grown
expect "functions" 2 "$(wc -l <grown)"
expect_match "the exact count" '"l1_cache_miss":600[0-9]{5}' "$(strings grown.data | grep -o '"l1_cache_miss":[0-9]*' | tail -1)"
"${record[@]}" -q -e l1_cache_miss -c 1000 -o fixed.data "$programs/phases" 15000000 45000000
[ "$(samples_of fixed.data)" -gt 59000 ] || expect "samples of a period that the user chose" "60000" "$(samples_of fixed.data)"
finish
