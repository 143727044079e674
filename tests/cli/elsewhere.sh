#!/bin/bash
# SPDX-License-Identifier: MIT
# Recordings of other machines: --symfs, --debug-dir, programs built again, archives: elsewhere.sh HARDMETER
. "$(dirname "$0")/common.sh"
export HOME=$work PERF_BUILDID_DIR=$work/kept

cat >work.c <<'END'
static volatile unsigned long sum;
static volatile char memory[1 << 22];
__attribute__((noinline)) void walk_of_FIRST(void) {
  for (int round = 0; round < ROUNDS; ++round)
    for (unsigned i = 0; i < sizeof memory; i += 64) sum += memory[i];
}
int main(void) {
  walk_of_FIRST();
  return 0;
}
END
sed 's/FIRST/SECOND/; s/ROUNDS/4000/' work.c >other.c  # perf samples it by time
sed -i 's/ROUNDS/8/' work.c
mkdir srv && gcc -O1 -g -o srv/service "$work/work.c" && gcc -O1 -g -o srv/later other.c || expect "gcc" 0 $?
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -o recorded.data -- "$work/srv/service"
rows() { "$hardmeter" report "$@" --limit 0 | grep -E '^ *[0-9.]+%'; }
expect_match "at its path" 'walk_of_FIRST +service' "$(first_row -i recorded.data)"

# Compressed debug information, in the program or in a file of its own.
gcc -O1 -g -gz=zlib -o srv/packed "$work/work.c" && objcopy --only-keep-debug srv/packed srv/packed.debug &&
  gcc -O1 -g -gz=zlib -o srv/stripped "$work/work.c" && objcopy --only-keep-debug srv/stripped srv/stripped.debug &&
  objcopy --strip-debug --add-gnu-debuglink=srv/stripped.debug srv/stripped
for program in packed stripped; do
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss -o $program.data -- "$work/srv/$program"
  "$hardmeter" archive -i $program.data -o $program.archive >/dev/null
  lines() { "$hardmeter" report --sort line --limit 1 -i "$1" | grep work.c; }
  expect_match "$program: lines" 'work.c:5' "$(lines $program.data)"
  expect "$program: lines of the archive" "$(lines $program.data)" "$(lines $program.archive)"
done

# An archive has the program, its lines and its source, and is a recording for perf, too.
"$hardmeter" archive -i recorded.data -o whole.data >archive.txt
expect "archive" 0 $?
expect_match "what archive says" 'programs, libraries and symbol maps' "$(cat archive.txt)"

# A program that was built again: one row and one sentence instead of a row for each instruction.
mkdir -p "root$work/srv" by-build by-name && cp srv/service "root$work/srv/" && cp srv/service by-name/
build=$(readelf -n srv/service | sed -n 's/.*Build ID: *//p')
mkdir -p "by-build/.build-id/${build:0:2}" && cp srv/service "by-build/.build-id/${build:0:2}/${build:2}"
mv srv/later srv/service
other=$(readelf -n srv/service | sed -n 's/.*Build ID: *//p')
"$hardmeter" report -i recorded.data >again.txt
expect_match "built again" "'$work/srv/service' was built again since: build ID $build needed, $other found" "$(cat again.txt)"
expect "rows of a program that was built again" 1 "$(rows -i recorded.data --dso service | wc -l)"
expect_match "the row" '\[service, built again since\] +service' "$(rows -i recorded.data --dso service)"

for options in "--symfs root" "--symfs by-name --symfs root" "--debug-dir by-build" "--debug-dir by-name"; do
  # shellcheck disable=SC2086
  expect_match "$options" 'walk_of_FIRST +service' "$(first_row -i recorded.data $options)"
done
# A root folder in which the program's folder is an absolute link, as /lib is in some distributions.
mkdir -p "linked${work%/*}" "linked/real/srv" && cp "root$work/srv/service" linked/real/srv/ && ln -s /real "linked$work"
expect_match "--symfs with an absolute link" 'walk_of_FIRST +service' "$(first_row -i recorded.data --symfs linked)"
expect_match "a folder that is none" 'no folder' "$("$hardmeter" report -i recorded.data --symfs nowhere 2>&1)"

# The archive needs neither the program nor the source.
rm -r srv work.c
expect_match "archive: report" 'walk_of_FIRST +service' "$(first_row -i whole.data)"
"$hardmeter" annotate -i whole.data walk_of_FIRST >annotated.txt
expect_match "archive: source text" 'sum \+= memory\[i\]' "$(cat annotated.txt)"
"$hardmeter" check -i whole.data >/dev/null
expect "check of an archive" 0 $?
if has perf; then
  expect_match "perf reads an archive" 'l1_cache_miss' "$(perf report -i whole.data --stdio 2>&1)"
fi
expect_match "an archive of an archive" 'programs' "$("$hardmeter" archive -i whole.data -o again.data)"
rm whole.data
expect_match "archive of an archive: report" 'walk_of_FIRST +service' "$(first_row -i again.data)"

# An archive of a part of a recording is refused, and leaves no file.
head -c 3000 again.data >short.data
"$hardmeter" archive -i short.data -o never.data 2>error.txt
expect "archive of a part" 1 $?
[ ! -e never.data ] || expect "archive of a part" "no file" "never.data"
expect_match "archive onto itself" 'writes another one' "$("$hardmeter" archive -i again.data -o again.data 2>&1)"

# perf's cache: a recording of perf whose program is gone.
mkdir moved && gcc -O1 -g -o moved/service other.c
if PERF_BUILDID_DIR="" perf record -q -F 4000 -e cpu-clock -o perf.data -- "$work/moved/service" >/dev/null 2>&1; then
  rm -r moved
  expect_match "perf's cache" 'walk_of_SECOND' "$(PERF_BUILDID_DIR="" "$hardmeter" report -i perf.data --limit 3)"
