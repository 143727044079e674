#!/bin/bash
# SPDX-License-Identifier: MIT
# Comparison of measurements: the CI example with both outcomes, repeated runs, the gate of `run`.
. "$(dirname "$0")/common.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

# status EXPECTED ARGUMENTS...: checks the exit status; leaves standard output in $out and standard error in $said.
status() {
  local expected=$1
  shift
  out=$("$hardmeter" "$@" 2>said.txt)
  local found=$?
  said=$(cat said.txt)
  expect "status of: $*; output: $said" "$expected" $found
}

# The example passes, and finds the planted mistake. Another compiler or C library may change its counts by less than
# its limits.
cp -r "$root/examples/ci" ci
out=$(ci/check.sh "$hardmeter" 2>said.txt)
status=$?
expect "status of the example; output: $(cat said.txt)" 0 $status
expect "nothing to complain of" "" "$(cat said.txt)"
expect_match "its total is exact" '^l1_cache_miss .* exact$' "$out"
out=$(REGRESSION=1 ci/check.sh "$hardmeter" 2>said.txt)
expect "the planted mistake" 3 $?
expect_match "the total's limit" '^hardmeter: limit l1_cache_miss:5% exceeded: ' "$(cat said.txt)"
expect_match "the function's limit" '^hardmeter: limit l1_cache_miss@add_up:20% exceeded: about ' "$(cat said.txt)"
expect "lines" 2 "$(grep -c '^hardmeter: limit ' said.txt)"
expect_match "the row" '^ *[0-9,]+ +[0-9,]+ +\+[0-9,]+ .* add_up +table$' "$out"

# A newly saved baseline is the same except for this machine's processor.
SAVE=1 ci/check.sh "$hardmeter"
expect "saved anew" 0 $?
cp ci/baseline.json first.json
SAVE=1 ci/check.sh "$hardmeter"
expect "the same bytes each time" "$(md5sum <first.json)" "$(md5sum <ci/baseline.json)"

# One command records, reports and compares. The program's own failure takes precedence.
make -s -C ci OUT="$work" && make -s -C ci OUT="$work/ci" REGRESSION=1
soft="--pmu=soft --cpu=zen4 -e l1_cache_miss -c 200"
status 0 run -q $soft --baseline first.json --fail-above l1_cache_miss:5% ./table
expect_match "the report" '^# measured by: software PMU' "$out"
expect_match "the comparison" '^# before: first.json \(baseline\)' "$out"
status 3 run -q $soft --baseline first.json --fail-above l1_cache_miss:5% ci/table
expect_match "the limit" '^hardmeter: limit l1_cache_miss:5% exceeded: ' "$said"
expect_match "another command" '^# different command:' "$out"
status 7 run -q $soft --baseline first.json --fail-above l1_cache_miss:5% -- sh -c 'exit 7'
expect_match "not compared" 'no comparison with first.json$' "$said"
status 2 run -q $soft --fail-above l1_cache_miss:5% ./table
expect_match "no baseline" 'needs --baseline' "$said"
status 2 run -q $soft --baseline first.json --fail-above l1_cache_miss ./table
status 2 run -q $soft --baseline said.txt ./table
expect_match "no baseline at all" 'said.txt' "$said"

# Without arguments, diff compares the last two recordings.
status 0 diff
expect_match "what perf diff compares" '^# before: perf.data.old$' "$out"
expect_match "what perf diff compares" '^# after: perf.data$' "$out"

# A renamed program counts as the same program.
cp table other
"$hardmeter" record -q $soft -o other.data ./other >/dev/null
"$hardmeter" record -q $soft -o same.data ./table >/dev/null
# Rows of its function; whether functions of the loader have samples is left to chance.
rows_of() { "$hardmeter" diff --json "$@" | grep -o '"add_up"' | wc -l; }
expect "matched with their objects" 1 "$(rows_of same.data other.data)"
status 0 diff same.data other.data
expect_match "what is compared" 'its program other is compared as table' "$out"
expect "matched by name" 1 "$(rows_of --any-dso same.data other.data)"
status 2 diff --any-dso first.json other.data
expect_match "what to do" 'when you save the baseline$' "$said"

# With -c 1 rows are exact. A different machine is reported as different.
"$hardmeter" record -q --pmu=soft --cpu=zen4 -e l1_cache_miss -c 1 -o one.data ./table >/dev/null
"$hardmeter" record -q --pmu=soft --cpu=p4-xeon -e l1_cache_miss -c 1 -o old.data ./table >/dev/null
status 0 diff one.data old.data
expect_match "another machine" '^# different machine:' "$out"
expect_match "exact rows" '^ *[0-9,]+ .* exact +[0-9,]+, [0-9,]+ +[_a-z]+ +table$' "$out"
expect_match "equal rows" '^# [0-9]+ rows did not change' "$out"

# The kernel's PMU: one run of each does not determine totals, several do. Not comparable with the model.
for i in 1 2 3 4; do "$hardmeter" record -q --pmu=linux -e page-faults -o "k$i.data" true || break; done
if [ -s k4.data ]; then
  status 0 diff k1.data k2.data
  expect_match "one run each" '^page-faults .* unknown$' "$out"
  status 2 diff k1.data k2.data --fail-above page-faults:1%
  expect_match "what to do" 'one run of each side.* give several' "$said"
  status 0 diff k1.data,k2.data k3.data,k4.data --fail-above page-faults:500%
  expect_match "several runs" '^# note: 2 runs before, 2 runs after' "$out"
  status 2 diff k1.data one.data
  expect_match "a model and a processor" '--force' "$said"
  status 0 diff k1.data one.data --force
fi
finish
