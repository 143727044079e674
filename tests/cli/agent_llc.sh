#!/bin/bash
# SPDX-License-Identifier: MIT
# An agent that reads the last-level cache occupancy of each service, from an emulation of the kernel's resctrl.
. "$(dirname "$0")/resctrl.sh"
said=$("$hardmeter" agent --store try --folder try --window 100ms --windows 1 --llc 2>&1)
if [ $? -ne 0 ] && grep -Eq 'permi|paranoid' <<<"$said"; then
  skipped "this user may not measure the whole machine: $said"
  exit 77
fi
mounts resctrl 1000 1 || { skipped "a FUSE file system cannot be mounted here: $(cat resctrl.said)"; exit 77; }
export HARDMETER_RESCTRL=$work/resctrl

for name in large_service small_service; do
  cp "$(readlink -f "$(command -v sleep)")" $name
  starts $lives_with_parent ./$name 1000
  eval "$name=\$!"
done
starts "$hardmeter" agent --store store --folder spool --window 200ms --budget 100% --llc
agent=$!
group_of() { (cd resctrl && grep -lx "$1" mon_groups/hardmeter-*/tasks 2>/dev/null | sed 's:/tasks$::'); }
is_watched() { [ -n "$(group_of "$1")" ]; }
wait_until is_watched $large_service
wait_until is_watched $small_service
counters resctrl "$(group_of $large_service) 0 llc_occupancy $((12 << 20))" "$(group_of $small_service) 0 llc_occupancy $((3 << 20))" \
  '* 0 llc_occupancy 4096'
is_read() { "$hardmeter" store status --store store | grep -qE 'in ([6-9]|[0-9]{2,}) measurements'; }
wait_until is_read
kill -TERM $agent
wait $agent
expect "status of the agent" 0 $?
expect "groups that are left" "" "$(ours resctrl)"

report=$("$hardmeter" report --store store -e llc_occupancy --json)
held() { python3 -c 'import json, sys
rows = {row["keys"][0]: row["rate"]["value"] / 2**20 for row in json.load(sys.stdin)["rows"]}
print(eval(sys.argv[1]))' "$1" <<<"$report"; }
# The mean is lower, because the counters start low.
expect "what one holds" True "$(held '4 < rows["large_service"] <= 12')"
expect "what the other holds" True "$(held '1 < rows["small_service"] <= 3')"
expect_match "in a table" 'MiB held +service' "$("$hardmeter" report --store store -e llc_occupancy)"
said=$("$hardmeter" report --store store -e llc_occupancy --service small_service 2>&1)
expect "status of places" 1 $?
expect_match "places" 'llc_occupancy is stored for services, not for locations in them' "$said"
finish
