#!/bin/bash
# SPDX-License-Identifier: MIT
# Recordings in other tools' formats, read by these tools or checked against the published format. The counts equal the
# report's, also with names that could break the format. exports.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")
python3 "$here/exports_names.py" "$2/hostile_names" hostile || { expect "hostile names" made failed; finish; }
"$hardmeter" record --pmu=soft -q -g -e l1_cache_miss,l2_cache_miss -o perf.data -- ./hostile >/dev/null
expect "record" 0 $?
"$hardmeter" report --json -i perf.data >report.json

# of_report CODE: runs Python code on the report `r`.
of_report() { python3 -c "import json; r = json.load(open('report.json')); $1"; }
totals=$(of_report 'print(*(name + " " + str(event["estimated"]) for name, event in sorted(r["events"].items())), sep="\n")')
l1_events=$(awk '$1 == "l1_cache_miss" { print $2 }' <<<"$totals")
l2_events=$(awk '$1 == "l2_cache_miss" { print $2 }' <<<"$totals")
top=$(of_report 'print(r["rows"][0]["function"])')
top_events=$(of_report 'print(r["rows"][0]["estimated"]["l1_cache_miss"])')
expect "the hottest function" '(anonymous namespace)::Table<unsigned long, unsigned long>::operator()(unsigned long) const' "$top"

# Folded stacks, parsed with the regular expression of flamegraph.pl.
"$hardmeter" export --format=folded -i perf.data -o several.folded 2>several.txt
expect "folded stacks of two events" 2 $?
expect_match "folded stacks of two events" 'of l1_cache_miss, l2_cache_miss: choose one with -e' "$(cat several.txt)"
[ ! -e several.folded ] || expect "folded stacks of two events" "no file" "a file"
"$hardmeter" export --format=folded -e l1_cache_miss -i perf.data -o l1.folded
expect "sum of folded stacks" "$l1_events" "$(perl -ne '/^(.*)\s+?(\d+(?:\.\d*)?)$/ or die "line $.: $_"; $sum += $2; END { print $sum }' l1.folded)"
expect_match "folded stacks" '^hostile;.*;main;look_up\(unsigned int\);bad.*:.* utf8.*;\(2\) fn=\(3\)\\x09calls=4 \+5 \* -6;line\\x0afeed: "quoted" .*operator\(\).* const [0-9]+$' "$(cat l1.folded)"
expect_match "folded stacks with what is inlined" ';\(2\) fn=\(3\)\\x09calls=4 \+5 \* -6;[^;]*operator\[\][^;]* [0-9]+$' "$(cat l1.folded)"
"$hardmeter" export --format=folded -e l1_cache_miss --comm hostile -i perf.data >of_one.folded
expect "threads in filtered stacks" "hostile" "$(cut -d ';' -f1 of_one.folded | sort -u)"
expect "threads in all stacks" $'a:b "c"\\x0a(1)\nhostile' "$(cut -d ';' -f1 l1.folded | LC_ALL=C sort -u)"

# JSON.
if python3 -c 'import jsonschema' 2>/dev/null; then
  for format in speedscope chrome firefox; do
    "$hardmeter" export --format=$format -i perf.data -o perf.$format
    expect "events in $format" "$totals" "$(python3 "$here/exports_formats.py" $format perf.$format 2>&1)"
    grep -q 'line\\nfeed; \\"quoted\\"' perf.$format || expect "a name in $format" "escaped" "not there"
  done
else
  skipped "python3 has no jsonschema"
fi

"$hardmeter" export --format=perfetto -i perf.data -o perf.pftrace
expect "events in perfetto" "$totals" "$(python3 "$here/exports_perfetto.py" perf.pftrace 2>&1)"

if command -v callgrind_annotate >/dev/null; then
  "$hardmeter" export --format=callgrind -i perf.data -o perf.callgrind
  callgrind_annotate --auto=no --show-percs=no --threshold=100 perf.callgrind >annotated.txt 2>annotated.err
  expect "what callgrind_annotate complains of" "" "$(cat annotated.err)"
  of_line() { tr -d , <annotated.txt | awk -v text="$1" 'index($0, text) { print $1, $2; exit }'; }
  expect "callgrind's totals" "$l1_events $l2_events" "$(of_line 'PROGRAM TOTALS')"
  expect_match "callgrind's hottest function" "^$top_events " "$(of_line "${top//,/} ")"
  # Complete names in the lines that define them, and the inclusive cost of main: everything except the program's start.
  expect "names in callgrind" 1 "$(grep -cE '^c?fn=\([0-9]+\) \(2\) fn=\(3\)\\x09calls=4 \+5 \* -6$' perf.callgrind)"
  callgrind_annotate --auto=no --show-percs=no --threshold=100 --inclusive=yes perf.callgrind >annotated.txt
  "$hardmeter" export --format=folded -e l1_cache_miss -i perf.data | awk '/;main;/ { sum += $NF } END { print sum }' >main.txt
  expect_match "the inclusive cost of main" "^$(cat main.txt) " "$(of_line ':main ')"
else
  skipped "there is no callgrind_annotate here"
fi

if command -v go >/dev/null && go tool pprof -h 2>&1 | grep -q pprof; then
  "$hardmeter" export --format=pprof -i perf.data -o perf.pprof
  export HOME=$work  # the folder for downloaded files
  go tool pprof -top -nodefraction=0 perf.pprof >top.txt 2>top.err
  status=$?
  expect "pprof's status: $(cat top.err)" 0 $status
  expect_match "pprof's total" "of $l1_events total" "$(cat top.txt)"
  expect "pprof's hottest function" "$top_events $top" "$(awk 'body { $2 = $3 = $4 = $5 = ""; print; exit } $1 == "flat" { body = 1 }' top.txt | tr -s ' ')"
  go tool pprof -top -sample_index=l2_cache_miss perf.pprof >top.txt 2>/dev/null
  expect_match "pprof's total of another event" "of $l2_events total" "$(cat top.txt)"
  go tool pprof -tags perf.pprof >tags.txt 2>/dev/null
  expect_match "pprof's threads" 'a;b "c"\\x0a\(1\) \([0-9]+\)' "$(cat tags.txt)"
  expect_match "pprof's objects" 'heap block|anonymous|global' "$(cat tags.txt)"
  go tool pprof -raw perf.pprof >raw.txt 2>/dev/null
  expect_match "pprof's mappings" "^1: .*/hostile [0-9a-f]{40} \[FN\]" "$(cat raw.txt)"
else
  skipped "there is no go tool pprof here"
fi

# An existing file is kept, and standard output works like a file.
"$hardmeter" export --format=pprof -i perf.data >standard.pprof
expect "the same twice" "" "$(cmp standard.pprof perf.pprof 2>&1)"
"$hardmeter" export --format=pprof -i perf.data -o perf.pprof
[ -e perf.pprof.old ] || expect "the old file" "perf.pprof.old" "none"
finish
