#!/bin/bash
# SPDX-License-Identifier: MIT
# The cache map of a running process: successive windows, until the process ends. live_screens.sh tests the keys.
. "$(dirname "$0")/common.sh"

cat >walk.c <<'C'
#include <stdint.h>
#include <unistd.h>
enum { kPages = 64, kApart = 1 << 20 };  // so that with virtual addresses all go to one region
static _Alignas(1 << 20) volatile uint8_t memory[kPages][kApart];
int main(void) {
  for (;;) {
    for (int page = 0; page < kPages; ++page) {
      for (int i = 0; i < 4096; i += 64) ++memory[page][i];
    }
  }
}
C
if ! command -v cc >/dev/null; then
  skipped "there is no cc here"
  finish
fi
cc -O1 -g walk.c -o walk
./walk &
walk=$!
trap 'kill $walk $parent 2>/dev/null; rm -rf "$work"' EXIT
cache="--cache 1M,16,64"

said=$("$hardmeter" map -p $walk $cache --virtual --windows 3 --window 1s --columns 10 2>err)
expect "status of three windows" 0 $?
expect "what was said besides" "" "$(cat err)"
expect "maps of three windows" 3 "$(grep -c '^# cache: 1 MiB, 16 ways' <<<"$said")"
expect_match "the crowded region" '^ +[0-9]+ \|[#@]+\|  [1-6][0-9]\.[0-9]$' "$said"
expect_match "what crowds it" '^  objects +(9[0-9]|100)\.[0-9]%  global memory \(walk\)' "$said"
expect_match "the pressure" '^conflict: ' "$said"

json=$("$hardmeter" map -p $walk $cache --virtual --windows 2 --window 300ms --json)
expect "JSON of two windows" "2 virtual None" "$(python3 -c '
import json, sys
said = json.load(sys.stdin)
print(len(said["columns"]), said["addresses"], said["recording"])' <<<"$json")"
expect "CSV's head" "time_ns,region,ways" "$("$hardmeter" map -p $walk $cache --windows 1 --window 300ms --csv | head -n 1)"
if [ "$(id -u)" = 0 ] && [ -r /proc/self/pagemap ]; then
  expect_match "physical addresses where they may be read" 'by pages of 4 KiB, (physical|virtual) addresses' \
    "$("$hardmeter" map -p $walk $cache --windows 1 --window 300ms)"
fi

# The map ends with the process, also while the process is a zombie.
"$hardmeter" map -p $walk $cache --window 300ms >shown 2>err &
map=$!
wait_until grep -q '^# cache: ' shown
kill $walk
wait $walk 2>/dev/null
end_of $map
expect "status after the process's end" 0 $?
expect_match "the error at the end" "^hardmeter: process $walk does not exist any more" "$(cat err)"
"$hardmeter" map -p $walk $cache >/dev/null 2>err
expect "status of a process that is not there" 1 $?
expect "the error" "hardmeter: process $walk does not exist" "$(cat err)"
(./walk & echo $! >zombie; exec sleep 60) &
parent=$!
wait_until test -s zombie
kill "$(cat zombie)"
wait_until grep -q ') Z ' "/proc/$(cat zombie)/stat"
"$hardmeter" map -p "$(cat zombie)" $cache >/dev/null 2>err
expect "the error for a zombie" "hardmeter: process $(cat zombie) does not exist" "$(cat err)"
kill $parent

# No folder for the measurement.
TMPDIR=/no/such/folder "$hardmeter" map -p $$ $cache --windows 1 >out 2>err
expect "status without a temporary folder" 1 $?
expect_match "the error without a temporary folder" '^hardmeter: cannot create a folder' "$(cat err)"

# Wrong words.
for words in "-p 1 -i x.data" "-p 1 --sizes" "-p 1 --json" "-p 1 --window 3"; do
  "$hardmeter" map $words >out 2>err
  expect "status of map $words" 2 $?
  expect "map $words writes" "" "$(cat out)"
done
finish
