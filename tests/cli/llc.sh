#!/bin/bash
# SPDX-License-Identifier: MIT
# The occupancy of the last-level cache, measured through resctrl.
. "$(dirname "$0")/resctrl.sh"
mounts resctrl 200 2 || { skipped "a FUSE file system cannot be mounted here: $(cat resctrl.said)"; exit 77; }

llc() { "$hardmeter" llc --resctrl "$work/resctrl" "$@"; }

# A process with a child, and one that starts another child on request.
mkfifo more
starts bash -c "$lives_with_parent sleep 9999 & read <more; $lives_with_parent sleep 8888 & wait"
parent=$!
has_child() { pgrep -P "$1" -x sleep -a | grep -q "$2"; }
wait_until has_child $parent 9999
child=$(pgrep -P $parent -f 'sleep 9999')
starts sleep 7777
sleeper=$!
counters resctrl '* 0 llc_occupancy 65536' '* 1 llc_occupancy 4096' '* 0 mbm_total_bytes 5' '* 1 mbm_total_bytes 6' \
  'rate * 0 mbm_local_bytes 1000000'

# As text, CSV and JSON.
printed=$(llc -b -n 2 -d 0.05 -p $parent 2>&1)
expect "status of -b" 0 $?
expect_match "the heading" '^# [0-9.]+ s: 68\.0 KiB held of .*; by resctrl$' "$printed"
expect_match "the row" "^ *$parent +68\.0 KiB +[0-9.%-]+ +0 B +[0-9.]+ [KM]?i?B +bash$" "$printed"
expect "snapshots" 2 "$(grep -c ^# <<<"$printed")"
llc --csv -n 2 -d 0.05 -p $parent >printed
python3 - <<P || expect "CSV" "right" "$(cat printed)"
import csv
rows = list(csv.DictReader(open("printed")))
assert len(rows) == 2 and all(row["occupancy_bytes"] == "69632" and row["pid"] == "$parent" for row in rows)
P
llc --json -n 2 -d 0.05 -p $parent >printed
is printed 's["schema"] == 1 and s["measured_by"] == "resctrl" and not s["is_modelled"] and s["remarks"] == []'
is printed "[(row['pid'], row['occupancy_bytes'], row['members']) for row in rows] == [($parent, 69632, 2)]"
is printed 'rows[0]["domains"] == [{"domain": 0, "occupancy_bytes": 65536}, {"domain": 1, "occupancy_bytes": 4096}]'
none_is_left "three kinds of output"

# The meaning of rows.
llc --json -n 1 -d 0.05 -p $parent --by process >printed
is printed "{row['pid']: row['parent'] for row in rows} == {$parent: None, $child: 'process $parent'}"
starts python3 -c 'import threading, time
threads = [threading.Thread(target=time.sleep, args=[9999]) for _ in range(3)]
for each in threads: each.start()'
threaded=$!
has_threads() { [ "$(ls "/proc/$1/task" | wc -l)" -eq "$2" ]; }
wait_until has_threads $threaded 4
llc --json -n 1 -d 0.05 -p $threaded --by thread >printed
is printed "sorted(row['pid'] for row in rows) == [$(ls /proc/$threaded/task | sort -n | paste -sd,)]"
llc --json -n 1 -d 0.05 --by cpu >printed
is printed "[row['name'] for row in rows] == [f'CPU {cpu}' for cpu in range($(nproc --all))]"
is printed 'all(row["occupancy_bytes"] == 69632 for row in rows)'
llc --json -n 1 -d 0.05 --by tree >printed
is printed "sum(row['members'] for row in rows) >= 4"
llc --json -n 1 -d 0.05 >printed  # by control group
is printed "len(rows) >= 1 and all(row['key'] == 'cgroup ' + row['key'][7:] for row in rows)"
if command -v qemu-system-x86_64 >/dev/null; then
  starts qemu-system-x86_64 -S -display none -nodefaults -machine none -name guest=tenant-1,debug-threads=on 2>/dev/null
  virtual=$!
  is_vm() { llc --json -n 1 -d 0.05 --vm tenant-1; }
  wait_until is_vm
  llc --json -n 1 -d 0.05 --by vm >printed
  is printed "[row['name'] for row in rows if row['pid'] == $virtual] == ['tenant-1']"
  kill $virtual
