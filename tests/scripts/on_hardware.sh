#!/bin/bash
# SPDX-License-Identifier: MIT
# on_hardware.sh SCRIPT HARDMETER
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bash "$1" "$2" "$work/hardware.json" || exit 1
python3 - "$work/hardware.json" <<'P'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    all_of_it = json.load(file)
assert set(all_of_it) == {"machine", "doctor", "events", "agreement", "scaling"}, set(all_of_it)
assert "l1_cache_miss" in all_of_it["events"]
for name, event in all_of_it["events"].items():
    for way in ("count", "sample"):
        assert event[way] == "works" or event[way]["error"], (name, event)
assert len(all_of_it["agreement"]) == 5
for program, counts in all_of_it["agreement"].items():
    assert counts["models"]["totals"]["l1_cache_miss"] > 0, (program, counts["models"])
    assert "totals" in counts["hardware"] or counts["hardware"]["error"], program
for what, taken in all_of_it["scaling"]["1"].items():  # on many CPUs of a busy machine, a program may run out of time
    assert taken is not None, what
P
