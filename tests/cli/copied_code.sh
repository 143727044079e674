#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that copy their code to huge pages keep their names: copied_code.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
export PERF_BUILDID_DIR=$work/kept HOME=$work
needs_software_pmu
program=$2/copied_text

has_clock=0
can_measure "--pmu=linux -e clock" "the kernel's clock" && has_clock=1
for how in whole page memfd; do
  "$hardmeter" record -q --pmu=soft -e l1_cache_miss -o soft.data -- "$program" $how >out || expect "$how" 0 $?
  expect_match "$how, software PMU" ' hot_loop +copied_text' "$(first_row -i soft.data)"
  [ $has_clock = 1 ] || continue
  # The recorder compares the code while the program runs.
  "$hardmeter" record -q --pmu=linux -e clock -o linux.data -- timeout 2 "$program" $how endlessly >out
  expect_match "$how, the kernel's clock" ' hot_loop +copied_text' "$(first_row -i linux.data --comm copied_text)"
done

# Attached: the code is no longer mapped.
for how in page memfd; do
  "$program" $how endlessly >moved &
  pid=$!
  wait_until grep -q moved moved
  "$hardmeter" record -q --pmu=soft -e l1_cache_miss -p $pid -o attached.data --duration 3s || expect "attach" 0 $?
  kill $pid
  wait $pid
  expect_match "$how, attached" ' hot_loop +copied_text' "$(first_row -i attached.data)"
done
finish
