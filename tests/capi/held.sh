#!/bin/bash
# SPDX-License-Identifier: MIT
# held.sh PROGRAM: checks the output of examples/self_measuring/held.c against docs/api.md, on resctrl_filesystem
# (with_resctrl.sh).
set -u
fail() {
  echo "FAILED: $*"
  exit 1
}
values() {
  printf '%s\n' "$@" >"$VALUES.new"
  mv "$VALUES.new" "$VALUES"
}
sleep 60 &
sleeper=$!
trap 'kill $sleeper' EXIT
values '* 0 llc_occupancy 172032' '* 1 llc_occupancy Unavailable'
found=$(HARDMETER_RESCTRL=$RESCTRL "$1" $sleeper 2>&1)
expected='measured by resctrl
not measured  of which cache 0: 172032 bytes, cache 1: not measured
not measured  of which cache 0: 172032 bytes, cache 1: not measured
not measured  of which cache 0: 172032 bytes, cache 1: not measured'
[ "$found" = "$expected" ] || fail "expected '$expected', found '$found'"
values 'rate * 0 llc_occupancy 1000000' '* 1 llc_occupancy 4096' ''
found=$(HARDMETER_RESCTRL=$RESCTRL "$1" $sleeper 2>&1)
echo "$found"
grep -qE '^[0-9]+ bytes  of which cache 0: [1-9][0-9]* bytes, cache 1: 4096 bytes$' <<<"$found" || fail "found '$found'"
said=$(HARDMETER_RESCTRL=/no/such/folder "$1" $sleeper 2>&1)
[ $? = 1 ] && grep -q '^held: .*/no/such/folder' <<<"$said" || fail "without resctrl it says: $said"
said=$(HARDMETER_RESCTRL=$RESCTRL "$1" 2147483647 2>&1)
[ "$said" = "held: process 2147483647 does not exist" ] || fail "of nothing it says: $said"
