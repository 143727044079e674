#!/bin/bash
# SPDX-License-Identifier: MIT
# The status line appears only on terminals, and is never longer than the terminal's width.
. "$(dirname "$0")/common.sh"

clear=$(printf '\r\033[K')
until_enough='while [ ! -e enough ]; do :; done'

# on_terminal REGEX COMMAND: prints what a terminal of 60 columns shows. The command ends once the file `enough` exists;
# the function creates this file when the terminal has shown the REGEX.
on_terminal() {
  rm -f enough shown
  script -qfec "stty cols 60; $2" shown </dev/null >/dev/null &
  wait_until grep -qE "$1" shown
  : >enough
  end_of $!
}

quiet=$("$hardmeter" record -o pipe.data sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' 2>&1)
expect "no status line into a pipe" 0 "$(grep -cF "$clear" <<<"$quiet")"

on_terminal ' s, 1 process, [1-9][0-9,]* samples?' "$tool record -o tty.data sh -c '$until_enough'"
longest=$(tr '\r' '\n' <shown | sed -n 's/^\x1b\[K\([0-9.]* s, .*\)$/\1/p' | wc -L)
expect "longest of the status lines: $longest of 59" True "$([ "$longest" -gt 20 ] && [ "$longest" -le 59 ] && echo True)"
expect_samples tty.data
messages=$(sed 's/.*\r\x1b\[K//; s/\r$//' shown | grep -v '^Script ')
expect_match "the summary" '^\[ hardmeter record: ' "$messages"
expect "longest line of the summary: $(wc -L <<<"$messages") of 60" True "$([ "$(wc -L <<<"$messages")" -le 60 ] && echo True)"

# A program that only computes makes no system calls and no samples; its progress is shown nevertheless.
cat >endless.py <<'END'
import os
print(os.getpid(), file=open("process", "w"), flush=True)
while True: pass
END
shown_count() { tr '\r' '\n' <shown | grep -aoE ', [0-9,]+ instructions' | tail -n 1; }
moves() { [ "$(shown_count)" != "$before" ]; }
tried="1 2"
[ -x /usr/bin/python3 ] || { skipped "progress of a program that only computes: there is no /usr/bin/python3"; tried=; }
for cores in $tried; do
  rm -f process shown
  script -qfec "stty cols 200; $tool record --cores $cores -e l3_cache_miss -o moving.data /usr/bin/python3 endless.py" shown </dev/null >/dev/null &
  wait_until test -s process
  sleep 1  # it is in the loop then
  for _ in 1 2 3; do
    before=$(shown_count)
    wait_until moves
  done
  kill "$(cat process)"
  end_of $!
done

on_terminal 'the command has ended' "$tool record -o left.data sh -c '($until_enough) & exit 0'"
finish
