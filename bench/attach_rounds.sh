#!/bin/bash
# SPDX-License-Identifier: MIT
# Attaches repeatedly to a process of 50 threads under a signal storm, and detaches again. Every fifth recorder is
# killed at a random moment. The process counts its errors (tests/programs/busy_process.c). Usage: attach_rounds.sh
# HARDMETER BUSY_PROCESS [ROUNDS]; about a second per round.
hardmeter=$(realpath "$1") program=$(realpath "$2") rounds=${3:-1000}
folder=$(mktemp -d) && cd "$folder" || exit 1
"$program" 100000 50 >out 2>&1 &
process=$!
sleep 1
attached=0 killed=0 unmeasured=0 failed=0
for ((round = 1; round <= rounds; ++round)); do
  kill -0 $process 2>/dev/null || { echo "the process ended in round $round"; break; }
  if ((round % 5 == 0)); then
    "$hardmeter" record --budget 70% -q -e l1_cache_miss -p $process -o data -- sleep 1 2>/dev/null &
    recorder=$!
    sleep "0.$((RANDOM % 5))$((RANDOM % 10))"
    kill -9 $recorder
    wait $recorder 2>/dev/null
    killed=$((killed + 1))
  elif timeout 60 "$hardmeter" record --pmu=soft -q -e l1_cache_miss -p $process -o data -- sleep 0.05 2>said; then
    attached=$((attached + 1))
  elif grep -q "no thread of the process ran" said; then
    unmeasured=$((unmeasured + 1))  # the remains of a killed recorder were still being removed
  else
    failed=$((failed + 1))
    cat said
  fi
done
timeout 60 "$hardmeter" record --pmu=soft -q -e l1_cache_miss -p $process -o data -- sleep 1 || failed=$((failed + 1))
left=$(grep -c ^554000 /proc/$process/maps)
kill $process
wait $process
status=$?
echo "$attached recordings, $killed recorders killed, $unmeasured that only removed what a killed one had left, $failed failed"
echo "the process: status $status, $left mappings of the engine left, $(cat out)"
rm -r "$folder"
[ $status = 0 ] && [ $left = 0 ] && [ $failed = 0 ]
