#!/bin/bash
# SPDX-License-Identifier: MIT
# hardmeter ci: commands of hardmeter.toml against their baselines; exit statuses; git bisect run. ci.sh HARDMETER
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
needs_engine
can_measure --reproducible "a defined machine" || exit 77
has gcc || exit 77

# walk() misses the first level of the cache at each of STEPS steps.
cat >walk.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) long walk(volatile char *table, long steps) {
  long sum = 0;
  for (long i = 0; i < steps; i++) sum += table[i * 4099 & ((1 << 20) - 1)];
  return sum;
}
int main(int words, char **word) {
  volatile char *table = calloc(1 << 20, 1);
  if (words > 1) printf("%s\n", word[1]);
  if (isatty(0) || isatty(1) || isatty(2)) walk(table, 100000);
  return walk(table, STEPS) != 0;
}
C
build() { gcc -O1 -g -static "-DSTEPS=$1" -o "${2:-walk}" walk.c; }  # STEPS [PROGRAM]
build 20000
build 20000 other
cat >hardmeter.toml <<'T'
event = ["instr_retired", "l1_cache_miss"]
count = 1
fail-above = ["l1_cache_miss:5%"]

[[command]]
name = "walk"
run = ["./walk"]
fail-above = ["l1_cache_miss:5%", "l1_cache_miss@walk:10%", "l1_cache_miss/kinst:+2"]

[[command]]
name = "other"
run = ["../other", "two words", "",
  "a line\nend"]
folder = "folder"
seed = 7
T
mkdir folder
cp hardmeter.toml good.toml

# ci EXPECTED ARGUMENTS...: checks the exit status; leaves standard output in $out and standard error in $said.
ci() {
  local expected=$1
  shift
  out=$("$hardmeter" ci "$@" 2>said.txt </dev/null)
  local found=$?
  said=$(cat said.txt)
  expect "status of: ci $*; it said: $said" "$expected" $found
}
# refused REGEX ARGUMENTS...: status 2 and one line on standard error.
refused() {
  local message=$1
  shift
  ci 2 "$@"
  expect "one line for $message: $said" 1 "$(wc -l <said.txt)"
  expect_match "why" "$message" "$said"
}
# with LINE: hardmeter.toml is the good one with this line for all commands.
with() { { echo "$1"; cat good.toml; } >hardmeter.toml; }

# variant EXPRESSION [FILE]: hardmeter.toml is the good one, or the file, changed by sed.
variant() { sed "$1" "${2:-good.toml}" >hardmeter.toml; }

# Without baselines nothing runs.
refused "^hardmeter: walk: there is no baseline hardmeter-baselines/walk.json; run .hardmeter ci --update. to make it$"
ci 0 --list
expect_match "the list" "^other: ../other 'two words' ''" "$out"
expect_match "the list" '^  limits: l1_cache_miss:5%, l1_cache_miss@walk:10%, l1_cache_miss/kinst:\+2$' "$out"
ci 0 --update
expect "what was written" "walk: wrote hardmeter-baselines/walk.json
other: wrote hardmeter-baselines/other.json" "$out"
expect "files" "other.json walk.json" "$(ls hardmeter-baselines | tr '\n' ' ' | sed 's/ $//')"
expect_match "arguments as they are written" '"a line\\nend"' "$(cat hardmeter-baselines/other.json)"

# Unchanged: to the event.
ci 0
expect "no message" "" "$said"
expect_match "a table" '^walk +l1_cache_miss +[0-9,]+ +[0-9,]+ +0 +\+0.0% +kept \(5%\)$' "$out"
expect_match "a function" '^walk +l1_cache_miss@walk +.* kept \(10%\)$' "$out"
expect_match "an event without a limit" '^other +instr_retired +([0-9,]+) +\1 +0 +\+0.0% +no limit$' "$out"
USER=somebody LONGER=$(printf '%3000s' '') ci 0
expect_match "the environment changes nothing" '^walk +instr_retired +([0-9,]+) +\1 +0 +\+0.0% +no limit$' "$out"
if has script; then
  script -qec "$tool ci" /dev/null >terminal.txt 2>&1
  expect "a terminal changes nothing" 0 $?
fi

# A change that adds misses.
build 40000
ci 3
expect_match "the table" '^walk +l1_cache_miss +.* exceeded \(5%\)$' "$out"
expect_match "which function" '^# walk: l1_cache_miss grew most in walk, walk: \+[0-9,]+, from' "$out"
expect_match "the message" '^hardmeter: walk: limit l1_cache_miss:5% exceeded: ' "$said"
expect_match "the other command" '^other .* kept \(5%\)$' "$out"
ci 0 --only other
ci 3 --only walk

