#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that copy their code to huge pages keep their names: copied_code.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
export PERF_BUILDID_DIR=$work/kept HOME=$work
needs_software_pmu
program=$2/copied_text

for how in whole page memfd; do
  "$hardmeter" record -q --pmu=soft -e l1_cache_miss -o soft.data -- "$program" $how >out || expect "$how" 0 $?
  expect_match "$how, software PMU" ' hot_loop +copied_text' "$(first_row -i soft.data)"
  # The recorder compares the code while the program runs.
  if "$hardmeter" record -q -e clock -o linux.data -- timeout 2 "$program" $how endlessly >out 2>linux.txt; [ -s linux.data ]; then
    expect_match "$how, the kernel's clock" ' hot_loop +copied_text' "$(first_row -i linux.data --comm copied_text)"
  else
    skipped "the kernel's PMU: $(tail -1 linux.txt)"
  fi
done

# Attached: the code is no longer mapped.
for how in page memfd; do
  "$program" $how endlessly >moved &
  pid=$!
  wait_until grep -q moved moved
  "$hardmeter" record -q --pmu=soft -e l1_cache_miss -p $pid -o attached.data --duration 1s || expect "attach" 0 $?
  kill $pid
  wait $pid
  expect_match "$how, attached" ' hot_loop +copied_text' "$(first_row -i attached.data)"
done
finish
