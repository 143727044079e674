#!/bin/bash
# SPDX-License-Identifier: MIT
# Compares all sizes of a cache in one pass with a simulation of one size, over the memory accesses of real programs:
# bench/stack_distances.sh [BUILD]
set -eu
build=$(realpath "${1:-build}")
cmake --build "$build" --target product stack_distances >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
head -c 60000 /usr/share/common-licenses/GPL-3 >text
record() { "$build/bin/hardmeter" record -q --pmu=soft -e memory_loads,memory_stores -c 1 --no-heap-blocks -o "$@" >/dev/null; }
record bzip2 bzip2 -k text
record perl perl -e 'my %c; while (<>) { $c{$_}++ for split } print scalar(keys %c), "\n"' text

echo "$(date +%F), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r); million accesses a second"
echo
echo "| program | accesses | 1024 sets, 16 ways, as modelled | the same, most recent line first | 128 to 16384 sets, 1 to 16 ways | times one | one set in 8 | median error, % | intervals that hold, % |"
echo "|---|---|---|---|---|---|---|---|---|"
"$build/bench/stack_distances" bzip2 perl | sed 's/^/| /; s/ \([0-9]\)/ | \1/g; s/$/ |/'
