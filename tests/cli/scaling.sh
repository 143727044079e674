#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs with many threads, forks and mappings, on more modelled cores than the host has: they print the same as
# natively, and end. The cost of one more thread or mapping does not grow with their number. The programs measure this
# cost by wake-ups and bytes read, not by time: scaling.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
programs=$2

# as_natively OPTIONS -- COMMAND...: compares with a native run; OPTIONS begin with stat or record.
as_natively() {
  local options=() native
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  native=$(timeout -k 1 600 "$@" 2>&1 </dev/null; echo "status $?")
  expect "${options[*]}: $*" "$native" \
    "$(timeout -k 1 600 "$hardmeter" "${options[0]}" --engine=direct "${options[@]:1}" -o measured -- "$@" 2>&1 </dev/null
      echo "status $?")"
}

# Threads hold every lock of the engine while the process forks.
for round in 1 2; do
  as_natively stat --cores 16 -- "$programs/forking_crowd" 6
  as_natively record -q -e l1_cache_miss -c 1009 --cores 16 -- "$programs/forking_crowd" 6
done
expect_samples measured
as_natively stat --cores 8 --detail bursts -- "$programs/forking_crowd" 6

# A thread that waits in a page fault does not release its core; the others continue.
"$programs/page_faults" 1 >/dev/null
if [ $? = 77 ]; then
  skipped "the system refuses userfaultfd(2)"
else
  for threads in 1 2 4 20; do as_natively stat -- "$programs/page_faults" $threads; done
  as_natively stat --cores 1 -- "$programs/page_faults" 3
  as_natively stat --detail bursts -- "$programs/page_faults" 4
fi

as_natively stat -- "$programs/crowd" yields
as_natively stat --cores 16 -- "$programs/crowd" yields
as_natively record -q -e l1_cache_miss -- "$programs/many_mappings"
as_natively stat -- "$programs/many_mappings"
for mode in signals alarms; do as_natively stat --cores 16 -- "$programs/crowd" $mode; done

if has_valgrind_engine "--cores under Valgrind"; then
  message=$("$hardmeter" stat --engine=valgrind --cores 2 -- true 2>&1)
  expect "status of --cores under Valgrind" 1 "$(("$?" != 0))"
  expect_match "--cores under Valgrind" "--cores needs the copying engine" "$message"
fi
finish
