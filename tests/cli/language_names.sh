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
if has gdc; then
  cat >templates.d <<'END'
module templates;
class Matrix(T, int N) {
  T[] cells;
  this(size_t n) { cells = new T[n]; }
  pragma(inline, false) T walk() { T sum = 0; for (size_t i = 0; i < cells.length; i += 16) sum += cells[i]; return sum; }
}
int main() {
  auto matrix = new Matrix!(int, 3)(1 << 20);
  int sum = 0;
  foreach (i; 0 .. 4) sum += matrix.walk();
  return sum & 1;
}
END
  gdc -O1 -g -o dt templates.d && names dt ' templates\.Matrix\.walk +dt$'
fi
# Labels of assembly code, in functions without a size.
cat >labels.s <<'END'
.text
.globl my_sum
.type my_sum, @function
my_sum:
  xor %eax, %eax
  xor %ecx, %ecx
inner_loop:
  add (%rdi,%rcx), %eax
  add $64, %rcx
  cmp $4194304, %rcx
  jb inner_loop
  ret
END
printf '%s\n' 'int my_sum(int *); static int cells[1 << 20]; int main(void) { return my_sum(cells) & 1; }' >labels.c
gcc -O1 -o gas labels.c labels.s 2>/dev/null && names gas ' my_sum +gas$'
if has nasm; then
  cat >labels.asm <<'END'
section .text
global my_sum
my_sum:
  xor eax, eax
  xor ecx, ecx
.inner:
  add eax, [rdi+rcx]
  add rcx, 64
  cmp rcx, 4194304
  jb .inner
  ret
END
  nasm -f elf64 -o labels.o labels.asm && gcc -O1 -o nasm labels.c labels.o 2>/dev/null && names nasm ' my_sum +nasm$'
fi
# Go, linked by a linker of C without symbols.
if has go && has gcc; then
  mkdir -p go && cd go || exit 1
  printf '%s\n' 'module prices' 'go 1.19' >go.mod
  cat >main.go <<'END'
package main

// #include <stdlib.h>
import "C"
import "fmt"

//go:noinline
func sumOfPrices(cells []int32) (sum int32) {
	for i := 0; i < len(cells); i += 16 {
		sum += cells[i]
	}
	return
}

func main() {
	cells := make([]int32, 1<<20)
	sum := int32(C.abs(0))
	for i := 0; i < 8; i++ {
		sum += sumOfPrices(cells)
	}
	fmt.Println(sum)
}
END
  if GOFLAGS=-mod=mod GOCACHE=$work/gocache go build -buildmode=pie -ldflags='-s -w -linkmode=external' -o ../gopie . >../out 2>&1; then
    cd .. && names gopie ' main\.sumOfPrices +gopie$'
  else
    cd .. && skipped "Go and a linker of C: $(tail -1 out)"
  fi
fi
finish
