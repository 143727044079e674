#!/bin/bash
# SPDX-License-Identifier: MIT
# explain on a store with known sums: why a service's places miss. $2: put_batches.
. "$(dirname "$0")/common.sh"
put_batches=$2
command -v python3 >/dev/null || { echo "skipped: there is no python3" >&2; exit 77; }

# db: one line with conflict misses, one with capacity misses, one without classes; web: only the clock; old: no
# classes.
python3 - <<'P'
import json
def write(number):
    rows = []
    def add(service, event, source, unit, load, places):
        series = [service, "aa11", event, source, unit]
        total = sum(place[-1] for place in places)
        rows.append([*series, True, "", "", 0, "", "", 0, "", "", total, total * 100.0, load])
        for line, miss_class, thing, samples in places:
            function = {7: "look_up", 8: "scan", 9: "copy"}[line]
            rows.append([*series, False, "beef", "program", 4096 + line, function, "src/file.c", line, miss_class, thing,
                         samples, samples * 100.0, load])
    add("db", "l1_cache_miss", "software", "instructions", 1e6,
        [(7, "conflict", "table", 40 + number), (7, "capacity", "table", 10), (7, "", "index", 5), (8, "compulsory", "", 20),
         (9, "", "", 10)])
    add("db", "instr_retired", "software", "instructions", 1e6, [(7, "", "", 500)])
    add("web", "clock", "clock", "cpu_ns", 5e9, [(7, "", "", 30), (8, "", "", 20)])
    add("old", "l3_cache_miss", "hardware", "instructions", 1e6, [(7, "", "", 30)])
    add("old", "dtlb_load_miss", "hardware", "instructions", 1e6, [(8, "", "", 30)])
    with open(f"{number}.batch", "w") as out:
        print(json.dumps({"format": 1, "batch": f"b{number}", "host": f"host{number % 2}", "time": 1700000000 + number}), file=out)
        for row in rows:
            print(json.dumps(row), file=out)
        print(json.dumps({"rows": len(rows)}), file=out)
for number in range(4):
    write(number)
P
"$put_batches" store ./*.batch || exit 1
explain=("$hardmeter" explain --store store)

said=$("${explain[@]}" --service db)
expect "status" 0 $?
expect_match "the event" '^l1_cache_miss: 3 places with the most of 346 samples in 4 measurements, measured by: software; [0-9.]+ ±[0-9.]+ in 1000 instr' "$said"
expect_match "the hottest place" '^ 1\. +65\.3%  look_up  file\.c:7  \(program\)' "$said"
expect_match "its rate" '^    rate +5\.65 ±[0-9.]+ in 1000 instr' "$said"
expect_match "its classes" '^    why +conflict 80\.6% ±[0-9.]+, capacity 19\.4% ±[0-9.]+; no class is known for 20 samples' "$said"
expect_match "what it accesses" '^    what +table 91\.2% ±[0-9.]+, index 8\.8% ±' "$said"
expect_match "what to do" '^    pattern  power_of_two_stride: ' "$said"
expect_match "what that gains" '^    gain +up to 80\.6% of these \(52\.6% of all\): ' "$said"
expect_match "of the second what is not measured has no gain" '^    pattern  cold_scan' "$said"
expect "gains" 1 "$(grep -c '^    gain' <<<"$said")"
expect_match "a place without a class" '^    why +unknown' "$said"
expect "the load is no event to explain" "" "$(grep instr_retired <<<"$said")"
expect "places above a limit" 1 "$("${explain[@]}" --service db --limit 1 | grep -c '^    why')"
expect "places above a share" 2 "$("${explain[@]}" --service db --min-share 20 | grep -c '^    why')"
expect "one function" 1 "$("${explain[@]}" --service db -S scan | grep -c '^    why')"
expect "one host" 2 "$("${explain[@]}" --service db --host host1 | sed -n 's/.* in \([0-9]*\) measurements.*/\1/p')"
# A narrow terminal wraps lines.
if command -v script >/dev/null; then
  wide=$(script -qec "stty cols 50 2>/dev/null; $tool explain --store store --service db" /dev/null | tr -d '\r' | sed 's/±/~/g' | awk 'length > 50' | wc -l)
  expect "lines that are wider than the terminal" 0 "$wide"
fi

"$hardmeter" explain --store store --service db --json >causes.json
python3 - <<'P' || expect "JSON" "as it is documented" "otherwise"
import json
causes = json.load(open("causes.json"))
assert causes["schema"] == 1 and causes["service"] == "db"
(event,) = causes["events"]
first, second, third = event["places"]
assert [each["name"] for each in first["classes"]] == ["conflict", "capacity"]
share = first["classes"][0]["share"]
assert abs(share["value"] - 166 / 206) < 1e-9 and share["low"] < share["value"] < share["high"] <= 1
assert first["advice"]["gain"]["high"] == share["value"] and second["advice"]["gain"] is None
assert third["classes"] is None and third["advice"] is None and third["unclassified"] == 40
P

said=$("${explain[@]}" --service web)
expect_match "only the clock" '^# only the clock was measured: it shows where time goes' "$said"
expect "lines about classes" "" "$(grep '^    why' <<<"$said")"
said=$("${explain[@]}" --service old)
expect_match "hardware tells no classes" '^# the PMU that measured this does not classify' "$said"
expect_match "misses of a TLB have none" '^# misses of this event have no classes' "$said"
expect "advice from nothing" "" "$(grep '^    pattern' <<<"$said")"

said=$("${explain[@]}" 2>&1)
expect "status without a service" 2 $?
expect_match "without a service" 'name it with --service' "$said"
said=$("${explain[@]}" --service nobody 2>&1)
expect "status where there is no such service" 1 $?
expect_match "no such service" 'has no measurement of this service' "$said"
said=$("${explain[@]}" --service db -e l2_cache_miss 2>&1)
expect "status where the event was not measured" 1 $?
expect_match "no such event" "'l2_cache_miss' was not measured for this service, but instr_retired, l1_cache_miss|'l2_cache_miss' was not measured for this service, but l1_cache_miss, instr_retired" "$said"
finish
