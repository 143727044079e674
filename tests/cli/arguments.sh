#!/bin/bash
# SPDX-License-Identifier: MIT
# Which arguments belong to hardmeter and which to the program.
. "$(dirname "$0")/common.sh"

# out EXPECTED ARGUMENTS...: checks the program's output.
out() {
  local expected=$1
  shift
  expect "output of: $*" "$expected" "$("$hardmeter" "$@" 2>/dev/null)"
}

out "-o -q -- x" record echo -o -q -- x
out "-- x" record -- echo -- x
out "a [b,c] {} [d]" record -q echo a '[b,c]' {} '[d]'
out "record list --help" record echo record list --help
out "-b" record -b echo -b
out "hello" record -b any -- echo hello
out "hello" record -qb call,ret -c 100 echo hello
out "hello" record --branch-filter echo hello
out "hello" record -gqc100 echo hello
out "hello" record --output=x.data --event=l1_cache_miss,l2_cache_miss -e dtlb_load_miss echo hello
[ -s x.data ] || expect "x.data" "a recording" "nothing"

# The recording contains the fields requested by -b and -g.
"$hardmeter" record -q -c 100 -b -g -o branches.data ls / >/dev/null
expect_samples branches.data
if command -v perf >/dev/null; then
  expect_match "branches as perf shows them" '0x[0-9a-f]+/0x[0-9a-f]+/' "$(perf script -i branches.data -F brstack 2>/dev/null | head -n 5)"
fi

# Without jitter two runs have equal counts, except for the kernel's decisions; the file contains the period.
expect_match "help" 'hardmeter record \[OPTIONS\] \[--\] PROGRAM' "$("$hardmeter" record --help)"
expect "nothing but the program's output with -q" "x" "$("$hardmeter" record -q echo x 2>&1)"
expect "nothing to close" 0 "$("$hardmeter" run true 2>/dev/null >&-; [ $? -le 1 ] && echo 0)"
expect "a reader that goes away" 0 "$( { "$hardmeter" run -q true; echo $? >status; } 2>said | head -n 1 >/dev/null; cat status)"
expect "no word about it" "" "$(cat said)"

# Misspelled words.
for command in run stat report; do
  expect_match "$command --evnet" "unknown option '--evnet'; did you mean '--event'" "$("$hardmeter" $command --evnet x 2>&1)"
done
expect_match "an option like none" "unknown option '--zzzzzzzz' " "$("$hardmeter" report --zzzzzzzz 2>&1)"
expect_match "a word too many" "unexpected argument 'x'" "$("$hardmeter" report x 2>&1)"
for words in "report --from 2h" "explain --service x" "diff a b --host x" "diff a b --store-credentials x"; do
  expect_match "$words" "is for the data of a store, and would be ignored" "$("$hardmeter" $words 2>&1; echo "status $?")"
done
for words in "report --comm x" "report --html x" "explain -i x" "diff a b" "diff --force"; do
  expect_match "$words --store" "is for recordings, and would be ignored" "$("$hardmeter" $words --store store 2>&1)"
done
for words in "report --limit -1" "explain --limit=-1" "stat --layout -1 true" "record --seed=-1 --reproducible true"; do
  expect_match "$words" "-1 is negative" "$("$hardmeter" $words 2>&1)"
done
for words in "stat --detail bursts" "record --detail exact"; do
  expect_match "$words" "the kernel's PMU does not support --detail" "$("$hardmeter" $words --pmu=linux -e clock true 2>&1)"
done
expect_match "perf's name of an event" "the name here is 'l1_cache_miss'" "$("$hardmeter" stat -e L1-dcache-load-misses true 2>&1)"
expect "help" "$("$hardmeter" --help)" "$("$hardmeter" help)"
expect "help of a command" "$("$hardmeter" record --help)" "$("$hardmeter" help record)"
finish
