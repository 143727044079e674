#!/bin/bash
# SPDX-License-Identifier: MIT
# A full disk yields one clear sentence, and the written part of the recording stays readable.
. "$(dirname "$0")/common.sh"

loop='i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); done'
limited() { (ulimit -f 5120; exec "$@"); }  # 5 MiB per file: enough for the processes' shared memory

said=$(limited "$hardmeter" record -e memory_loads -c 20 -o small.data sh -c "$loop" 2>&1)
expect "status" 1 $?
expect_match "the sentence" '^hardmeter: cannot write small.data: File too large' "$said"
expect_samples small.data 1
expect_match "who measured" 'measured by: software PMU' "$("$hardmeter" report -i small.data)"
expect_match "the counts" 'totals are those counted until shortly before the end' "$("$hardmeter" report -i small.data)"

said=$(ulimit -f 40; "$hardmeter" stat --pmu=soft -e memory_loads true 2>&1)
expect "status where no process could share anything" 1 $?
expect_match "the sentence" '^hardmeter: files may be of 40 KiB at most here \(ulimit -f\), .* takes [0-9]+ KiB: raise the limit' "$said"

if mkdir mounted && mount -t tmpfs -o size=128k none mounted 2>/dev/null; then
  trap 'umount "$work/mounted"; rm -rf "$work"' EXIT
  said=$("$hardmeter" record -e memory_loads -c 50 -o mounted/full.data sh -c "$loop" 2>&1)
  expect "status on a full disk" 1 $?
  expect_match "the sentence" '^hardmeter: cannot write mounted/full.data: No space left on device' "$said"
  expect_samples mounted/full.data 1
  # The measured command runs to its end: the full disk neither ends it nor leaves it behind.
  for options in "-e memory_loads -c 50" "--detail bursts -c 20" "-e clock -c 50us -g"; do
    rm -f ended mounted/*
    said=$(timeout 120 "$hardmeter" record $options -o mounted/full.data sh -c "$loop; $loop; echo at the end >ended" 2>&1)
    grep -q 'No space left on device' <<<"$said" || continue  # the recording fitted on the disk
    expect "$options: the program on a full disk" "at the end" "$(cat ended 2>&1)"
  done
  "$hardmeter" record -q -e memory_loads -c 50 -o page.data sh -c "$loop" >said 2>&1
  rm -f mounted/*
  head -c 126K /dev/zero >mounted/filler
  for command in "export --format=csv" "export --format=pprof" "export --format=perfetto" "report --html mounted/result"; do
    output=$([[ $command == export* ]] && echo "-o mounted/result")
    said=$("$hardmeter" $command -i page.data $output 2>&1)
    expect "$command: status on a full disk" 1 $?
    expect_match "$command: the sentence" '^hardmeter: cannot write mounted/result: No space left on device' "$said"
    expect "$command: what is left" filler "$(ls mounted)"
  done
fi
expect_match "standard output that is full" '^hardmeter: cannot write the result' "$("$hardmeter" list 2>&1 >/dev/full)"
finish
