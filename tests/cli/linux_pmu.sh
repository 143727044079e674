#!/bin/bash
# SPDX-License-Identifier: MIT
# The kernel's PMU: its counts are right, each target and option works, every refusal is one sentence.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/linux.sh"
need_root_and_perf_events

# Known counts.
few=$(count page-faults faults 0)
expect_between "2000 pages touched" 1990 2020 "$(($(count page-faults faults 2000) - few))"
expect_between "300 times asleep" 300 3000 "$(count context-switches sleeps 300)"  # a busy host switches more often
address=0x$(nm "$programs/targets" | awk '$3 == "watched" { print $1 }')
if [ "$(perf stat -x, -e "mem:$address/8:w" "$programs/targets" stores 777 2>&1 >/dev/null | cut -d, -f1)" != 0 ]; then
  for stores in 0 1 777; do
    expect "stores to a watched address" "$stores" "$(count "mem:$address/8:w" -u stores "$stores")"
  done
else
  skipped "breakpoints notice nothing here, for perf neither"
  expect_match "the error for breakpoints" "^hardmeter: cannot measure mem:$address/8:w: .* report no access" \
    "$("$hardmeter" stat -e "mem:$address/8:w" -- "$programs/targets" stores 777 2>&1)"
fi
if [ -e /sys/kernel/tracing/events/sched ] || mount -t tracefs none /sys/kernel/tracing 2>/dev/null; then
  expect "forks" 123 "$(count sched:sched_process_fork children 123)"
  expect "no forks of children without inheritance" 1 "$(count sched:sched_process_fork -i tree 1)"
  "$hardmeter" record -q -a -e sched:sched_switch -o switches.data -- "$programs/targets" sleeps 50
  expect_samples switches.data
  perf_reads switches.data 'prev_comm='
else
  skipped "tracepoints: there is no tracing file system here"
fi
"$hardmeter" stat --json -o group.json -e '{clock,page-faults}' -- "$programs/targets" faults 500
expect_between "a group counts each" $((few + 490)) $((few + 520)) "$(python3 -c 'import json; print(json.load(open("group.json"))["totals"]["page-faults"])')"

# Each target: the samples name the intended threads.
sampled() { "$hardmeter" report -i "$1" --sort comm | awk '$1 ~ /%$/ { print $NF }' | sort | tr '\n' ' '; }
record() {
  "$hardmeter" record -q -e clock -c 1ms "$@" 2>said
  expect_status 0 "record $*"
}
record -o command.data -- "$programs/targets" spin 3 100
expect "threads of a command" "spin" "$(sampled command.data | grep -o spin)"
"$programs/targets" late 3 200 &
process=$!
wait_until catches 10 "$process" "$programs/targets"
"$hardmeter" record -q -e clock -c 1ms -o late.data -p "$process" 2>said &
recorder=$!
wait_until test -s late.data
kill -USR1 "$process"
end_of "$recorder"
expect_status 0 "record -p of a process that makes threads later"
# A thread has its parent's name until it sets its own.
expect_match "threads that a process makes later" '^late (targets )?$' "$(sampled late.data)"
expect_samples late.data
perf_reads late.data late

"$programs/targets" spin 2 60000 &
process=$!
wait_until has_threads "$process" 3
thread=$(ls "/proc/$process/task" | sort -n | tail -n 1)
"$hardmeter" record -q -e clock -c 1ms -o thread.data -t "$thread" &
wait_until has_samples thread.data
kill -TERM $!
wait $!
expect_status 143 "a recording that is ended"
expect "a thread alone" "$thread" "$("$hardmeter" report -i thread.data --sort thread | grep -oE '\([0-9]+\)' | tr -d '()')"
"$hardmeter" stat --json -o twice.json -e clock -p "$process,$process" &
wait_until catches 15 $! "$hardmeter"
sleep 1  # the maximum counting time
kill -TERM $!
wait $!
# Two threads run: at most twice the time, if they count once.
expect "a process named twice counts once" True "$(python3 -c 'import json; d=json.load(open("twice.json")); print(d["totals"]["clock"] < 3 * d["elapsed_ns"])')"
# A running process for a limited time: by a program beside it, as perf does, or by the clock. The process continues.
elapsed_ms() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["elapsed_ns"] // 1000000)' "$1"; }
for limit in '-- sleep 0.5' '--duration 500ms'; do
  # shellcheck disable=SC2086
  "$hardmeter" stat --json -o limited.json -e clock -p "$process" $limit
  expect_status 0 "stat -p $limit"
  expect_between "milliseconds of -p $limit" 490 20000 "$(elapsed_ms limited.json)"
  # shellcheck disable=SC2086
  record -o limited.data -p "$process" $limit
  expect_samples limited.data
  expect_match "who is measured by -p $limit" '^(spin |targets )+$' "$(sampled limited.data)"
done
expect_match "where the process ends, nothing waits for the program beside it" '^ok$' \
  "$(sleep 0.3 & timeout 20 "$hardmeter" record -q -e clock -o ended.data -p $! -- sleep 60 && echo ok)"
