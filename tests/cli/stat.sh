#!/bin/bash
# SPDX-License-Identifier: MIT
# Counts are exact and equal in every form, and unmeasured values are absent.
. "$(dirname "$0")/common.sh"

field() { python3 -c "import json,sys; d=json.load(open('$1')); print($2)"; }

"$hardmeter" stat --json -o true.json -- true
for key in schema pmu machine elapsed_ns cycles exit_status totals; do
  expect "$key" True "$(field true.json "'$key' in d")"
done
expect "integers" True "$(field true.json "all(type(v) is int for v in d['totals'].values())")"
expect "instructions" True "$(field true.json "d['totals']['instr_retired'] > 50000")"
expect "loads and stores" True "$(field true.json "d['totals']['memory_loads'] + d['totals']['memory_stores'] >= d['totals']['memory_moves'] > 0")"
expect "what was not asked for" False "$(field true.json "'branch_retired' in d['totals']")"
"$hardmeter" stat --json -o true.json -e branch_retired -- true
expect "what was" True "$(field true.json "d['totals']['branch_retired'] > 0")"
"$hardmeter" stat --json -o none.json --l3 none -- true
expect "no third level" False "$(field none.json "'l3_cache_miss' in d['totals']")"

# A bigger cache misses less often; the table agrees with the JSON.
"$hardmeter" stat --json -o small.json --l1d 4K,4,64 -- ls / >/dev/null
"$hardmeter" stat --json -o big.json --l1d 128K,8,64 -- ls / >/dev/null
expect "fewer misses" True "$(python3 -c "import json; s,b=[json.load(open(f))['totals']['l1_cache_miss'] for f in ('small.json','big.json')]; print(2*b<s)")"
table=$("$hardmeter" stat -- true 2>&1)
for text in 'l1_cache_miss +[0-9,]+ +[0-9.]+' 'cycles by the cost model' 'seconds elapsed' 'software PMU \(copying engine'; do
  expect_match "the table" "$text" "$table"
done
expect "standard output stays the program's" "x" "$("$hardmeter" stat echo x 2>/dev/null)"
finish
