#!/bin/bash
# SPDX-License-Identifier: MIT
# What bench/README.md says of the page: page.sh [HARDMETER]. Takes some 4 GB of disk, Chromium, and npm's packages.
set -eu
cd "$(dirname "$0")/.."
hardmeter=$(realpath "${1:-build/bin/hardmeter}")
examples=$(realpath build/examples)
source=$PWD
work=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
cp -r ui "$work/ui"
(cd "$work/ui" && npm ci --silent --no-audit --no-fund)
cd "$work"

serve() {
  "$hardmeter" ui --no-browser "$1" >link 2>/dev/null &
  server=$!
  until [ -s link ]; do sleep 0.1; done
}
row() { node "$source/bench/page.mjs" "$work/ui" "$@"; }

printf '| what | asked | measured |\n|---|---|---|\n'
"$hardmeter" record -q --pmu=soft -e memory_moves -c 1 -o points.data -- "$examples/gather" >/dev/null
serve points.data
row frames "$(cat link)"
kill $server; wait $server 2>/dev/null || true; rm link

"$hardmeter" record -q --pmu=soft -e l1_cache_miss,dtlb_load_miss,l2_cache_miss -c 2 -o samples.data -- "$examples/gather" >/dev/null
serve samples.data
row usable "$(cat link)" $server "$(stat -c %s samples.data)"
kill $server; wait $server 2>/dev/null || true; rm link

"$hardmeter" record -q --pmu=soft -g -e l1_cache_miss,l2_cache_miss,dtlb_load_miss -o pg.data -- "$source/examples/postgresql/run.sh" >/dev/null 2>&1
"$hardmeter" report --html pg.html -i pg.data
row file "$work/pg.html"
