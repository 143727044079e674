#!/bin/bash
# SPDX-License-Identifier: MIT
# The status line is for terminals only, and never longer than one.
. "$(dirname "$0")/common.sh"

loop='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
clear=$(printf '\r\033[K')

quiet=$("$hardmeter" record -o pipe.data sh -c "$loop" 2>&1)
expect "no status line into a pipe" 0 "$(grep -cF "$clear" <<<"$quiet")"

shown=$(script -qec "stty cols 60; $hardmeter record -o tty.data sh -c '$loop'" /dev/null </dev/null)
expect_match "the status line" ' s, 1 process, [0-9,]+ samples?' "$shown"
longest=$(tr '\r' '\n' <<<"$shown" | sed -n 's/^\x1b\[K\([0-9.]* s, .*\)$/\1/p' | wc -L)
expect "longest of the status lines: $longest of 59" True "$([ "$longest" -gt 20 ] && [ "$longest" -le 59 ] && echo True)"
expect_samples tty.data

left=$(script -qec "$hardmeter record -o left.data sh -c '(sleep 0.3; $loop) & exit 0'" /dev/null </dev/null)
expect_match "processes that go on" 'the command has ended' "$left"
finish
