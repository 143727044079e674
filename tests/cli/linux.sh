# SPDX-License-Identifier: MIT
# Functions for the tests of the kernel's PMU. $programs is the folder of programs with known counts.
programs=${2:?the folder of the test programs}

need_root_and_perf_events() {
  if [ "$(id -u)" != 0 ]; then
    skipped "whole CPUs, tracepoints and another user's view need root"
    exit 77
  fi
  if ! "$hardmeter" stat -e clock true >said 2>&1; then
    skipped "there are no perf events here: $(cat said)"
    exit 77
  fi
}

# expect_status EXPECTED WHAT: checks the previous command; its standard error is in `said`.
expect_status() {
  local found=$?
  expect "status of: $2; it said: $(cat said)" "$1" "$found"
}

# count EVENT [OPTIONS] MODE NUMBER: prints the count of `targets MODE NUMBER`.
count() {
  local event=$1
  shift
  local options=()
  while [[ $1 == -* ]]; do options+=("$1"); shift; done
  "$hardmeter" stat --json -o count.json -e "$event" "${options[@]}" -- "$programs/targets" "$@"
  python3 -c "import json; print(json.load(open('count.json'))['totals']['$event'])"
}

# has_threads PROCESS NUMBER: the process has NUMBER threads.
has_threads() { [ "$(ls "/proc/$1/task" | wc -l)" = "$2" ]; }

# expect_between WHAT LOWEST HIGHEST FOUND
expect_between() {
  [ "${4:-}" ] && [ "$2" -le "$4" ] && [ "$4" -le "$3" ] || expect "$1" "$2 to $3" "${4:-nothing}"
}

perf_or_skip() { if command -v perf >/dev/null; then perf "$@" 2>/dev/null; else skipped "no perf here" >&2; fi; }

# perf_reads FILE REGEX: perf report and perf script accept the file, and their output matches.
perf_reads() {
  command -v perf >/dev/null || return
  perf script -i "$1" >script.out 2>said
  expect_status 0 "perf script -i $1"
  expect_match "perf script -i $1" "$2" "$(cat script.out)"
  perf report --stdio -i "$1" >report.out 2>said
  expect_status 0 "perf report -i $1"
}
