#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures the table "The page" of bench/README.md: page.sh [HARDMETER]. Takes about 4 GB of disk, Chromium, and npm's
# packages.
set -eu
cd "$(dirname "$0")/.."
hardmeter=$(realpath "${1:-build/bin/hardmeter}")
examples=$(realpath build/examples)
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r ui "$work/ui"
(cd "$work/ui" && npm ci --silent --no-audit --no-fund)
cd "$work"

row() { node "$source/bench/page.mjs" "$work/ui" "$@"; }

printf '| what | asked | measured |\n|---|---|---|\n'
"$hardmeter" record -q --pmu=soft -e memory_moves -c 1 -o points.data -- "$examples/gather" >/dev/null
row frames "$hardmeter" points.data

"$hardmeter" record -q --pmu=soft -e l1_cache_miss,dtlb_load_miss,memory_stores -c 2 -o samples.data -- "$examples/gather" >/dev/null
sync  # avoids disk writes during the measurement
# The first run is slower: probably the host has to allocate memory for the server.
for _ in 1 2 3; do row usable "$hardmeter" samples.data; done

"$hardmeter" record -q --pmu=soft -g -e l1_cache_miss,l2_cache_miss,dtlb_load_miss -o pg.data -- "$source/examples/postgresql/run.sh" >/dev/null 2>&1
"$hardmeter" report --html pg.html -i pg.data
row file "$work/pg.html"
