#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that are deleted or rebuilt before their recording ends keep their names: deleted_programs.sh HARDMETER
. "$(dirname "$0")/common.sh"
export PERF_BUILDID_DIR=$work/kept

cat >work.c <<'END'
#include <stdlib.h>
static volatile unsigned long sum;
static volatile char memory[1 << 22];
__attribute__((noinline)) void walk_of_FIRST(void) {
  for (int round = 0; round < 8; ++round)
    for (unsigned i = 0; i < sizeof memory; i += 64) sum += memory[i];
}
int main(int count, char **words) {
  for (int round = words[0] && count > 1 ? 4000 : 1; round > 0; --round) walk_of_FIRST();
  return 0;
}
END
sed 's/FIRST/SECOND/' work.c >other.c
build() { gcc -O1 -g "-Wl,--build-id=$1" -o "$3" "$2" || expect "gcc" 0 $?; }
first_function() { "$hardmeter" report -i "$1" --limit 1 | grep -E '^ *[0-9.]+%'; }

for id in sha1 none; do
  build "$id" work.c program
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss -o "deleted-$id.data" -- sh -c './program; rm program'
  expect_match "a deleted program ($id)" 'walk_of_FIRST .*program' "$(first_function "deleted-$id.data")"
  build "$id" work.c program
  build "$id" other.c later
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss -o "rebuilt-$id.data" -- sh -c './program; mv later program'
  expect_match "a program built anew ($id)" 'walk_of_FIRST .*program' "$(first_function "rebuilt-$id.data")"
done
expect "kept files" 2 "$(find kept -name elf | wc -l)"

# Files that stay at their path are not copied.
rm -r kept
build sha1 work.c program
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -o stays.data -- ./program
[ ! -e kept ] || expect "files that stay" "not kept" "$(find kept)"

# With the kernel's PMU.
if "$hardmeter" record --pmu=linux -q -e clock -c 1ms -o linux.data -- sh -c './program long; rm program' 2>linux.txt; then
  expect_match "a deleted program, by the kernel's PMU" 'walk_of_FIRST .*program' "$(first_function linux.data)"
else
  skipped "the kernel's PMU: $(tail -1 linux.txt)"
fi
if command -v go >/dev/null; then
  mkdir go && printf '%s\n' 'package main' '' 'var memory [1 << 22]byte' 'var sum int' '' '//go:noinline' 'func walkOfGo() {' \
    '	for i := 0; i < len(memory); i += 64 {' '		sum += int(memory[i])' '	}' '}' '' 'func main() {' \
    '	for round := 0; round < 20; round++ {' '		walkOfGo()' '	}' '}' >go/main.go
  export GOCACHE=$work/cache GOFLAGS=-mod=mod
  go build -o built go/main.go  # otherwise the recording would include the compiler
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss -o go.data -- go run go/main.go
  expect_match "a program of go run" 'main\.walkOfGo' "$("$hardmeter" report -i go.data --comm main --limit 3)"
else
  skipped "there is no go here"
fi
# Programs that run on without their file: a library that is unlinked after dlopen, a program in memory, a program whose
# file is replaced while it runs.
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void *library = dlopen("./unpacked.so", RTLD_NOW);
  remove("unpacked.so");
  if (library != NULL) ((void (*)(void))dlsym(library, "walk_of_FIRST"))();
  return library == NULL;
}
END
gcc -O1 -g -o loads loads.c -ldl && gcc -O1 -g -shared -fPIC -o unpacked.so work.c || expect "gcc" 0 $?
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -o unpacked.data -- ./loads
expect_match "a library that is unlinked after dlopen" 'walk_of_FIRST .*unpacked' "$(first_row -i unpacked.data)"

cat >memory.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
  static char bytes[1 << 20];
  int file = open("program", O_RDONLY), memory = memfd_create("in_memory", MFD_CLOEXEC);
  ssize_t size = read(file, bytes, sizeof bytes);
  if (size <= 0 || write(memory, bytes, size) != size) return 1;
  char *words[] = {"in_memory", NULL};
  fexecve(memory, words, environ);
  return 1;
}
END
build sha1 work.c program
gcc -O1 -g -o memory memory.c || expect "gcc" 0 $?
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -o memory.data -- ./memory
expect_match "a program in memory" 'walk_of_FIRST .*in_memory' "$(first_row -i memory.data)"

build sha1 work.c service
build sha1 other.c upgraded
./service long & service=$!
mv upgraded service
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -p $service -o upgraded.data --duration 1s
kill $service
wait $service 2>/dev/null
expect_match "a program that is upgraded while it runs" 'walk_of_FIRST .*service' "$(first_row -i upgraded.data)"
finish
