#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails (exit status 3) where the program misses the cache more than baseline.json says. $1 is hardmeter.
#   REGRESSION=1 check.sh   builds the program with a mistake, which is found
#   SAVE=1 check.sh         measures anew what the baseline says
set -eu
hardmeter=$(realpath "$(command -v "${1:-hardmeter}")")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make -s -C "$here" OUT="$work" REGRESSION="${REGRESSION:-}"
cd "$work"

# A given machine, not this one; no environment variables, which would move the counts.
env -i "$hardmeter" record -q --pmu=soft --cpu=zen4 -e l1_cache_miss -c 200 -o table.data ./table >sum.txt

if [ -n "${SAVE:-}" ]; then
  "$hardmeter" diff --save-baseline "$here/baseline.json" table.data
else
  cp "$here/baseline.json" .
  "$hardmeter" diff -e l1_cache_miss,l2_cache_miss,instr_retired --fail-above l1_cache_miss:5% \
    --fail-above l1_cache_miss@add_up:20% --fail-above l2_cache_miss/kinst:+0.5 baseline.json table.data
fi
