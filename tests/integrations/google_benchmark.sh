#!/bin/bash
# SPDX-License-Identifier: MIT
# Google Benchmark: one row for each benchmark, and only its loop is counted. google_benchmark.sh HARDMETER PROGRAM SOURCE
program=$(realpath -- "$2")
shim=$(realpath -- "$3")/integrations/google-benchmark/hardmeter_benchmarks.py
. "$(dirname "$0")/../cli/common.sh"
needs_engine
can_measure --reproducible "a defined machine" || exit 77
rows() { python3 "$shim" "$program" --hardmeter "$hardmeter" "$@"; }

rows >table.txt 2>said.txt
status=$?
expect "status; it said: $(cat said.txt)" 0 $status
expect_match "the heading" '^benchmark +instructions +L1 misses +L2 misses +L3 misses +modelled cycles$' "$(cat table.txt)"
expect "a row for each" "by_rows by_columns/iterations:2 " "$(tail -n +2 table.txt | awk '{ printf "%s ", $1 }')"

# 512 x 512 numbers of 4 bytes: 16,384 lines. By rows each line misses the first level once; by columns each access does,
# twice. The vector is filled before the loop.
misses() { awk -v name="$1" '$1 == name { gsub(",", ""); print $3 }' table.txt; }
between() {  # WHAT LOWEST HIGHEST FOUND
  [ "$2" -le "$4" ] && [ "$4" -le "$3" ] || expect "$1" "$2 to $3" "$4"
}
between "misses by rows" 16384 16600 "$(misses by_rows)"
between "misses by columns" 524288 525000 "$(misses by_columns/iterations:2)"
instructions=$(awk '$1 == "by_rows" { gsub(",", ""); print $2 }' table.txt)
[ "$instructions" -lt 2000000 ] || expect "instructions of the loop" "less than 2000000" "$instructions"
rows >again.txt
expect "the same counts again" "$(cat table.txt)" "$(cat again.txt)"
expect "a filter" 2 "$(rows --filter by_rows | wc -l)"
rows --filter nothing >out 2>&1
expect "no benchmark" 1 $?

# A gate of these benchmarks.
rows --toml >hardmeter.toml
sed -i '1i fail-above = ["l1_cache_miss:5%"]\nevent = ["l1_cache_miss"]' hardmeter.toml
"$hardmeter" ci --update >out 2>&1 && "$hardmeter" ci >out 2>&1
status=$?
expect "the gate; it said: $(cat out)" 0 $status
expect_match "a row of it" '^by_columns-iterations-2 +l1_cache_miss +[0-9,]+ +[0-9,]+ +0 .* kept \(5%\)$' "$(cat out)"

# Without hardmeter the program runs as usual.
"$program" --benchmark_filter=by_rows --benchmark_min_time=0 >out 2>&1
expect "natively" 0 $?
expect_match "its own result" '^by_rows ' "$(cat out)"
finish