# Several memory layouts, each with its own baseline.
{ echo 'layouts = 3'; sed 's/l1_cache_miss:5%/l1_cache_miss:1%/' good.toml; } >layouts.toml
ci 0 --config layouts.toml --list
expect "the layouts of both commands" 2 "$(grep -c '^  layouts: 3$' <<<"$out")"
build 20000
ci 0 --config layouts.toml --baselines layouts --update --only walk
expect "what was written" "walk: wrote layouts/walk.json
walk: wrote layouts/walk@1.json
walk: wrote layouts/walk@2.json" "$out"
ci 0 --config layouts.toml --baselines layouts --only walk
expect_match "an unchanged program" '^walk +l1_cache_miss +.* kept \(1%\)$' "$out"
build 20400
ci 3 --config layouts.toml --baselines layouts --only walk
expect_match "2 % more" '^hardmeter: walk: limit l1_cache_miss:1% exceeded: ' "$said"
rm layouts/walk@1.json
refused "there is no baseline layouts/walk@1.json; run .hardmeter ci --update. to make it$" --config layouts.toml --baselines layouts --only walk
with 'layouts = 0'
refused "line 1: --layouts: '0' is not a whole number from 1 to 1000"
cp good.toml hardmeter.toml
build 40000

# The formats of CI services, against schemas.
if python3 -c 'import jsonschema' 2>why_not; then
  for format in sarif:3 junit:4 github:3 bencher:2 benchmark-action:4; do
    ci 3 --format "${format%%:*}"
    echo "$out" >formatted
    expect "${format%%:*}" "${format##*:}" "$(python3 "$here/ci_formats.py" "${format%%:*}" formatted 2>&1 | tail -n 1)"
  done
else
  skipped "the formats of CI services: python3-jsonschema is not installed"
fi
ci 3 --format json --write markdown=table.md --write junit=table.xml
expect_match "JSON" '"name": "walk"' "$out"
expect_match "Markdown beside it" '^\| walk \| l1.*\*\*exceeded \(5%\)\*\* \|$' "$(cat table.md)"
expect_match "JUnit beside it" 'classname="hardmeter.walk"' "$(cat table.xml)"
refused 'nothing=file is not FORMAT=FILE' --write nothing=file

# A new baseline accepts the change.
ci 0 --update --only walk
ci 0
build 20000
ci 0  # fewer misses
ci 0 --update
cp -r hardmeter-baselines kept
ci 0 --baselines kept

# Wrong input.
for case in "sede = 3|line 1: unknown setting 'sede'; did you mean 'seed'" "cpu = 'zen99'|unknown processor 'zen99': use host, " \
  "reproducible = 'x86-64-v9'|line 1: .*x86-64-v9" "run = ['x']|line 1: run belongs below" \
  "[section]|line 1: sections are \[\[command\]\]" "baselines = 3 4|line 1: " "seed = ['a', 'b']|line 1: seed takes one value"; do
  with "${case%%|*}"
  refused "^hardmeter: hardmeter.toml: .*${case#*|}"
done
variant 's/name = "other"/name = "walk"/'
refused 'line 10: two commands have the name walk$'
variant 's/name = "other"/name = "..\/other"/'
refused 'line 10: the name of a command has letters, digits'
variant 's/"instr_retired"/"nonsense"/'
refused "hardmeter.toml: line 5: .*'nonsense'"
variant 's/l1_cache_miss:5%/l1_cache_miss/'
refused "cannot read the limit 'l1_cache_miss': "
echo 'cpu = "zen4"' >hardmeter.toml
refused 'it has no command; add'
rm hardmeter.toml
refused '^hardmeter: cannot open hardmeter.toml: No such file or directory$'
mkdir hardmeter.toml
refused 'hardmeter.toml is not a regular file$'
rmdir hardmeter.toml
cp good.toml hardmeter.toml
refused "hardmeter.toml has no command 'wlak'; did you mean 'walk'" --only wlak
variant 's/"folder"/"nowhere"/'
refused 'cannot enter the folder nowhere: ' --only other
cp good.toml hardmeter.toml

# Baselines of something else, and files that are none.
with 'seed = 1'
ci 2 --only walk
expect_match "another seed" 'cannot check limits: hardmeter-baselines/walk.json was measured on x86-64-v3, seed 0 and this run on x86-64-v3, seed 1; measure both with the same' "$said"
with 'reproducible = "x86-64-v2"'
ci 2 --only walk
expect_match "another processor" 'on x86-64-v3, seed 0 and this run on x86-64-v2, seed 0' "$said"
with 'cpu = "zen3"'
ci 2 --only walk
expect_match "other caches" 'was measured on the copying engine with L1I .* and this run on .*; measure both with the same engine and the same --cpu' "$said"
cp good.toml hardmeter.toml
: >hardmeter-baselines/walk.json
refused 'is empty'
echo '{"kind": "hardmeter baseline", "schema": 1, ' >hardmeter-baselines/walk.json
refused 'hardmeter-baselines/walk.json'
rm hardmeter-baselines/walk.json
mkdir hardmeter-baselines/walk.json
refused 'hardmeter-baselines/walk.json'
rm -r hardmeter-baselines
cp -r kept hardmeter-baselines

