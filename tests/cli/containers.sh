#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs in containers have names, while they run and after they have ended: containers.sh HARDMETER
# A container here is a mount namespace with its own root folder, and a PID namespace.
tests=$(cd "$(dirname "$0")" && pwd)
. "$tests/common.sh"
. "$tests/containers_common.sh"

make_root first service
start_container first /app/service
# Each recording has a cache of its own, so that only its own copies name it.
record_service() {
  local name=$1
  shift
  PERF_BUILDID_DIR=$work/kept_$name "$hardmeter" record -q -p "$service" -o "$name.data" --duration 1s "$@"
}
row_of() { PERF_BUILDID_DIR=$work/kept_$1 first_row -i "$1.data"; }
recorded=(soft)
record_service linux --pmu=linux -e clock 2>linux.txt && recorded+=(linux) || skipped "the kernel's PMU: $(tail -1 linux.txt)"
record_service soft --pmu=soft -e l1_cache_miss
record_service never --pmu=soft -e l1_cache_miss --keep-symbols=never
"$hardmeter" top -n 5 -p "$service" >top.txt 2>&1
expect_match "top" 'walk_of_FIRST .*service' "$(cat top.txt)"
# Without its cache, perf leaves the look-up to the reader.
if perf record -q -N -B -F 2000 -e cpu-clock -o perf.data -p "$service" -- sleep 1 2>/dev/null; then
  expect_match "a recording of perf, while the process lives" 'walk_of_FIRST .*service' "$(first_row -i perf.data)"
else
  skipped "there is no working perf here"
fi
for each in "${recorded[@]}" never; do
  expect_match "$each, while the process lives" 'walk_of_FIRST .*service' "$(row_of $each)"
done

# The program in the container is replaced and then removed while it runs.
cp other first/app/new && mv first/app/new first/app/service
"$hardmeter" top -n 5 -p "$service" >top.txt 2>&1
expect_match "top, program replaced" 'walk_of_FIRST' "$(cat top.txt)"
rm first/app/service
record_service removed --pmu=soft -e l1_cache_miss
stop "$service"
for each in "${recorded[@]}" removed; do
  expect_match "$each, after the process has ended" 'walk_of_FIRST .*service' "$(row_of $each)"
done
expect "names without copies, after the process has ended" 0 "$(row_of never | grep -c walk_of)"

# A file of the same path outside is not taken for that of the container.
mkdir -p host "first$work/host"
cp other host/service
cp service "first$work/host/service"
start_container first "$work/host/service"
"$hardmeter" top -n 5 -p "$service" >top.txt 2>&1
expect_match "top, another file of that path outside" 'walk_of_FIRST' "$(cat top.txt)"
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -p "$service" -o same.data --duration 1s
stop "$service"
expect_match "another file of that path outside" 'walk_of_FIRST' "$(first_row -i same.data)"

# Two containers with different programs of the same path and process number.
make_root one service
make_root two other
start_container one /app/service
one=$service
start_container two /app/service
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -p "$one,$service" -o both.data --duration 2s
stop "$one"
stop "$service"
for each in "$one FIRST" "$service SECOND"; do
  expect_match "two containers, $each" "walk_of_${each#* } .*service" \
    "$("$hardmeter" report -i both.data --pid "${each% *}" --limit 1)"
done

# A program that is started in a container is followed into it.
sed 's/600/2/' service.c >short.c
gcc -O1 -g -static -o short short.c
make_root run short
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -o run.data -- unshare -mpf sh enter.sh "$work/run" /app/service
expect_match "a program started in a container" 'walk_of_FIRST .*service' "$(first_row -i run.data)"
finish
