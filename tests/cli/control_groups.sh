#!/bin/bash
# SPDX-License-Identifier: MIT
# Recordings have the control groups and namespaces of their processes: control_groups.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
export PERF_BUILDID_DIR=$work/kept HOME=$work
needs_software_pmu

mounted=$work/groups all=$work/groups/hardmeter-test-$$ id=$(printf 'c%.0s' {1..64})
pids=()
remove_groups() {
  [ ${#pids[@]} -eq 0 ] || kill -9 "${pids[@]}" 2>/dev/null
  wait
  rmdir "$all"/* "$all" 2>/dev/null
  umount "$mounted" 2>/dev/null
  rm -rf --one-file-system "$work"
}
trap remove_groups EXIT
mkdir "$mounted"
if ! mount -t cgroup2 none "$mounted" 2>why_not || ! mkdir "$all" 2>>why_not; then
  skipped "this user cannot make control groups: $(tail -1 why_not)"
  exit 77
fi
mkdir "$all/docker-$id.scope" "$all/shop.service"
cat >walk.c <<'END'
static volatile char memory[1 << 22];
int main(void) {
  for (unsigned i = 0;; i += 64) (void)memory[i % sizeof memory];
}
END
gcc -O1 -o walk walk.c || expect "gcc" 0 $?

# in_group GROUP COMMAND...: runs a command that moves to the group before it starts.
cat >in_group <<END
#!/bin/sh
echo \$\$ >"$all/\$1/cgroup.procs"
shift
exec "\$@"
END
chmod +x in_group
./in_group "docker-$id.scope" ./walk &
pids+=($!)
./in_group shop.service ./walk &
pids+=($!)
for pid in "${pids[@]}"; do wait_until grep -q walk "/proc/$pid/comm"; done

by_group() {
  "$hardmeter" report -s cgroup "$@" --json | python3 -c 'import json, sys
print(*sorted(row["cgroup"] for row in json.load(sys.stdin)["rows"]))'
}
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -p "${pids[0]},${pids[1]}" -o soft.data --duration 3s || expect "record" 0 $?
kill "${pids[@]}"
wait
pids=()
expect "the software PMU's rows" "docker cccccccccccc shop.service" "$(by_group -i soft.data)"
expect "one group" "shop.service" "$(by_group -i soft.data --cgroup shop.service)"
expect "a container by its ID" "docker cccccccccccc" "$(by_group -i soft.data --cgroup "$id")"
"$hardmeter" report -i soft.data --cgroup cache 2>unknown
expect "the status for an unknown group" 1 $?
expect_match "an unknown group" "is in the control group 'cache'; those of the recording are: docker cccccccccccc, shop.service" "$(cat unknown)"

# A program that is started in a group has its group from then on, and so do its children.
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -o started.data -- sh -c \
  "echo \$\$ >'$all/shop.service/cgroup.procs'; exec sh -c 'timeout 2 ./walk; true'" || expect "record of a program" 0 $?
expect "the group of a started program" "shop.service" "$(by_group -i started.data --comm walk)"
if can_measure "--pmu=linux -e clock" "the kernel's clock"; then
  "$hardmeter" record -q --pmu=linux -e clock -o linux.data -- ./in_group shop.service timeout 1 ./walk
  expect "the kernel's clock" "shop.service" "$(by_group -i linux.data --comm walk)"
fi
finish
