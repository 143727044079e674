#!/bin/bash
# SPDX-License-Identifier: MIT
# The time line on a full screen; tmux is the terminal.
. "$(dirname "$0")/tmux.sh"

cat >phases.c <<'C'
#include <stdint.h>
#include <unistd.h>
static volatile uint64_t sum;
__attribute__((noinline)) static void add_numbers(void) { for (int i = 0; i < 1000; ++i) sum += i; }
__attribute__((noinline)) static void multiply_numbers(void) { for (int i = 0; i < 1000; ++i) sum *= i; }
int main(int argc, char** argv) {
  (void)argv;
  do {
    for (int i = 0; i < 100000; ++i) add_numbers();
    for (int i = 0; i < 100000; ++i) multiply_numbers();
  } while (argc > 1);
  return 0;
}
C
cc -O1 -g phases.c -o phases

open 100 30 "$tool timeline -q -o phases.data -- ./phases"
shows '^clock  0 ns to .* of .*  cells of .*  by thread'
shows '^[0-9]+ phases +[a-z.][a-z. ]*$' # blank cells: the host may take CPUs away
shows '^a .*%  (add|multiply)_numbers$'
keys '?'
shows '^/ +search a function'
keys x /
shows '^search: _'
keys multiply_n Enter '+' '+' '+'
shows '^at [0-9.]+ (ms|s); [0-9]+ episodes?; '
shows 'multiply_numbers$'
keys Enter
shows '^[0-9]+\.[0-9]+ s  [0-9]+ phases: multiply_numbers$'
keys x b
shows '  by process'
keys b
shows '  by cpu'
terminal resize-window -x 60 -y 12
shows '  by cpu' # lines longer than the screen are cut
keys q
shows '^ended with 0'

# Output is text if requested, or if the terminal cannot show the screen.
open 100 30 "$tool timeline -i phases.data --stdio"
shows '^ended with 0'
shows '^# time line of clock|add_numbers'
open 100 30 "TERM=dumb $tool timeline -i phases.data"
shows '^ended with 0'
open 100 30 "$tool timeline -i phases.data --from 1000s"
shows 'after the last sample'
shows '^ended with 1'

# The time line of a running process, which continues after the view ends.
./phases for ever &
process=$!
open 100 30 "$tool timeline --live -p $process"
shows "^clock  .*  following"
shows "^$process phases +[a-z.]+"
keys '+'
shows '^clock  .*  by thread$'
keys f
shows "^clock  .*  following"
keys C-c
shows '^ended with 130'
kill -0 "$process" || expect "the process that was watched" "there" "gone"
open 100 30 "$tool timeline --live -p $process"
shows "^$process phases +[a-z.]+"
kill "$process"
shows 'the processes have ended'
keys q
shows '^ended with 0'
open 100 30 "$tool timeline --live -p $process"
shows "^hardmeter: .*$process"
shows '^ended with 1'

# fails REGEX OPTION...: the command prints its reason without a terminal.
fails() {
  local regex=$1 found
  shift
  found=$("$hardmeter" timeline "$@" 2>&1)
  expect "status of: $*" 2 $?
  expect_match "message of: $*" "$regex" "$found"
}
fails '--live needs processes' --live
fails 'needs a terminal' --live -p $$
fails 'give only one of' --live -p $$ -i phases.data
finish
