#!/bin/bash
# SPDX-License-Identifier: MIT
# If address randomization cannot be disabled, as under Docker's default seccomp profile, counts vary from run to
# run: each result names this, and limits need several runs.
. "$(dirname "$0")/common.sh"
programs=$2
needs_engine
confined="$programs/random_addresses"
random='random, so that counts vary from run to run: the kernel refuses to disable address randomization'
if setarch -R true 2>/dev/null; then
  "$confined" "$hardmeter" stat --pmu=soft --engine=direct -o counts "$programs/addresses" >addresses 2>said
  status=$?
  expect "stat: status ($(cat said))" 0 $status
  expect_match "stat" "memory layout: $random" "$(tr -s '\n ' ' ' <counts)"
  for i in 1 2; do
    "$confined" "$hardmeter" record -q --pmu=soft --engine=direct -e l1_cache_miss -o $i.data "$programs/addresses" >/dev/null 2>said
    status=$?
    expect "record: status ($(cat said))" 0 $status
  done
  expect_match "report" "memory layout: $random" "$("$hardmeter" report -i 1.data | tr -s '\n' ' ')"
  expect_match "diff" "its addresses were random, so that counts vary from run to run" "$("$hardmeter" diff 1.data 2.data)"
  "$hardmeter" diff --fail-above l1_cache_miss:50% 1.data 2.data >said 2>&1
  expect "a limit and single runs: status" 2 $?
  expect_match "a limit and single runs" "cannot check the limit 'l1_cache_miss:50%': addresses were random" "$(cat said)"
  "$hardmeter" diff --fail-above l1_cache_miss:50% 1.data,2.data 1.data,2.data >said 2>&1
  status=$?
  expect "a limit and repeated runs: status ($(cat said))" 0 $status
  "$hardmeter" stat --pmu=soft --engine=direct -o counts "$programs/addresses" >/dev/null 2>said
  expect "fixed addresses have no remark" 0 "$(grep -c 'memory layout' counts)"
else
  skipped "address randomization cannot be disabled here"
fi

# A measured program keeps the rest of its personality.
if setarch --3gb true 2>/dev/null; then
  kept=$(setarch --3gb "$hardmeter" stat --pmu=soft --engine=direct -o counts cat /proc/self/personality)
  expect "personality" 08040000 "$kept"
fi
finish
