#!/bin/bash
# SPDX-License-Identifier: MIT
# The command `latency`: its table, its JSON, its refusals, and its end by a signal.
. "$(dirname "$0")/common.sh"

# value FILE EXPRESSION: prints an expression of the file's JSON, named `json`.
value() { python3 -c "import json as j; json = j.load(open('$1')); print($2)"; }

text=$("$hardmeter" latency --quick --max-size 256K)
expect "the table's exit status" 0 $?
# On a busy host the curve may have no level part.
expect_match "the first level" '^L1 .* ([0-9.]+ \([0-9.]+-[0-9.]+\)|not seen) ' "$text"
expect_match "the plot's legend" 'o 4 KiB pages' "$text"
expect "plain text has no colour" 0 "$(grep -cF "$(printf '\033')" <<<"$text")"

"$hardmeter" latency --quick --max-size 128K --json >small.json
expect "points of 4 an octave from 4K to 128K" 21 "$(value small.json 'len(json["small_pages"])')"
expect "the greatest size" 131072 "$(value small.json 'json["small_pages"][-1]["size_bytes"]')"
expect "each latency lies in its interval" True \
  "$(value small.json 'all(0 < p["ns"]["low"] <= p["ns"]["value"] <= p["ns"]["high"] for p in json["small_pages"])')"
expect "levels are counted up from L1, if there are any" True \
  "$(value small.json 'all(level["name"] in (f"L{i}", "memory") for i, level in enumerate(json["levels"], 1))')"

drawn=$(LC_ALL=C.UTF-8 script -qec "stty cols 70; $tool latency --quick --max-size 64K" /dev/null </dev/null)
expect_match "Braille on a terminal" '⠤|⠒|⣀|⠉' "$drawn"
expect_match "progress on a terminal" '[0-9]+ %, [0-9]+ KiB' "$drawn"

"$hardmeter" latency --json >cut.json 2>cut.err &
pid=$!
wait_until catches 15 "$pid" "$hardmeter"
kill -TERM "$pid" # a shell starts background processes with SIGINT ignored
wait "$pid"
expect "the status after an interruption" 130 $?
expect "an interruption is told" True "$(value cut.json 'json["interrupted"]')"
expect "both kinds of pages were measured as far" True "$(value cut.json 'len(json["small_pages"]) == len(json["huge_pages"])')"

for option in "-d 1" "-n 2"; do
  refused=$("$hardmeter" latency $option 2>&1)
  expect "$option without --watch" 2 $?
  expect "lines of the error" 1 "$(wc -l <<<"$refused")"
  expect_match "what to do" 'add --watch' "$refused"
done

refused=$("$hardmeter" latency --max-size 1000G 2>&1)
expect "too much memory" 2 $?
expect_match "the advice" 'at most [0-9]+ MiB' "$refused"
"$hardmeter" latency --max-size 1K 2>/dev/null
expect "too little memory" 2 $?
"$hardmeter" latency --cpu 100000 2>/dev/null
expect "no such CPU" 2 $?
finish
