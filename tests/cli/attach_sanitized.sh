#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs with sanitizers reserve ranges of the address space and refuse to start if other memory is there. The test
# runs them under the copying engine, and attaches to running ones: attach_sanitized.sh HARDMETER PROGRAMS SOURCE
. "$(dirname "$0")/common.sh"
needs_engine

# check COMPILER SANITIZER [BURSTS_FIT]: the program prints the same natively and under hardmeter.
check() {
  local compiler=$1 sanitizer=$2 bursts_fit=${3:-yes} what="$1 -fsanitize=$2" native found
  if ! "$compiler" -O1 -w "-fsanitize=$sanitizer" -o sanitized "$source" -pthread 2>said || ! native=$(./sanitized 1 2>&1); then
    skipped "$what: no program with it can be built and run here"
    return
  fi
  found=$("$hardmeter" stat --pmu=soft -o counted -- ./sanitized 1 2>&1)
  expect "$what: exact" "$native" "$found"
  found=$("$hardmeter" stat --pmu=soft --detail bursts -o counted -- ./sanitized 1 2>&1)
  expect "$what: bursts" "$native" "$found"
  [ "$bursts_fit" = yes ] ||
    expect_match "$what: bursts" "ThreadSanitizer leaves no long range of its address space" "$(cat counted)"

  rm -f over
  ./sanitized 600 over >out 2>&1 &
  local process=$!
  wait_until grep -q begun out
  timeout 120 "$hardmeter" record -q --pmu=soft -e memory_loads -p $process -o data --duration 300ms >said 2>&1
  local status=$?
  [ "$bursts_fit" = yes ] && expect "$what: attached: $(cat said)" 0 $status
  [ "$bursts_fit" = yes ] || expect_match "$what: attached" "leaves no long range of its address space" "$(cat said)"
  expect "$what: memory of the engine" "" "$(grep -E "^55400|^5541|^570" /proc/$process/maps)"
  touch over
  end_of $process
  status=$?
  expect "$what: attached: $(cat out)" 0 $status
}

source=$3
export ASAN_OPTIONS=detect_leaks=0  # the leak checker uses ptrace, as hardmeter does
for sanitizer in address undefined; do check gcc $sanitizer; done
check gcc thread no
if command -v clang >/dev/null; then
  for sanitizer in address memory; do check clang $sanitizer; done
  check clang thread no
else
  skipped "clang's sanitizers: no clang here"
fi
finish