else
  skipped "there is no qemu-system-x86_64 here"
fi
none_is_left "all kinds of rows"

# Like perf stat: one figure, when the command has ended.
llc -p $parent sh -c 'sleep 0.2; echo done; exit 3' >printed 2>said
expect "status of what is run" 3 $?
expect "standard output" "done" "$(cat printed)"
expect "headings" 1 "$(grep -c '^#' said)"
expect_match "the figure" "^ *$parent +68\.0 KiB" "$(cat said)"
one_sentence 2 "as long as one program runs" llc -p $parent true , true
none_is_left "the manner of perf stat"

# Programs started by llc.
llc --csv -d 0.05 -- sh -c 'sleep 0.3; exit 4' , sleep 0.3 >printed
expect "status of programs" 4 $?
expect "programs" "sh -c sleep 0.3; exit 4,sleep 0.3" \
  "$(python3 -c 'import csv; print(",".join(dict.fromkeys(row["name"] for row in csv.DictReader(open("printed")))))')"
none_is_left "programs"

# Children of a measured process are in its group at once, because the kernel puts them there.
starts "$hardmeter" llc --resctrl "$work/resctrl" --json -d 0.05 -p $parent >follows
measuring=$!
wait_until holds 'resctrl/mon_groups/hardmeter-*' $parent $child
echo >more
wait_until has_child $parent 8888
wait_until holds 'resctrl/mon_groups/hardmeter-*' "$(pgrep -P $parent -f 'sleep 8888')"
sees_three() { tail -1 follows | grep -q '"members":3'; }
wait_until sees_three
kill -TERM $measuring
wait $measuring
none_is_left "SIGTERM"

# Unavailable counters count as not measured, never as a number such as 0.
counters resctrl '* 0 llc_occupancy 65536' '* 1 llc_occupancy Unavailable' '* 0 mbm_total_bytes Error' \
  '* 1 mbm_total_bytes Error'
printed=$(llc -b -n 2 -d 0.05 -p $sleeper)
expect_match "not measured, as text" "^ *$sleeper +- +- +- " "$printed"
expect_match "the sum" "at least 0 B held" "$printed"
llc --csv -n 2 -d 0.05 -p $sleeper >printed
expect "not measured, as CSV" " None" "$(python3 -c 'import csv
row = list(csv.DictReader(open("printed")))[-1]
print(row["occupancy_bytes"] + row["low_bytes"] + row["high_bytes"], row["total_bytes_per_s"] or None)')"
llc --json -n 2 -d 0.05 -p $sleeper >printed
is printed 'rows[0]["occupancy_bytes"] is None and rows[0]["low_bytes"] is None and rows[0]["high_bytes"] is None'
is printed '[each["occupancy_bytes"] for each in rows[0]["domains"]] == [65536, None]'
is printed 'rows[0]["total_bytes_per_s"] is None'
counters resctrl '* 0 llc_occupancy 65536' 'offline 1'
llc --json -n 2 -d 0.05 -p $sleeper >printed
is printed 'rows[0]["occupancy_bytes"] == 65536 and len(rows[0]["domains"]) == 1'
counters resctrl '* 0 llc_occupancy 65536'

# resctrl is not available.
grep -q ' resctrl ' /proc/mounts ||
  one_sentence 1 'resctrl is not at nowhere|not mounted at nowhere' "$hardmeter" llc --resctrl nowhere -b -p $sleeper
one_sentence 1 'there is no such process' llc -b -p 4194304
one_sentence 1 'virtual machine nobody does not exist' llc -b --vm nobody
one_sentence 2 'exclude each other' llc --csv --json -p $sleeper
if cp "$hardmeter" hardmeter 2>/dev/null; then
  chmod 755 hardmeter
  one_sentence 1 'run as root' setpriv --reuid=65534 --regid=65534 --clear-groups ./hardmeter llc --resctrl resctrl -b -p $sleeper
fi
none_is_left "refusals"

# A process that ends during the measurement: the measurement then ends, too.
starts sleep 6666
ends=$!
starts "$hardmeter" llc --resctrl "$work/resctrl" --csv -d 0.05 -p $ends >ends.csv
measuring=$!
wait_until grep -q "$ends" ends.csv
kill $ends
end_of $measuring
expect "status when what was measured has ended" 0 $?
none_is_left "the end of what was measured"

finish
