#!/bin/bash
# SPDX-License-Identifier: MIT
# Occupancy of the last-level cache on a full screen; tmux is the terminal.
export LC_ALL=C.UTF-8
. "$(dirname "$0")/tmux.sh"
after_command=". ./settings;"
cat >settings <<'S'
stty -a | grep -owE -e '-?(icanon|echo)' | xargs echo terminal:
S
# Program names that are unique to this test.
large=./large$$ small=./small$$
# runs PROGRAM: the program or its recorder runs. The brackets exclude this grep itself.
runs() { grep -qsxz -e "[.]${1#.}" /proc/[0-9]*/cmdline; }
has_ended() { ! runs "$1"; }
is_over() { wait_until has_ended "$1"; }

# walk BYTES [TIMES]: reads BYTES bytes repeatedly, and prints nothing on the screen.
cat >walk.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  size_t size = (size_t)atol(argv[1]);
  long times = argc > 2 ? atol(argv[2]) : 0;
  volatile uint8_t* memory = calloc(size, 1);
  for (long i = 0; times == 0 || i < times; ++i) {
    for (size_t k = 0; k < size; k += 64) ++memory[k];
    puts("garbage");
  }
  return 3;
}
C
cc -O1 walk.c -o "$large" && cp "$large" "$small"
cache="--l1d 16K,8,64 --l2 64K,8,64 --l3 1M,16,64"

open 100 30 "$tool llc -d 0.2 $cache -- $large 300000 , $small 100000"
shows '^hardmeter llc  by program  [0-9.]+ s  every 0\.2 s$'
shows '^software PMU \(modelled\): .* of 1\.00 MiB held \([0-9.]+%\) by 2 rows$'
shows '^\[[AB]+·+\]$'
shows '^[AB] +[0-9]+ +[0-9]+ KiB +[0-9.]+%.*[▁▂▃▄▅▆▇█]+ .*/large[0-9]+ 300000$'
shows '^[AB] +[0-9]+ +[0-9]+ KiB .*/small[0-9]+ 100000$'
shows '^[0-9]+ KiB held by .*/large[0-9]+ 300000$'
shows '^ +0│ *[▁▂▃▄▅▆▇█]+$'
runs "$large" || expect "the program" "running" "ended"
on_screen garbage && expect "what programs print" "nowhere" "on the screen"
keys Down
shows '^[0-9]+ KiB held by .*/small[0-9]+ 100000$'
keys N
shows '^ +PID▲ +HELD '
keys R
shows '^ +PID▼ +HELD '
keys F6
shows '^ +PID +HELD▼'
keys '\' large
shows '^filter: large_'
keys Enter
shows "  filter 'large'$"
on_screen '/small[0-9]+ 100000$' && expect "a row that is filtered" "hidden" "shown"
keys Escape
shows '^[AB] .*/small[0-9]+ 100000$'
keys / small Enter Enter
shows '^program: \./small[0-9]+ 100000$'
shows "^of a modelled cache, not of this machine's$"
keys x b
shows '^a row is a program here, and nothing else'
keys t
shows 'TOGETHER'
keys Space
shows '^hardmeter llc  by program  PAUSED  '
time=$(terminal capture-pane -p | head -1)
sleep 1
expect "the time, paused" "$time" "$(terminal capture-pane -p | head -1)"
keys Space d 0.1 Enter
shows '^hardmeter llc  by program  [0-9.]+ s  every 0\.1 s$'
keys F1
shows '^t F5 +rows below their parents'
keys x
terminal resize-window -x 40 -y 10
shows '^[AB] +[0-9]+ +[0-9]+ KiB '
keys q
shows '^ended with 0'
shows '^terminal: icanon echo$'
is_over "$large"
is_over "$small"

# An interrupt ends llc and the measured programs.
open 100 30 "$tool llc $cache -- $large 300000"
shows '^[AB] .*/large[0-9]+ 300000$'
keys C-c
shows '^ended with 130'
is_over "$large"

# The last picture stays when the programs have ended, and shows their status.
open 80 24 "$tool llc -d 0.1 $cache -- $small 100000 20"
shows '^the programs have ended; q end'
shows '/small[0-9]+ 100000 20$'
keys q
shows '^ended with 3'

# Output is text if requested, or if the terminal cannot show the screen.
open 100 30 "$tool llc -b -n 1 $cache -- $small 100000 2>/dev/null"
shows '^# .* held of 1\.00 MiB of last-level cache; by software PMU'
shows '^ended with 0'
open 100 30 "TERM=dumb $tool llc $cache -- $small 100000 1"
shows '^hardmeter: this terminal cannot show a full screen \(TERM\); -b prints'
shows '^ended with [1-9]'
finish
