#!/bin/bash
# SPDX-License-Identifier: MIT
# An installation under a prefix works from there, for pkg-config, CMake and Python. installed.sh BUILD SOURCE
set -u
build=$1
source=$2/examples/self_measuring
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$build" --strip --prefix "$prefix" >"$work/log" 2>&1 || { tail -n 3 "$work/log"; fail "cmake --install"; }
cd "$work" || exit 1
unset HARDMETERRC
export HOME=$work PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
hardmeter=$prefix/bin/hardmeter

# The tool finds its engines.
engines=direct
[ -e "$build/libexec/hardmeter/hardmeter-amd64-linux" ] && engines+=" valgrind"
for engine in $engines; do
  "$hardmeter" record -q --pmu=soft --engine=$engine -e l1_cache_miss -c 100 -o true.data true || fail "record --engine=$engine"
done

# Also in a folder with characters in its name that the dynamic linker treats as a separator, and shells as special.
elsewhere="$work/somebody's own: folder"
cp -r "$prefix" "$elsewhere"
for engine in $engines; do
  said=$("$elsewhere/bin/hardmeter" record -q --pmu=soft --engine=$engine -e l1_cache_miss -c 100 -o true.data true 2>&1) ||
    fail "record --engine=$engine in another folder: $said"
  [ -z "$said" ] || fail "record --engine=$engine in another folder says: $said"
done

# The HTTP server library is loaded only when a command serves something: linking it would delay the start of every
# command.
linked=$(ldd "$hardmeter" | grep -E 'civetweb|microhttpd|gnutls')
[ -z "$linked" ] || fail "linked with $linked"

# Programs find the library.
cc "$source/region.c" $(pkg-config --cflags --libs hardmeter) -o by_pkg_config || fail "pkg-config"
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(programs C CXX)
find_package(hardmeter 0.1 REQUIRED)
add_executable(shared ${SOURCE}/region.c)
target_link_libraries(shared hardmeter::hardmeter)
add_executable(static ${SOURCE}/region.c)
target_link_libraries(static hardmeter::static)
add_executable(cc ${SOURCE}/region.cc)
target_link_libraries(cc hardmeter::hardmeter)
C
cmake -S . -B programs -DSOURCE="$source" -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 && cmake --build programs >>log 2>&1 ||
  { tail -n 5 log; fail "find_package"; }
measured() {  # NAME WHAT PROGRAM...: checks the measurement
  local name=$1 what=$2
  shift 2
  "$hardmeter" record --pmu=soft -e l1_cache_miss -c 1000 -o region.data "$@" 2>said || fail "$name: $(cat said)"
  grep -q "collected: $what the program's region load (entered 1 time)" said || fail "$name: $(cat said)"
}
for program in ./by_pkg_config programs/shared programs/static programs/cc; do measured "$program" only "$program" load; done

if command -v python3 >/dev/null; then
  cat >region.py <<'P'
import ctypes
hardmeter = ctypes.CDLL("libhardmeter.so.0")
assert hardmeter.hardmeter_start(b"load") == 0
print(sum(range(1000)))
assert hardmeter.hardmeter_stop() == 0
P
  measured Python "all until the first region, and in that thread then only" python3 region.py
else
  echo "SKIPPED: python3 is not installed"
fi

# The library exports exactly the names of the version script, each with its version.
exported=$(nm -D --defined-only "$prefix/lib/libhardmeter.so.0" | awk '{ print $3 }' | grep -v '^HARDMETER_1.0$' | sort)
[ "$(grep -vc '@@HARDMETER_1.0$' <<<"$exported")" = 0 ] || fail "exported without a version: $(grep -v '@@' <<<"$exported")"
declared=$(grep -ohE '(hardmeter|pqos)_[a-z_]+\(' "$prefix"/include/hardmeter/{hardmeter,llc}.h | tr -d '(' | sort -u)
[ "$declared" = "$(sed 's/@@.*//' <<<"$exported" | sort -u)" ] || fail "declared and exported differ: $(diff <(echo "$declared") <(sed 's/@@.*//' <<<"$exported"))"
for standard in c11 c17 gnu2x; do
  printf '#include <hardmeter/%s.h>\n' hardmeter llc | cc -std=$standard -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c -I"$prefix/include" - || fail "the header in $standard"
done
printf '#include <hardmeter/%s>\n' region.hpp llc.h | c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ -I"$prefix/include" - || fail "the header in C++11"
echo "all as expected"
