#!/bin/bash
# SPDX-License-Identifier: MIT
# A killed recorder leaves nothing in the processes that it was attached to, in any state of them: attach_killed.sh
# HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
needs_engine

has_engine() { grep -q ^554000 "/proc/$process/maps"; }
has_no_engine() { ! has_engine && ! ls -l "/proc/$process/fd" | grep -q /hardmeter-; }

# killed_after SECONDS OPTIONS...: attaches a recorder to $process and kills it SECONDS after the engine has arrived.
killed_after() {
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss -p "$process" -o killed.data "${@:2}" -- sleep 600 >said 2>&1 &
  local recorder=$!
  wait_until has_engine
  sleep "$1"
  kill -KILL $recorder
  wait $recorder 2>/dev/null
}

"$2/busy_process" 600 8 >out 2>&1 &
process=$!
wait_until catches 15 $process "$2/busy_process"
for moment in 0 0.05 0.3; do
  killed_after $moment
  wait_until has_no_engine || grep ^554000 /proc/$process/maps
done
killed_after 2 --budget 20%  # no thread is inside most of the time
wait_until has_no_engine

# If the cleaner is killed too, the next recorder cleans up, or the cleaner of another one.
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -p "$process" -o killed.data -- sleep 600 >said 2>&1 &
recorder=$!
wait_until grep -q /hardmeter- /proc/$process/maps  # a thread is inside
kill -KILL $(pgrep -P $recorder -x hm-cleaner) $recorder
wait $recorder 2>/dev/null
sleep 0.5
timeout 120 "$hardmeter" record --pmu=soft -e l1_cache_miss -p "$process" -o data --duration 500ms >said 2>&1
status=$?
expect "the next recorder: $(cat said)" 0 $status
has_no_engine || expect "memory of the engine after the next recorder" none "$(grep ^554000 /proc/$process/maps)"
kill $process
wait $process
status=$?
expect "the program: $(cat out)" 0 $status

# A process with a single thread, which sleeps after it has been inside.
cat >sleeper.py <<'PY'
import time
open("runs", "w").close()
end = time.monotonic() + 3
while time.monotonic() < end:
    sum(range(1000))
open("sleeps", "w").close()
time.sleep(600)
PY
python3 sleeper.py &
process=$!
wait_until test -e runs
"$hardmeter" record --pmu=soft -q -e l1_cache_miss -p "$process" -o killed.data -- sleep 600 >said 2>&1 &
recorder=$!
wait_until test -e sleeps
folder=$(grep -om1 '/[^ ]*/hardmeter-[^/]*' /proc/$process/maps)
expect "the session of a process that sleeps inside: $(cat said)" yes "$([ -d "$folder" ] && echo yes)"
kill -KILL $recorder
wait $recorder 2>/dev/null
wait_until has_no_engine
wait_until test ! -e "$folder"
kill -0 $process || expect "the process that sleeps" alive dead
kill $process
finish
