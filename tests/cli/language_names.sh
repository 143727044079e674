#!/bin/bash
# SPDX-License-Identifier: MIT
# Functions of D, Nim and OCaml have the names that their programmers write: language_names.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_software_pmu

# names LANGUAGE REGEX: the first row of the recorded program
names() {
  "$hardmeter" record -q --pmu=soft -e l1_cache_miss -o "$1.data" "./$1" >out 2>&1
  status=$?
  expect "status of $1: $(cat out)" 0 $status
  expect_match "a function of $1" "$2" "$(first_row -i "$1.data")"
}

if has gdc; then
  cat >prices.d <<'END'
module prices;
struct Table {
  int[] cells;
  pragma(inline, false) long sum(size_t step) {
    long sum = 0;
    for (size_t i = 0; i < cells.length; i += step) sum += cells[i];
    return sum;
  }
}
int main() {
  auto table = Table(new int[1 << 20]);
  long sum = 0;
  foreach (i; 0 .. 4) sum += table.sum(16);
  return cast(int) sum & 1;
}
END
  gdc -O1 -g -o d prices.d && names d ' prices\.Table\.sum +d$'
fi
if has nim; then
  cat >prices.nim <<'END'
proc sumOfPrices(cells: seq[int32], step: int): int {.noinline.} =
  var i = 0
  while i < cells.len:
    result += cells[i]
    i += step
var cells = newSeq[int32](1 shl 20)
var sum = 0
for i in 0..3: sum += sumOfPrices(cells, 16)
echo sum
END
  nim c -d:release --hints:off --nimcache:cache -o:nim prices.nim >out 2>&1 && names nim ' prices\.sumOfPrices +nim$'
  expect_match "annotate of the name" '^# function: prices\.sumOfPrices' "$("$hardmeter" annotate -i nim.data -S prices.sumOfPrices)"
  # A program of C may have such names itself.
  printf '%s\n' 'volatile char cells[1 << 22]; void sum__prices_12(void) { for (int i = 0; i < sizeof cells; i += 64) cells[i]++; }' 'int main(void) { sum__prices_12(); }' >c.c
  gcc -O1 -g -fno-inline -o c c.c && names c ' sum__prices_12 +c$'
fi
if has ocamlopt; then
  cat >prices.ml <<'END'
let[@inline never] sum_of_prices cells step =
  let sum = ref 0 and i = ref 0 in
  while !i < Array.length cells do sum := !sum + cells.(!i); i := !i + step done; !sum
let () = let cells = Array.make 1048576 1 and sum = ref 0 in
  for _ = 1 to 4 do sum := !sum + sum_of_prices cells 8 done; print_int !sum
END
  ocamlopt -g -o ocaml prices.ml >out 2>&1 && names ocaml ' Prices\.sum_of_prices +ocaml$'
fi
finish
