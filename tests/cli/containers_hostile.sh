#!/bin/bash
# SPDX-License-Identifier: MIT
# Files of containers are untrusted: links lead nowhere else, and pipes do not hang. Maps of compiled code are found under
# the number that the process has in its container: containers_hostile.sh HARDMETER
tests=$(cd "$(dirname "$0")" && pwd)
. "$tests/common.sh"
. "$tests/containers_common.sh"

# A program that runs code which it made in memory, as a just-in-time compiler does, and writes its map.
cat >compiler.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
// mov $0x400000,%rcx; mov %rdi,%rax; loop: movb (%rax),%dl; add $64,%rax; sub $64,%rcx; jnz loop; ret
static const unsigned char code[] = {0x48, 0xc7, 0xc1, 0, 0, 0x40, 0, 0x48, 0x89, 0xf8, 0x8a, 0x10, 0x48, 0x83,
                                     0xc0, 0x40, 0x48, 0x83, 0xe9, 0x40, 0x75, 0xf4, 0xc3};
static char memory[1 << 22];
int main(void) {
  void *place = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(place, code, sizeof code);
  char name[64];
  snprintf(name, sizeof name, "/tmp/perf-%d.map", getpid());
  FILE *map = getenv("NO_MAP") ? 0 : fopen(name, "w");
  if (map) fprintf(map, "%lx %zx compiled_walk\n", (unsigned long)place, sizeof code), fclose(map);
  for (time_t end = time(0) + 600; time(0) < end;) ((void (*)(void *))place)(memory);
  return 0;
}
END
gcc -O1 -g -static -o compiler compiler.c || expect "gcc" 0 $?

make_root jit compiler
start_container jit /app/service
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -p "$service" -o jit.data --duration 1s
expect_match "code in memory, while the process lives" 'compiled_walk' "$(first_row -i jit.data)"
stop "$service"
rm -r jit/tmp
expect_match "code in memory, after the end" 'compiled_walk' "$(first_row -i jit.data)"

export NO_MAP=1
# The map is a link that leads out of the root folder: absolute links start at the root, and relative ones stop there.
printf '%s\n' '0 7fffffffffff name_from_outside' >outside.map
for to in "$work/outside.map" "../../../../../../../../../..$work/outside.map"; do
  rm -rf link && make_root link compiler && ln -s "$to" link/tmp/perf-1.map
  start_container link /app/service
  "$hardmeter" record -q --pmu=soft -e l1_cache_miss -p "$service" -o link.data --duration 1s
  found=$(first_row -i link.data)
  expect_match "a link to $to" '^ *[0-9.]+%' "$found"
  ! grep -q name_from_outside <<<"$found" || expect "a link to $to" "not followed" "$found"
  stop "$service"
done

# A pipe in place of the map, and then also in place of the program.
make_root pipe compiler
mkfifo pipe/tmp/perf-1.map
start_container pipe /app/service
for place in tmp/perf-1.map app/service; do
  rm "pipe/$place" && mkfifo "pipe/$place"
  timeout 120 "$hardmeter" record -q --pmu=soft -e l1_cache_miss -p "$service" -o pipe.data --duration 1s
  expect "record, $place is a pipe" 0 $?
  timeout 120 "$hardmeter" report -i pipe.data >pipe.txt
  expect "report, $place is a pipe" 0 $?
done
stop "$service"
timeout 120 "$hardmeter" report -i pipe.data >pipe.txt
expect "report after the end, with pipes" 0 $?
finish
