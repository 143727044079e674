#!/bin/bash
# SPDX-License-Identifier: MIT
# Occupancy with few ids, with signals, and with other users of resctrl: values stay correct, and no group of hardmeter
# is left.
. "$(dirname "$0")/resctrl.sh"
mounts resctrl 64 1 || { skipped "a FUSE file system cannot be mounted here: $(cat resctrl.said)"; exit 77; }
mounts few 3 1 || { skipped "a second FUSE file system cannot be mounted here: $(cat few.said)"; exit 77; }

llc() { "$hardmeter" llc --resctrl "$work/$1" -d 0.02 "${@:2}"; }
counters resctrl '* 0 llc_occupancy 65536'

# More rows than ids: two at a time are measured in turn.
starts bash -c "for i in 1 2 3 4 5; do $lives_with_parent sleep 9999 & done; wait"
crowd=$!
has_five() { [ "$(pgrep -c -P $crowd -x sleep)" -eq 5 ]; }
wait_until has_five
counters few '* 0 llc_occupancy 65536'
llc few --json --by process -n 60 -p $crowd >turns
expect "status" 0 $?
is turns 'len(rows) == 6 and all(row["occupancy_bytes"] == 65536 for row in rows)'
is turns 'all(0 < row["measured_share"] < 0.9 for row in rows)'
is turns 'sum(row["measured_share"] for row in rows) < 2.1'
is turns 'all(row["low_bytes"] <= 65536 <= row["high_bytes"] for row in rows)'
is turns 'len(s["remarks"]) == 1 and "rows are measured in turn" in s["remarks"][0]'
printed=$(llc few -b --by process -n 2 -p $crowd)
expect_match "the column" ' MEASURED ' "$printed"
expect_match "a row whose turn has not come" '^ *[0-9]+ +- .* 0\.0% +sleep$' "$printed"
expect_match "the remark" '^# .*all monitoring IDs of the processor are in use.*: rows are measured in turn$' "$printed"
none_is_left "turns" few

# hardmeter waits for ids that still have lines in the cache.
counters few '* 0 llc_occupancy 65536' 'limbo 64'
starts "$hardmeter" llc --resctrl "$work/few" --json -d 0.05 -p $crowd >limbo
waiting=$!
wait_until grep -q 'still have lines in the cache' limbo
is limbo 'rows[0]["occupancy_bytes"] is None'
counters few '* 0 llc_occupancy 65536'
is_measured() { tail -n 1 limbo | grep -q '"occupancy_bytes":65536.*"remarks":\[\]'; }
wait_until is_measured
kill $waiting
wait $waiting
none_is_left "limbo" few

