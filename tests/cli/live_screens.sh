#!/bin/bash
# SPDX-License-Identifier: MIT
# The full screens of running processes, on terminals of several sizes; tmux is the terminal.
export LC_ALL=C.UTF-8
. "$(dirname "$0")/tmux.sh"
after_command="stty -a | grep -owE -e \"-?(icanon|echo)\" | xargs echo terminal:;"

# Forty functions, each of which uses the first 4 KiB of 64 MiB, megabyte by megabyte: with virtual addresses, all go to
# one region of a cache.
{
  cat <<'C'
#include <stddef.h>
#include <stdint.h>
enum { kPages = 64, kApart = 1 << 20 };
static _Alignas(1 << 20) volatile uint8_t memory[kPages][kApart];
C
  for number in $(seq 10 49); do
    cat <<C
__attribute__((noinline)) void walk_$number(void) {
  for (size_t page = 0; page < kPages; ++page)
    for (size_t i = 0; i < 4096; i += 64) ++memory[page][i];
}
C
  done
  echo "int main(void) {"
  echo "  for (;;) {"
  for number in $(seq 10 49); do echo "    walk_$number();"; done
  echo "  }"
  echo "}"
} >many.c
cc -O1 -g many.c -o many || exit 1
./many &
process=$!
sizes=("80 24" "200 50")

is_restored() { [ "$(terminal display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ]; }
selects() { terminal capture-pane -e -p | grep -q $'\e\[7m.*walk_[0-9]*.*many'; }
# ends_with STATUS: the view has ended, and has restored the terminal.
ends_with() {
  shows "^ended with $1"
  shows '^terminal: icanon echo$'
  wait_until is_restored
}

top_at() {
  open $1 "$tool top --pmu=soft --budget 50% -p $process"
  shows "^hardmeter top  many \($process\): [0-9.]+ s, cost at most [0-9.]+ % of 50 %"
  shows '^ *share +samples +events +per second +function +dso$'
  shows ' [0-9,]+ +[0-9,]+ +[0-9,]+  walk_[0-9]+ +many'
  shows 'row 1 of [0-9][0-9]$'
  expect "top, $1: the alternate screen" 1 "$(terminal display-message -p '#{alternate_on}')"
  wait_until selects
  keys Down j k j
  shows 'row 3 of [0-9]+$'
  keys w PPage NPage NPage
  shows 'row [1-9][0-9] of [0-9]+$'
  keys Home
  shows 'row 1 of [0-9]+$'
  keys End Up Enter
  shows '^# function: walk_[0-9]+ in many$'
  shows 'memory.page..i.;$'  # the line is cut in its middle, and shorter if there are too few samples
  shows 'lines 1-[0-9]+ of [0-9]+'
  keys End q
  shows 'row [1-9][0-9] of [0-9]+$'
  keys l e
  shows ' many\.c:[0-9]+ '
  keys Enter
  shows '^# function: walk_[0-9]+ in many$'
  keys BSpace '?'
  shows '^w +show or hide why'
  keys Escape
  shows ' many\.c:[0-9]+ '
  keys Space
  shows '^hardmeter top .* STOPPED'
  terminal resize-window -x 40 -y 8
  shows 'row [0-9]+ of [0-9]+$'
  expect "top, 40 columns: lines beyond them" 0 "$(terminal capture-pane -p | grep -cE '.{41}')"
  keys q
  ends_with 0
}

map_at() {
  open $1 "$tool map -p $process --cache 1M,16,64 --virtual --window 300ms"
  shows "^hardmeter map  many \($process\)  cache 1 MiB, 16 ways; window [0-9]+"
  shows '^Conflict: [0-9.]+% of the regions need more than 16 ways, most of all region '
  shows 'by global memory \(many\)'
  shows '^ways needed, of 16:  . to 4 .* over 32$'
  shows '^ +[0-9]+ │.*█+│  [1-6][0-9]\.[0-9]$'
  shows '^\? help  q quit  Space stop'
  keys ']'
  shows 'cache 2 MiB, 16 ways'
  keys '[' '['
  shows 'cache 512 KiB, 16 ways'
  keys s NPage NPage NPage NPage
  shows '512 sets, each a region'
  keys s Left
  shows 'window [0-9]+ of [0-9]+  STOPPED'
  keys '?'
  shows '^l +the next level: L1 data, L2, L3$'
  keys q l
  shows '  L1D [0-9]+ KiB, [0-9]+ ways'
  terminal resize-window -x 40 -y 8
  shows '^hardmeter map  many .*…$'
  shows '^\? help'
  keys q
  ends_with 0
}

timeline_at() {
  open $1 "$tool timeline --live -e clock -p $process"
  shows '^clock .*by thread.*following'
  shows '^many +[a-z.]+|^ *[a-z]  '
  keys '?'
  shows '^/ +search a function'
  keys x
  shows '\? help, i about, q end'
  terminal resize-window -x 40 -y 8
  shows 'q end'
  keys q
  ends_with 0
}

if engine_runs; then
  for size in "${sizes[@]}"; do top_at "$size"; done
  open 80 24 "$tool top --pmu=soft --budget 50% -p $process"
  shows 'row 1 of [0-9]+$'
  keys C-c
  ends_with 130
  open 80 200 "TERM=dumb $tool top --pmu=soft --budget 50% -n 1 -p $process"
  shows '^hardmeter top: [0-9.]+ s'
  shows '^ended with 0'
fi
for size in "${sizes[@]}"; do map_at "$size"; done
open 80 24 "NO_COLOR=1 $tool map -p $process --cache 1M,16,64 --virtual --window 300ms"
shows '^ways needed, of 16: .*█ to 32  @ over 32$'
expect "colours with NO_COLOR" 0 "$(terminal capture-pane -e -p | grep -c $'\e\[3[1-7]m')"
keys C-c
ends_with 130
open 80 200 "TERM=dumb $tool map -p $process --cache 1M,16,64 --virtual --window 300ms --windows 1"
shows '^# cache: 1 MiB, 16 ways'
shows '^ended with 0'
if "$hardmeter" stat --pmu=linux -e clock -- true >/dev/null 2>why; then
  for size in "${sizes[@]}"; do timeline_at "$size"; done
else
  skipped "the kernel's PMU cannot be used here: $(tail -1 why)"
fi
expect "nothing is left there" "" "$(grep ^554000 /proc/$process/maps)"
finish
