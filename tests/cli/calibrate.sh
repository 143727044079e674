#!/bin/bash
# SPDX-License-Identifier: MIT
# The command `calibrate`: its tables, its profile, its refusals, and its end by a signal. No time is checked.
. "$(dirname "$0")/common.sh"
programs=$2

# value FILE EXPRESSION: prints an expression of the file's JSON, named `json`.
value() { python3 -c "import json as j; json = j.load(open('$1')); print($2)"; }

export XDG_CONFIG_HOME=$PWD/config
missing=$("$hardmeter" calibrate --show 2>&1)
expect "no profile yet" 1 $?
expect_match "the advice" 'config/hardmeter/machine.json yet: run hardmeter calibrate$' "$missing"

text=$("$hardmeter" calibrate 2>said.err)
expect "the exit status" 0 $?
expect_match "where the profile is" "config/hardmeter/machine.json" "$(cat said.err)"
expect_match "a level" '^memory +[0-9]+ MiB +[0-9.]+ ' "$text"
expect_match "a walk" '^by -64 bytes ' "$text"
expect_match "a case" '^mispredicted branch ' "$text"
expect "no line is wide" 0 "$(grep -v '^#' <<<"$text" | grep -c '.\{81\}')"

shown=$("$hardmeter" calibrate --show)
expect "the saved profile has the same numbers" "$text" "$shown"
"$hardmeter" calibrate --show --json >profile.json
expect "latencies of 1 to 32 chases" "[1, 2, 4, 8, 16, 32]" "$(value profile.json '[each["chains"] for each in json["levels"][-1]["overlap"]]')"
expect "no level is faster than none" True "$(value profile.json 'all(level["overlap"][0]["ns"]["low"] > 0 for level in json["levels"])')"
expect "the profile is the file" True "$(value profile.json "json == j.load(open('config/hardmeter/machine.json'))")"

count() { "$hardmeter" stat --pmu=soft --cpu zen4 --json -o "$1" -e l1_cache_miss "${@:2}" -- "$programs/chase" 2000000 200000 >/dev/null; }
count plain.json
count estimated.json --as host
expect "counts do not depend on the costs" "$(value plain.json 'json["totals"]["l1_cache_miss"]')" "$(value estimated.json 'json["totals"]["l1_cache_miss"]')"
expect "cycles do" True "$(python3 -c 'import json; print(json.load(open("plain.json"))["cycles"] != json.load(open("estimated.json"))["cycles"])')"
expect_match "what they are" 'estimated time on .* calibrated on' "$(value estimated.json 'json["cost_model"]')"
"$hardmeter" record -q --pmu=soft --cpu zen4 --as config/hardmeter/machine.json -o data -e l1_cache_miss -- "$programs/chase" 2000000 200000
expect "a recording with estimated costs" 0 $?
none=$("$hardmeter" stat --pmu=soft --as no/such -- true 2>&1)
expect "no such profile" 1 $?
expect_match "its name" '--as no/such: no/such: No such file' "$none"

sed -i 's/"cpu_id": "[^"]*"/"cpu_id": "Other,1,2,3"/' config/hardmeter/machine.json
expect_match "a profile of another processor" 'is of another processor .*run hardmeter calibrate' "$("$hardmeter" calibrate --show 2>&1)"
head -c 300 profile.json >config/hardmeter/machine.json
damaged=$("$hardmeter" calibrate --show 2>&1)
expect "a damaged profile" 1 $?
expect_match "its file" 'config/hardmeter/machine.json: not a machine profile' "$damaged"

"$hardmeter" calibrate -o cut.json >cut.txt 2>cut.err &
pid=$!
wait_until catches 15 "$pid" "$hardmeter"
kill -TERM "$pid"
wait "$pid"
expect "the status after an interruption" 130 $?
expect "no profile" absent "$([[ -e cut.json ]] && echo there || echo absent)"
expect_match "an interruption is told" 'interrupted: no machine profile was written' "$(cat cut.err)"

"$hardmeter" calibrate --cpu 100000 2>/dev/null
expect "no such CPU" 2 $?
full=$("$hardmeter" calibrate -o /proc/none 2>&1)
expect "a file that cannot be written" 1 $?
expect_match "which" 'cannot (write|create) /proc' "$full"
env -u HOME -u XDG_CONFIG_HOME "$hardmeter" calibrate --show 2>/dev/null
expect "no home folder" 2 $?
finish
