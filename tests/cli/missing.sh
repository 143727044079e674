#!/bin/bash
# SPDX-License-Identifier: MIT
# What a system, a user or a command line lacks is one sentence: missing.sh HARDMETER
. "$(dirname "$0")/common.sh"

# says WHAT REGEX COMMAND...: fails, with one sentence that matches
says() {
  local what=$1 regex=$2
  shift 2
  timeout 60 "$@" >out 2>err </dev/null
  local status=$?
  expect "status of $what (1 or 2, no end by the clock)" 0 "$((status != 1 && status != 2))"
  expect "sentences of $what: $(cat err)" 1 "$(grep -c . err)"
  expect_match "$what" "$regex" "$(cat err)"
}
# Devices are no recordings; the first two have no end.
for device in /dev/zero /dev/urandom /dev/null /dev/full; do
  says "$device" "$device is a device, and no recording" "$hardmeter" report -i $device
done
says "nothing on standard input" "cannot read standard input: not a recording" "$hardmeter" report -i -
says "a terminal" "standard input is a terminal, and no recording" bash -c "script -qec '$tool report -i - 2>$work/words' /dev/null >/dev/null; status=\$?; cat $work/words >&2; exit \$status"

# Several processes.
sleep 100 & one=$!
sleep 100 & other=$!
trap 'kill $one $other; rm -rf "$work"' EXIT
for command in record stat top; do
  says "$command: two words" "'$other' is no program; several processes are one list with commas, such as $one,$other" "$hardmeter" $command -e clock -p $one $other
done
for command in map timeline; do
  says "$command: two words" "'$other' is no program; several processes" "$hardmeter" $command -p $one $other
done
says "threads" "'$other' is no program; several processes" "$hardmeter" record -e clock -t $one $other
says "blanks" "'$one $other' has blanks; put commas between the numbers" "$hardmeter" record -e clock -p "$one $other"
says "lines" "has blanks; put commas between the numbers" "$hardmeter" llc -p "$one
$other"
says "no number" "'x' is not a whole number above 0" "$hardmeter" record -e clock -p "$one,x"

# A folder in place of /proc; the kernel may not let this user mount.
if unshare -rm sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
  without_proc=(unshare -rm sh -c 'mount -t tmpfs none /proc; exec "$@"' sh)
  for engine in "" --engine=direct --engine=valgrind; do
    # shellcheck disable=SC2086
    says "no /proc $engine" "no proc file system is mounted at /proc.*mount -t proc proc /proc" "${without_proc[@]}" "$hardmeter" stat --pmu=soft $engine -e l1_cache_miss -- true
  done
  says "no /proc, run" "no proc file system is mounted at /proc" "${without_proc[@]}" "$hardmeter" run --pmu=soft true
  "${without_proc[@]}" "$hardmeter" doctor >out 2>&1
  expect_match "doctor" 'software PMU .*no proc file system is mounted at /proc' "$(cat out)"
  expect "nothing about builds" 0 "$(grep -c 'build hardmeter again' out)"
else
  skipped "/proc: this user may not make namespaces and mount in them"
fi

# A program that its user may run, but not read.
if [ "$(id -u)" != 0 ]; then
  skipped "only root can become a user who may not read a program"
elif has setpriv && engine_runs; then
  chmod 755 "$work" && cp "$(command -v sleep)" secret && chmod 711 secret
  if setpriv --reuid 65534 --regid 65534 --clear-groups "$hardmeter" stat --engine=direct -o /dev/null -- true 2>/dev/null; then
    setpriv --reuid 65534 --regid 65534 --clear-groups "$hardmeter" record -o /dev/null --engine=direct -e l1_cache_miss "$work/secret" 0.1 >out 2>&1
    expect_match "a program that cannot be read" 'may not read' "$(cat out)"
    expect "it has no other root" 0 "$(grep -c 'another root' out)"
  else
    skipped "another user cannot run hardmeter here"
  fi
fi
finish