else
  skipped "there is no working perf here"
fi
# A program that was put into perf's cache later, and the archive of perf for another machine.
mkdir later && gcc -O1 -g -o later/service other.c
if has perf tar && perf record -q -N -F 4000 -e cpu-clock -o later.data -- "$work/later/service" >/dev/null 2>&1; then
  export PERF_BUILDID_DIR=$work/perfs
  perf --buildid-dir "$work/perfs" buildid-cache --add "$work/later/service" || expect "perf buildid-cache" 0 $?
  build=$(readelf -n later/service | sed -n 's/.*Build ID: *//p')
  rm -r later
  if [ -e "$work/perfs/.build-id/${build:0:2}/${build:2}" ]; then
    expect_match "a program added to perf's cache" 'walk_of_SECOND' "$("$hardmeter" report -i later.data --limit 3)"
    tar -C perfs -cf perfs.tar . && mkdir unpacked && tar -C unpacked -xf perfs.tar && rm -r perfs
    expect_match "perf's cache, unpacked elsewhere" 'walk_of_SECOND' "$(PERF_BUILDID_DIR=$work/unpacked "$hardmeter" report -i later.data --limit 3)"
  else
    skipped "this perf adds no program to its cache"
  fi
fi
# A program without a build ID that was changed after the recording.
cd "$work" && mkdir -p unnamed
sed 's/SECOND/FIRST/' other.c >first.c && sed -i 's/4000/8/' first.c other.c
gcc -O1 -g -Wl,--build-id=none -o unnamed/service first.c
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -o unnamed.data -- "$work/unnamed/service"
expect_match "without a build ID" 'walk_of_FIRST +service' "$(first_row -i unnamed.data)"
"$hardmeter" archive -i unnamed.data -o unnamed.archive >/dev/null
gcc -O1 -g -Wl,--build-id=none -o unnamed/service other.c
expect_match "changed since: the row" '\[service, built again since\] +service' "$(first_row -i unnamed.data)"
expect_match "changed since: the sentence" "'$work/unnamed/service' was changed after the recording, and has no build ID" "$("$hardmeter" report -i unnamed.data)"
expect_match "changed since: trusted" 'walk_of_' "$(first_row -i unnamed.data --trust-files)"
expect_match "changed since: archived before" 'walk_of_FIRST +service' "$(first_row -i unnamed.archive)"

# A program that is gone: one row, and no advice to install the names of a stripped one.
rm unnamed/service
"$hardmeter" report -i unnamed.data >gone.txt
expect "rows of a program that is gone" 1 "$(rows -i unnamed.data --dso service | wc -l)"
expect_match "the row" '\[service, not found\] +service' "$(cat gone.txt)"
expect "no stripped names" 0 "$(grep -c stripped gone.txt)"

# An archive has split and shared parts of debug information.
cat >split.c <<'END'
static volatile unsigned cells[1 << 20];
static inline unsigned long step(unsigned i) { return cells[(i * 7919u) % (1u << 20)]; }
__attribute__((noinline)) unsigned long outer(int rounds) {
  unsigned long sum = 0;
  while (rounds--) for (unsigned i = 0; i < 1u << 20; i += 16) sum += step(i);
  return sum;
}
int main(void) { return outer(2) & 1; }
END
archived() {  # archived NAME FILES...: the inlined function is found in the archive without these files
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss -o "$1.data" -- "./$1" || expect "status of $1" 0 $?
  expect_match "$1: here" "step +$1" "$(first_row -i "$1.data")"
  "$hardmeter" archive -i "$1.data" -o "$1.archive" >/dev/null
  rm "$@"
  expect_match "$1: in the archive" "step +$1" "$(first_row -i "$1.archive")"
}
for version in 4 5; do
  gcc -O2 -g -gdwarf-$version -gsplit-dwarf -o split$version split.c && archived split$version split$version*.dwo
done
gcc -O2 -g -gsplit-dwarf -o zipped split.c
objcopy --compress-debug-sections=zlib zipped*.dwo && archived zipped zipped*.dwo
# A .dwo file of a later build is not used.
gcc -O2 -g -gsplit-dwarf -o later split.c
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -o later_dwo.data -- ./later
sed 's/step/newer/g; s/7919u/7907u/' split.c >newer.c && cp newer.c split_newer.c && mv split.c split_old.c && mv newer.c split.c
gcc -O2 -g -gsplit-dwarf -o another split.c && cp another-split.dwo later-split.dwo && mv split_old.c split.c
expect "names of a later build" 0 "$("$hardmeter" report -i later_dwo.data | grep -c newer)"
packer=$(command -v llvm-dwp || command -v llvm-dwp-14)
if [ -n "$packer" ]; then
  # LLVM 14's does not end with the DWARF 5 of GCC.
  gcc -O2 -g -gdwarf-4 -gsplit-dwarf -o packed split.c
  if timeout 60 "$packer" -e packed -o packed.dwp; then
    rm packed*.dwo
    objcopy --compress-debug-sections=zlib packed.dwp && archived packed packed.dwp
  else
    skipped "a package of split debug information: $packer does not make one"
  fi
else
  skipped "a package of split debug information: there is no llvm-dwp"
fi
if has dwz; then
  # libdw does not open a common file without types.
  { printf '%s\n' '#include <stdio.h>' '#include <time.h>' 'struct { FILE *file; struct tm date; } used;'; cat split.c; } >shared.c
  sed 's/outer/further/' shared.c >further.c
  gcc -O2 -g -o shared shared.c && gcc -O2 -g -o further further.c
  dwz -m common.dwz shared further 2>/dev/null && archived shared common.dwz
else
  skipped "shared debug information: there is no dwz"
fi
finish
