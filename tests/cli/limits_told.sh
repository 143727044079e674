#!/bin/bash
# SPDX-License-Identifier: MIT
# An incomplete result is marked in its head and in JSON, and a refusal names a working alternative.
. "$(dirname "$0")/common.sh"
copy=(dd if=/dev/zero of=/dev/null bs=64k count=20000)
spin=(awk 'BEGIN { for (i = 0; i < 3000000; i++); }')

# of JSON KEY...: prints a member of the file.
of() { python3 -c 'import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2:]: value = value[key]
print(value)' "$@"; }

# Effects that the software PMU does not model.
unseen='in the kernel, not modelled: [0-9.]+ % of [0-9.]+ s CPU time, engine included'
"$hardmeter" record --pmu=soft -o copy.data "${copy[@]}" 2>said
expect_match "record of a copy" "^\[ $unseen(; .*)? \]" "$(cat said)"
expect_match "its report" "^# $unseen" "$("$hardmeter" report -i copy.data | head -20)"
"$hardmeter" report --json -i copy.data >report.json
expect "its report in JSON" False "$(of report.json recording cpu_time kernel_measured)"
expect "the kernel's part in JSON" 1 "$(($(of report.json recording cpu_time kernel_ns) > 0))"
expect_match "run of a copy" "^# $unseen" "$("$hardmeter" run --pmu=soft -q -o run.data "${copy[@]}" 2>/dev/null | head -20)"
"$hardmeter" stat --pmu=soft -o counts "${copy[@]}" 2>/dev/null
expect_match "stat of a copy" "^$unseen" "$(head -3 counts)"
"$hardmeter" stat --pmu=soft --json -o counts.json "${copy[@]}" 2>/dev/null
expect "stat in JSON" True "$(of counts.json cpu_time engine_included)"
"$hardmeter" record -u -e clock -o user.data "${copy[@]}" 2>said
expect_match "user mode of the clock" 'in the kernel, not measured: ' "$(cat said)"
"${copy[@]}" count=999999999 2>/dev/null &
target=$!
"$hardmeter" record --pmu=soft --budget 50% -p $target --duration 1s -o attached.data 2>said
expect_match "an attached copy" "$unseen" "$(cat said)"
kill $target

# The clock's counter has both modes.
"$hardmeter" record -u -e clock -c 200us -o user.data "${copy[@]}" 2>said
expect "samples of one mode" "" "$(grep skewed said)"
"$hardmeter" stat -e clock --json -o both.json "${spin[@]}"
"$hardmeter" stat -k -e clock --json -o kernel.json "${spin[@]}"
both=$(of both.json totals clock)
kernel=$(of kernel.json totals clock)
[ $((2 * kernel)) -lt "$both" ] || expect "the kernel's part of a loop" "less than half of $both" "$kernel"
expect_match "how it was counted" 'clock: from the kernel.s CPU time' "$(of kernel.json notes)"

# Refusals.
for words in "record" "record --pmu=soft" "stat" "record -e l1_cache_miss"; do
  expect_match "$words -k" '-k -e clock' "$("$hardmeter" $words -k true 2>&1)"
done
expect_match "another word than a number" "'abc' is not a whole number above 0" "$("$hardmeter" record -p abc 2>&1)"
expect_match "a long number" 'is too large' "$("$hardmeter" record -p "$(printf '1%.0s' {1..300})" 2>&1)"
expect_match "a name of list" '^L1I' "$("$hardmeter" stat --cpu pentium4 -o - true 2>/dev/null | sed -n 2p)"
expect_match "perf's name" 'l3_cache_miss' "$("$hardmeter" stat -e cache-misses --pmu=soft true 2>&1)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  sleep 1000 &
  sleeper=$!
  said=$(setpriv --reuid=65534 --regid=65534 --clear-groups "$hardmeter" record --pmu=soft -p $sleeper -o /dev/null 2>&1)
  expect_match "another user's process" "cannot attach to process $sleeper: .* another user's" "$said"
  kill $sleeper
else
  skipped "only root can become another user"
fi

# The slowdown is reported.
expect_match "a short interval" 'slows a program' "$("$hardmeter" record -e clock -c 10us -o short.data true 2>&1)"
expect_match "its report" '^# .*slows a program' "$("$hardmeter" report -i short.data | head -20)"
"$hardmeter" overhead -n 1 --every 1ms --json "${spin[@]}" >overhead.json
rows=$(python3 -c 'import json
for way in json.load(open("overhead.json"))["ways"]: print(way["name"], way["obstacle"] is None)')
for row in "sampling every 1ms True" "software PMU, exact True" "software PMU, bursts True" "software PMU, attached, 5 % True"; do
  expect_match "a row of overhead" "^$row" "$rows"
done
expect "intervals that nobody wants" "" "$(grep 10 <<<"$rows")"
finish
