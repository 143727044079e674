# SPDX-License-Identifier: MIT
# Common functions of the tests of integrations/hardmeter_benchmarks.py. Sourced by TEST HARDMETER SOURCE ...
. "$(dirname "$0")/../cli/common.sh"
needs_engine
can_measure --reproducible "a defined machine" || exit 77
python=$(command -v /usr/bin/python3 || command -v python3)

# rows OPTION...: counts the benchmarks of $program, which were built for $harness. Runs in a folder of constant contents,
# because Python keeps the names of the files in its folder.
mkdir suite
rows() {
  (cd suite && "$python" "$source/integrations/hardmeter_benchmarks.py" --harness "$harness" "$program" --hardmeter "$hardmeter" "$@")
}
# names_in FILE, number COLUMN NAME: the names of a table's rows, separated by bars; a number of the row of this name.
names_in() { sed -E '1d; s/( +[0-9,]+){5}$/|/' "$1" | tr -d '\n'; }
number() {
  tr -d , <table.txt | awk -v name="$2" -v column="$1" \
    '{ row = $0; for (i = 0; i < 5; i++) sub(/ +[0-9]+$/, "", row) } row == name { found = $(NF - 5 + column) }
    END { print found + 0 }'
}
between() {  # WHAT LOWEST HIGHEST FOUND
  [ "$2" -le "$4" ] && [ "$4" -le "$3" ] || expect "$1" "$2 to $3" "$4"
}

# expect_rows NAME...: the table has a row for each name, in this order. Writes table.txt.
expect_rows() {
  rows >table.txt 2>said.txt
  local status=$?
  expect "status; it said: $(cat said.txt)" 0 $status
  expect_match "the heading" '^benchmark +instructions +L1 misses +L2 misses +L3 misses +modelled cycles$' "$(cat table.txt)"
  expect "a row for each benchmark" "$(printf '%s|' "$@")" "$(names_in table.txt)"
  rows >again.txt 2>&1
  expect "the same counts again" "$(cat table.txt)" "$(cat again.txt)"
}

# expect_lines ALL HALF: the benchmark of the name ALL reads 65,536 lines of 64 bytes once, that of HALF 32,768 lines. The
# setup fills these lines, and is not counted. Also checks the filter and a gate.
expect_lines() {
  local column level
  expect_rows "$1" "$2"
  for column in 2 3 4; do
    level="L$((column - 1)) misses of"
    between "$level $1" 65536 66191 "$(number $column "$1")"
    between "$level $2" 32768 33095 "$(number $column "$2")"
  done
  between "instructions of $1" 1 "${max_instructions:-1000000}" "$(number 1 "$1")"
  between "modelled cycles of $1" $((3 * $(number 5 "$2") / 2)) $((5 * $(number 5 "$2") / 2)) "$(number 5 "$1")"
  rows --filter "$2" >table.txt
  expect "a filter" "$2|" "$(names_in table.txt)"
  expect_gate
}

# expect_gate: `hardmeter ci` counts the same. Needs the table of expect_rows. Python keeps properties of its standard
# streams, so that a few misses may differ.
expect_gate() {
  rows --toml >hardmeter.toml
  sed -i '1i fail-above = ["l1_cache_miss:5%"]\nevent = ["l1_cache_miss"]\nfolder = "suite"' hardmeter.toml
  "$hardmeter" ci --update >out 2>&1 && "$hardmeter" ci >out 2>&1
  local status=$?
  expect "the gate; it said: $(cat out)" 0 $status
  grep -E '^[A-Za-z0-9_.-]+ +l1_cache_miss +[0-9,]+ +[0-9,]+ +0 .* kept \(5%\)$' out | tr -d , | awk '{ print $3 }' >gate.txt
  tail -n +2 again.txt | tr -d , | awk '{ print $(NF - 3) }' >rows.txt
  expect "rows of the gate" "$(wc -l <rows.txt)" "$(wc -l <gate.txt)"
  expect "counts of the table and the gate that differ" "" "$(paste rows.txt gate.txt | awk '$1 - $2 > 9 || $2 - $1 > 9')"
}
