#!/bin/bash
# SPDX-License-Identifier: MIT
# Functions as programmers know them: inlined ones, inclusive shares, short names, functions of one name: function_names.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_engine

mkdir src && cd src || exit 1
cat >table.h <<'CC'
template <typename T> struct Table {
  T* cells;
  long size;
  long sum(long step) const {
    long total = 0;
    for (long i = 0; i < size; i += step) total += cells[i];
    return total;
  }
};
long even(const Table<int>& table, long depth);
CC
cat >one.cc <<'CC'
#include "table.h"
__attribute__((noinline)) static long helper(const int* at, long n) {
  long s = 0;
  for (long i = 0; i < n; i += 16) s += at[i];
  return s;
}
long run_one(const int* at, long n) { return helper(at, n); }
// Recursive: it is in each of its call chains several times.
__attribute__((noinline)) long even(const Table<int>& table, long depth) {
  return depth == 0 ? table.sum(16) : even(table, depth - 1) + depth;
}
CC
cat >two.cc <<'CC'
__attribute__((noinline)) static long helper(const int* at, long n) {
  long s = 1;
  for (long i = 0; i < n; i += 32) s ^= at[i];
  return s;
}
long run_two(const int* at, long n) { return helper(at, n); }
CC
cat >main.cc <<'CC'
#include <cstdio>
#include <cstdlib>
#include "table.h"
long run_one(const int*, long);
long run_two(const int*, long);
int main() {
  constexpr long kCells = 1 << 20;
  Table<int> table{static_cast<int*>(calloc(kCells, sizeof(int))), kCells};
  Table<char> bytes{reinterpret_cast<char*>(table.cells), kCells};
  long sum = run_one(table.cells, kCells) + run_two(table.cells, kCells) + even(table, 9) + bytes.sum(64);
  printf("%ld\n", sum);
}
CC
${CXX:-c++} -O2 -g -fno-optimize-sibling-calls -o ../names "$PWD"/one.cc "$PWD"/two.cc "$PWD"/main.cc || { skipped "there is no C++ compiler"; exit 77; }
cd ..
"$hardmeter" record -q --pmu=soft --engine=direct -g -e l1_cache_miss -c 50 -o names.data -- ./names >out || expect "record's status" 0 $?
report() { "$hardmeter" report -i names.data "$@"; }

