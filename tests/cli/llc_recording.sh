#!/bin/bash
# SPDX-License-Identifier: MIT
# Occupancy of the last-level cache, recorded beside the kernel's PMU: one program works while another occupies the
# cache, and the report finds this.
. "$(dirname "$0")/resctrl.sh"
. "$(dirname "$0")/linux.sh"
need_root_and_perf_events
# Sizes of caches differ between machines, and a contention is found by shares of the cache.
size=$(cat /sys/devices/system/cpu/cpu0/cache/index3/size 2>/dev/null)
[ -n "$size" ] || { skipped "the kernel does not report the size of the last-level cache"; exit 77; }
much=$((${size%K} / 2)) little=$((${size%K} / 32))  # KiB
mounts resctrl 64 1 || { skipped "a FUSE file system cannot be mounted here: $(cat resctrl.said)"; exit 77; }
export HARDMETER_RESCTRL=$work/resctrl

cat >victim <<'END'
#!/bin/bash
while :; do
  if [ -e busy ]; then for _ in {1..2000}; do :; done; else sleep 0.01; fi
done
END
printf '#!/bin/bash\nwhile :; do sleep 1; done\n' >neighbour
chmod +x victim neighbour
starts $lives_with_parent ./victim
victim=$!
starts $lives_with_parent ./neighbour
neighbour=$!
is_named() { [ "$(cat /proc/$1/comm)" = "$2" ]; }
wait_until is_named $victim victim
wait_until is_named $neighbour neighbour

starts "$hardmeter" record -q --pmu=linux -e clock -c 1ms --llc=10 -p $victim,$neighbour -o held.data
recording=$!
group_of() { (cd resctrl && grep -lx "$1" mon_groups/hardmeter-*/tasks 2>/dev/null | sed 's:/tasks$::'); }
is_watched() { [ -n "$(group_of "$1")" ]; }
wait_until is_watched $victim
wait_until is_watched $neighbour

# held VICTIM NEIGHBOUR: sets the two occupancies in KiB.
held() {
  counters resctrl "$(group_of $victim) 0 llc_occupancy $(($1 << 10))" "$(group_of $neighbour) 0 llc_occupancy $(($2 << 10))" \
    '* 0 llc_occupancy 4096'
}
for _ in 1 2 3 4 5 6; do
  rm -f busy
  held $much $little
  sleep 0.4
  touch busy
  held $little $much
  sleep 0.4
done
kill -INT $recording
wait $recording
expect "status" 130 $?
none_is_left "a recording"
expect_samples held.data
perf_reads held.data victim

"$hardmeter" report --llc --json -i held.data >report.json
found() {
  expect "$1" True "$(python3 -c 'import json, sys
report = json.load(open("report.json"))
held = {each["name"].split(" ")[0]: each for each in report["held"]}
found = report["contentions"]
print(eval(sys.argv[1]))' "$1" 2>&1)"
}
found 'report["is_modelled"] == False'
found "held['victim']['most_bytes'] == $much << 10"
found "held['neighbour']['most_bytes'] == $much << 10"
found 'held["victim"]["measured"] > 100'
found 'found[0]["victim"].startswith("victim [") and found[0]["neighbour"].startswith("neighbour [")'
found 'found[0]["ratio"]["low"] > 1.2'
expect_match "the sentence" "^neighbour \[$neighbour\] crowded victim \[$victim\] out: while it held " \
  "$("$hardmeter" explain -i held.data)"

# The victim's misses with other sizes determine how to divide the cache. If the recorded sizes are too small, the
# report names the sizes to record.
if "$hardmeter" report --llc --json -i held.data | grep -q '"victim_ways"'; then
  mkdir alone
  cp "$programs/footprint" alone/victim
  sized() { "$hardmeter" record -q --pmu=soft -e memory_moves -c 10000 "$1" -o sizes.data -- alone/victim 64 20; }
  sized --sizes=64-64,1
  one_sentence 2 'record it with --sizes=[0-9]+-[0-9]+,[0-9]+$' "$hardmeter" report --llc -i held.data --sizes sizes.data
  sized "$(grep -oE -e '--sizes=[0-9]+-[0-9]+,[0-9]+$' said)"
  "$hardmeter" report --llc --json -i held.data --sizes sizes.data >report.json
  found 'found[0]["split"]["victim_ways"] != found[0]["split"]["neighbour_ways"]'
  found '0 < found[0]["split"]["victim_misses_per_1000_accesses"]["divided"] < 200'
  expect_match "the prediction" 'Predicted misses of victim' "$("$hardmeter" explain -i held.data --sizes sizes.data)"
  one_sentence 1 'is a recording of `alone/other 1 1`, but the occupancy' bash -c "
    cp \"\$0\" alone/other && $tool record -q --pmu=soft -e memory_moves --sizes=64-64,1 -o other.data -- \
      alone/other 1 1 && $tool report --llc -i held.data --sizes other.data" "$programs/footprint"
else
  skipped "the kernel does not report the associativity of the last-level cache"
fi
one_sentence 2 'sizes needs --llc' "$hardmeter" report -i held.data --sizes held.data

# Without a source of occupancy, the command fails before the measurement.
HARDMETER_RESCTRL=$work/nowhere one_sentence 1 "resctrl" "$hardmeter" record -q --pmu=linux -e clock --llc -o none.data -- true
finish
