#!/bin/bash
# SPDX-License-Identifier: MIT
# --tree while processes start and end everywhere, also while hardmeter reads /proc: tree.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_engine

# Keeps fifty children running until the file `enough` exists. The measured process exits with 3 if one of its own
# children ends abnormally.
cat >forks.py <<'P'
import os, sys
open("begun" + sys.argv[1], "w").close()
bad = 0
while not os.path.exists("enough"):
    children = []
    for _ in range(int(sys.argv[1])):
        child = os.fork()
        if child == 0:
            os._exit(7)
        children.append(child)
    for child in children:
        bad += os.waitpid(child, 0)[1] != 7 << 8
sys.exit(3 if bad else 0)
P
python3 forks.py 1 &
process=$!
python3 forks.py 50 &
storm=$!
# `python3` may be a script that first executes another program.
wait_until test -e begun1 -a -e begun50
for budget in "" "--budget 20%"; do
  for i in 1 2 3; do
    timeout 300 "$hardmeter" record --pmu=soft --tree $budget -p $process -o tree.data --duration 300ms >said 2>&1
    status=$?
    # The children end natively, or under the engine: none of them executes another program.
    expect "what is reported of children" "" "$(grep 'another program\|thread of the kernel' said)"
    # On a busy machine the process may not run during the measurement.
    grep -q "nothing was measured: no thread" said || expect "record --tree $budget: $(tail -1 said)" 0 $status
  done
done
timeout 300 "$hardmeter" top --pmu=soft --tree -p $process -n 1 -d 0.1 >shown 2>said
status=$?
expect "top --tree: $(tail -1 said)" 0 $status
: >enough
end_of $process
expect "the process that forks" 0 $?
end_of $storm
finish
