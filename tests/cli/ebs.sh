#!/bin/bash
# SPDX-License-Identifier: MIT
# The original program's command: its syntax, its dump, and the same output from any recording.
. "$(dirname "$0")/common.sh"
programs=${2:?the folder of the test programs}
ebs=$(dirname "$hardmeter")/ebs

# The command from the original's report.
"$ebs" -o pebs -u -i 100 -t dtlb_load_miss ps >listed
expect "status" 0 $?
expect_match "the program's own output" 'PID' "$(cat listed)"
top=$(grep -v '^#' pebs | awk '{print $2}' | sort | uniq -c | sort -rn | head)
expect_match "the hot spots" '^ +[0-9]+ [0-9a-f]{16}' "$top"
for line in 'hardmeter dump 1' 'date: 20[0-9-]+ [0-9:]+' 'command: ps$' 'event: dtlb_load_miss' 'EBS type: precise' \
  'counter: software PMU' 'events per sample: (9[0-9]|10[0-9]) \(the mean, from [5-9][0-9] to 1[0-5][0-9]\)' 'samples to buffer: [0-9]+' 'sample type: user$' 'max samples: 2000$' \
  'samples collected: [1-9]' 'dropped samples: 0' 'sample filename: pebs$' \
  'rflags linear_ip rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15$'; do
  expect_match "the header" "^# $line" "$(grep '^#' pebs)"
done
expect "digits of a sample" "18 16" "$(grep -v '^#' pebs | awk '{ if (NF != n) n = NF; for (i = 1; i <= NF; i++) if (length($i) != w) w = length($i) } END { print n, w }')"
expect "samples that the header tells" "$(grep -cv '^#' pebs)" "$(awk '/^# samples collected:/ { print $4 }' pebs)"

# The dump is an ordinary recording.
expect_samples pebs
# A large TLB has few of these misses, so the test samples more often.
"$ebs" -o often -u -i 10 -t dtlb_load_miss ps >/dev/null
expect_match "functions" '[0-9]%.* (do_lookup_x|_dl_relocate_object|strcmp) +ld-linux' "$("$hardmeter" report -i often)"

# Limits, several options in one word, standard output.
"$ebs" -ui 10 -c 7 -tmemory_loads true >printed
expect "status" 0 $?
expect "samples at most" 7 "$(grep -cv '^#' printed)"
expect_match "printed" '^# sample filename: standard output$' "$(cat printed)"
"$ebs" -u -i 1000 -c 5 -t memory_loads sh -c 'exit 7' >/dev/null
expect "the program's status" 7 $?
"$ebs" -u -t memory_loads -o unwritten/pebs true 2>said
expect "status where it cannot be written" 1 $?
expect_match "the sentence" '^ebs: cannot create unwritten/pebs: No such file' "$(cat said)"

# A running process, and the kernel, if perf events are available.
if "$hardmeter" stat -e clock true >said 2>&1; then
  "$programs/targets" spin 1 60000 &
  process=$!
  wait_until test -e "/proc/$process"
  "$ebs" -u -i 1000000 -t clock -o attached "$process" &
  sampler=$!
  wait_until eval '[ "$(grep -cv "^#" attached)" -gt 10 ]'
  kill -TERM "$sampler"
  wait "$sampler"
  "$ebs" -u -i 1000000 -c 20 -t clock -o counted "$process" 2>said
  expect "status after so many samples" 0 $?
  expect_match "that it stopped" '^ebs: stopped at 20 samples: about ' "$(cat said)"
  expect_match "that it stopped, in the dump" '^# extent: stopped at 20 samples: about ' "$(cat counted)"
  expect_match "that it stopped, in a report" '^# stopped at 20 samples: about ' "$("$hardmeter" report -i counted)"
  expect "samples of a running process at most" 20 "$(grep -cv '^#' counted)"
  kill "$process"
  wait "$process" 2>/dev/null
  expect_match "a running process" "^# command: process $process\$" "$(cat attached)"
  expect_match "its samples" '[0-9]%.* targets' "$("$hardmeter" report -i attached)"
  if [ "$(id -u)" = 0 ]; then
    "$ebs" -k -i 100000 -t clock -o kernel ls -R /usr/lib >/dev/null 2>&1
    expect_match "kernel mode" '^# sample type: kernel$' "$(cat kernel)"
    expect "addresses below the kernel's" "" "$(grep -v '^#' kernel | awk '$2 !~ /^ffff/')"
    "$hardmeter" record -q -k -e clock -c 100us -o kernel.data ls -R /usr/lib >/dev/null
    "$hardmeter" export -i kernel.data --format=ebs -o kernel.ebs
    report_rows() { "$hardmeter" report -i "$1" | grep -v '^#'; }
    expect "functions of the kernel in a dump" "$(report_rows kernel.data)" "$(report_rows kernel.ebs)"
    if "$hardmeter" report -i kernel.data | grep -q '%.* finish_task_switch\|%.* do_syscall_64'; then
      expect_match "functions of the kernel" '%.* [a-z_0-9.]+ +\[kernel.kallsyms\]' "$(report_rows kernel)"
      expect "kernel samples without a name" "" "$(report_rows kernel | grep '\[unknown\]')"
    fi
  fi
else
  skipped "a running process: there are no perf events here: $(cat said)"
fi

