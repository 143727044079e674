#!/bin/bash
# SPDX-License-Identifier: MIT
# Restartable sequences (rseq) are whole or aborted, as natively: restartable.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
program=$2/restartable
needs_engine
"$program" loops >/dev/null || {
  skipped "restartable sequences: the C library or the kernel does not have them"
  exit 77
}

# measured WAY OPTIONS...: the program's output must be as natively.
measured() {
  local way=$1
  shift
  expect "$way $*" "$("$program" $way)" "$(timeout 300 "$hardmeter" "$@" -- "$program" $way 2>said)"
}
for way in loops "counts 8 100000" "slots 8 50000" "table 8 100000" "registers 8 100000"; do
  measured "$way" stat --engine=direct -o counted
  measured "$way" record --engine=direct --detail bursts -e l1_cache_miss -o data
done
measured "counts 8 100000" stat --engine=direct -e instr_retired -o counted
measured "counts 8 100000" record --engine=direct -e instr_retired -c 5000 -o data
measured "slots 8 20000" stat --engine=direct --cores 16 -o counted
expect "nothing ran unmeasured" "" "$(grep -i unmeasured counted)"

# A running process, which threads enter and leave.
rounds=3000000
"$program" slots 8 $rounds >out &
process=$!
wait_until grep -q registered out
attached=0
while kill -0 $process 2>/dev/null && [ $attached -lt 30 ]; do
  timeout 60 "$hardmeter" record --pmu=soft -e l1_cache_miss -p $process -o data -- sleep 0.2 >said 2>&1 && attached=$((attached + 1))
done
wait $process
expect "a running process: status" 0 $?
expect "a running process" "$(printf 'registered: yes\n0 values are not in one slot')" "$(cat out)"
[ $attached -ge 3 ] || expect "attached often enough ($(cat said))" "at least 3 times" $attached

# A defined machine shows no number of a CPU.
expect_match "a defined machine" "registered: no" "$("$hardmeter" stat --engine=direct --reproducible -o counted -- "$program" loops 2>&1)"
finish
