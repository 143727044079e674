#!/bin/bash
# SPDX-License-Identifier: MIT
# `hardmeter top -n N` ends after N views, also for a sleeping process, and when the process ends: top_counted.sh
# HARDMETER
. "$(dirname "$0")/common.sh"
sources=()
engine_runs && sources+=("--pmu=soft --budget 50%")
"$hardmeter" stat --pmu=linux -e clock -- true >/dev/null 2>why && sources+=("--pmu=linux -e clock") ||
  skipped "the kernel's PMU cannot be used here: $(tail -1 why)"

for source in "${sources[@]}"; do
  sleep 1000 &
  process=$!
  timeout 300 "$hardmeter" top $source -p $process -n 3 -d 0.1 >shown 2>said
  status=$?
  expect "$source, asleep: status: $(cat said)" 0 $status
  expect "$source, asleep: views" 3 "$(grep -c '^hardmeter top:' shown)"
  expect_match "$source, asleep: in the views" "no samples yet" "$(cat shown)"
  expect_match "$source, asleep: at the end" "^hardmeter: no samples in" "$(cat said)"

  timeout 300 "$hardmeter" top $source -p $process -n 1000000 -d 0.1 >shown 2>said &
  top=$!
  wait_until grep -q '^hardmeter top:' shown
  kill $process
  wait $process 2>/dev/null
  wait $top
  expect "$source, a process that ends asleep: status" 1 $?
  expect_match "$source, a process that ends asleep" "^hardmeter: .*(ended|does not exist|no such)" "$(cat said)"

  timeout 300 "$hardmeter" top $source -p $process -n 3 -d 0.1 >shown 2>said
  expect "$source, a process that is gone: status" 1 $?
  expect "$source, a process that is gone: lines: $(cat said)" 1 "$(wc -l <said)"
done
finish
