#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that mark their measured regions themselves, under both engines of the software PMU. The engines collect only
# these regions.
. "$(dirname "$0")/../cli/common.sh"
programs=${2:?the folder of the test programs}
unset HARDMETERRC
export HOME=$work  # no resource file: an engine needs none

misses() { "$hardmeter" stat --pmu=soft -e l1_cache_miss --json -o - "$@" | python3 -c 'import json,sys; print(json.load(sys.stdin)["totals"]["l1_cache_miss"])'; }
functions() { "$hardmeter" report -i "$1" | awk '/^ *[0-9.]+%/ { print $5 }' | sort -u | tr '\n' ' '; }
between() {  # WHAT LOWEST HIGHEST FOUND
  [ "$2" -le "$4" ] && [ "$4" -le "$3" ] || expect "$1" "$2 to $3" "$4"
}

for engine in $engines; do
  for program in region region_static; do
    "$hardmeter" record --pmu=soft --engine=$engine -e l1_cache_miss -c 1000 -o region.data "$programs/$program" load 3 2>said
    expect "status of $program ($engine)" 0 $?
    expect_match "what was collected of $program ($engine)" "collected: only the program's region load \(entered 3 times\)" "$(cat said)"
    expect "functions of $program ($engine)" "inside " "$(functions region.data)"
    # 8 MiB in lines of 64 bytes, plus a few lines for start and stop.
    between "misses of $program ($engine)" 131072 131500 "$(misses --engine=$engine "$programs/$program")"
  done
  "$hardmeter" record -q --pmu=soft --engine=$engine -e l1_cache_miss -c 1000 -o whole.data --whole "$programs/region" load
  expect_match "all of it ($engine)" 'before .*behind .*inside' "$(functions whole.data)"
  "$hardmeter" record -q --pmu=soft --engine=$engine -e l1_cache_miss -c 1000 -o function.data --function behind "$programs/region" load
  expect "who records may say otherwise ($engine)" "behind " "$(functions function.data)"
  "$hardmeter" record -q --pmu=soft --engine=$engine -e l1_cache_miss -c 100 -o cc.data "$programs/region_cc"
  expect "a region of C++ ($engine)" "(anonymous namespace)::walk_inside " "$("$hardmeter" report -i cc.data | awk '/^ *[0-9.]+%/ { print $5, $6 }' | sort -u | tr '\n' ' ')"
  "$hardmeter" record --pmu=soft --engine=$engine -e l1_cache_miss -c 100 -o threads.data "$programs/region_threads" 2>said
  expect "status of threads ($engine)" 0 $?
  expect_match "nested regions ($engine)" 'region outer \(entered 1 time\) and the program.s region inner \(entered 1 time\)' "$(cat said)"
  expect_match "a region is its thread's own ($engine)" '^measured ' "$(functions threads.data | tr ' ' '\n' | grep measured | tr '\n' ' ')"
  expect "what others do ($engine)" "" "$(functions threads.data | grep -o unmeasured)"
  "$hardmeter" record -q --pmu=soft --engine=$engine -e l1_cache_miss -c 100 -o never.data "$programs/region" load 0 2>said
  expect_match "a region that never begins ($engine)" 'has hardmeter_start but never called it' "$(cat said)"
  "$hardmeter" record -q --pmu=soft --engine=$engine -e l1_cache_miss -c 1000 -o child.data sh -c '"$0" load' "$programs/region" 2>said
  expect_match "a program that another starts ($engine)" 'inside' "$(functions child.data)"
  expect "of which nothing else is collected ($engine)" "" "$("$hardmeter" report -i child.data | grep -E ' (before|behind) ')"
done

# Without an engine or a resource file the program prints the reason, and nothing else.
said=$("$programs/region" load 2>&1)
expect "status" 1 $?
expect "what it says" "hardmeter_start: cannot read the resource file $work/.hardmeterrc: No such file or directory" "$said"

# An event that this machine's kernel cannot count: the message proposes a remedy.
printf 'load.user 1\nload.event l1_cache_miss\nload.dumpfile dump\n' >.hardmeterrc
if ! "$hardmeter" stat --pmu=linux -e l1_cache_miss true >/dev/null 2>&1; then
  expect_match "an event without hardware" 'start the program with .hardmeter record --pmu=soft., or set load.event to clock' \
    "$("$programs/region" load 2>&1)"
fi
finish
