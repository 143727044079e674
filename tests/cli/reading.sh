#!/bin/bash
# SPDX-License-Identifier: MIT
# perf's recordings in every form: file, pipe, named pipe, folder, cut off, unfinished.
. "$(dirname "$0")/common.sh"

busy='i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'
if ! perf record -e cpu-clock -o perf.data -- sh -c "$busy" >perf.out 2>&1; then
  skipped "perf cannot record here: $(cat perf.out)"
  exit 77
fi

# The table of a report without its head.
rows() { grep -v '^#' "$1"; }

"$hardmeter" report -i perf.data >file.txt
expect "a file" 0 $?
expect_match "a file" '[0-9]%' "$(rows file.txt)"
expect_samples perf.data

# A file that comes through a pipe is read like the file.
"$hardmeter" report -i - <perf.data >redirected.txt
cat perf.data | "$hardmeter" report -i - >piped.txt
expect "a file through a pipe" 0 $?
expect "a file through a pipe says" "$(cat file.txt)" "$(cat piped.txt)"
expect "a file as standard input says" "$(cat file.txt)" "$(cat redirected.txt)"
mkfifo fifo
cat perf.data >fifo &
"$hardmeter" report -i fifo >fifo.txt
expect "a named pipe says" "$(cat file.txt)" "$(cat fifo.txt)"

# perf's pipe format, directly and stored in a file.
perf record -e cpu-clock -o - -- sh -c "$busy" 2>perf.out | "$hardmeter" report -i - >stream.txt
expect "perf record -o - | hardmeter report" "0 0" "${PIPESTATUS[*]}"
expect_match "perf record -o - | hardmeter report" '[0-9]%.*(sh|dash|bash|libc)' "$(rows stream.txt)"
perf record -e cpu-clock -o - -- sh -c "$busy" >pipe.data 2>perf.out
expect_samples pipe.data

# Cut in the middle, and with perf's own messages at the end.
head -c $(($(stat -c %s pipe.data) / 2 + 3)) pipe.data | "$hardmeter" check -i - >cut.txt
expect "a pipe that was cut" 1 $?
expect_match "a pipe that was cut" 'is cut off after|the recording ends with' "$(cat cut.txt)"
(cat pipe.data; echo "[ perf record: Woken up 1 times to write data ]") | "$hardmeter" check -i - >text.txt
expect_match "a pipe that ends in text" '48 bytes of text' "$(cat text.txt)"
head -c $(($(stat -c %s perf.data) / 2)) perf.data >half.data
"$hardmeter" report -i half.data >half.txt
expect "a file that was cut" 0 $?
expect_match "a file that was cut" 'problem: the file is cut off.*used as they are now' "$(cat half.txt)"
"$hardmeter" report -i - </dev/null >none.txt 2>&1
expect "nothing at all" 1 $?
expect_match "nothing at all" 'cannot read standard input: not a recording' "$(cat none.txt)"

# A folder, and one file of it.
perf record --threads -e cpu-clock -o folder.data -- sh -c "$busy" >perf.out 2>&1
expect_samples folder.data
"$hardmeter" check -i folder.data/data >part.txt
expect "one file of a folder" 1 $?
expect_match "one file of a folder" 'name the folder' "$(cat part.txt)"

# A killed recorder leaves a file without size and features.
perf record -m 1 -F 5000 -e cpu-clock -o killed.data -- sh -c 'echo $$ >child; while :; do :; done' >perf.out 2>&1 &
recorder=$!
large_enough() { [ "$(stat -c %s killed.data)" -gt 20000 ]; }
wait_until large_enough
kill -9 "$recorder" "$(cat child)"
wait "$recorder" 2>/dev/null
"$hardmeter" check -i killed.data >killed.txt
expect "an unfinished file" 1 $?
expect_match "an unfinished file" 'the recorder did not finish' "$(cat killed.txt)"
"$hardmeter" report -i killed.data >killed.txt
expect "an unfinished file" 0 $?
expect_match "an unfinished file" '[0-9]%.*(sh|dash|bash)' "$(rows killed.txt)"

# Samples as CSV, read by Python's csv module: the number of samples that `check` counts, with correct values.
"$hardmeter" export --format=csv -i perf.data -o samples.csv
expect "export as CSV" 0 $?
python3 - samples.csv <<'EOF' >csv.txt
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
print(len(rows), all(row["event"] == "cpu-clock" and int(row["period"]) > 0 and row["function"] for row in rows),
      any(row["latency_cycles"] for row in rows))
EOF
expect "what Python reads" "$("$hardmeter" check -i perf.data | awk '$1 == "SAMPLE" { gsub(",", ""); print $2 }') True False" "$(cat csv.txt)"
"$hardmeter" export --format=csv -i perf.data | head -1 >head.txt
expect "export | head" "0 0" "${PIPESTATUS[*]}"
finish
