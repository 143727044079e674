#!/bin/bash
# SPDX-License-Identifier: MIT
# Time by the clock beside modelled waits, by function: with_clock.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_engine
can_measure "--pmu=linux -e clock" "the clock" || exit 77

cat >mixed.c <<'C'
#include <stdio.h>
#include <stdlib.h>
enum { kNodes = 1 << 19 };
struct node { struct node* next; long pad[7]; };
static struct node nodes[kNodes];
static int order[kNodes];
// Waits for memory at each step.
__attribute__((noinline)) long chase(const struct node* node, long steps) {
  long sum = 0;
  for (; steps > 0; --steps, node = node->next) sum += node->pad[0];
  return sum;
}
// Never waits for memory.
__attribute__((noinline)) long compute(long rounds) {
  unsigned long value = 1;
  for (; rounds > 0; --rounds) value = value * 6364136223846793005 + 1442695040888963407;
  return (long)value;
}
int main(void) {
  char line[64];
  unsigned long state = 88172645463325252;
  for (int i = 0; i < kNodes; ++i) order[i] = i;
  for (int i = kNodes - 1; i > 0; --i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    int j = (int)(state % (unsigned)(i + 1)), other = order[i];
    order[i] = order[j], order[j] = other;
  }
  for (int i = 0; i < kNodes; ++i) nodes[order[i]].next = &nodes[order[(i + 1) % kNodes]];
  long sum = chase(nodes, 4000000) + compute(120000000);
  printf("%s%s", fgets(line, sizeof(line), stdin) ? line : "nothing\n", sum == 1 ? " " : "");
}
C
gcc -O1 -g -o mixed mixed.c || exit 1
echo "read" >words

said=$("$hardmeter" run -q --with-clock --detail exact --cpu zen4 -o data -- ./mixed <words 2>errors)
expect "status ($(cat errors))" 0 $?
expect "both runs read standard input from its beginning" "read read" "$(head -n 2 <<<"$said" | tr '\n' ' ' | sed 's/ $//')"
table=$(sed -n '/^time by the clock/,/^$/p' <<<"$said")
expect_match "the function that waits" '[0-9.]+% ±[0-9.]+ +[1-9][0-9.]*% ±[0-9.]+ +(more|[0-9.]+%) +chase +mixed' "$table"
expect_match "the function that does not wait" '[1-9][0-9.]*% ±[0-9.]+ +0.0% +- +compute +mixed' "$table"
expect_samples data.clock
expect_match "the clock's recording" 'event clock' "$("$hardmeter" report -i data.clock)"

said=$(echo piped | "$hardmeter" run -q --with-clock --cpu zen4 -o data -- ./mixed 2>&1)
expect_match "a pipe" 'standard input is a pipe' "$said"
said=$("$hardmeter" run -q --with-clock -o data -- true 2>&1 </dev/null)
expect "a program that is too short for the clock: status" 0 $?
expect_match "a program that is too short for the clock" 'time by the clock(: not compared: the native run was too short|.*native run)' "$said"
said=$("$hardmeter" run -q --with-clock --detail nonsense -o data -- ./mixed 2>&1 </dev/null)
expect "an option that is refused is refused before the first run" 2 $?
expect "an option that is refused: no run" 0 "$(grep -c nothing <<<"$said")"
finish
