#!/bin/bash
# SPDX-License-Identifier: MIT
# Names of two columns a character, combining, from right to left, and with control characters: wide_names.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_software_pmu
export LC_ALL=C.UTF-8

cat >p.c <<'CC'
#include <stdio.h>
#include <stdlib.h>
enum { kCells = 1 << 16 };
#define WALK(function, step)                                    \
  __attribute__((noinline)) static long function(long *cells) { \
    long sum = 0;                                               \
    for (long i = 0; i < kCells; i += step) sum += cells[i];    \
    return sum;                                                 \
  }
WALK(価格の合計, 8)
WALK(합계, 9)
WALK(sum, 10)
WALK(חיבור, 11)
WALK(جمع, 12)
WALK(e\u0301te\u0301, 13)
int main(void) {
  long *cells = calloc(kCells, sizeof *cells), all = 0;
  for (int i = 0; i < 4; ++i) all += 価格の合計(cells) + 합계(cells) + sum(cells) + חיבור(cells) + جمع(cells) + e\u0301te\u0301(cells);
  printf("%ld\n", all);
}
CC
program='店🚀'
gcc -O1 -g -o "$program" p.c || { skipped "this compiler has no such names"; exit 77; }
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -c 100 -o d "./$program" >/dev/null || exit 1

# columns FILE WORD...: the columns at which a word begins, in all lines with it.
cat >columns.py <<'PY'
import sys, unicodedata
def width(text):
    return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
columns = set()
for line in open(sys.argv[1], encoding="utf-8", newline="\n"):
    for word in sys.argv[2:]:
        at = line.rfind("  " + word)
        if at > 0:
            columns.add(width(line[:at + 2]))
            break
print(len(columns))
PY
for width in "" 50 40; do
  if [ -z "$width" ]; then
    "$hardmeter" report -i d -s function,dso --limit 6 >whole
    expect "status of report" 0 $?
    grep -v '^#' whole >table
  else
    script -qc "stty cols $width; NO_COLOR=1 $tool report -i d -s function,dso --limit 6" /dev/null </dev/null | tr -d '\r' | grep -v '^#' >table
  fi
  for name in 価格の合計 합계 sum חיבור جمع; do expect_match "the row of $name" "$name" "$(cat table)"; done
  expect "columns with width '$width': $(cat table)" 1 "$(/usr/bin/python3 columns.py table dso "$program")"
done
expect "marks of direction in a pipe" 0 "$("$hardmeter" report -i d -s function,dso | grep -c $'\u200e')"
"$hardmeter" timeline -i d --stdio >whole
expect "status of timeline" 0 $?
grep -v '^#' whole | grep '|' >lanes
expect "columns of the time line: $(cat lanes)" 1 "$(/usr/bin/python3 - <<'PY'
import unicodedata
lanes = [line[:line.index("|")] for line in open("lanes", encoding="utf-8")]
print(len({sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in lane) for lane in lanes}))
PY
)"

# Control characters: an escape sequence of C0, of C1, a line feed, an override of the direction.
hostile=$(printf 'a\033[31mb\302\2332Jc\nd\342\200\256e')
mkdir hostile && cp "$program" "hostile/$hostile" && "$hardmeter" record -q --pmu=soft -e l1_cache_miss -c 100 -o h.data "hostile/$hostile" >/dev/null 2>&1 || exit 1
raw=$(printf '\033|\302\233|\342\200\256')
for command in "report -i h.data -s function,dso,comm" "report --json -i h.data -s dso,comm" "explain -i h.data" "explain --json -i h.data" \
  "annotate -i h.data -S sum" "annotate --json -i h.data -S sum" "timeline -i h.data --stdio" "timeline --csv -i h.data" "map -i h.data" "check -i h.data" \
  "export --format csv -i h.data" "export --format folded -i h.data" "export --format callgrind -i h.data" "export --format speedscope -i h.data" \
  "export --format chrome -i h.data" "report -i no-file-$hostile"; do
  # shellcheck disable=SC2086
  "$hardmeter" $command >out 2>&1
  status=$?
  [[ $command == *no-file-* ]] && wanted=2 || wanted=0
  expect "status of ${command%%-file-*}" $wanted $status
  expect "control characters in $command" 0 "$(grep -cE "$raw" out)"
done
"$hardmeter" report -i h.data -s dso >out
expect "status of report on hostile names" 0 $?
expect_match "they are escaped" 'a\\x1b\[31mb\\u009b2Jc\\x0ad\\u202ee' "$(cat out)"
finish