# A program that fails: one sentence, its last lines, and status 1. The others are compared nevertheless.
cat >failing.toml <<'T'
[[command]]
name = "walk"
run = ["sh", "-c", "echo some reason; exit 9"]
event = "l1_cache_miss"
[[command]]
name = "other"
run = ["../other", "two words", "", "a line\nend"]
event = ["l1_cache_miss"]
folder = "folder"
seed = 7
T
ci 1 --config failing.toml
expect "the failure" "walk: | some reason
hardmeter: walk: the program sh ended with status 9, so its counts are not those of a whole run" "$said"
expect_match "in the table" '^walk +failed$' "$(sed 's/  */ /g' <<<"$out" | sed 's/ $//')"
expect_match "the other command" '^other +l1_cache_miss .* no limit$' "$out"
ci 1 --config failing.toml --update
expect_match "a failure gives no baseline" 'walk: the program sh ended with status 9' "$said"
expect "the old baseline" "" "$(diff kept/walk.json hardmeter-baselines/walk.json)"
variant 's/exit 9/kill -SEGV $$/' failing.toml
ci 1 --only walk
expect_match "a signal" 'walk: the program sh was ended by signal 11, so' "$said"
variant 's/"sh", .*/"no-such-program"]/' failing.toml
ci 1 --only walk
expect_match "no program" 'no-such-program' "$said"

# git bisect run names the commit that adds misses. One commit cannot be built: 125 skips it.
if has git; then
  mkdir repository && cd repository || exit 1
  git() { command git -c user.name=T -c user.email=t@localhost "$@" >git.txt 2>&1 || { cat git.txt; expect "git $*" 0 1; }; }
  git init --quiet --initial-branch=main .
  printf '[[command]]\nname = "walk"\nrun = ["./walk"]\nevent = "l1_cache_miss"\nfail-above = "l1_cache_miss:5%%"\n' >hardmeter.toml
  for commit in 1 2 3 4 5 6 7 8; do
    case $commit in
      3) sed "s/int main/& int/" ../walk.c >walk.c ;;  # does not compile
      5 | 6 | 7 | 8) sed "s/steps; i++/2 * &/" ../walk.c >walk.c ;;
      *) cp ../walk.c walk.c ;;
    esac
    echo "/* $commit */" >>walk.c
    git add walk.c hardmeter.toml
    git commit --quiet --message="commit $commit"
    git tag "c$commit"
  done
  git checkout --quiet c1
  gcc -O1 -g -static -DSTEPS=20000 -o walk walk.c
  "$hardmeter" ci --update --baselines ../of-bisect >update.txt
  expect "the baseline of the first commit" 0 $?
  cat >../bisect.sh <<S
gcc -O1 -g -static -DSTEPS=20000 -o walk walk.c 2>/dev/null || exit 125
"$hardmeter" ci --baselines ../of-bisect
status=\$?
[ \$status = 0 ] || [ \$status = 3 ] || exit 125
exit \$status
S
  git bisect start c8 c1
  command git bisect run sh ../bisect.sh >../bisect.txt 2>&1
  expect "status of git bisect run" 0 $?
  expect_match "the commit that adds misses" "^$(command git rev-parse c5) is the first bad commit" "$(cat ../bisect.txt)"
  cd ..
fi
# A measured function that is gone, and a baseline of another part of the run.
mkdir parts && cd parts
cat >program.c <<'C'
static char data[1 << 20];
__attribute__((noinline)) int NAME(volatile char *from) {
  int sum = 0;
  for (int i = 0; i < 1 << 20; i += 64) sum += from[i];
  return sum;
}
int main(void) { return NAME(data); }
C
gcc -O1 -g -DNAME=measured -o program program.c
printf '[[command]]\nname = "part"\nrun = ["./program"]\nfunction = "measured"\nfail-above = "l1_cache_miss:5%%"\n' >hardmeter.toml
"$hardmeter" ci --update >said 2>&1
expect "a part: the baseline" 0 $?
"$hardmeter" ci >said 2>&1
expect "a part: $(cat said)" 0 $?
grep -v function hardmeter.toml >whole.toml
"$hardmeter" ci --config whole.toml >said 2>&1
expect "another part: status" 2 $?
expect_match "another part" "only inside measured, and this run has the whole run; measure the same part in both" "$(cat said)"
gcc -O1 -g -DNAME=renamed -o program program.c
"$hardmeter" ci >said 2>&1
expect "the function is gone: status" 1 $?
expect_match "the function is gone" "has a function measured in its symbols, so nothing was collected" "$(cat said)"
cp hardmeter-baselines/part.json before.json
"$hardmeter" ci --update >said 2>&1
expect "no baseline of nothing: status" 1 $?
expect "no baseline of nothing" "" "$(cmp before.json hardmeter-baselines/part.json)"
cd ..
finish
