#!/bin/bash
# SPDX-License-Identifier: MIT
# In a cache that two programs share, misses caused by the other program have a class of their own. The programs have
# known results and take turns. The first walks 2 MiB repeatedly, which fit the 4 MiB of cache; the second scans 8 MiB
# in between, which do not.
. "$(dirname "$0")/common.sh"

cat >turns.c <<'EOF'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
enum { kRounds = 20 };
volatile long sum;
#define WALK(name)                                           \
  __attribute__((noinline)) void name(char *at, long bytes) { \
    for (long i = 0; i < bytes; i += 64) sum += at[i];       \
  }
WALK(small_walk)
WALK(large_scan)
int main(int argc, char **argv) {
  int first = argv[1][0] == '1';
  int out = first ? open(argv[2], O_WRONLY) : -1, in = open(argv[first ? 3 : 2], O_RDONLY);
  if (!first) out = open(argv[3], O_WRONLY);
  long bytes = first ? 2 << 20 : 8 << 20;
  char *memory = aligned_alloc(2 << 20, bytes), turn = 0;
  for (long i = 0; i < bytes; i += 4096) memory[i] = 1;
  for (int round = 0; round < kRounds; ++round) {
    if (!first && read(in, &turn, 1) != 1) return 1;
    first ? small_walk(memory, bytes) : large_scan(memory, bytes);
    if (write(out, &turn, 1) != 1) return 1;
    if (first && read(in, &turn, 1) != 1) return 1;
  }
}
EOF
gcc -O1 -g -o turns turns.c && mkfifo there back
expect "built" 0 $?
timeout 600 "$hardmeter" record -q --pmu=soft --llc -e l3_cache_miss --l3 4M,16,64 -c 500 -o shared.data -- \
  ./turns 1 there back , ./turns 2 there back >/dev/null
expect "recorded" 0 $?

# classes FUNCTION: prints the miss classes of a function with at least 2 %, and the pattern.
classes() {
  "$hardmeter" explain --json -i shared.data | python3 -c '
import json, sys
for place in json.load(sys.stdin)["events"][0]["places"]:
    if place["function"] != sys.argv[1]: continue
    found = sorted(name for name, each in place["classes"].items() if each["share"]["value"] >= 0.02)
    print(found, place["advice"] and place["advice"]["pattern"])
    break' "$1"
}
expect "the first alone would hit" "['evicted by another program'] noisy_neighbour" "$(classes small_walk | sed "s/'compulsory', //")"
expect_match "the second would miss alone" "^\['capacity'(, 'compulsory')?\] working_set$" "$(classes large_scan)"
report=$("$hardmeter" explain -i shared.data)
expect_match "in words" 'evicted by another program 9[0-9]' "$report"
expect_match "in exports" 'evicted by another program' "$("$hardmeter" export --format=csv -i shared.data)"
finish