# Inclusive counts: main is in each chain of the program's own code, and a recursive function once.
report --json >report.json
of() { python3 -c 'import json, sys
rows = [row for row in json.load(open("report.json"))["rows"] if row["short"] == sys.argv[1] and sys.argv[2] in row.get("file", "")]
print(len(rows), *[row[sys.argv[3]].get("l1_cache_miss") for row in rows])' "$1" "$2" "$3"; }
own() { of "$1" "$2" counts | cut -d' ' -f2; }
inclusive() { of "$1" "$2" inclusive | cut -d' ' -f2; }
expect "rows of main" 1 "$(of main '' counts | cut -d' ' -f1)"
expect "inclusive samples of a leaf" "$(own helper two.cc)" "$(inclusive helper two.cc)"
expect "inclusive samples of a recursive function" "$(($(own even '') + $(own 'Table<int>::sum(long) const' '')))" "$(inclusive even '')"
least=$(($(inclusive helper one.cc) + $(inclusive helper two.cc) + $(inclusive even '') + $(own 'Table<char>::sum(long) const' '')))
[ "$(inclusive main '')" -ge $least ] || expect "inclusive samples of main" "at least $least" "$(inclusive main '')"
expect_match "the table's head" '^ +self +inclusive +samples +events +function' "$(report)"
expect_match "the table's title" '^l1_cache_miss: ' "$(report)"
expect_match "the first row by inclusive shares" ' (100\.0|9[89]\.[0-9])% .*(_start|main)' "$(report --children | grep -A1 ' inclusive ' | tail -1)"
expect "inclusive shares that are not wanted" 0 "$(report --no-children | grep -c inclusive)"
expect "fields that are not wanted" 0 "$(report --sort line --json | grep -c inclusive)"
report --children --no-children 2>contradiction
expect "options that exclude each other" 2 $?

# Names: short as long as that tells functions apart.
expect_match "two functions of one template" '% .* Table<int>::sum\(long\) const' "$(report)"
expect_match "a full name" '% .* even\(Table<int> const&, long\)' "$(report --full-names)"
expect_match "a shown name that is asked for" '% .* even ' "$(report -S even)"
expect_match "an inlined function as it is shown" '% .*sum' "$(report -S 'Table<…>::sum')"

# Two functions of one name.
expect_match "rows of two functions of one name" 'helper \(one\.cc\)' "$(report)"
expect_match "rows of two functions of one name" 'helper \(two\.cc\)' "$(report)"
expect_match "the functions that annotate offers" '^#   two\.cc:helper.* in names: ' "$("$hardmeter" annotate -i names.data -S helper)"
for wanted in two.cc:helper 'helper (two.cc)'; do
  expect_match "annotate $wanted" ' two\.cc:3 ' "$("$hardmeter" annotate -i names.data -S "$wanted")"
done

# Limits of diff: one of the functions by its file, and a sentence for the name alone.
cp src/two.cc kept.cc && sed -i 's/i += 32/i += 8/' src/two.cc
mkdir grown && ${CXX:-c++} -O2 -g -fno-optimize-sibling-calls -o grown/names "$PWD"/src/one.cc "$PWD"/src/two.cc "$PWD"/src/main.cc
"$hardmeter" record -q --pmu=soft --engine=direct -e l1_cache_miss -c 50 -o grown.data -- grown/names >out
cp kept.cc src/two.cc
limit() { "$hardmeter" diff "$1" "$2" --fail-above "l1_cache_miss@$3:30%" >compared 2>said; status=$?; }
for before in names.data names.json; do
  [ $before = names.json ] && "$hardmeter" diff names.data --save-baseline names.json >/dev/null
  limit $before grown.data two.cc:helper
  expect "status of a limit on the function that has grown, since $before: $(cat said)" 3 $status
  limit $before grown.data 'helper (one.cc)'
  expect "status of a limit on its namesake, since $before: $(cat said)" 0 $status
done
expect_match "rows of diff" 'helper.*\(two\.cc\)' "$(cat compared)"
limit names.data grown.data helper
expect "status of a limit on a name of two functions" 2 $status
expect_match "the choices" "several functions are called 'helper'; name the file of one: one\.cc:helper, two\.cc:helper" "$(cat said)"
limit names.data grown.data three.cc:helper
expect "status of a limit on a function of no file" 1 $status
expect_match "the files that there are" 'the functions of this name with samples are one\.cc:helper, two\.cc:helper' "$(cat said)"

# Files of one base name are told apart by their folders.
mkdir -p twins/a twins/b
cat >twins/a/walk.cc <<'CC'
__attribute__((noinline)) static long walk(const char* at, long n) { long s = 0; for (long i = 0; i < n; i += 64) s += at[i]; return s; }
long run_a(const char* at, long n) { return walk(at, n); }
CC
sed 's/run_a/run_b/; s/s +=/s ^=/' twins/a/walk.cc >twins/b/walk.cc
echo '#include <cstdlib>
long run_a(const char*, long); long run_b(const char*, long);
int main() { char* cells = static_cast<char*>(calloc(1 << 20, 1)); return (run_a(cells, 1 << 20) + run_b(cells, 1 << 20)) & 1; }' >twins/main.cc
${CXX:-c++} -O2 -g -fno-optimize-sibling-calls -o twins/twins "$PWD"/twins/{a/walk,b/walk,main}.cc
"$hardmeter" record -q --pmu=soft --engine=direct -e l1_cache_miss -c 50 -o twins.data -- twins/twins
for each in a b; do
  expect_match "a row of functions of one name and one file name" "walk \\($each/walk\\.cc\\)" "$("$hardmeter" report -i twins.data)"
  expect_match "what annotate names" "^# +(function: )?$each/walk\\.cc:walk" "$("$hardmeter" annotate -i twins.data -S walk)"
  expect "functions that $each/walk.cc:walk leaves" 0 "$("$hardmeter" annotate -i twins.data -S "$each/walk.cc:walk" | grep -c 'other functions')"
done

# Inlined functions in answers of other commands, and among suggestions.
expect_match "explain's place" 'Table<…>::sum \(in main\)  table\.h:6' "$("$hardmeter" explain -i names.data -S main)"
expect "explain's functions" "main" "$("$hardmeter" explain -i names.data --json -S main | python3 -c 'import json, sys
print(*{place["physical_function"] for event in json.load(sys.stdin)["events"] for place in event["places"]})')"
for wanted in 'Table<char>::sum' 'Table<char>::sum(long) const'; do
  expect_match "annotate $wanted" '^# function: Table<char>::sum\(long\) const, inlined into main in names' "$("$hardmeter" annotate -i names.data -S "$wanted")"
done
expect_match "annotate as it is shown" '^# function: Table<(int|char)>::sum\(long\) const, inlined into ' "$("$hardmeter" annotate -i names.data -S 'Table<…>::sum')"
expect "annotate of no inlined function" 0 "$("$hardmeter" annotate -i names.data -S main | grep -c 'inlined into')"
expect_match "explain of an inlined function" 'Table<…>::sum \(in main\)  table\.h:6' "$("$hardmeter" explain -i names.data -S 'Table<char>::sum')"
for question in map "timeline --stdio" "export --format=csv"; do
  # shellcheck disable=SC2086
  "$hardmeter" $question -i names.data -S 'Table<char>::sum' >found 2>&1
  status=$?
  expect "$question of an inlined function: $(head -3 found)" 0 $status
done
expect "exported samples of an inlined function" "$(own 'Table<char>::sum(long) const' '')" "$(($(wc -l <found) - 1))"
"$hardmeter" report -i names.data -S 'Table<char>::sun' 2>suggestion
expect_match "a suggestion" "did you mean 'Table<char>::sum'" "$(cat suggestion)"

# Callgrind: each function once, with the costs of report, also in the folder of the sources.
if command -v callgrind_annotate >/dev/null; then
  "$hardmeter" export --format=callgrind -i names.data -o names.callgrind
  estimated() { python3 -c 'import json, sys
for row in json.load(open("report.json"))["rows"]:
    if row["function"].split("(")[0] == sys.argv[1] and sys.argv[2] in row.get("file", ""): print(row[sys.argv[3]]["l1_cache_miss"])' "$1" "$2" "$3"; }
  for folder in . src; do
    for each in "main|" "even|" "Table<int>::sum|" "Table<char>::sum|" "run_one|" "helper|one.cc" "helper|two.cc"; do
      name=${each%|*} file=${each#*|}
      for kind in estimated inclusive_estimated; do
        inclusive=no && [ $kind = inclusive_estimated ] && inclusive=yes
        (cd $folder && callgrind_annotate --auto=no --show-percs=no --threshold=100 --inclusive=$inclusive "$OLDPWD/names.callgrind") | tr -d , >annotated.txt
        costs=$(awk -v file="$file:" -v name=":$name" '{ at = index($2, name); rest = substr($2, at + length(name), 1)
          if (at && (rest == "" || rest == "(") && (file == ":" || index($2, file))) print $1 }' annotated.txt)
        found=$(estimated "$name" "$file" $kind)
        [ "$found" = 0 ] && costs=${costs/./0} costs=${costs:-0}  # functions without own costs have a dot, or are not listed
        expect "$kind of $name in callgrind ($folder)" "$found" "$costs"
      done
    done
  done
else
  skipped "there is no callgrind_annotate here"
fi
# Names in scopes: the last components are enough, and a name is not a part of another one.
cat >scopes.cc <<'CC'
#include <cstdlib>
static int* cells;
static void touch(long i, long step) { cells[(i * step) & ((1 << 20) - 1)] += 1; }
namespace address {
struct Book {
  __attribute__((noinline)) void add(long times) { for (long i = 0; i < times; i++) touch(i, 7919); }
  __attribute__((noinline)) void add(int times, int more) { for (long i = 0; i < times + more; i++) touch(i, 7907); }
};
}  // namespace address
__attribute__((noinline)) void walk(address::Book&) { for (long i = 0; i < 40000; i++) touch(i, 7901); }
namespace shop { static inline __attribute__((always_inline)) void chase(long i) { touch(i, 7883); } }
namespace other { static inline __attribute__((always_inline)) void chase(long i) { touch(i, 7879); } }
__attribute__((noinline)) void one() {
  for (long i = 0; i < 20000; i++) shop::chase(i);
  auto first = [](long i) { touch(i, 7877); };
  for (long i = 0; i < 20000; i++) first(i);
}
__attribute__((noinline)) void two() {
  for (long i = 0; i < 20000; i++) other::chase(i);
  auto second = [](long i) { touch(i, 7873); };
  for (long i = 0; i < 20000; i++) second(i);
}
int main() {
  cells = static_cast<int*>(calloc(1 << 20, sizeof(int)));
  address::Book book;
  book.add(20000);
  book.add(10000, 10000);
  walk(book);
  one();
  two();
}
CC
${CXX:-c++} -O2 -g -o scopes scopes.cc
"$hardmeter" record -q --pmu=soft --engine=direct -e l1_cache_miss -c 20 -o scopes.data -- ./scopes
functions() { "$hardmeter" report --physical-functions -i scopes.data "$@" | grep -oE '(walk|address::Book::add|one|two)\([a-z:, A-Z&]*\)' | sort -u | paste -sd' '; }
for wanted in add Book::add address::Book::add; do
  expect "rows of $wanted" 'address::Book::add(int, int) address::Book::add(long)' "$(functions -S $wanted)"
done
expect "rows of one overload" 'address::Book::add(int, int)' "$(functions -S 'Book::add(int,int)' --full-names)"
for wanted in shop::chase other::chase; do
  expect_match "annotate $wanted" "^# function: $wanted(\(long\))?, inlined into (one|two)\(\) in scopes" "$("$hardmeter" annotate -i scopes.data "$wanted")"
  expect_match "a limit on $wanted" "^# limit l1_cache_miss@$wanted:90% " "$("$hardmeter" diff scopes.data scopes.data --fail-above "l1_cache_miss@$wanted:90%")"
done
"$hardmeter" diff scopes.data scopes.data --fail-above 'l1_cache_miss@chase:90%' 2>said
expect "a limit on two functions: status" 2 $?
expect_match "a limit on two functions" "'chase' is short for several functions; write more of the name of one: other::chase, shop::chase" "$(cat said)"
"$hardmeter" diff scopes.data scopes.data --fail-above 'l1_cache_miss@Book::ad:90%' 2>said
expect_match "a limit with a typing error" "called 'Book::ad'" "$(cat said)"
"$hardmeter" diff scopes.data scopes.data --fail-above 'l1_cache_miss@walc:90%' 2>said
expect_match "what was meant" "did you mean 'walk'" "$(cat said)"
expect_match "a limit on an overloaded method" '^# limit l1_cache_miss@Book::add:90% ' "$("$hardmeter" diff scopes.data scopes.data --fail-above 'l1_cache_miss@Book::add:90%')"

# Functions of one name in one header, and without debug information: the compiled files distinguish them.
mkdir units && cd units || exit 1
cat >common.h <<'CC'
static __attribute__((noinline)) void helper(volatile int* at, long step) { for (long i = 0; i < 20000; i++) at[(i * step) & ((1 << 20) - 1)] += 1; }
CC
echo '#include "common.h"
void run_x(int* at) { helper(at, 7919); }' >x.c
echo '#include "common.h"
void run_y(int* at) { helper(at, 7907); }' >y.c
echo '#include <stdlib.h>
void run_x(int*); void run_y(int*);
int main(void) { int* at = calloc(1 << 20, sizeof(int)); run_x(at); run_y(at); }' >main.c
${CC:-cc} -O1 -g -o with main.c x.c y.c && ${CC:-cc} -O1 -o without main.c x.c y.c
for program in with without; do
  "$hardmeter" record -q --pmu=soft --engine=direct -e l1_cache_miss -c 20 -o $program.data -- ./$program
  for unit in x y; do
    expect_match "$program debug information: helper of $unit" "helper \\($unit\\.c\\)" "$("$hardmeter" report -i $program.data)"
    expect_match "$program debug information: annotate $unit" "^# function: ($unit\\.c:)?helper in $program" "$("$hardmeter" annotate -i $program.data "$unit.c:helper")"
  done
done

# Lines of files that have one name.
mkdir a b
echo 'void run_a(volatile int* at) { for (long i = 0; i < 20000; i++) at[(i * 7919) & ((1 << 20) - 1)] += 1; }' >a/util.c
echo 'void run_b(volatile int* at) { for (long i = 0; i < 20000; i++) at[(i * 7907) & ((1 << 20) - 1)] += 1; }' >b/util.c
echo '#include <stdlib.h>
void run_a(int*); void run_b(int*);
int main(void) { int* at = calloc(1 << 20, sizeof(int)); run_a(at); run_b(at); }' >main.c
${CC:-cc} -O1 -g -o lines main.c a/util.c b/util.c
"$hardmeter" record -q --pmu=soft --engine=direct -e l1_cache_miss -c 20 -o lines.data -- ./lines
for folder in a b; do expect_match "a line of $folder" "$folder/util\\.c:1" "$("$hardmeter" report -s line -i lines.data)"; done
cd .. || exit 1
cd "$work" || exit 1

# Rust: the mangled names of generic functions lack their type arguments, which the debug information has.
if has rustc; then
  cat >generic.rs <<'RS'
#[inline(never)]
fn walk<T: Copy + std::ops::AddAssign + Default>(table: &[T]) -> T {
    let mut sum = T::default();
    for i in 0..200_000 { sum += table[i * 7919 % table.len()]; }
    sum
}
fn main() {
    println!("{} {}", walk(&vec![1u64; 1 << 20]), walk(&vec![1u32; 1 << 20]));
}
RS
  RUSTC_BOOTSTRAP=1 rustc -O -g -Z unstable-options -C symbol-mangling-version=legacy -o generic generic.rs || expect "rustc" 0 $?
  "$hardmeter" record -q --pmu=soft --engine=direct -e l1_cache_miss -c 20 -o generic.data -- ./generic >out
  for type in u32 u64; do
    expect_match "a generic function of Rust" "generic::walk(::)?<$type> " "$("$hardmeter" report -i generic.data)"
    expect_match "one that is asked for" "^# function: generic::walk(::)?<$type> in" "$("$hardmeter" annotate -i generic.data "walk<$type>")"
  done
fi
finish
