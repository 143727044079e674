#!/bin/bash
# SPDX-License-Identifier: MIT
# A view that reads the keyboard restores the terminal's state: full_screens.sh HARDMETER VIEW
. "$(dirname "$0")/common.sh"
tests=$(cd "$(dirname "$0")" && pwd)
view=$2
command -v stty >/dev/null || { skipped "there is no stty here"; exit 77; }

# Reads 8 MiB repeatedly, so that every view has something to show.
cat >busy.py <<'P'
memory = bytearray(1 << 23)
while True:
    for at in range(0, len(memory), 4096):
        memory[at] = 1
P
recording=
case $view in
*-kernel | timeline-live)
  "$hardmeter" stat --pmu=linux -e clock -- true >/dev/null 2>why || { skipped "the kernel's PMU cannot be used here: $(tail -1 why)"; exit 77; } ;;
timeline)
  recording=$work/recording.data
  "$hardmeter" record -q -e clock -c 100us -o "$recording" -- python3 -c 'sum(range(10000000))' 2>why
  status=$?
  expect "the recording: $(cat why)" 0 $status ;;
*)
  needs_engine ;;
esac
python3 busy.py &
process=$!
trap 'kill $process 2>/dev/null; rm -rf "$work"' EXIT
is_busy() { [ "$(awk '{print $14}' "/proc/$process/stat")" -gt 20 ]; }
wait_until is_busy
python3 "$tests/full_screens.py" "$hardmeter" "$view" "$recording" $process
expect "the screens' test: what it ends with" 0 $?
expect "what is left in the process" "" "$(grep ^554000 /proc/$process/maps)"
kill -0 $process || expect "the process that was watched" "there" "gone"
finish
