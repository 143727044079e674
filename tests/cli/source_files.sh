#!/bin/bash
# SPDX-License-Identifier: MIT
# Source files that are not at the paths in debug information: source_files.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_software_pmu

mkdir -p build/shop/src && cd build/shop || exit 1
cat >src/prices.c <<'CC'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  long n = 1 << 18, sum = 0;
  long *prices = calloc(n, sizeof *prices);
  for (long i = 0; i < n; i += 8) sum += prices[i]; /* the line of the misses */
  printf("%ld\n", sum);
}
CC
# made NAME FLAGS...: a recording NAME.data of the program built in this folder
made() {
  local name=$1
  shift
  gcc -O1 -g "$@" -o "$work/$name" && "$hardmeter" record -q --pmu=soft -e l1_cache_miss -o "$work/$name.data" "$work/$name" >/dev/null 2>&1
}
made absolute "$PWD/src/prices.c"
made relative src/prices.c
made cwd "-ffile-prefix-map=$PWD=/proc/self/cwd" "$PWD/src/prices.c"
made dot "-ffile-prefix-map=$PWD=." "$PWD/src/prices.c"
made other "-ffile-prefix-map=$PWD=/home/runner/work/shop" "$PWD/src/prices.c"
cd "$work" && mkdir -p elsewhere && mv build/shop moved && cp -r moved/src elsewhere/ && rmdir build

# shows NAME OPTIONS...: annotate shows the line of the misses
shows() {
  local name=$1
  shift
  "$hardmeter" annotate -i "$work/$name.data" -S main "$@" >"$work/shown" 2>&1
  expect_match "source of $name $*" 'the line of the misses' "$(cat "$work/shown")"
}
hides() {
  "$hardmeter" annotate -i "$work/$1.data" -S main >"$work/shown" 2>&1
  expect "no source of $1" 0 "$(grep -c 'the line of the misses' "$work/shown")"
}

for name in absolute relative cwd dot other; do
  mkdir -p "$work/empty" && cd "$work/empty" && hides "$name"
  cd "$work/moved" && shows "$name"
done
cd "$work/moved" && shows absolute
expect_match "that it is guessed" "^# source $work/build/shop/src/prices.c: src/prices.c, guessed" "$(cat "$work/shown")"
json=$("$hardmeter" annotate --json -i "$work/other.data" -S main | python3 -c 'import json, sys; print(json.load(sys.stdin)["moved_sources"])')
expect "the guess in JSON" "[{'file': '/home/runner/work/shop/src/prices.c', 'path': 'src/prices.c', 'guessed': True}]" "$json"

cd "$work/empty" || exit 1
shows absolute --source-map "$work/build/shop=$work/moved"
expect "nothing is guessed" 0 "$(grep -c guessed "$work/shown")"
shows relative --source-map "$work/build/shop=$work/moved"  # the folder in which the compiler ran
shows cwd --source-map /nowhere=/x --source-map "/proc/self/cwd=$work/moved"
shows dot --source-map ".=$work/moved"
shows other --source-map /home=/x --source-map "/home/runner/work/shop/=$work/elsewhere/"
"$hardmeter" export --format callgrind -i "$work/other.data" --source-map "/home/runner/work/shop=$work/moved" -o mapped.callgrind
expect_match "the export's files" "fl=\([0-9]+\) /*$work/moved/src/prices.c" "$(cat mapped.callgrind)"
"$hardmeter" explain --json -i "$work/other.data" --source-map "/home/runner/work/shop=$work/moved" >explained
expect_match "explain's files" "$work/moved/src/prices.c" "$(cat explained)"
"$hardmeter" report --json -s line -i "$work/other.data" --source-map "/home/runner/work/shop=$work/moved" >reported
expect_match "report's files" "prices.c:6" "$(cat reported)"
"$hardmeter" annotate -i "$work/other.data" --source-map /x 2>wrong
expect "status of a rule without =" 2 $?
expect_match "its message" "'/x' is no rule for source files; give FROM=TO" "$(cat wrong)"

# A source that is missing, newer than the program, or too short.
hides other
expect_match "a missing source" '^# source /home/runner/work/shop/src/prices.c: not found on this machine' "$(cat "$work/shown")"
touch -d '+1 hour' "$work/moved/src/prices.c"
shows other --source-map "/home/runner/work/shop=$work/moved"
expect_match "a newer source" "^# source $work/moved/src/prices.c: is newer than the program, so the lines may be others" "$(cat "$work/shown")"
mkdir "$work/short" && echo 'int main;' >"$work/short/prices.c"
"$hardmeter" annotate --json -i "$work/other.data" -S main --source-map "/home/runner/work/shop/src=$work/short" >short.json
expect_match "a source that is too short" '"problem": "has no line [0-9]+ here, so it is another version"' "$(cat short.json)"

# Two files that are as good: none is guessed.
mkdir -p "$work/twins/a" "$work/twins/b" && cp "$work/moved/src/prices.c" "$work/twins/a/" && cp "$work/moved/src/prices.c" "$work/twins/b/"
cd "$work/twins" && hides other
finish
