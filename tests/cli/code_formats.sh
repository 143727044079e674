#!/bin/bash
# SPDX-License-Identifier: MIT
# Names, lines and instructions of unusual programs and recordings: other processors, stripped Go programs, BPF programs,
# packed recordings: code_formats.sh HARDMETER
. "$(dirname "$0")/common.sh"
command -v perf >/dev/null && perf record -q -e cpu-clock -o probe -- true 2>/dev/null || { skipped "perf cannot record here"; exit 77; }

cat >program.c <<'C'
static char cells[8 << 20];
__attribute__((noinline)) long sum_of_prices(long n) {
  long sum = 0;
  for (long i = 0; i < n; i++) sum += ++cells[(i * 4099) & (sizeof cells - 1)];
  return sum;
}
void _start(void) {
  long sum = sum_of_prices(30000000);
#ifdef __x86_64__
  __asm__ volatile("syscall" ::"a"(60), "D"(sum == 1));
#endif
  for (;;) {}
}
C
options="-O1 -g -static -nostdlib -Wl,-Ttext=0x411000 -no-pie -fno-pie"
gcc $options -o program program.c || { skipped "there is no C compiler"; exit 77; }
perf record -q -B -e cpu-clock -o program.data -- ./program 2>/dev/null
expect_samples program.data

# Packed recordings and dumps read like the others, from files and from a pipe.
plain=$("$hardmeter" report -i program.data)
for pack in gzip xz zstd; do
  has $pack || continue
  $pack -c program.data >program.$pack
  expect "a recording packed by $pack" "$plain" "$("$hardmeter" report -i program.$pack)"
  expect "a recording packed by $pack, from a pipe" "$plain" "$("$hardmeter" report -i - <program.$pack)"
  head -c 100 program.$pack >cut
  expect_match "a recording packed by $pack and cut" "cannot read cut: its $pack data is damaged or cut off" "$("$hardmeter" report -i cut 2>&1)"
done
gzip -c </dev/zero | head -c 200000 >bomb.gz
expect_match "a recording that unpacks to too much" 'cannot read bomb.gz: its .* of gzip data unpack to more than .*, the limit' "$("$hardmeter" report -i bomb.gz 2>&1)"

# The names of the kernel do not depend on whether the recording went through a pipe.
if [ "$(head -c 16 /proc/kallsyms)" != 0000000000000000 ]; then
  perf record -q -e cpu-clock -o - -- dd if=/dev/zero of=/dev/null bs=1M count=20000 2>/dev/null >pipe.data
  expect_match "the kernel's functions in a pipe" '[a-z_]+ +\[kernel.kallsyms\]' "$("$hardmeter" report -i - --dso '[kernel.kallsyms]' <pipe.data | grep -v '\[kernel\]')"
else
  skipped "the kernel's functions in a pipe: /proc/kallsyms hides their addresses"
fi

# Programs of other processors at the place of the recorded one: their instructions are shown, and not as those of x86.
# other MACHINE TARGET REGEX; the machine's name has 7 bytes with its end if it has one, as many as "x86_64" and its end.
other() {
  clang --target=$2 -O1 -g -static -nostdlib -Wl,-Ttext=0x411000 -fuse-ld=lld -Wl,-z,max-page-size=4096 -Wl,-z,separate-code \
    -o other program.c 2>/dev/null || { skipped "no program for $1 can be built here"; return; }
  sed "s/x86_64\x00/$1/" program.data >other.data
  cp program kept && cp other program
  found=$("$hardmeter" annotate -i other.data sum_of_prices 2>&1; "$hardmeter" explain -i other.data 2>&1)
  expect_match "instructions of $1" "$3" "$found"
  expect "instructions of x86 in a program for $1" "" "$(grep -E '%[er]?[abcd]x|%al' <<<"$found")"
  cp kept program
}
if has clang ld.lld; then
  other aarch64 aarch64-linux-gnu 'ldrb +w[0-9]+, \[x'
  other ppc64le powerpc64le-linux-gnu 'lbzx? '
  other 'armv7l\x00' armv7l-linux-gnueabi 'ldrb +r[0-9]+, \['
  other 'mips64\x00' mips64-linux-gnuabi64 'lbu? +\$'
  other riscv64 riscv64-linux-gnu 'cannot disassemble riscv64 code|lbu +a'
fi

# A Go program without symbols and debug information has the same lines and inlined functions as with them.
if has go; then
  cat >main.go <<'GO'
package main

import "fmt"

type order struct{ price, id int64 }

func price(o *order) int64 { return o.price }

//go:noinline
func sumOfPrices(orders []order, step int) (sum int64) {
	for i := 0; i < 1500000; i++ {
		sum += price(&orders[(i*step)%len(orders)])
	}
	return
}

func main() { fmt.Println(sumOfPrices(make([]order, 1<<20), 4099)) }
GO
  export GO111MODULE=off GOCACHE=$work/cache HOME=$work
  go build -o whole main.go && go build -ldflags="-s -w" -o stripped main.go || expect "go build" 0 $?
  for each in whole stripped; do
    "$hardmeter" record -q --pmu=soft -e l1_cache_miss -c 1000 -o $each.data -- ./$each >/dev/null
    "$hardmeter" report -i $each.data -s line --limit 1 | awk 'END { print $5 }' >$each.line
    "$hardmeter" annotate -i $each.data main.sumOfPrices | grep -oE 'main.go:[0-9]+' | sort -u >$each.lines
  done
  expect "the hottest line of a stripped Go program" "$(cat whole.line)" "$(cat stripped.line)"
  expect "the lines of a stripped Go program" "$(cat whole.lines)" "$(cat stripped.lines)"
  expect_match "an inlined function's line in it" 'main.go:7' "$(cat stripped.lines)"
fi
finish
