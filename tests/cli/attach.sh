#!/bin/bash
# SPDX-License-Identifier: MIT
# The software PMU in a running process has no visible effect on it, and leaves nothing behind: attach.sh HARDMETER
# PROGRAMS
. "$(dirname "$0")/common.sh"
needs_engine

# attached SECONDS OPTIONS...: attaches to $process; the messages are in `said`.
attached() { timeout 120 "$hardmeter" record --pmu=soft -e l1_cache_miss -p "$process" -o data "${@:2}" -- sleep "$1" >said 2>&1; }

# Checks that no mapping of the engine is left. The engine's address is unique.
is_clean() { ! grep -q ^554000 "/proc/$process/maps" && ! ls -l "/proc/$process/fd" 2>/dev/null | grep -q /hardmeter-; }
expect_clean() { is_clean || expect "$1: memory and files of the engine" none "$(grep ^554000 /proc/$process/maps; ls -l /proc/$process/fd)"; }

# begin PROGRAM...: starts a program in the background, and returns once it runs.
begin() {
  "$@" >out 2>&1 &
  process=$!
  wait_until test "/proc/$process/exe" -ef "$1"
}

begin "$2/busy_process" 600 16
wait_until catches 15 $process "$2/busy_process"
for round in 1 2 3 4 5; do
  attached 0.3
  status=$?
  expect "round $round: $(cat said)" 0 $status
  expect_clean "round $round"
done
attached 3 --burst-slots 4096 --gap-slots 200000
status=$?
expect "many bursts: $(cat said)" 0 $status
expect_samples data
expect_match "the function that computes" compute "$("$hardmeter" report -i data)"

attached 5 --budget 80%
status=$?
expect "a budget: $(cat said)" 0 $status
expect_samples data
expect_match "a budget: several episodes" "budget: ([2-9]|[1-9][0-9]+) episodes" "$(cat said)"
expect_match "a budget" "budget 80 %" "$("$hardmeter" report -i data)"
expect_clean "a budget"
timeout 120 "$hardmeter" record --budget 80% --until 40% -e l1_cache_miss -p "$process" -o data >said 2>&1
status=$?
expect "until precise: $(cat said)" 0 $status
expect_match "until precise" "until: the 5 hottest functions' shares are known to [0-9.]+ points" "$(cat said)"
expect_clean "until precise"

for moment in 0.15 0.3 0.45 0.6; do
  "$hardmeter" record --budget 80% -e l1_cache_miss -p "$process" -o killed.data -- sleep 60 >said 2>&1 &
  recorder=$!
  sleep $moment
  kill -KILL $recorder
  wait $recorder 2>/dev/null
  attached 2
  status=$?
  expect "after a recorder was killed: $(cat said)" 0 $status
  expect_clean "after a recorder was killed"
done

"$hardmeter" record --pmu=soft -e l1_cache_miss -p "$process" -o /dev/full --burst-slots 4096 --gap-slots 100000 -- sleep 30 \
  >said 2>&1
status=$?
expect "a full disk: $(cat said)" 1 $status
expect_match "a full disk" "No space left on device" "$(cat said)"
expect_clean "a full disk"
kill $process
wait $process
status=$?
expect "the program: $(cat out)" 0 $status
expect_match "the program" "^all right" "$(cat out)"

# A tree: a shell, a child that it has started, and a child that it starts during the measurement.
cat >spin.sh <<'SH'
sum=0
while :; do sum=$((sum + 1)); done
SH
bash -c 'bash spin.sh & sleep 3; bash spin.sh & wait' 2>/dev/null &
shell=$!
wait_until pgrep -P $shell -f spin.sh
timeout 120 "$hardmeter" record --budget 80% --tree -e memory_loads -p $shell -o data -- sleep 10 >said 2>&1
status=$?
expect "a tree: $(cat said)" 0 $status
programs=$(pgrep -P $shell -f spin.sh)
expect "a tree: programs" 2 "$(wc -w <<<"$programs")"
for process in $programs; do
  expect_match "a tree: process $process is in the recording" "\($process\)" "$("$hardmeter" report -i data -s process)"
  expect_clean "a tree"
done
kill $programs
end_of $shell

# A control group with a process, and one that joins during the measurement.
for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
  group=hardmeter-test-$$
  mkdir "$root/$group" 2>/dev/null || continue
  [ -e "$root/$group/cgroup.procs" ] && break
  rmdir "$root/$group"
  group=
done
if [ -z "$group" ] || [ ! -e "$root/$group/cgroup.procs" ]; then
  skipped "control groups: none can be made here"
else
  in_group() { bash -c "echo \$\$ >$root/$group/cgroup.procs && exec bash spin.sh" & }
  in_group
  wait_until grep -q . "$root/$group/cgroup.procs"
  { sleep 3; in_group; } &
  timeout 120 "$hardmeter" record --budget 80% -G "$group" -e memory_loads -o data -- sleep 10 >said 2>&1
  status=$?
  expect "a control group: $(cat said)" 0 $status
  programs=$(cat "$root/$group/cgroup.procs")
  expect "a control group: programs" 2 "$(wc -w <<<"$programs")"
  for process in $programs; do
    expect_match "a control group: process $process is in the recording" "\($process\)" "$("$hardmeter" report -i data -s process)"
    expect_clean "a control group"
  done
  kill $programs
  wait_until rmdir "$root/$group" 2>/dev/null
fi

begin "$(command -v sleep)" 60
attached 0.2
expect "a process that sleeps" 1 $?
expect_match "a process that sleeps" "no thread of the process ran" "$(cat said)"
attached 0.2 --detail exact
expect_match "exact" "not for running processes" "$(cat said)"
"$hardmeter" record --budget 5% -e l1_cache_miss -o data -- true >said 2>&1
expect_match "a budget of a command" "needs -p PID" "$(cat said)"
attached 0.2 --budget 0%
expect_match "no budget at all" "not a percentage above 0" "$(cat said)"
"$hardmeter" record --pmu=linux --budget 5% -e clock -p "$process" -o data -- true >said 2>&1
expect_match "the kernel's PMU" "the software PMU does" "$(cat said)"
kill $process
wait $process 2>/dev/null
attached 0.2
expect_match "a process that has ended" "No such process" "$(cat said)"
# Sandboxes: a process is attached to if its filters are known to let the engine work, and is left alone otherwise.
sandboxed() {
  begin "$2/sandboxes" "$1"
  sleep 0.5
  attached 2
  status=$?
  wait $process
  expect "$1: the program's status" 0 $?
  [ "$(id -u)" = 0 ] || skipped "$1: whether it is measured, as only root may read filters"
}
sandboxed container "$2"
expect "a container's filter: the program" "container: the same" "$(cat out)"
if [ "$(id -u)" = 0 ] && ! grep -q "may not read" said; then
  expect "a container's filter ($(cat said)): status" 0 $status
  expect_samples data
  expect_match "a container's filter: the function" work_long "$("$hardmeter" report -i data)"
fi
for way in trapping allow_list_long strict_long; do
  sandboxed $way "$2"
  expect_match "$way: the program" "the same" "$(cat out)"
  expect_match "$way: why it is not measured" "in a sandbox \(seccomp\) .*unmeasured" "$(cat said)"
done
finish
