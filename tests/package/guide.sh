#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the commands of docs/guide.md in their order, with the library and tool installed in a folder. guide.sh BUILD
# SOURCE
set -u
build=$1
source=$2
skip() { echo "SKIPPED: the guide: $*"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }

command -v dpkg-source >/dev/null || skip "dpkg-source is not installed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null || fail "cmake --install"
export HOME=$work PATH="$work/prefix/bin:$PATH" PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
cd "$source" || fail "no $source"

# The guide's commands are in sh blocks; its folder is replaced by a temporary one.
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/guide.md | sed "s|/tmp/guide|$work/guide|g" >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 20 ] || fail "the guide has no commands"

# The first command fetches and builds; this may fail here without a mirror.
build_redis=$(head -n 1 "$work/commands")
bash -eu -c "$build_redis" >"$work/build.log" 2>&1 ||
  { grep -q 'source cannot be fetched' "$work/build.log" && skip "Redis's source cannot be fetched"; cat "$work/build.log"; fail "$build_redis"; }
bash -eu -o pipefail "$work/commands" >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; fail "the guide's commands"; }

# Checks the outputs that the guide shows.
shows() { grep -qE -- "$1" "$work/out" || { cat "$work/out" "$work/err"; fail "nothing shows: $1"; }; }
shows 'samples attributed to the instruction before'
shows 'dict\.c:[0-9]+ +(he = d->ht_table|if \(key==he->key)'
shows 'only the program.s region load \(entered 1 time\)'
shows 'heap block of _dictExpand \(dict\.c:[0-9]+\), dictEntry\*'
shows 'pattern  random_table'
shows '^l1_cache_miss .* -[1-9][0-9]\.[0-9]% +exact'
[ "$(grep -c 'DB loaded from disk' "$work/err")" -ge 10 ] || fail "a server did not load its data"
