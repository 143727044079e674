#!/bin/bash
# SPDX-License-Identifier: MIT
# Virtual machines of QEMU. Without KVM they are also processes with a thread for each virtual CPU. On
# resctrl_filesystem (tests/rdt/with_resctrl.sh).
. "$(dirname "$0")/common.sh"
if ! command -v qemu-system-x86_64 >/dev/null; then
  skipped "virtual machines: there is no qemu-system-x86_64 (scripts/setup.sh tests)"
  exit 77
fi
values() {
  printf '%s\n' "$@" >"$VALUES.new"
  mv "$VALUES.new" "$VALUES"
}
llc() { "$hardmeter" llc --resctrl "$RESCTRL" "$@"; }
columns() { python3 -c 'import csv,sys
for row in csv.DictReader(sys.stdin): print(*(row[name] for name in sys.argv[1:]))' "$@"; }
machine() { exec qemu-system-x86_64 -accel tcg -display none -nodefaults -machine pc -m 32 "$@"; }
virtual_cpus() { grep -lE '^CPU [0-9]+/TCG$' /proc/"$1"/task/*/comm 2>/dev/null | cut -d/ -f5; }
has_two_cpus() { [ "$(virtual_cpus "$1" | wc -l)" = 2 ]; }

# A machine with stopped processors, one that runs its firmware, and a process that is no machine.
machine -name guest=web,debug-threads=on -smp 2 -S 2>web.said &
web=$!
machine -name batch,debug-threads=on -smp 2 2>batch.said &
batch=$!
sleep 600 &
other=$!
trap 'kill -9 $web $batch $other 2>/dev/null; rm -rf "$work"' EXIT
wait_until has_two_cpus $web
wait_until has_two_cpus $batch

values '* 0 llc_occupancy 65536' '* 1 llc_occupancy 4096' ''
expect "by name" "web $web 69632" "$(llc -b -n 1 -d 0.05 --csv --vm web | columns name pid occupancy_bytes)"
expect "by number" "web $web 69632" "$(llc -b -n 1 -d 0.05 --csv --vm $web | columns name pid occupancy_bytes)"
expect "by the short name" "batch $batch 69632" "$(llc -b -n 1 -d 0.05 --csv --vm batch | columns name pid occupancy_bytes)"
expect "all of them" "$(printf 'batch %s\nweb %s' $batch $web)" "$(llc -b -n 1 -d 0.05 --csv --by vm | columns name pid | sort)"

# The group contains the process and the threads of its virtual CPUs, and nothing else.
llc -b -d 0.2 --csv --vm web >rows 2>said &
pid=$!
wait_until grep -q 69632 rows
threads=$(sort -n "$RESCTRL"/mon_groups/hardmeter-*/tasks)
expect "groups" 1 "$(ls "$RESCTRL/mon_groups" | wc -l)"
expect "its threads" "$(ls /proc/$web/task | sort -n)" "$threads"
for cpu in $(virtual_cpus $web); do expect_match "the thread of a virtual CPU" "^$cpu$" "$threads"; done
expect "nobody else's" "" "$(grep -xE "$batch|$other" <<<"$threads")"
values '* 0 llc_occupancy 65536' '* 1 llc_occupancy Unavailable' ' ' ''
wait_until sh -c "tail -n 1 rows | grep -qv 69632"
expect "where a cache is unavailable" "none" "$( (head -n 1 rows; tail -n 1 rows) | columns occupancy_bytes | sed 's/^$/none/')"

# llc ends with the machine, and leaves nothing.
kill -9 $web
wait $web 2>/dev/null
end_of $pid
expect "status as the machine has ended" 0 $?
expect "groups at the end" "" "$(ls "$RESCTRL/mon_groups")"

# Arguments that are no virtual machine.
for wanted in web $web $other nobody; do
  said=$(llc -b -n 1 --vm "$wanted" 2>&1)
  expect "status of --vm $wanted" 1 $?
  expect "--vm $wanted" "hardmeter: virtual machine $wanted does not exist: no QEMU process has that process ID or name (-name)" "$said"
done
finish
