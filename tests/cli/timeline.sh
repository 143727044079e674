#!/bin/bash
# SPDX-License-Identifier: MIT
# Time lines of a program with two phases, and of real recordings with branch stacks. A slow and simple script counts
# their new branches from perf's output.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"

cat >phases.c <<'C'
#include <stdint.h>
static volatile uint64_t sum;
__attribute__((noinline)) static void add(uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) sum += i;
}
__attribute__((noinline)) static void early(void) { add(100); }
__attribute__((noinline)) static void late(void) {
  for (int i = 0; i < 100; ++i) sum += i;
}
int main(void) {
  for (int i = 0; i < 20000; ++i) early();
  for (int i = 0; i < 20000; ++i) late();
  return 0;
}
C
if ! command -v cc >/dev/null; then
  skipped "there is no cc here"
  finish
fi
cc -O1 -g phases.c -o phases
"$hardmeter" record -q --pmu=soft -e instr_retired -c 5000 -b call,ret -o phases.data -- ./phases || expect "recording" 0 $?

said=$("$hardmeter" timeline -i phases.data --columns 40)
expect "status" 0 $?
expect_match "the totals" '^a +[0-9.]+%  (add|late) +phases$' "$said"
expect_match "a row of cells" '^[0-9]+ phases +\|.*\|$' "$said"
# The mean running time of a function, from the cells.
means=$("$hardmeter" timeline -i phases.data --csv --functions 0 --way even | python3 -c '
import csv, sys
from collections import Counter
sums, times = Counter(), Counter()
for row in csv.DictReader(sys.stdin):
    sums[row["function"]] += float(row["cycles"])
    times[row["function"]] += float(row["cycles"]) * float(row["begin_cycles"])
mean = lambda name: times[name] / sums[name]
print(mean("early") < mean("late"), 1.5 < sums["early"] / sums["add"] < 2.5)')
expect "what ran before what; early is left twice for each time that add is" "True True" "$means"
expect "CSV's head" "begin_cycles,lane,function,cycles" "$("$hardmeter" timeline -i phases.data --csv | head -n 1)"
expect "cells of a length" "True" "$("$hardmeter" timeline -i phases.data --csv --bin 1M | python3 -c '
import csv, sys
times = {int(row["begin_cycles"]) for row in csv.DictReader(sys.stdin)}
print(len(times) > 3 and all(time % 1000000 == 0 for time in times))')"
moments=$("$hardmeter" timeline -i phases.data --samples 3 --from 2k)
expect "samples one by one" 3 "$(grep -cE '^[0-9,]+ cycles  [0-9]+ phases:' <<<"$moments")"
for cpu in thread process; do expect_match "by $cpu" "by $cpu$" "$("$hardmeter" timeline -i phases.data --by $cpu)"; done

# The time line of a program that is run first; the status is the program's.
said=$("$hardmeter" timeline -q --pmu=soft -e instr_retired -c 5000 -b call,ret -o run.data -- sh -c './phases; exit 3')
expect "the program's status" 3 $?
expect_match "the time line of it" '^[0-9]+ phases +\|' "$said"
expect_match "of the clock, where nothing is said" '^# time line of clock: ' "$("$hardmeter" timeline -q -o clock.data -- ./phases)"

# An episode of 20 ms in 3 s, which totals hide.
if command -v c++ >/dev/null; then
  c++ -O2 -g "$root/examples/episode/episode.cc" -o episode
  found=$("$hardmeter" timeline -q -o episode.data --json -- ./episode 3 20 | sed 1d | python3 -c '
import json, sys
names = [each["function"] for episode in json.load(sys.stdin)["episodes"] for each in episode["unusual"]]
print(any("rebuild_index" in name for name in names))')
  expect "the episode is found and named" True "$found"
  expect_match "and shown first" '^1\.[0-9]+ s, for [0-9.]+ ms: .*rebuild_index' "$("$hardmeter" timeline -i episode.data)"
else
  skipped "there is no c++ here"
fi

# The software PMU slows programs, so their times are those of the modelled machine. On that machine two threads or
# processes run at once or in turn, with the same times in each run.
cat >turns.c <<'C'
#include <pthread.h>
static __thread volatile long sum;
__attribute__((noinline)) static void *first(void *) {
  for (long i = 0; i < 3000000; ++i) sum += i;
  return 0;
}
__attribute__((noinline)) static void *second(void *) {
  for (long i = 0; i < 3000000; ++i) sum += i;
  return 0;
}
int main(int count, char **) {
  pthread_t one, other;
  pthread_create(&one, 0, first, 0);
  if (count > 1) pthread_join(one, 0);
  pthread_create(&other, 0, second, 0);
  if (count == 1) pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
C
cat >turns.py <<'P'
# Whether the lanes with a twentieth of the time or more ran in these tenths of the run: BEGIN-END...
import json, sys
line = json.load(sys.stdin)
tenth = line["end_at"] / 10
spans = []
for lane in line["lanes"]:
    ran = [index * line["bin"] for index, each in enumerate(lane["bins"]) if each]
    if lane["ran"] >= line["end_at"] / 20:
        spans.append((ran[0] / tenth, (ran[-1] + line["bin"]) / tenth))
spans.sort()
wanted = [tuple(float(end) for end in word.split("-")) for word in sys.argv[1:]]
good = len(spans) == len(wanted) and all(abs(a - b) < 1 for found, span in zip(spans, wanted) for a, b in zip(found, span))
print(line["unit"], "as wanted" if good else spans)
P
cc -O1 -g turns.c -pthread -o turns
# ran WHAT "SPAN..." COMMAND...
ran() {
  local what=$1 spans=$2
  shift 2
  "$hardmeter" record -q --pmu=soft --cores 4 -e clock -c 50000 -o turns.data -- "$@" || expect "recording $what" 0 $?
  # shellcheck disable=SC2086
  expect "$what" "cycles as wanted" "$("$hardmeter" timeline -i turns.data --json --columns 100 | python3 turns.py $spans)"
}
for run in 1 2 3; do
  ran "threads at once, run $run" "0-10 0-10" ./turns
  ran "threads in turn, run $run" "0-5 5-10" ./turns in-turn
done
ran "processes in turn" "0-3.3 3.3-6.7 6.7-10 6.7-10" sh -c './turns in-turn; ./turns'

# Other events during the run.
"$hardmeter" record -q --pmu=soft -e instr_retired,l1_cache_miss -c 5000 -o two.data -- ./phases || expect "recording" 0 $?
said=$("$hardmeter" timeline -i two.data --rate l1_cache_miss --columns 40)
expect_match "a row of counts" '^  l1_cache_miss +\|.*\|$' "$said"
expect_match "what its shades mean" '^# l1_cache_miss: [0-9,]+ counted; from' "$said"
rates=$("$hardmeter" timeline -i two.data --json --columns 4 | python3 -c '
import json, sys
line = json.load(sys.stdin)
for rate in line["rates"]:
    counted = sum(rate["per_billion"]) * line["bin"] / 1e9
    print(rate["event"], len(rate["per_billion"]), abs(counted - rate["events"]) <= 0.01 * rate["events"], rate["gaps"])')
expect "the rate of each event" "instr_retired 4 True []
l1_cache_miss 4 True []" "$rates"

# fails STATUS REGEX OPTION...
fails() {
  local status=$1 regex=$2 found
  shift 2
  found=$("$hardmeter" timeline "$@" 2>&1)
  expect "status of: $*" "$status" $?
  expect_match "message of: $*" "$regex" "$found"
}
fails 1 'does not contain the CPUs' -i phases.data --by cpu
fails 1 'after the last sample' -i phases.data --from 1000G
fails 1 'after the last sample' -i clock.data --from 1000s
fails 2 'ends before it begins' -i phases.data --from 2M --to 1M
fails 2 'is neither a time such' -i phases.data --from soon
fails 2 'is one of modelled cycles, such as 1.5M: 2ms is a time' -i phases.data --to 2ms
fails 2 'is one of times, such as 3.2s: 2M has no unit' -i clock.data --bin 2M
fails 2 "no event 'none'" -i phases.data --rate none
fails 2 'more than 100000 bins' -i phases.data --bin 1
fails 2 "--way" -i phases.data --way best
fails 1 'No such file' -i nothing.data
fails 2 'give only one of' -i phases.data -- ./phases

# Counts new branches independently: searches each stack in the one before, from each position, entry by entry.
cat >count.py <<'P'
import re, sys
from collections import defaultdict
before, new = defaultdict(list), 0
for line in sys.stdin:
    words = line.split()
    tid = words[0]
    now = [word for word in words[1:] if re.match(r"0x[0-9a-f]+/0x[0-9a-f]+/", word)]
    while now and now[-1].startswith("0x0/0x0/"):
        now.pop()
    found = len(now)
    for count in range(len(now)):
        old = now[count:]
        if len(old) > len(before[tid]) or old != before[tid][:len(old)]:
            continue
        loop = any(old[period:] == old[:len(old) - period] for period in range(1, len(old) // 2 + 1))
        again = any(now[at:at + len(old)] == old for at in range(count))
        if not loop and not again:
            found = count
        break
    new += found
    before[tid] = now
print(new)
P
count_new() {
  expect "new branches of $1" "$(perf script -i "$1" -F tid,time,brstack 2>/dev/null | python3 count.py)" \
    "$("$hardmeter" timeline -i "$1" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["new_branches"])')"
}
if command -v perf >/dev/null; then
  count_new phases.data
  if [ -d "${HARDMETER_PERFDATA:-}" ]; then
    for recording in d01-lbr-skylake-small d02-lbr-skx-long d03-callchain-and-lbr d04-lbr-amd-zen4-spec; do
      count_new "$HARDMETER_PERFDATA/$recording.perf.data"
    done
    expect_match "a stack of calls has no time" 'without branches' \
      "$("$hardmeter" timeline -i "$HARDMETER_PERFDATA/d05-lbr-callstack.perf.data")"
  else
    skipped "real recordings with branch stacks: HARDMETER_PERFDATA names no folder of them"
  fi
else
  skipped "there is no perf here"
fi
finish
