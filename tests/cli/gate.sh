#!/bin/bash
# SPDX-License-Identifier: MIT
# The gate finds a function in another build, under any name that the compiler gave it, and reports other differences.
. "$(dirname "$0")/common.sh"

# walk() misses the first level of the cache at each of 100,000 x TIMES steps; SYMBOL is its name in the symbol table.
cat >walk.c <<'EOF'
#include <stdlib.h>
#include <string.h>
#ifndef BY_CALLER
#define BY_CALLER __attribute__((noinline))
#endif
char *table;
volatile long sum;
#ifndef WITHOUT_WALK
BY_CALLER long walk(long) __asm__(SYMBOL);
BY_CALLER long walk(long steps) {
  long s = 0;
  for (long i = 0; i < steps; i++) {
    long at = (i * 4099) & ((8 << 20) - 1);
    s += table[at];
    if (s % 7 == 3) s ^= at >> 3;
  }
  return s;
}
#endif
int main(void) {
  table = malloc(8 << 20);
  memset(table, 1, 8 << 20);
#ifdef WITHOUT_WALK
  sum = table[4099];
#else
  sum = walk(100000L * TIMES);
#endif
}
EOF
# build NAME SYMBOL TIMES OPTIONS...: NAME/program, recorded as NAME/data
build() {
  local name=$1 symbol=$2 times=$3
  shift 3
  mkdir "$name" && gcc -O2 -g "-DSYMBOL=\"$symbol\"" "-DTIMES=$times" "$@" -o "$name/program" walk.c &&
    "$hardmeter" record -q --pmu=soft --cpu=zen4 -e l1_cache_miss -c 500 -o "$name/data" "$name/program" >/dev/null
  expect "built and recorded: $name" 0 $?
}
# gate EXPECTED ARGUMENTS...: checks the exit status; leaves standard output in $out and standard error in $said.
gate() {
  local expected=$1
  shift
  out=$("$hardmeter" diff "$@" 2>said.txt)
  local found=$?
  said=$(cat said.txt)
  expect "status of: diff $*; it said: $said" "$expected" $found
}
limit=l1_cache_miss@walk:10%

build before walk 1
build same walk.constprop.0 1
build cloned walk.constprop.1 20
gate 0 --fail-above $limit before/data same/data
gate 3 --fail-above $limit before/data cloned/data
expect_match "the clone's misses are the function's" "^hardmeter: limit $limit exceeded: about (9[0-9]|1[0-9]{2}),[0-9]{3} before, about (1,9|2,[0-9])[0-9]{2},[0-9]{3} after" "$said"
gate 0 --fail-above $limit same/data before/data
"$hardmeter" diff --save-baseline base.json before/data
expect "saved" 0 $?
gate 3 --fail-above $limit base.json cloned/data

# Another name with unchanged code.
build renamed stroll 20
gate 3 --fail-above $limit before/data renamed/data
expect_match "which is which" '^# note: stroll of after is compared with walk of before: ' "$out"
gate 3 --fail-above $limit base.json renamed/data
gate 3 --fail-above l1_cache_miss@stroll:10% base.json renamed/data

# Inlined into its caller: the debug information shows it.
build inlined walk 20 '-DBY_CALLER=static inline __attribute__((always_inline))'
gate 3 --fail-above $limit before/data inlined/data
expect_match "what was matched" '^# note: walk is inlined after' "$out"
gate 3 --fail-above $limit base.json inlined/data
gate 0 --fail-above $limit inlined/data before/data

# Nowhere.
build gone walk 1 -DWITHOUT_WALK
gate 3 --fail-above $limit before/data gone/data
expect_match "one sentence" "^hardmeter: limit $limit failed: the program has no function walk any more" "$said"
expect_match "in JSON" '"verdict": "gone"' "$("$hardmeter" diff --json --fail-above $limit before/data gone/data 2>/dev/null)"

# The function is present, but has no misses any more.
build idle walk 0
gate 0 --fail-above $limit before/data idle/data

# The head first names a different processor, if a limit is exceeded.
sed 's/"processor": "[^"]*"/"processor": "Another Processor 3000"/; s/"processor_features": "/&amx_new /' base.json >other.json
gate 3 --fail-above $limit other.json cloned/data
expect_match "the first line" '^hardmeter: before was measured on Another Processor 3000 and after on .*amx_new only before' "$(head -n 1 said.txt)"
expect_match "in JSON" '"processors": "before was measured on Another Processor 3000' "$("$hardmeter" diff --json other.json cloned/data)"
gate 0 --fail-above $limit other.json same/data
expect "no word where the limit is kept" "" "$said"

# The formats of CI services, read by other programs.
shown() { "$hardmeter" diff --format="$1" --fail-above $limit --fail-above l1_cache_miss:1000000% before/data cloned/data 2>/dev/null; }
expect_match "Markdown" '^### hardmeter: 1 of 2 limits violated' "$(shown markdown)"
expect_match "a table" '^\| l1\\_cache\\_miss \| [0-9,]+ \| [0-9,]+ \|' "$(shown markdown)"
expect "annotations" 1 "$(shown github | grep -c '^::error title=hardmeter%3A')"
expect "JUnit" "2 1" "$(shown junit | python3 -c '
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.stdin).getroot()
print(len(suite.findall("testcase")), len(suite.findall("testcase/failure")))')"
for format in sarif bencher benchmark-action; do
  shown $format | python3 -c 'import json, sys; json.load(sys.stdin)'
  expect "JSON of $format" 0 $?
done
gate 3 --format=junit --fail-above $limit before/data cloned/data
gate 0 --format=junit --fail-above $limit before/data same/data
gate 2 --format=nothing before/data same/data

# Files that are no baseline: one sentence and status 2.
printf '\xef\xbb\xbf' | cat - base.json >mark.json
: >empty.json
sed 's/"schema": 1/"schema": 7/' base.json >later.json
for file in mark empty later; do
  gate 2 $file.json before/data
  expect "one line for $file: $said" 1 "$(wc -l <said.txt)"
  "$hardmeter" run -q --pmu=soft -e l1_cache_miss --baseline $file.json --fail-above l1_cache_miss:5% same/program >/dev/null 2>said.txt
  status=$?
  expect "status of run --baseline $file.json; it said: $(cat said.txt)" 2 $status
done
gate 2 mark.json before/data
expect_match "why" 'byte order mark' "$said"
gate 2 empty.json before/data
expect_match "why" 'is empty' "$said"
finish
