#!/bin/bash
# SPDX-License-Identifier: MIT
# Resource limits: programs see their own, and requests beyond them fail as natively. The engine's memory and files do
# not count.
. "$(dirname "$0")/common.sh"
programs=$2
limits=$programs/limits
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || {
  skipped "there is no python3 here"
  exit 77
}

# same WHAT COMMAND...: checks that output and status are as without hardmeter.
same() {
  local what=$1 native found
  shift
  native=$("$@" 2>&1; echo "status $?")
  found=$(timeout 120 "$hardmeter" stat --engine=direct -o result -- "$@" 2>&1; echo "status $?")
  expect "$what" "$native" "$found"
}
same "limits that a program sets" "$limits"
for limit in "-v 500000" "-d 100000" "-f 8" "-f 0" "-S -v 600000" "-v 700000 -d 50000"; do
  same "a shell's ulimit $limit" bash -c "ulimit $limit; ulimit -v; ulimit -d; seq 100 | cksum; $limits show; $limits show | cksum"
done
said=$(ulimit -s 128; exec "$hardmeter" stat --pmu=soft true 2>&1)
expect "a small stack: status" 1 $?
expect "a small stack" "hardmeter: the stack may have 128 KiB at most (ulimit -s), and hardmeter needs 512 KiB: raise the limit" "$said"

hard=$(ulimit -H -n)
for number in 1000 10000; do
  if [ "$hard" = unlimited ] || [ "$hard" -ge $((number + 8)) ]; then
    same "all of $number descriptors" bash -c "ulimit -S -n $number; $limits descriptors"
  else
    skipped "$number descriptors of more: the hard limit is $hard"
  fi
done
same "a limit within a limit" bash -c "ulimit -v 800000; bash -c 'ulimit -v 500000; $limits show; ulimit -v 600000'; $limits show"
same "what a limit forbids" bash -c "ulimit -v 200000; $python -c 'x = bytearray(1 << 30)' 2>&1 | tail -1"
same "descriptors in /proc" "$programs/descriptors" list
for limit in "-S -n 64" "-S -n 1024" "-n 64"; do
  # If the hard limit is full as well, there is room above it only with CAP_SYS_RESOURCE.
  [[ $limit = -S* ]] || (ulimit -n 64 && ulimit -n 65) 2>/dev/null || continue
  same "descriptors up to ulimit $limit" bash -c "ulimit $limit; exec $programs/descriptors fill"
done
expect "unmeasured" "" "$(grep -i 'unmeasured\|could not be counted' result)"

# The launcher has limits, and its children inherit them.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  native=$(ulimit -v 8000000; ulimit -d 4000000; "$limits" show)
  found=$(ulimit -v 8000000; ulimit -d 4000000; timeout 120 "$hardmeter" stat --engine=direct -o result -- "$limits" show 2>&1)
  expect "limits of the launcher" "$native" "$found"
  if (ulimit -n 1000; ulimit -H -n 1010) 2>/dev/null; then
    native=$(ulimit -n 1000; "$limits" descriptors)
    found=$(ulimit -n 1000; timeout 120 "$hardmeter" stat --engine=direct -o result -- "$limits" descriptors 2>&1)
    expect "all descriptors that the hard limit allows" "$native" "$found"
  else
    skipped "the hard limit of descriptors cannot be raised here (CAP_SYS_RESOURCE)"
  fi
  # Without the right to raise hard limits, the program runs natively.
  chmod 777 .
  cp "$limits" limits
  found=$(ulimit -v 8000000; setpriv --reuid=65534 --regid=65534 --clear-groups \
    timeout 120 "$hardmeter" stat --engine=direct -o other_result -- ./limits show 2>&1)
  expect "limits of another user's launcher" "$(ulimit -v 8000000; "$limits" show)" "$found"
  expect_match "why it is not measured" 'has a limit of its address space .* runs unmeasured' "$(cat other_result)"
  # All descriptors up to a hard limit that cannot be raised: the program leaves the engine when it needs the engine's.
  cp "$programs/descriptors" descriptors
  for mode in fill replace; do
    other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    full=(bash -c "ulimit -n 64; exec ./descriptors $mode")
    found=$(timeout 120 "${other[@]}" "$hardmeter" stat --engine=direct -o full_result -- "${full[@]}" 2>&1)
    expect "$mode: all descriptors up to a hard limit" "$("${other[@]}" "${full[@]}")" "$found"
    expect_match "$mode: why it is not measured from there on" "needed all file descriptors" "$(cat full_result)"
  done
else
  skipped "only root may raise hard limits and become another user"
fi

# Running processes: their limits are restored at the detach.
for limit in "-v 20000000" "-d 1000000" "-f 8" "-S -v 20000000"; do
  rm -rf begun end target_said
  (
    ulimit $limit
    exec "$python" -c '
import os
i = 0
os.mkdir("begun")
while not os.path.exists("end"): i += sum(range(1000))
print("ended by itself")' >target_said 2>&1
  ) &
  target=$!
  wait_until test -d begun
  before=$(cat /proc/$target/limits)
  timeout 60 "$hardmeter" record -q --pmu=soft --detail bursts -p $target --duration 1s -o attached.data >said 2>&1
  status=$?  # raising a hard limit needs CAP_SYS_RESOURCE, which root in a container lacks
  [ $status = 0 ] || expect_match "attached with $limit: status $status" 'has a limit of its .* runs unmeasured' "$(cat said)"
  expect "attached with $limit: its limits" "$before" "$(cat /proc/$target/limits)"
  : >end
  end_of $target
  expect "attached with $limit: status" 0 $?
  expect "attached with $limit: its end" "ended by itself" "$(cat target_said)"
done
finish
