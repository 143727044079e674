#!/bin/bash
# SPDX-License-Identifier: MIT
# The copying engine's blocks are printed only on request: trace_blocks.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
run=(timeout -k 1 600 "$hardmeter")
program=$2/string

# One program with and without the option: nothing is printed without it.
quiet=$("${run[@]}" stat --pmu=soft --engine=direct -o /dev/null -- "$program" 2>&1)
expect "status" 0 $?
expect "nothing where nothing is asked for" 0 "$(grep -c '^block ' <<<"$quiet")"
"${run[@]}" stat --pmu=soft --engine=direct -o /dev/null --trace-blocks=blocks.txt -- "$program" >said 2>&1
expect "status with a trace" 0 $?
expect "nothing of it among what is said" 0 "$(grep -c '^block ' said)"
[ "$(grep -c '^block ' blocks.txt)" -gt 0 ] || expect "blocks in the file" "some" "none"
expect "each block has a heading of its columns" "$(grep -c '^block ' blocks.txt)" "$(grep -c '^source .*copy .*of the core$' blocks.txt)"
expect "nothing that cannot be disassembled" 0 "$(grep -c '(bad)' blocks.txt)"
expect_match "why blocks end" '; ends with a system call$' "$(cat blocks.txt)"
expect_match "where they are" "^block 0x[0-9a-f]+ in .*\\(?string\\+0x[0-9a-f]+\\)?, process [0-9]+: " "$(cat blocks.txt)"
expect_match "an instruction beside its copy" '^0x[0-9a-f]+ +[a-z].* hot\+0x[0-9a-f]+ +[a-z]' "$(cat blocks.txt)"
expect_match "cold code" ' cold\+0x[0-9a-f]+ +[a-z].* call ' "$(cat blocks.txt)"

# Blocks go to standard error; the program's own output stays unmixed.
out=$("${run[@]}" record -q --pmu=soft --engine=direct --trace-blocks -- /bin/echo x 2>trace)
expect "the program's output" x "$out"
expect_match "standard error" '^block 0x[0-9a-f]+ in function ' "$(cat trace)"
expect_samples perf.data

# The blocks of one function.
"${run[@]}" stat --pmu=soft --engine=direct -o /dev/null --trace-blocks=one.txt --trace-blocks-of=strlen -- /bin/echo x >/dev/null 2>&1
"${run[@]}" stat --pmu=soft --engine=direct -o /dev/null --trace-blocks=none.txt --trace-blocks-of=no_such_function -- /bin/echo x >/dev/null
expect "blocks of no function" "" "$(cat none.txt)"

# If there are no blocks to show, the message gives the reason.
expect_refusal() {
  local said
  said=$("${run[@]}" "${@:2}" 2>&1)
  expect "status of: ${*:2}" "$1" $?
  expect_match "reason of: ${*:2}" '^hardmeter: .*--trace-blocks.*--engine=direct' "$said"
}
expect_refusal 1 stat --pmu=soft --engine=valgrind --trace-blocks /bin/true
expect_refusal 1 record --pmu=linux -e clock --trace-blocks /bin/true
said=$("${run[@]}" stat --pmu=soft --engine=direct --trace-blocks=/nonexistent/file /bin/true 2>&1)
expect "status without a file" 1 $?
expect_match "no file" '^hardmeter: cannot write /nonexistent/file: ' "$said"
finish