# A running process under the software PMU, which detaches after the requested number of samples.
"$programs/targets" spin 1 60000 &
process=$!
wait_until test -e "/proc/$process"
"$ebs" -u -i 10 -c 50 -t memory_loads --pmu=soft -o attached "$process" 2>said
expect "status of attaching" 0 $?
expect "samples of a process that the software PMU attached to" 50 "$(grep -cv '^#' attached)"
expect_match "its program" 'spin +targets$' "$("$hardmeter" report -i attached)"
kill "$process"
wait "$process" 2>/dev/null

# An error prints a message, and the list of events if it helps.
wrong() {  # STATUS REGEX WORDS...
  local status=$1 regex=$2
  shift 2
  said=$("$ebs" "$@" 2>&1 >/dev/null)
  expect "status of: ebs $*" "$status" $?
  expect_match "ebs $*" "$regex" "$said"
}
wrong 2 '^Usage: ebs \(-u \| -k\)'
wrong 2 '^  scaler_dp_retired - scalar'
wrong 2 "^ebs: unknown event type 'l1_miss'; the types are:" -u -t l1_miss true
wrong 2 '^\(caches and TLBs\)$' -u -t l1_miss true
wrong 2 '^ebs: -t needs an event type' -u -t
wrong 2 '^ebs: no event type is given \(-t TYPE\)' -u true
wrong 2 'user mode \(-u\) nor kernel mode \(-k\)' -t l1_cache_miss true
wrong 2 'neither a program nor a process' -u -t l1_cache_miss
wrong 2 'unknown option -x' -u -x -t l1_cache_miss true
wrong 2 'unknown option --nothing' -u --nothing -t l1_cache_miss true
wrong 2 '-i 0 is not a number from 1' -u -i 0 -t l1_cache_miss true
wrong 2 '--budget much is not a percentage' -u --budget much -t l1_cache_miss 1
wrong 2 '--budget limits the cost of measuring a running process' -u --budget 5% -t l1_cache_miss true
wrong 2 '-c many is not a number from 1' -u -c many -t l1_cache_miss true
wrong 2 "takes no argument 'x'" -u -t l1_cache_miss 1 x
wrong 127 "cannot run './no-such'" -u -t l1_cache_miss ./no-such
wrong 1 'no such process|software PMU' -u -t clock 4194303
expect_match "help" '^  l1_cache_miss - loads that missed' "$("$ebs" --help)"

# Conversion of a recording.
"$hardmeter" record -q -e memory_loads,l1_cache_miss -c 50 -o two.data true
"$hardmeter" export -i two.data --format=ebs -e l1_cache_miss -o exported
expect "status of export" 0 $?
samples=$(grep -cv '^#' exported)
expect "samples of the event" "$("$hardmeter" check --json -i two.data | python3 -c 'import json,sys; print([e["samples"] for e in json.load(sys.stdin)["events"] if e["name"] == "l1_cache_miss"][0])')" "$samples"
functions() { "$hardmeter" report -i "$1" -e l1_cache_miss | awk '/%/ { print $3, $5, $6 }' | sort; }
expect "the same functions" "$(functions two.data)" "$(functions exported)"
misses() { "$hardmeter" report -i "$1" -e l1_cache_miss | grep -o 'event l1_cache_miss: .*'; }
expect "the same events" "$(misses two.data)" "$(misses exported)"
places() { "$hardmeter" explain --json -i "$1" -e l1_cache_miss | python3 -c 'import json,sys; print(json.load(sys.stdin)["events"][0]["places"])'; }
expect "the same causes" "$(places two.data)" "$(places exported)"
"$hardmeter" export -i two.data --format=ebs -e l1_cache_miss -c 3 -o three
expect_match "that samples are left out" "^# the first 3 of $samples samples" "$("$hardmeter" report -i three)"
expect_match "that samples are left out, in JSON" "the first 3 of $samples samples" "$("$hardmeter" report --json -i three)"

# A dump of registers alone, as the original wrote: the data addresses follow from the code.
grep -v '^# details' exported >registers
expect_match "computed addresses" '^# note: the data addresses of [0-9]+ samples are computed' "$("$hardmeter" explain -i registers)"
for dump in exported registers; do "$hardmeter" export --format=csv -i "$dump" -o "$dump.csv"; done
python3 - >wrong_addresses <<'END'
import csv
measured, computed = ([row["address"] for row in csv.DictReader(open(name))] for name in ("exported.csv", "registers.csv"))
known = [pair for pair in zip(measured, computed) if pair[1]]
print([pair for pair in known if pair[0] != pair[1]], "too few" if len(known) < 0.9 * len(measured) else "")
END
expect "addresses that differ from the measured ones" "[] " "$(cat wrong_addresses)"

# With bursts, a sample stands for the measured number of events, not for the requested period.
"$hardmeter" record -q --pmu=soft --detail=bursts -e memory_loads -c 1000 -o bursts.data "$programs/targets" spin 1 300
"$hardmeter" export -i bursts.data --format=ebs -o bursts
expect "the same events in bursts" "$("$hardmeter" report -i bursts.data)" "$("$hardmeter" report -i bursts)"

"$hardmeter" export -i two.data --format=ebs -e l1_cache_miss --pid 5 -o other 2>/dev/null
expect "status of export with a filter that dumps do not know" 2 $?
said=$("$hardmeter" export -i two.data --format=ebs 2>&1)
expect "status where the event is not named" 2 $?
expect_match "the sentence" 'choose one with -e' "$said"
finish
