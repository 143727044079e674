#!/bin/bash
# SPDX-License-Identifier: MIT
# The exit status is the program's own, or follows a shell's conventions.
. "$(dirname "$0")/common.sh"

# status EXPECTED ARGUMENTS...: checks the exit status; leaves standard error in $said.
status() {
  local expected=$1
  shift
  said=$("$hardmeter" "$@" 2>&1)
  expect "status of: $*; it said: $said" "$expected" $?
}
one_sentence() { expect_match "one sentence" '^hardmeter: ' "$said"; expect "lines" 1 "$(wc -l <<<"$said")"; }

for command in record stat run; do
  status 0 $command true
  status 7 $command -- sh -c 'exit 7'
  status 137 $command sh -c 'kill -9 $$'
  status 127 $command no-such-program; one_sentence
  status 127 $command ./no-such-program; one_sentence
  status 126 $command /etc/passwd; one_sentence
  status 126 $command "$work"; one_sentence
  status 2 $command; one_sentence
  status 2 $command --no-such-option true; one_sentence
  status 2 $command -e no_such_event true; one_sentence
  status 2 $command --cpu no-such-cpu true; one_sentence
  status 2 $command --l1d 48K,13,64 true; one_sentence
  status 0 $command --cpu help; expect_match "presets" '^p4-xeon ' "$said"
done
status 2 record -c 0 true; one_sentence
status 2 record -c many true; one_sentence
status 1 record -o /nonexistent/perf.data true; one_sentence
expect_match "the file's name" /nonexistent/perf.data "$said"

# A program that cannot run does not change the last recording.
"$hardmeter" record -q -c 100 true
before=$(md5sum perf.data)
status 127 record no-such-program
expect "the old recording" "$before" "$(md5sum perf.data)"

# doctor agrees that recording works, also without Valgrind, and then reports the missing parts.
status 0 doctor; expect_match "works" 'hardmeter record works here' "$said"
expect "as JSON" True "$("$hardmeter" doctor --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["can_record"])')"
said=$(PATH=/nonexistent "$hardmeter" doctor 2>&1)
expect "doctor without Valgrind" 0 $?
expect_match "what to do" '^note +Valgrind engine .*apt install valgrind' "$said"
said=$(PATH=/nonexistent "$hardmeter" record --engine=valgrind /bin/true 2>&1)
expect "record without Valgrind" 1 $?
one_sentence

# The message names an instruction that Valgrind cannot run.
if ! has_valgrind_engine "an instruction that Valgrind cannot run"; then
  :
elif grep -qw avx512f /proc/cpuinfo && [ -n "${AVX512_PROGRAM:-}" ]; then
  for command in record stat; do
    status 132 $command --engine=valgrind "$AVX512_PROGRAM"
    expect_match "the sentence" "^hardmeter: program '[^']*' \(pid [0-9]+\) met the AVX-512 instruction '[^']*zmm[^']*' in function add_wide \([^)]*\+0x[0-9a-f]+\); Valgrind" "$said"
  done
else
  skipped "an instruction of AVX-512 under Valgrind: this processor or compiler has none"
fi
finish
