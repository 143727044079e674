#!/bin/bash
# SPDX-License-Identifier: MIT
# QEMU's test programs end and print natively and in all modes alike (bench/suites.py). Their sources are Debian's, which
# the first run downloads into a folder that later runs use again: foreign.sh HARDMETER
. "$(dirname "$0")/common.sh"
skip() {
  skipped "$*"
  exit 77
}
needs_engine
[ -n "${HARDMETER_TEST_FOREIGN:-}" ] || skip "set HARDMETER_TEST_FOREIGN=1: it downloads and builds QEMU's test programs"
[ "$(id -u)" = 0 ] || skip "needs root: each program runs in namespaces of its own"
[ -e /etc/debian_version ] || skip "the sources are those of Debian's source package of QEMU"

python3 "$(dirname "$0")/../../bench/suites.py" "$hardmeter" qemu --only 'x86_64/*' --work "${SUITES_WORK:-/var/tmp/hardmeter-suites}" \
  --results "$work/results" >table 2>progress
status=$?
grep -q '^qemu: not run' table && skip "$(grep '^qemu: not run' table)"
passed=$(awk -F'|' '/^\| qemu/ { print $4 + 0 }' table)
[ "${passed:-0}" != 0 ] || skip "no program of QEMU's passes natively: namespaces or overlay mounts are refused"
expect "differences: $(cat table)" 0 $status
[ "$passed" -ge 30 ] || expect "programs that pass natively: $(cat table)" "at least 30" "$passed"
finish