record -o cpu.data -C 0 -- sleep 0.3
expect "samples of one CPU" "[000]" "$(perf_or_skip script -i cpu.data -F cpu | sort -u | tr -d ' ')"
record -o all.data -a -- sleep 1
expect_match "the whole system" 'spin' "$(sampled all.data)"
kill "$process"
wait "$process" 2>/dev/null

# A control group, if one can be created.
cgroups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=hardmeter-test-$$
if [ -n "$cgroups" ] && mkdir "$cgroups/$group" 2>/dev/null; then
  trap 'rmdir "$cgroups/$group"; rm -rf "$work"' EXIT
  (echo $BASHPID >"$cgroups/$group/cgroup.procs" && exec "$programs/targets" spin 1 60000) &
  inside=$!
  "$programs/targets" late 1 60000 &
  outside=$!
  wait_until catches 10 "$outside" "$programs/targets"
  kill -USR1 "$outside"
  for process in $inside $outside; do wait_until has_threads "$process" 2; done
  record -o group.data -G "$group" -- sleep 1
  expect_match "a control group" spin "$(sampled group.data)"
  expect "who is outside of it" "" "$(sampled group.data | grep -E 'late|sh|sleep')"
  kill "$inside" "$outside"
  wait "$inside" "$outside" 2>/dev/null
else
  skipped "-G: no control group (version 2) can be made here"
fi

# Modes, frequencies, call chains, pipes.
busy='i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'
record -o user.data -u -- sh -c "$busy"
expect "user mode alone" "" "$(perf_or_skip script -i user.data -F ip | grep '^ *ffff')"
record -o kernel.data -k -- "$programs/targets" faults 50000
expect "kernel mode alone" "" "$(perf_or_skip script -i kernel.data -F ip | grep -vE '^ *(ffff|$)')"
expect_samples kernel.data
"$hardmeter" record -q -e clock -F 2000 -o frequency.data -- sh -c "$busy"
expect_samples frequency.data
record --call-graph fp -o fp.data -- sh -c "$busy"
expect_match "call chains" '"callchain_ips": [1-9]' "$("$hardmeter" check --json -i fp.data)"
record --call-graph dwarf,2048 -o dwarf.data -- sh -c "$busy"
expect_match "copies of the stack" '[1-9][0-9]* samples' "$(perf_or_skip script -i dwarf.data -F ip,sym | grep -c . | sed 's/$/ samples/')"
"$hardmeter" record -q -e clock -o - -- sh -c "$busy" | "$hardmeter" report -i - >piped.txt
expect "record -o - | report" "0 0" "${PIPESTATUS[*]}"
expect_match "record -o - | report" '[0-9]%.*(sh|dash|bash|libc)' "$(cat piped.txt)"
for file in command late thread cpu all user kernel frequency fp dwarf; do perf_reads "$file.data" .; done

# Each refusal is one sentence.
refused() {  # STATUS REGEX ARGUMENTS...
  local status=$1 regex=$2
  shift 2
  said=$($as "$hardmeter" "$@" 2>&1)
  expect "status of: $as $*; it said: $said" "$status" $?
  expect_match "the refusal of: $*" "^hardmeter: .*$regex" "$said"
  expect "lines" 1 "$(wc -l <<<"$said")"
}
as=
refused 1 'no such process' record -e clock -p 4194303
refused 1 'no such process' record -e clock -t 4194303
refused 1 'CPU is not online' record -e clock -C 8000 true
refused 1 "cgroup 'no-such'" record -e clock -G no-such true
refused 1 'unknown event no:such' record -e no:such true
refused 1 'omit -u' stat -u -e context-switches true
refused 2 'exclude each other' record -e clock -c 1ms -F 100 true
refused 2 'is a time' record -e page-faults -c 1ms true
printf '#!/no/such/interpreter\n' >broken
chmod +x broken
for command in record stat; do refused 126 "cannot run './broken'.*interpreter" $command -e clock ./broken; done

# Another user gets the permissions of kernel.perf_event_paranoid, and the remedy for the rest.
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
chmod 777 "$work"
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$paranoid" != 2 ] || ! $as test -x "$hardmeter" -a -x "$programs/targets"; then
  skipped "another user: kernel.perf_event_paranoid is $paranoid (2 is tested), or the programs are not shown to him"
  finish
fi
$as "$hardmeter" record -e clock -c 1ms -o other.data -- "$programs/targets" spin 2 100 2>said
expect_status 0 "another user's recording"
expect_match "what he does not get" 'user mode only: measuring the kernel is not permitted' "$(cat said)"
expect_samples other.data
refused 1 'only root may measure whole CPUs; run as root, or sysctl' record -e clock -a true
refused 1 'only root may measure whole CPUs' record -e clock -C 0 true
refused 1 'only root may measure the kernel.*sysctl' record -e clock -k true
refused 1 'only root may measure the kernel' record -e clock:k true
refused 1 'kernel.perf_event_paranoid=1' stat -e context-switches true
refused 1 "another user's" record -e clock -p 1
refused 1 "another user's" record -e clock -t 1
refused 1 'root only; run as root' stat -e sched:sched_switch true
finish
