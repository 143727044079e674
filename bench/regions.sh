#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures the cost of beginning and ending a region that a program marks itself: bench/regions.sh BUILD
set -eu
build=$(realpath "${1:-build}")
cmake --build "$build" --target product region_cost >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HARDMETERRC=$work/rc
rc() { printf 'cost.user 1\ncost.event clock\ncost.interval 1000000\ncost.dumpfile %s/dump\ncost.format %s\ncost.count %s\n' "$work" "$1" "$2" >"$HARDMETERRC"; }
row() { printf '| %s | %s | %s |\n' "$1" $2; }
program=$build/bench/region_cost
under() { "$build/bin/hardmeter" record -q --pmu=soft --engine="$1" -e l1_cache_miss -o "$work/data" "$program"; }

echo "$(date +%F), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r); microseconds, medians of 201"
echo
echo "| | start | stop |"
echo "|---|---|---|"
rc dump 2000
row "by itself, text dump, 2000 samples" "$("$program")"
rc dump 100000
row "by itself, text dump, 100,000 samples" "$("$program")"
rc perf 2000
row "by itself, perf's format, 2000 samples" "$("$program")"
for engine in direct valgrind; do row "under --engine=$engine" "$(under $engine)"; done