# Signals during the measurement.
starts sleep 7777
sleeper=$!
measures() {  # SLEEPER FILE: starts a measurement in $measuring, which has a group for the sleeper
  starts "$hardmeter" llc --resctrl "$work/resctrl" --json -d 0.05 -p "$1" >"$2"
  measuring=$!
  wait_until holds 'resctrl/mon_groups/hardmeter-*' "$1"
  wait_until grep -q '"occupancy_bytes":65536' "$2"
}
for signal in INT:130 TERM:143; do
  measures $sleeper signalled
  kill -${signal%:*} $measuring
  wait $measuring
  expect "status after SIG$signal" ${signal#*:} $?
  none_is_left "SIG$signal"
  is signalled 'rows[0]["occupancy_bytes"] == 65536'
done
# The same inside a control group.
mkdir resctrl/tenant
echo $sleeper >resctrl/tenant/tasks
starts "$hardmeter" llc --resctrl "$work/resctrl" --json -d 0.05 -p $sleeper >killed
measuring=$!
wait_until holds 'resctrl/tenant/mon_groups/hardmeter-*' $sleeper
kill -KILL $measuring
wait $measuring 2>/dev/null
expect "status after SIGKILL" 137 $?
has_ours resctrl || expect "groups after SIGKILL" "some" "none"
llc resctrl --json -n 1 -p $crowd >printed
is printed 'rows[0]["occupancy_bytes"] == 65536'
none_is_left "SIGKILL and another start"
holds resctrl/tenant $sleeper || expect "the process" "in its control group" "elsewhere"
rmdir resctrl/tenant

# Two measurements at once: each one's groups stay when the other ends or begins.
measures $sleeper first
first=$measuring
group_of_first=$(ours resctrl)
measures $crowd second
second=$measuring
holds "resctrl/$group_of_first" $sleeper || expect "the first one's group" "there" "$(ours resctrl)"
llc resctrl --json -n 2 -p $sleeper >third
is third 'rows[0]["occupancy_bytes"] is None and rows[0]["measured_share"] == 0'
is third 'len(s["remarks"]) >= 1 and all("monitoring group, and stays there" in each for each in s["remarks"])'
kill $second
wait $second
expect "the first one's group" "$group_of_first" "$(ours resctrl)"
holds "resctrl/$group_of_first" $sleeper || expect "what the first one measures" "in its group" "elsewhere"
lines=$(wc -l <first)
goes_on() { [ "$(wc -l <first)" -gt $((lines + 1)) ]; }
wait_until goes_on
is first 'rows[0]["occupancy_bytes"] == 65536 and s["remarks"] == []'

# hardmeter recreates a group of its own that another process removes.
rmdir "resctrl/$group_of_first"
is_another() { has_ours resctrl && [ "$(ours resctrl)" != "$group_of_first" ] && holds 'resctrl/mon_groups/hardmeter-*' $sleeper; }
wait_until is_another
kill $first
wait $first
none_is_left "two at once"

# A group of another process stays unchanged, and is measured when it is gone.
mkdir resctrl/mon_groups/foreign
echo $sleeper >resctrl/mon_groups/foreign/tasks
starts "$hardmeter" llc --resctrl "$work/resctrl" --json -d 0.05 -p $sleeper >foreign
measuring=$!
wait_until grep -q 'is in mon_groups/foreign, another program.s monitoring group' foreign
expect "threads of the foreign group" $sleeper "$(cat resctrl/mon_groups/foreign/tasks)"
is foreign 'rows[0]["occupancy_bytes"] is None'
rmdir resctrl/mon_groups/foreign
wait_until grep -q '"occupancy_bytes":65536' foreign
kill $measuring
wait $measuring
mkdir resctrl/mon_groups/foreign
echo $sleeper >resctrl/mon_groups/foreign/tasks
llc resctrl --json --by process -n 3 >printed
expect "threads of the foreign group" $sleeper "$(cat resctrl/mon_groups/foreign/tasks)"
expect "groups" "foreign" "$(ls resctrl/mon_groups)"

# A divided cache is restored at any end of the measurement.
parts() { (cd resctrl && find . -maxdepth 1 -name 'hardmeter-*' | sort); }
has_parts() { [ "$(parts | wc -l)" -eq "$1" ]; }
is_divided() { has_parts 2 && grep -q '0=0*ff0$' resctrl/hardmeter-*/schemata && grep -q '0=0*f$' resctrl/hardmeter-*/schemata; }
divides() {
  starts "$hardmeter" llc --resctrl "$work/resctrl" --json -d 0.05 --apply --ways ff0,f \
    -- $lives_with_parent sleep 9999 , $lives_with_parent sleep 9999 >divided
  dividing=$!
  wait_until is_divided
  wait_until holds 'resctrl/hardmeter-*' "$(pgrep -P $dividing -x sleep | head -n 1)"
}
for signal in INT TERM; do
  divides
  kill -$signal $dividing
  wait $dividing
  expect "parts of the cache after $signal" "" "$(parts)"
done
divides
kill -KILL $dividing
wait $dividing
wait_until has_parts 2
llc resctrl -b -n 1 -p $sleeper >/dev/null
expect "parts of the cache at the next start" "" "$(parts)"
printed=$("$hardmeter" llc --resctrl "$work/resctrl" --apply --ways 5,f -- true , true 2>&1)
expect_match "ways with a hole" 'rejects' "$printed"
expect "parts of the cache after a refusal" "" "$(parts)"

finish
